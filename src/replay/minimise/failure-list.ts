/**
 * The failures of a replay, the worst first: rejected calls, failed rules (those of timing last), repeated calls, orders that ended
 * differently on both sides, and differences from the recording.
 */
import { failAlike } from '../../core/traffic/recording/failure-comparison.ts'
import { compact } from '../../core/base/compact.ts'
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import { parseIsoInstant } from '../../core/traffic/date-time.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { eventTypeOf } from '../../core/traffic/recording/split-by-event.ts'
import { type Exchange, type ExchangeReply, statusClass } from '../../core/traffic/exchange.ts'
import { withoutNumbers } from '../../core/protocol/count-text.ts'
import {
  differenceSignature,
  differingStandings,
  isSameFailure,
  operationName,
  signatureText,
} from './failure-signature.ts'
import {
  createOrderTimeline,
  finalEvents,
  type OrderProgress,
  type OrderTimeline,
} from './order-timeline.ts'
import type {
  FailureSignature,
  ReplayedExchange,
  ReplayReport,
} from '../../core/traffic/recording/replay-report.ts'
import { v2OperationOf } from '../../core/protocol/v1/operation-names.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

/** The error of a reply in one short text without ids, numbers and times, so that errors can be compared. */
const keys = ['code', 'errorCode', 'error', 'type', 'title', 'message', 'detail', 'reason'] as const

const maxChars = 120

/** Replaces what differs from reply to reply: UUIDs, hexadecimal and other ids, numbers. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/\b[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}\b/g, '*')
    .replaceAll(/\b(?=[\w-]*\d)[\w-]+\b/g, '*')

function textIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (Array.isArray(value)) return textIn(value[0], depth)
  if (!isUnknownRecord(value) || depth === 0) return undefined
  for (const key of keys) {
    const found = textIn(value[key], depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined when the reply says nothing. */
function rejectionError({ body = '' }: ExchangeReply): string | undefined {
  const json = tryParseJson(body)
  const text = json === undefined ? body : textIn(json, 3)
  const line = text?.split('\n').find((each) => each.trim() !== '')
  return line === undefined ? undefined : withoutIds(line.trim()).slice(0, maxChars)
}

/** By severity. The last ones are listed, and never chosen without being named. */
export const failureRanks = [
  'rejected with 5xx then and now',
  'rejected with 5xx now',
  'invariant',
  'timing invariant',
  'rejected with 4xx then and now',
  'rejected with 4xx now',
  'refused by the partner',
  'repeat',
  'ending',
  'call',
  'value',
  'unfinished',
  'accepted now',
  'not repeated now',
  'without an answer of ours',
  'access',
  'volatile',
] as const
export type FailureRank = (typeof failureRanks)[number]

/** Share of orders that may be left unfinished for one of them to be a failure. */
const maxLeftShare = 1 / 4

const neverChosen: ReadonlySet<FailureRank> = new Set([
  'accepted now',
  'not repeated now',
  'without an answer of ours',
  'access',
  'volatile',
])

/** A recorded exchange by its number in the recording. */
export interface FailurePlace {
  readonly recordId: string
  /** `seq`: the number by which listings name it. */
  readonly number: number
}

export interface ListedFailure {
  readonly signature: FailureSignature
  readonly rank: FailureRank
  /** How often it shows now. */
  readonly count: number
  /** How often the recording has it; undefined where only a live service shows it. */
  readonly recorded?: number
  /** Where it shows, in the order of the recording. */
  readonly places: readonly FailurePlace[]
  /** One sentence. */
  readonly text: string
}

type FailingReport = Pick<ReplayReport, 'exchanges' | 'failedRules' | 'map'>

interface Finding {
  readonly signature: FailureSignature
  readonly rank: FailureRank
  readonly replayed?: ReplayedExchange | undefined
  /** The recorded exchange shows it too. */
  readonly wasRecorded?: boolean
}

const isAccessStatus = (status: number): boolean => [401, 403, 407, 429].includes(status)

const isDiscovery = ({ operation }: Exchange): boolean =>
  operation !== undefined && ['auth', 'discovery'].includes(rowOf(operation).capability)

/** The recording has the same failure. */
const isRecordedFailure = (live: Exchange, recorded: Exchange | undefined): boolean =>
  recorded !== undefined && failAlike(recorded, live)

function rejectionRank(live: Exchange, recorded: Exchange | undefined): FailureRank {
  const status = live.reply?.status ?? 0
  if (isAccessStatus(status) || isDiscovery(live)) return 'access'
  if (live.from.party === 'subject') return 'refused by the partner'
  const then = isRecordedFailure(live, recorded)
  if (status >= 500) return then ? 'rejected with 5xx then and now' : 'rejected with 5xx now'
  return then ? 'rejected with 4xx then and now' : 'rejected with 4xx now'
}

