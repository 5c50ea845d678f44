/** The signature of a difference: what differs, not only that something does. */
import { eventTypeOf } from '../difference/split-by-event.ts'
import type { ReplayedExchange, FailureSignature } from './replay-report.ts'
import type { Standing } from '../recording/standing.ts'
import { statusClass } from '../exchange.ts'

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

/** The operation, or the method of a call that is none. */
export const operationName = ({ recorded, live }: ReplayedExchange): string => {
  const exchange = recorded ?? live
  return exchange?.operation ?? exchange?.request.method ?? 'unknown'
}

/** The event type tells polls apart. */
const eventOf = (replayed: ReplayedExchange): string => {
  const type = eventTypeOf(replayed.recorded ?? replayed.live)
  return type === undefined ? '' : `:${type}`
}

/** The signature of one difference, without anything that varies between replays. */
export function differenceSignature(
  replayed: ReplayedExchange,
): Extract<FailureSignature, { kind: 'difference' }> {
  const first = replayed.differences.find(({ accepted }) => !accepted)
  return {
    kind: 'difference',
    operation: `${operationName(replayed)}${eventOf(replayed)}`,
    standing: replayed.standing,
    where: first ? `/${first.side}${withoutListPositions(first.where)}` : '',
    statusClass: statusClass((replayed.live ?? replayed.recorded)?.reply),
  }
}
