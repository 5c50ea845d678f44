/**
 * The exchanges of a recording that its partner's part is read from: what it decided, and every event that it handed over,
 * since a lost or a second one shows only beside the others.
 */
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { decisionsOf } from './decisions.ts'

export function drivenBy(content: RecordingContent): ReadonlySet<string> {
  const { decisions, anomalies } = decisionsOf(content)
  const handovers = content.exchanges.filter(
    ({ from, request, eventIds = [] }) =>
      eventIds.length > 0 && (from.party !== 'subject' || request.method === 'GET'),
  )
  return new Set([
    ...[...decisions, ...anomalies].flatMap(({ recordIds }) => recordIds),
    ...handovers.map(({ recordId }) => recordId),
  ])
}
