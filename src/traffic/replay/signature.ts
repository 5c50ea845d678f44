/**
 * What a failed replay is recognised by: not that something failed, but what. A search for its cause keeps to it, or it
 * would slip to whatever else fails in a part of a recording.
 */
import { eventTypeOf } from '../difference/polled.ts'
import type { Replayed, ReplayReport, Signature } from './status.ts'
import type { Standing } from '../recording/standing.ts'

/** Standings that say that the subject behaves otherwise. */
export const differing: ReadonlySet<Standing> = new Set([
  'changed',
  'identity',
  'missing',
  'extra',
  'late',
])

/** List positions say where a thing happened to stand, and not what it is. */
export const withoutPositions = (where: string): string => where.replace(/\/\d+(?=\/|$)/g, '/*')

const operationOf = ({ recorded, live }: Replayed): string => {
  const exchange = recorded ?? live
  return exchange?.operation ?? exchange?.request.method ?? 'unknown'
}

/** What replied: the live side where there is one, since that is what is tried. */
const statusOf = ({ recorded, live }: Replayed): number => (live ?? recorded)?.reply?.status ?? 0

/** The event that it hands over tells one poll from another. */
const eventOf = (replayed: Replayed): string => {
  const type = eventTypeOf(replayed.recorded ?? replayed.live)
  return type === undefined ? '' : `:${type}`
}

/** One difference among others, without what changes from replay to replay. */
export function differenceOf(replayed: Replayed): Signature {
  const first = replayed.differences.find(({ accepted }) => !accepted)
  return {
    kind: 'difference',
    operation: `${operationOf(replayed)}${eventOf(replayed)}`,
    standing: replayed.standing,
    where: first ? `/${first.side}${withoutPositions(first.where)}` : '',
    statusClass: Math.floor(statusOf(replayed) / 100),
  }
}

/** The failure of a replay; undefined when nothing failed that could be told from other failures. */
export function signatureOf(
  report: Pick<ReplayReport, 'exchanges' | 'first' | 'broken'>,
): Signature | undefined {
  const first = report.first === undefined ? undefined : report.exchanges[report.first]
  if (first && differing.has(first.standing)) return differenceOf(first)
  const [broken] = report.broken
  if (broken) return { kind: 'invariant', name: broken.invariant }
  const failing = report.exchanges.find(
    (each) => statusOf(each) >= 500 && (each.recorded?.reply?.status ?? 0) < 500,
  )
  return failing && { kind: 'answer', operation: operationOf(failing), status: statusOf(failing) }
}