/** A rejected call; undefined for one that was rejected by a fault of ours, or not at all. */
function rejectionOf(
  replayed: ReplayedExchange,
  { orderOf, stateBefore }: OrderTimeline,
): Finding | undefined {
  const { live, recorded } = replayed
  const { reply, from, to, fault } = live ?? {}
  if (!live || !reply || reply.status < 400 || fault !== undefined) return undefined
  const by = to?.party === 'subject' ? 'subject' : 'partner'
  // What the partner could not answer is the environment.
  if (by === 'partner' && (from?.party !== 'subject' || reply.status >= 500)) return undefined
  return {
    signature: {
      kind: 'answer',
      operation: operationName(replayed),
      status: reply.status,
      by,
      ...compact({
        event: eventTypeOf(recorded ?? live),
        error: rejectionError(reply),
        order: orderOf(replayed),
        state: stateBefore(replayed),
      }),
    },
    rank: rejectionRank(live, recorded),
    replayed,
    wasRecorded: isRecordedFailure(live, recorded),
  }
}

/** It went wrong in the recording, and goes well now; or it was refused, and is not called any more. */
const isImprovement = ({ standing, recorded, live }: ReplayedExchange): boolean => {
  if (recorded === undefined) return false
  if (standing === 'missing') return [0, 4, 5].includes(statusClass(recorded?.reply))
  return [0, 5].includes(statusClass(recorded?.reply)) && statusClass(live?.reply) === 2
}

/** It was rejected in the recording, which may have been right, and is accepted now. */
const isAcceptedNow = ({ recorded, live }: ReplayedExchange): boolean =>
  recorded !== undefined && statusClass(recorded?.reply) === 4 && statusClass(live?.reply) === 2

/** Whether one of these calls was made during an exchange about the same order. */
function hasCallMeanwhile(
  replayed: ReplayedExchange,
  calls: readonly ReplayedExchange[],
  { orderOf }: OrderTimeline,
): boolean {
  const { startedAt = 0, tookMs = 0 } = replayed.live ?? {}
  return calls.some((call) => {
    const at = call.live?.startedAt ?? Number.NEGATIVE_INFINITY
    return at >= startedAt && at <= startedAt + tookMs && orderOf(call) === orderOf(replayed)
  })
}

/** A clock or a counter: both sides are instants, numbered names, or numbers that only grow. */
function isVolatile({ recorded, live, kind }: Difference): boolean {
  if (kind !== 'value') return false
  if (typeof recorded === 'string' && typeof live === 'string')
    return (
      (parseIsoInstant(recorded) !== undefined && parseIsoInstant(live) !== undefined) ||
      withoutNumbers(recorded) === withoutNumbers(live)
    )
  const isEpoch = (value: unknown): boolean => typeof value === 'number' && value > 1e9
  return isEpoch(recorded) && isEpoch(live)
}

/** A call that moves an order on is missing, and the service has made it once: the recording repeats it. */
function isRepeatGone(
  { standing, recorded }: ReplayedExchange,
  { orders }: OrderTimeline,
): boolean {
  const { operation, orderId = '' } = recorded ?? {}
  if (standing !== 'missing' || operation === undefined) return false
  const made = orders.get(orderId)?.calls ?? []
  return made.some((call) => call.ok && call.operation === v2OperationOf(operation))
}

function differenceOf(replayed: ReplayedExchange, timeline: OrderTimeline): Finding | undefined {
  const { standing, recorded, differences } = replayed
  if (!differingStandings.has(standing) || isImprovement(replayed)) return undefined
  if (recorded?.fault !== undefined) return undefined
  const open = differences.filter(({ accepted }) => !accepted)
  const rank = isRepeatGone(replayed, timeline)
    ? 'not repeated now'
    : standing === 'missing' || standing === 'extra' || standing === 'identity'
      ? 'call'
      : isAcceptedNow(replayed)
        ? 'accepted now'
        : open.length > 0 && open.every(isVolatile)
          ? 'volatile'
          : 'value'
  const signature = {
    ...differenceSignature(replayed),
    ...compact({ order: timeline.orderOf(replayed) }),
  }
  return { signature, rank, replayed }
}

