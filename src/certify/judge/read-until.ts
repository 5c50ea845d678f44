/** Reading again until something is observed: accepted calls take effect later (202). */
import type { ProcedureContext, WaitLimit } from './procedure.ts'

/** How long an accepted call may take to show its effect, in ms. */
export const maxEffectMs = 15_000
const readEveryMs = 500

/** Reads until the reading holds, or the time is over; the last reading. */
export async function readUntil<Reading>(
  context: Pick<ProcedureContext, 'now' | 'sleep' | 'waits'>,
  read: () => Promise<Reading>,
  holds: (reading: Reading) => boolean,
  { within = maxEffectMs, ...limit }: WaitLimit = {},
): Promise<Reading> {
  const begun = context.now()
  for (;;) {
    const reading = await read()
    if (holds(reading) || context.now() >= begun + within) return reading
    context.waits(begun, { within, ...limit })
    await context.sleep(readEveryMs)
  }
}
