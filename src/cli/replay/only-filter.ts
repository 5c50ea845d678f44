/** Parses `--only`: the same filter language as the dashboard's traffic pane. */
import { trafficFilter } from '../../views/traffic-filter.ts'
import { trafficRow } from '../../views/traffic-rows.ts'
import { problem } from '../../problem.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'

export function parseOnlyFilter(text: string | undefined): (recorded: RecordedExchange) => boolean {
  if (text === undefined) return () => true
  const test = trafficFilter(text)
  if (!test.ok)
    throw problem(
      'reading --only',
      test.error,
      'Write words that all hold, such as "confirmOrder !failed".',
    )
  return (recorded) => test.value(trafficRow(recorded))
}
