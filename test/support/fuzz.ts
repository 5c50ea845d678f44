/**
 * A minute and a half in which a fifth of everything goes wrong that may go wrong, and then calm weather: six orders of all
 * kinds, some of them cancelled by the originator at any moment, some that the store wants cancelled, with an answer that
 * may be no. Which is drawn by the seed, and by nothing else.
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

/** What happens to one order besides the weather. */
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
    // Asked again and again until there is something to answer: the request may be on its way for long.
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
  /** Before anything happens. */
  readonly onOpen?: (duel: Duel) => void
}

/** Runs it; what is left of it is looked at before it is put away. */
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
