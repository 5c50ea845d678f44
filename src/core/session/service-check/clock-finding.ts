/** Compares the clock of the user's service with ours, by the Date of its answers. */
import { type Exchange, headerValue } from '../../traffic/exchange.ts'
import { type CheckFinding, okFinding, problemFinding } from './finding.ts'

/** The protocol names no tolerance; this is the leeway that OAuth libraries give to clocks. */
const maxSkewMs = 60_000

/** Date has whole seconds: it stands for the second that begins with it. */
const dateResolutionMs = 1000

/** Milliseconds that its clock is ahead of ours, negative when it is behind; the least that the answer allows. */
function skewOf({ reply, startedAt, tookMs }: Exchange): readonly number[] {
  const date = Date.parse(headerValue(reply?.headers ?? [], 'date') ?? '')
  if (Number.isNaN(date)) return []
  const ahead = date - (startedAt + tookMs)
  const behind = date + dateResolutionMs - startedAt
  return [ahead > 0 ? ahead : Math.min(behind, 0)]
}

/** About the answer that is nearest to our clock: a cached one has an old Date. */
export function clockFinding(exchanges: readonly Exchange[]): CheckFinding {
  const [skewMs] = exchanges.flatMap(skewOf).toSorted((a, b) => Math.abs(a) - Math.abs(b))
  if (skewMs === undefined) return okFinding('clock: its answers have no Date to compare')
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  if (Math.abs(skewMs) <= maxSkewMs)
    return okFinding(`clock: its Date differs from ours by ${seconds} s`)
  return problemFinding(
    'fail',
    `clock: the Date of its answers is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours, and ${maxSkewMs / 1000} s are tolerated`,
    'Set the clocks of both machines, for example by NTP: event times and Retry-After dates are compared with them.',
  )
}
