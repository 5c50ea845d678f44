/**
 * The failure signature of a replay: what failed, not only that something failed. A search for the cause must keep to
 * it, or it would drift to other failures in parts of the recording.
 */
import { eventTypeOf } from '../difference/split-by-event.ts'
import type { ReplayedExchange, ReplayReport, FailureSignature } from './replay-report.ts'
import type { Standing } from '../recording/standing.ts'

/** Standings that mean that the subject behaves differently. */
export const differingStandings: ReadonlySet<Standing> = new Set([
  'changed',
  'identity',
  'missing',
  'extra',
  'late',
])

/** Replaces list positions by `*`: they depend on the order of the list. */
export const withoutListPositions = (where: string): string => where.replace(/\/\d+(?=\/|$)/g, '/*')

const operationOf = ({ recorded, live }: ReplayedExchange): string => {
  const exchange = recorded ?? live
  return exchange?.operation ?? exchange?.request.method ?? 'unknown'
}

/** The live status; the recorded one when there is no live exchange. */
const statusOf = ({ recorded, live }: ReplayedExchange): number =>
  (live ?? recorded)?.reply?.status ?? 0

/** The event type tells polls apart. */
const eventOf = (replayed: ReplayedExchange): string => {
  const type = eventTypeOf(replayed.recorded ?? replayed.live)
  return type === undefined ? '' : `:${type}`
}

/** The signature of one difference, without anything that varies between replays. */
export function differenceSignature(replayed: ReplayedExchange): FailureSignature {
  const first = replayed.differences.find(({ accepted }) => !accepted)
  return {
    kind: 'difference',
    operation: `${operationOf(replayed)}${eventOf(replayed)}`,
    standing: replayed.standing,
    where: first ? `/${first.side}${withoutListPositions(first.where)}` : '',
    statusClass: Math.floor(statusOf(replayed) / 100),
  }
}

/** The signature of the first failure; undefined when there is none that can be identified. */
export function failureSignature(
  report: Pick<ReplayReport, 'exchanges' | 'first' | 'broken'>,
): FailureSignature | undefined {
  const first = report.first === undefined ? undefined : report.exchanges[report.first]
  if (first && differingStandings.has(first.standing)) return differenceSignature(first)
  const [broken] = report.broken
  if (broken) return { kind: 'invariant', name: broken.invariant }
  const failing = report.exchanges.find(
    (each) => statusOf(each) >= 500 && (each.recorded?.reply?.status ?? 0) < 500,
  )
  return failing && { kind: 'answer', operation: operationOf(failing), status: statusOf(failing) }
}
