/**
 * A fuzz run: 90 s in which a fifth of all messages hit a fault, then none. Six orders of all profiles, some cancelled
 * by the originator and some with a cancellation request that may be denied; everything is drawn from the seed.
 */
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import type { Verdict } from '../../src/core/rules/invariants/verdict.ts'
import { type Chance, createChance } from '../../src/core/engine/chance.ts'
import { type InProcessHarness, openHarness, type HarnessOptions } from './in-process-harness.ts'

const kinds: readonly OrderType[] = ['DELIVERY', 'TAKEOUT', 'INDOOR']
const orders = 6
const stormMs = 90_000

interface ScheduledAction {
  readonly at: number
  readonly act: (harness: InProcessHarness) => Promise<unknown>
}

/** The actions on one order besides the faults. */
function actionsFor(
  number: number,
  chance: Chance,
  ids: (string | undefined)[],
): readonly ScheduledAction[] {
  const type = chance.pick(kinds)
  const placed = chance.between(0, 20_000)
  const later = (): number => placed + chance.between(100, 40_000)
  const actions: ScheduledAction[] = [
    {
      at: placed,
      act: async (harness) => {
        ids[number] = await harness.order(type)
      },
    },
  ]
  const about =
    (act: (harness: InProcessHarness, orderId: string) => Promise<unknown> | undefined) =>
    (harness: InProcessHarness) =>
      act(harness, ids[number] ?? '') ?? Promise.resolve()
  const draw = chance.below(5)
  if (draw === 0)
    actions.push({
      at: later(),
      act: about((harness, orderId) =>
        harness.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' }),
      ),
    })
  if (draw === 1) {
    const at = later()
    const denied = chance.oneIn(2)
    actions.push({
      at,
      act: about((harness, orderId) => {
        void harness.requestCancellation(orderId)
        return undefined
      }),
    })
    // Repeated until there is a request to answer, which may be delayed for long.
    for (let again = 0; denied && again < 40; again++)
      actions.push({
        at: at + 200 + again * 400,
        act: about((harness, orderId) =>
          harness.session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' }),
        ),
      })
  }
  return actions
}

export interface FuzzRun {
  readonly verdicts: readonly Verdict[]
  readonly harness: InProcessHarness
}

export interface FuzzOptions extends Pick<
  HarnessOptions,
  'channel' | 'delivers' | 'defects' | 'speaks' | 'session'
> {
  readonly storm?: Readonly<Record<string, unknown>>
  /** Called before the first order. */
  readonly onOpen?: (harness: InProcessHarness) => void
}

/** Runs it and evaluates the result before the harness is disposed. */
export async function runFuzz<Result>(
  seed: number,
  { storm, onOpen, ...options }: FuzzOptions,
  look: (dense: FuzzRun) => Result,
): Promise<Result> {
  await using harness = await openHarness({
    seed,
    ...options,
    faults: [{ storm: { percent: 20, ...storm } }],
  })
  onOpen?.(harness)
  const chance = createChance(seed, 'dense')
  const ids: (string | undefined)[] = []
  const actions = Array.from({ length: orders }, (_, number) => actionsFor(number, chance, ids))
    .flat()
    .toSorted((one, other) => one.at - other.at)
  let passed = 0
  for (const { at, act } of actions) {
    if (at > passed) await harness.pass(at - passed)
    passed = Math.max(passed, at)
    await act(harness)
  }
  await harness.pass(Math.max(0, stormMs - passed))
  return look({ verdicts: await harness.judgeAll(), harness })
}
