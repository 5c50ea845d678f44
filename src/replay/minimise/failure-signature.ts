/** The signature of a difference: what differs, not only that something does. */
import { compact } from '../../core/base/compact.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { eventTypeOf } from '../../core/traffic/recording/split-by-event.ts'
import type {
  ReplayedExchange,
  FailureSignature,
  ReplayReport,
} from '../../core/traffic/recording/replay-report.ts'
import type { Standing } from '../../core/traffic/recording/standing.ts'
import { finalEvents } from './order-timeline.ts'
import { statusClass } from '../../core/traffic/exchange.ts'

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

/** A status or another constant, `READY_FOR_PICKUP`: the same in each replay. */
const constant = /^[A-Z]{3,}(?:_[A-Z]+)*$/

/** How a value differs, without what varies between replays of one service. */
function changeOf({ kind, recorded, live }: Difference): string {
  if (kind !== 'value') return kind
  if (typeof recorded === 'number' && typeof live === 'number')
    return live < recorded ? 'smaller' : 'larger'
  const isConstant = [recorded, live].every((each) => constant.test(String(each)))
  return isConstant ? String(live) : kind
}

/** The differences of an exchange by place, `/reply/body/items/*`, with how it differs: of a list, how often. */
export function changesOf(differences: readonly Difference[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const difference of differences) {
    const place = `/${difference.side}${withoutListPositions(difference.where)}`
    const changes = counts.get(place) ?? new Map<string, number>()
    const change = changeOf(difference)
    counts.set(place, changes.set(change, (changes.get(change) ?? 0) + 1))
  }
  const text = (place: string, [change, count]: readonly [string, number]): string =>
    place.includes('/*') ? `${change} ${count}` : change
  return new Map(
    [...counts].map(([place, all]) => [
      place,
      [...all].map((each) => text(place, each)).join(', '),
    ]),
  )
}

/** The signature of one difference, without anything that varies between replays. */
export function differenceSignature(
  replayed: ReplayedExchange,
): Extract<FailureSignature, { kind: 'difference' }> {
  const [first] = changesOf(replayed.differences.filter(({ accepted }) => !accepted))
  const [where = '', change] = first ?? []
  return {
    kind: 'difference',
    operation: `${operationName(replayed)}${eventOf(replayed)}`,
    standing: replayed.standing,
    where,
    ...compact({ change }),
    statusClass: statusClass((replayed.live ?? replayed.recorded)?.reply),
  }
}

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b

/** How far an order has come: while it is under way, its status at an answer depends on the pace. */
const phaseOf = (state: string | undefined): string | undefined =>
  state === undefined || state === 'CREATED' || finalEvents.has(state) ? state : 'under way'

/**
 * Whether two signatures identify the same failure. Older recordings do not have all members: those that one of them
 * lacks do not count then.
 */
export function isSameFailure(a: FailureSignature, b: FailureSignature): boolean {
  if (a.kind === 'answer') {
    if (b.kind !== 'answer' || a.operation !== b.operation || statusClass(a) !== statusClass(b))
      return false
    const isOld = a.by === undefined || b.by === undefined
    return (
      isOld ||
      (phaseOf(a.state) === phaseOf(b.state) &&
        (['by', 'event', 'error', 'order'] as const).every((key) => a[key] === b[key]))
    )
  }
  if (a.kind === 'invariant')
    return b.kind === 'invariant' && a.name === b.name && isSame(a.order, b.order)
  if (a.kind === 'repeat')
    return b.kind === 'repeat' && a.operation === b.operation && a.order === b.order
  if (a.kind === 'ending')
    return b.kind === 'ending' && a.order === b.order && a.state === b.state && a.call === b.call
  return (
    b.kind === 'difference' &&
    a.operation === b.operation &&
    a.standing === b.standing &&
    a.where === b.where &&
    isSame(a.change, b.change) &&
    a.statusClass === b.statusClass &&
    isSame(a.order, b.order)
  )
}

const ofOrder = (order: string | undefined): string =>
  order === undefined ? '' : ` of order ${order}`

/** A failure in one sentence. */
export function signatureText(signature: FailureSignature): string {
  if (signature.kind === 'invariant')
    return `rule ${signature.name} fails${signature.order === undefined ? '' : ` for order ${signature.order}`}`
  if (signature.kind === 'repeat')
    return `${signature.operation}${ofOrder(signature.order)} is made again after it succeeded`
  if (signature.kind === 'ending')
    return signature.call === undefined
      ? `order ${signature.order} is left at ${signature.state}`
      : `order ${signature.order} is ${signature.state}, and the service still makes ${signature.call}`
  if (signature.kind === 'answer') {
    const { operation, event, order, status, error, state, by } = signature
    const what = `${operation}${event === undefined ? '' : ` ${event}`}${ofOrder(order)}`
    const answered = by === 'partner' ? 'is refused by the partner with' : 'is answered'
    return `${what} ${answered} ${status}${error === undefined ? '' : ` (${error})`}${state === undefined ? '' : `, after ${state}`}`
  }
  const at = signature.where === '' ? '' : ` at ${signature.where}`
  return `${signature.operation}${ofOrder(signature.order)} comes out ${signature.standing}${at}`
}

type ReplayExitCode = 0 | 1 | 3 | 4

type JudgedReport = Pick<ReplayReport, 'exchanges' | 'failedRules'> &
  Partial<Pick<ReplayReport, 'unused'>>

/** Not one exchange was compared, although the recording has some: the service was not there, or made no calls. */
export const isNothingCompared = ({ exchanges, failedRules, unused = [] }: JudgedReport): boolean =>
  exchanges.length === 0 && failedRules.length === 0 && unused.length > 0

const hasStanding = ({ exchanges }: JudgedReport, ...wanted: readonly Standing[]): boolean =>
  exchanges.some(({ standing }) => wanted.includes(standing))

/**
 * 0: no difference beyond noise, or only failures that are gone. 1: a difference or a failed rule. 3: no reply, or unauthorised, before any
 * difference, or nothing to compare. 4: not completed. 5 (unstable) is for callers that replay twice.
 */
export function replayExitCode(report: JudgedReport): ReplayExitCode {
  const { exchanges, failedRules } = report
  if (isNothingCompared(report)) return 3
  const refused = exchanges.findIndex(({ standing }) => standing === 'auth' || standing === 'error')
  const differs = exchanges.findIndex(({ standing }) => differingStandings.has(standing))
  // A difference after a failed call may be its consequence.
  if (refused >= 0 && (differs < 0 || refused < differs)) return 3
  if (differs >= 0 || failedRules.length > 0) return 1
  return hasStanding(report, 'unresolved', 'blocked') ? 4 : 0
}
