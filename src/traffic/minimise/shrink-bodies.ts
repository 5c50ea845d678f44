/** Makes the bodies of a part smaller, as far as it still fails. */
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { placesIn, without } from './payload.ts'
import { reduce } from './reduce.ts'
import type { Part, Trials } from './trial.ts'

/** Smaller bodies are pleasant and no more: they must not use up what the exchanges need. */
const mostForBodies = 20

interface ShrinkOptions {
  readonly exchanges: readonly RecordedExchange[]
  readonly mayShrink?: ((exchange: RecordedExchange) => string | undefined) | undefined
}

/** Bodies are made smaller one after the other: all that may go at once, then piece by piece. */
export async function shrinkBodies(
  { exchanges, mayShrink }: ShrinkOptions,
  trials: Trials,
  part: () => Part,
  take: (part: Part) => void,
): Promise<void> {
  const most = trials.made() + mostForBodies
  for (const exchange of exchanges) {
    const text = part().kept.has(exchange.recordId) ? mayShrink?.(exchange) : undefined
    const places = text === undefined ? [] : placesIn(text)
    if (text === undefined || places.length === 0) continue
    const smaller = (gone: readonly (typeof places)[number][]): Part => ({
      ...part(),
      bodies: new Map([...part().bodies, [exchange.recordId, without(text, gone)]]),
    })
    const left = await reduce({
      things: places,
      stillFails: async (some) =>
        trials.made() < most && trials.fails(smaller(places.filter((place) => !some.has(place)))),
    })
    const gone = places.filter((place) => !left.has(place))
    if (gone.length > 0) take(smaller(gone))
    if (trials.exhausted() || trials.made() >= most) return
  }
}
