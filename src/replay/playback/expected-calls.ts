/**
 * The calls of the service that come of a part of a recording: of what is sent of it, and of nothing that is left out.
 */
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'

export interface ExpectedCallsOptions {
  /** In the order of the recording. */
  readonly exchanges: readonly RecordedExchange[]
  readonly causes: ReadonlyMap<string, readonly Cause[]>
  /** Whether it was sent to the service. */
  readonly isSent: (recorded: RecordedExchange) => boolean
  /** Which of those are sent again. */
  readonly wanted: (recorded: RecordedExchange) => boolean
}

/** Record ids of the calls. */
export function expectedCalls({
  exchanges,
  causes,
  isSent,
  wanted,
}: ExpectedCallsOptions): ReadonlySet<string> {
  const leftOut = new Set<string>()
  const played = new Set<string>()
  const expected = new Set<string>()
  for (const each of exchanges) {
    const { recordId } = each
    if (isSent(each)) {
      if (wanted(each)) played.add(recordId)
      else leftOut.add(recordId)
      continue
    }
    const before = causes.get(recordId) ?? []
    if (before.some(({ id }) => leftOut.has(id)) || !before.some(({ id }) => played.has(id)))
      continue
    played.add(recordId)
    expected.add(recordId)
  }
  return expected
}
