/** How much memory the result of a replayed exchange takes, and what of it is left out where there are too many. */
import { shortText } from '../../engine/short-text.ts'
import type { Difference } from '../difference/difference.ts'
import { type Exchange, type ExchangeReply, type ExchangeRequest, largeChars } from '../exchange.ts'
import type { ReplayedExchange } from './replay-report.ts'

/** Maximum characters of all results that are kept in full. */
export const maxKeptReplayChars = 64_000_000

const leftOut = `its bodies are left out, since the results before it take ${maxKeptReplayChars / 1e6} MB`

/** Characters of a result, without those of the recording. Its differences hold at most both bodies once more. */
export function replayedChars({ live, renamed, differences }: ReplayedExchange): number {
  const sizes = [live, renamed].map((each) => (each ? largeChars(each) : 0))
  return sizes.reduce((sum, size) => sum + size, 0) * (differences.length > 0 ? 2 : 1)
}

function withoutBodies(live: Exchange): Exchange {
  const { body: _sent, wire: _sentWire, ...request }: ExchangeRequest = live.request
  if (!live.reply) return { ...live, request }
  const { body: _got, wire: _gotWire, ...reply }: ExchangeReply = live.reply
  return { ...live, request, reply }
}

const shortValue = (value: unknown): unknown =>
  value === undefined ? value : shortText(typeof value === 'string' ? value : JSON.stringify(value))

const shortDifference = (difference: Difference): Difference => ({
  ...difference,
  ...('recorded' in difference ? { recorded: shortValue(difference.recorded) } : {}),
  ...('live' in difference ? { live: shortValue(difference.live) } : {}),
})

/** The result without the bodies of the live exchange. It is not compared again. */
export function withoutLiveBodies(replayed: ReplayedExchange): ReplayedExchange {
  const { live, renamed: _renamed, because, differences, ...rest } = replayed
  return {
    ...rest,
    ...(live ? { live: withoutBodies(live) } : {}),
    differences: differences.map(shortDifference),
    because: because === undefined ? leftOut : `${because}; ${leftOut}`,
  }
}
