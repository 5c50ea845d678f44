/** Shrinks the bodies of a part as long as it still fails. */
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { removablePaths, withoutPaths } from './shrink-json.ts'
import { isValidBody } from './valid-body.ts'
import { deltaDebug } from './delta-debug.ts'
import type { RecordingPart, Trials } from './trial.ts'

/** Maximum replays for bodies: they are less important than the number of exchanges. */
const maxBodyReplays = 6

interface ShrinkOptions {
  readonly exchanges: readonly RecordedExchange[]
  readonly mayShrink?: ((exchange: RecordedExchange) => string | undefined) | undefined
}

/** One body after the other: all removable paths at once, then delta debugging. */
export async function shrinkBodies(
  { exchanges, mayShrink }: ShrinkOptions,
  trials: Trials,
  part: () => RecordingPart,
  take: (part: RecordingPart) => void,
): Promise<void> {
  const maxReplays = trials.made() + maxBodyReplays
  for (const exchange of exchanges) {
    const text = part().kept.has(exchange.recordId) ? mayShrink?.(exchange) : undefined
    const places = text === undefined ? [] : removablePaths(text)
    if (text === undefined || places.length === 0) continue
    const smaller = (gone: readonly (typeof places)[number][]): RecordingPart => ({
      ...part(),
      bodies: new Map([...part().bodies, [exchange.recordId, withoutPaths(text, gone)]]),
    })
    const left = await deltaDebug({
      things: places,
      stillFails: async (some) => {
        const without = places.filter((place) => !some.has(place))
        return (
          isValidBody(exchange, text, withoutPaths(text, without)) &&
          trials.made() < maxReplays &&
          trials.fails(smaller(without))
        )
      },
    })
    const gone = places.filter((place) => !left.has(place))
    if (gone.length > 0) take(smaller(gone))
    if (trials.exhausted() || trials.made() >= maxReplays) return
  }
}