/** Repeated calls, and orders that ended differently on both sides. */
function* orderFindings({ orders }: OrderTimeline): Generator<Finding> {
  const isLeft = ({ state, takenAt, calls }: OrderProgress): boolean =>
    state !== undefined &&
    takenAt !== undefined &&
    !finalEvents.has(state) &&
    !calls.some(({ isAfterState }) => isAfterState)
  const left = [...orders.values()].filter(isLeft).length
  // Where many orders are left, that is how the recording ends, or what the service does.
  const leftRank = left <= Math.max(1, orders.size * maxLeftShare) ? 'unfinished' : 'volatile'
  for (const [order, progress] of orders) {
    const { state, announcedBy, takenAt = Number.POSITIVE_INFINITY, calls } = progress
    for (const [index, { operation, ok, replayed }] of calls.entries())
      if (ok && calls.slice(0, index).some((each) => each.ok && each.operation === operation))
        yield { signature: { kind: 'repeat', operation, order }, rank: 'repeat', replayed }
    if (state === undefined) continue
    const last = calls.findLast(({ replayed }) => (replayed.live?.startedAt ?? 0) > takenAt)
    if (state === 'CANCELLED' && last)
      yield {
        signature: { kind: 'ending', order, state, call: last.operation },
        rank: 'ending',
        replayed: last.replayed,
      }
    else if (isLeft(progress))
      yield {
        signature: { kind: 'ending', order, state },
        rank: leftRank,
        replayed: announcedBy,
      }
  }
}

function* findingsOf(report: FailingReport): Generator<Finding> {
  const timeline = createOrderTimeline(report)
  const oldNames = new Map(report.map.map((name) => [name.new, name.old]))
  const unanswered = report.exchanges.filter(({ strategy }) => strategy === 'miss')
  for (const replayed of report.exchanges) {
    const rejection = rejectionOf(replayed, timeline)
    if (rejection && hasCallMeanwhile(replayed, unanswered, timeline))
      yield { ...rejection, rank: 'without an answer of ours' }
    // A rejection says more than the difference that it makes.
    else if (rejection) yield rejection
    else {
      const difference = differenceOf(replayed, timeline)
      if (difference) yield difference
    }
  }
  for (const { invariant: name, orderId, isTiming } of report.failedRules) {
    const order = orderId === undefined ? undefined : (oldNames.get(orderId) ?? orderId)
    yield {
      signature: { kind: 'invariant', name, ...compact({ order }) },
      rank: isTiming ? 'timing invariant' : 'invariant',
      replayed: report.exchanges.findLast(({ recorded }) => recorded?.orderId === order),
    }
  }
  yield* orderFindings(timeline)
}

const placeOf = ({ replayed }: Finding): readonly FailurePlace[] =>
  replayed?.recorded
    ? [{ recordId: replayed.recorded.recordId, number: replayed.recorded.seq }]
    : []

const rankOf = (rank: FailureRank): number => failureRanks.indexOf(rank)

const firstNumber = ({ places: [first] }: ListedFailure): number =>
  first?.number ?? Number.MAX_SAFE_INTEGER

/** The failure at some of its places: a difference is that of the first of them. */
export function failureAtPlaces(
  failure: ListedFailure,
  places: readonly FailurePlace[],
): ListedFailure {
  const { signature } = failure
  const [first] = places
  if (signature.kind !== 'difference' || !first) return { ...failure, places }
  return { ...failure, places, signature: { ...signature, exchange: first.recordId } }
}

/** The failures, the worst first; those of one rank in the order of the recording. */
export function listFailures(report: FailingReport): readonly ListedFailure[] {
  const groups: Finding[][] = []
  for (const finding of findingsOf(report)) {
    const group = groups.find(([one]) => one && isSameFailure(one.signature, finding.signature))
    if (group) group.push(finding)
    else groups.push([finding])
  }
  return groups
    .flatMap((findings): readonly ListedFailure[] => {
      const [first] = findings
      if (!first) return []
      const worst = findings.toSorted((a, b) => rankOf(a.rank) - rankOf(b.rank))[0] ?? first
      const isRejection = first.signature.kind === 'answer'
      const places = findings.flatMap(placeOf)
      const failure = {
        signature: first.signature,
        rank: worst.rank,
        count: findings.length,
        ...(isRejection
          ? { recorded: findings.filter(({ wasRecorded }) => wasRecorded).length }
          : {}),
        places,
        text: signatureText(first.signature),
      }
      return [failureAtPlaces(failure, places)]
    })
    .toSorted((a, b) => rankOf(a.rank) - rankOf(b.rank) || firstNumber(a) - firstNumber(b))
}

/** The failure to look into when none is named. */
export const worstFailure = (failures: readonly ListedFailure[]): ListedFailure | undefined =>
  failures.find(({ rank }) => !neverChosen.has(rank))
