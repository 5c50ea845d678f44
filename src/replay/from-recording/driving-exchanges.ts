/**
 * Which exchanges a replay by decisions depends on: those that the decisions are derived from, and all handovers, since a
 * lost or repeated event shows only among the others.
 */
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { decisionsOf } from './decisions.ts'

export function drivingExchanges(content: RecordingContent) {
  const { decisions, anomalies } = decisionsOf(content)
  const handovers = content.exchanges.filter(
    ({ from, request, eventIds = [] }) =>
      eventIds.length > 0 && (from.party !== 'subject' || request.method === 'GET'),
  )
  const sources = new Set([...decisions, ...anomalies].flatMap(({ recordIds }) => recordIds))
  const plain = handovers.map(({ recordId }) => recordId).filter((id) => !sources.has(id))
  const decided = new Set(
    decisions.flatMap(({ what, recordIds }) => (what.kind === 'fault' ? [] : recordIds)),
  )
  const faults = [...anomalies, ...decisions.filter(({ what }) => what.kind === 'fault')]
    .map(({ recordIds }) => new Set(recordIds.filter((id) => !decided.has(id))))
    .filter(({ size }) => size > 0)
  return {
    /** By record id. */
    all: new Set([...sources, ...plain]),
    /** Those of them that hand events over as a matter of course, and that nothing is derived from. */
    plain: new Set(plain),
    /** Each fault by the exchanges that show it, and that no decision is derived from. */
    faults,
  }
}
