/**
 * After the steps: no fault is in force any more, what was held back goes on, and time passes until all is done, or until
 * nobody may take longer. Only then is it fair to judge.
 */
import type { Configuration } from '../configuration/schema.ts'
import type { Instant } from '../engine/instant.ts'
import { unfinished } from './quiescence.ts'
import type { Appointment, Time } from './time.ts'
import type { Witness } from './observer.ts'
import type { Session } from '../session-api/session.ts'

export interface Recovering {
  readonly session: Session
  readonly witness: Witness
  readonly time: Time
  readonly patience: Pick<Configuration['judgement'], 'converge' | 'grace'>
  /** When the last order that comes by itself does so. */
  readonly lastOrder: Instant
  /** The next of those that have not come. */
  readonly appointment: () => Appointment | undefined
  /** Hears what is still waited for. */
  readonly onWait?: (left: string) => void
}

/** A person's holds end with the steps: an event that is held for ever would be our doing, and nobody else's. */
async function releaseAll(session: Session): Promise<void> {
  const { agenda } = await session.look({ agenda: { limit: 1000 } })
  for (const { id, held } of agenda) if (held) await session.submit({ kind: 'agenda.release', id })
}

async function endFaults(session: Session): Promise<void> {
  const { faults } = await session.look({ faults: true })
  // Where there never was one, the weather was calm all along, and nobody should forget that.
  if (faults.some(({ over }) => over === undefined)) await session.submit({ kind: 'fault.end' })
}

/** The invariants for which there is still time. */
async function openOnes(session: Session): Promise<string | undefined> {
  const { verdicts } = await session.look({ verdicts: true })
  const open = verdicts.filter(({ outcome }) => outcome === 'open').map(({ id }) => id)
  return open.length > 0
    ? `what ${open.join(', ')} ${open.length > 1 ? 'wait' : 'waits'} for`
    : undefined
}

/** Lets everything settle that can. */
export async function recover(recovering: Recovering): Promise<void> {
  const { session, time, patience, witness, appointment, lastOrder, onWait } = recovering
  await endFaults(session)
  await releaseAll(session)
  const decided = patience.converge + patience.grace
  const lastNews = (): number => Math.max(witness.orders.lastNews(), witness.rhythm.lastBusiness())
  // What is still to come may set off something else that is: everything has its time after the last news.
  await time.until(
    async () => {
      // Quiet before the story is over is no end of it.
      const left =
        (appointment() && 'an order that comes by itself') ??
        (await unfinished(recovering)) ??
        ((await time.now()) - lastNews() > decided ? undefined : await openOnes(session))
      if (left !== undefined) onWait?.(left)
      return left === undefined
    },
    Math.max(0, lastOrder - (await time.now())) + 2 * patience.converge + patience.grace,
  )
}
