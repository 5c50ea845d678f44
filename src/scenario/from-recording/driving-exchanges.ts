/**
 * Ids of the exchanges that the partner's decisions are derived from, and of all its handovers: a lost or repeated event
 * shows only among the others.
 */
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { decisionsOf } from './decisions.ts'

export function drivingExchanges(content: RecordingContent): ReadonlySet<string> {
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
