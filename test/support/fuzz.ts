/**
 * A fuzz run: 90 s in which a fifth of all messages hit a fault, then none. Six orders of all profiles, some cancelled
 * by the
 * originator and some with a cancellation request that may be denied; everything is drawn from the seed.
 */
import type { OrderType } from '../../src/protocol/orders/order.ts'
import type { Verdict } from '../../src/invariants/verdict.ts'
import { type Chance, createChance } from '../../src/engine/chance.ts'
import { type Duel, openDuel, type DuelOptions } from './in-process-harness.ts'

const kinds: readonly OrderType[] = ['DELIVERY', 'TAKEOUT', 'INDOOR']
const orders = 6
const stormMs = 90_000

interface Deed {
  readonly at: number
  readonly act: (duel: Duel) => Promise<unknown>
}

/** The actions on one order besides the faults. */
function fateOf(number: number, chance: Chance, ids: (string | undefined)[]): readonly Deed[] {
  const type = chance.pick(kinds)
  const placed = chance.between(0, 20_000)
  const later = (): number => placed + chance.between(100, 40_000)
  const deeds: Deed[] = [
    {
      at: placed,
      act: async (duel) => {
        ids[number] = await duel.order(type)
      },
    },
  ]
  const about =
    (act: (duel: Duel, orderId: string) => Promise<unknown> | undefined) => (duel: Duel) =>
      act(duel, ids[number] ?? '') ?? Promise.resolve()
  const draw = chance.below(5)
  if (draw === 0)
    deeds.push({
      at: later(),
      act: about((duel, orderId) =>
        duel.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' }),
      ),
    })
  if (draw === 1) {
    const at = later()
    const denied = chance.oneIn(2)
    deeds.push({
      at,
      act: about((duel, orderId) => {
        void duel.requestCancellation(orderId)
        return undefined
      }),
    })
    // Repeated until there is a request to answer, which may be delayed for long.
    for (let again = 0; denied && again < 40; again++)
      deeds.push({
        at: at + 200 + again * 400,
        act: about((duel, orderId) =>
          duel.session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' }),
        ),
      })
  }
  return deeds
}

export interface Dense {
  readonly verdicts: readonly Verdict[]
  readonly duel: Duel
}

export interface DenseOptions extends Pick<DuelOptions, 'channel' | 'delivers' | 'defects'> {
  readonly storm?: Readonly<Record<string, unknown>>
  /** Called before the first order. */
  readonly onOpen?: (duel: Duel) => void
}

/** Runs it and evaluates the result before the harness is disposed. */
export async function dense<Result>(
  seed: number,
  { storm, onOpen, ...options }: DenseOptions,
  look: (dense: Dense) => Result,
): Promise<Result> {
  await using duel = await openDuel({
    seed,
    ...options,
    faults: [{ storm: { percent: 20, ...storm } }],
  })
  onOpen?.(duel)
  const chance = createChance(seed, 'dense')
  const ids: (string | undefined)[] = []
  const deeds = Array.from({ length: orders }, (_, number) => fateOf(number, chance, ids))
    .flat()
    .toSorted((one, other) => one.at - other.at)
  let passed = 0
  for (const { at, act } of deeds) {
    if (at > passed) await duel.pass(at - passed)
    passed = Math.max(passed, at)
    await act(duel)
  }
  await duel.pass(Math.max(0, stormMs - passed))
  return look({ verdicts: await duel.judged(), duel })
}
