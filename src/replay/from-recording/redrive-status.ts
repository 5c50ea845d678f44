/**
 * Compares a redriven service with its recording, exchange by exchange. The partner was simulated at its own pace, so
 * differences in poll and read counts, and calls after the end of the recording, are noise.
 */
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import {
  compareRecordings,
  countByStanding,
  type Comparison,
} from '../difference/compare-recordings.ts'
import type { Rule } from '../../core/traffic/recording/difference.ts'
import { eventTypeOf } from '../../core/traffic/recording/split-by-event.ts'
import { isAcknowledgmentCall } from '../../core/traffic/polling.ts'
import type { RuleBook } from '../difference/rule-book.ts'
import { standingOfDifferences } from '../../core/traffic/recording/failure-comparison.ts'
import { differingStandings } from '../minimise/failure-signature.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { isOrderOver, type PartnerDecisions } from '../../core/scenario/decision.ts'
import { isReadOnly } from './history.ts'

export interface RedriveComparison {
  readonly decisions: PartnerDecisions
  readonly recorded: readonly RecordedExchange[]
  /** Exchanges of the new session, in session time. */
  readonly live: readonly RecordedExchange[]
  /** New order ids by slot. */
  readonly slots: ReadonlyMap<string, string>
  readonly rules: RuleBook
  /** Message of the failed step, which blocked all later ones. */
  readonly stuck?: string | undefined
}

type TextReplacement = (text: string) => string

/** Applies a text replacement to all parts of an exchange. */
function replaceTexts<Some extends Exchange>(exchange: Some, change: TextReplacement): Some {
  const { request, reply, params, orderId } = exchange
  const pairs = (headers: Exchange['request']['headers']) =>
    headers.map(([name, value]) => [name, change(value)] as const)
  const message = <Message extends Pick<Exchange['request'], 'headers' | 'body'>>(
    original: Message,
  ): Message => ({
    ...original,
    headers: pairs(original.headers),
    ...(original.body === undefined ? {} : { body: change(original.body) }),
  })
  return {
    ...exchange,
    ...(orderId === undefined ? {} : { orderId: change(orderId) }),
    ...(params
      ? { params: Object.fromEntries(Object.entries(params).map(([k, v]) => [k, change(v)])) }
      : {}),
    request: { ...message(request), url: change(request.url) },
    ...(reply ? { reply: message(reply) } : {}),
  }
}

/** Replaces each key of the map by its value. */
function replacing(words: ReadonlyMap<string, string>): TextReplacement {
  if (words.size === 0) return (text) => text
  const escaped = [...words.keys()].map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const pattern = new RegExp(escaped.join('|'), 'g')
  return (text) => text.replace(pattern, (word) => words.get(word) ?? word)
}

/** Filter: exchanges of the subject; calls among our own roles are not its behaviour. */
function subjectFilter({ subject }: PartnerDecisions): (exchange: Exchange) => boolean {
  if (subject === 'none') return () => true
  return ({ from, to }) => from.role === subject || to.role === subject
}

const asNoise = (replayed: ReplayedExchange, because: string): ReplayedExchange => ({
  ...replayed,
  standing: 'noise',
  because,
})

/** Whether the call is repeatable: a read, auth or discovery. */
function isIdempotent({ operation }: Exchange): boolean {
  if (isReadOnly(operation) || operation === undefined) return true
  const { capability } = rowOf(operation)
  return capability === 'auth' || capability === 'discovery'
}

/** Auth or discovery at startup: a service that kept running need not repeat it. */
function isIntroduction({ operation, orderId }: Exchange): boolean {
  if (operation === undefined || orderId !== undefined) return false
  const { capability } = rowOf(operation)
  return capability === 'auth' || capability === 'discovery'
}

const playedAnew: Rule = {
  at: '$',
  compare: { as: 'ignore' },
  from: 'default',
  reason: 'The partner is played anew: what it says is its own, and not your service’s.',
}

/** Accepts differences in the partner's own messages, except for the status of its replies. */
function acceptPartnerDifferences(
  each: ReplayedExchange,
  { subject }: PartnerDecisions,
): ReplayedExchange {
  const { recorded, live, standing, differences } = each
  if (!recorded || !live || standing !== 'changed') return each
  const partnerSide = recorded.from.role === subject ? 'reply' : 'request'
  const judged = differences.map((difference) =>
    difference.accepted ||
    (difference.side !== partnerSide && subject !== 'none') ||
    difference.where === '/status'
      ? difference
      : { ...difference, rule: playedAnew, accepted: true },
  )
  return {
    ...each,
    differences: judged,
    standing: standingOfDifferences(recorded, live, judged),
  }
}

const orderIn = ({ recorded, renamed, live }: ReplayedExchange): string | undefined =>
  (recorded ?? renamed ?? live)?.orderId

const nameOf = ({ recorded, live }: ReplayedExchange): string => {
  const exchange = recorded ?? live
  return `${exchange?.operation ?? exchange?.request.method} ${eventTypeOf(exchange) ?? ''}`
}

const eventIn = ({ recorded, renamed, live }: ReplayedExchange): string =>
  (recorded ?? renamed ?? live)?.eventIds?.[0] ?? ''

const isHandover = ({ recorded, live }: ReplayedExchange): boolean =>
  eventTypeOf(recorded ?? live) !== undefined

/** Handovers and acknowledgments by event, in the recording and now. */
function eventCounts(exchanges: readonly ReplayedExchange[]) {
  const counts = new Map<string, { before: number; now: number; came: number; paired: boolean }>()
  for (const each of exchanges) {
    const exchange = each.recorded ?? each.live
    const isAck = exchange !== undefined && isAcknowledgmentCall(exchange)
    if (!isAck && !isHandover(each)) continue
    const key = eventIn(each)
    const count = counts.get(key) ?? { before: 0, now: 0, came: 0, paired: false }
    counts.set(key, count)
    if (!isAck) {
      if (each.live) count.came++
      count.paired ||= each.live !== undefined && each.recorded !== undefined
      continue
    }
    if (each.recorded) count.before++
    if (each.live) count.now++
  }
  return (each: ReplayedExchange) => counts.get(eventIn(each))
}

/** Where an order was when it was last the same in both, in the recording and now. */
interface CommonPlace {
  readonly recordedAt: number
  readonly liveAt: number
}

/** By order: the last matched exchange, else the first that there is. */
function commonPlaces(
  exchanges: readonly ReplayedExchange[],
  { orders }: PartnerDecisions,
): ReadonlyMap<string, CommonPlace> {
  const placedAt = new Map(orders.map(({ orderId, at }) => [orderId, at]))
  const places = new Map<string, CommonPlace & { readonly isMatched: boolean }>()
  for (const each of exchanges) {
    const orderId = orderIn(each)
    if (!each.live || orderId === undefined) continue
    const liveAt = each.live.startedAt
    const isMatched = each.recorded !== undefined
    const recordedAt = each.recorded?.startedAt ?? placedAt.get(orderId) ?? 0
    const before = places.get(orderId)
    const isLater = before && (isMatched ? liveAt > before.liveAt : liveAt < before.liveAt)
    if (!before || (isMatched && !before.isMatched) || (isMatched === before.isMatched && isLater))
      places.set(orderId, { recordedAt, liveAt, isMatched })
  }
  return places
}

/** A service is not always as fast: so much longer the recording has to go on for a call that it lacks. */
const isWellBefore = (liveMs: number, recordedMs: number): boolean =>
  1.5 * liveMs + 1000 < recordedMs

function createJudge(
  { decisions, stuck, recorded: whole }: RedriveComparison,
  exchanges: readonly ReplayedExchange[],
) {
  const pairs = new Set(
    exchanges
      .filter(({ recorded, live }) => recorded && live)
      .map((each) => `${nameOf(each)} ${orderIn(each) ?? ''}`),
  )
  const places = commonPlaces(exchanges, decisions)
  const endsAt = whole.reduce((end, each) => Math.max(end, each.startedAt), 0)
  const open = new Set(
    decisions.orders.filter((order) => !isOrderOver(order)).map(({ orderId }) => orderId),
  )
  const lastSeq = Math.max(
    0,
    ...exchanges.flatMap((each) =>
      each.recorded && each.live && orderIn(each) !== undefined ? each.live.seq : [],
    ),
  )
  const countOf = eventCounts(exchanges)

  /**
   * The number of handovers is the partner's; each may be acknowledged, and has to be at least as often as recorded.
   */
  function repeatedEvent(each: ReplayedExchange, exchange: Exchange): ReplayedExchange | undefined {
    const count = countOf(each)
    if (!count?.paired) return undefined
    if (isHandover(each)) return asNoise(each, 'the event came more often in one of the two')
    if (!isAcknowledgmentCall(exchange)) return undefined
    const { before, now, came } = count
    const isEnough = each.live ? now <= came : now > 0 && now >= Math.min(came, before)
    return isEnough
      ? asNoise(each, 'the event came more often in one of the two, and was acknowledged each time')
      : undefined
  }

  /** Whether the recording may have ended before the service made this call. */
  function isBeyond({ startedAt }: Exchange, orderId: string): boolean {
    const place = places.get(orderId)
    return (
      open.has(orderId) &&
      (!place || !isWellBefore(startedAt - place.liveAt, endsAt - place.recordedAt))
    )
  }

  function extra(each: ReplayedExchange, exchange: Exchange): ReplayedExchange {
    const orderId = orderIn(each)
    const again = repeatedEvent(each, exchange)
    if (again) return again
    if (isIdempotent(exchange) && !isHandover(each))
      return asNoise(each, 'it looks once more than it did then')
    const isAfter = orderId === undefined ? exchange.seq > lastSeq : isBeyond(exchange, orderId)
    return isAfter ? asNoise(each, 'the recording ends before it') : each
  }

  function missing(each: ReplayedExchange, exchange: Exchange): ReplayedExchange {
    const repetition = repeatedEvent(each, exchange)
    if (repetition) return repetition
    const again = pairs.has(`${nameOf(each)} ${orderIn(each) ?? ''}`)
    if (isIdempotent(exchange) && again)
      return asNoise(each, 'it looks less often than it did then')
    if (isIntroduction(exchange)) return asNoise(each, 'it knows by now what it asked for then')
    if (stuck === undefined) return each
    // Events that were not handed over cannot be acknowledged: blocked. Calls that the service itself omitted are missing.
    const isOurs = isHandover(each) || decisions.subject !== exchange.from.role
    const isOwed = isAcknowledgmentCall(exchange) && !countOf(each)?.came
    return { ...each, standing: isOurs || isOwed ? 'blocked' : 'missing', because: stuck }
  }

  /** Calls beside Orders are default behaviour of our own roles, not decisions. */
  const isHabit = ({ operation }: Exchange): boolean =>
    decisions.subject === 'none' &&
    operation !== undefined &&
    rowOf(operation).capability !== 'orders'

  return (each: ReplayedExchange): ReplayedExchange => {
    const alone = each.recorded && each.live ? undefined : (each.recorded ?? each.live)
    if (alone && isHabit(alone))
      return asNoise(each, 'it is a habit of ours, and no decision of the recorded partner')
    if (each.standing === 'changed') return acceptPartnerDifferences(each, decisions)
    if (each.standing === 'extra' && each.live) return extra(each, each.live)
    if (each.standing === 'missing' && each.recorded) return missing(each, each.recorded)
    return each
  }
}

/** All exchanges of both with their status; `map` maps recorded order ids to new ones. */
export function redriveStatuses(driven: RedriveComparison): Omit<Comparison, 'leftOut'> {
  const { decisions, slots, rules } = driven
  const orders = decisions.orders.flatMap(({ slot, orderId }) => {
    const now = slots.get(slot)
    return now === undefined ? [] : [{ old: orderId, new: now }]
  })
  const toOld = replacing(new Map(orders.map((each) => [each.new, each.old])))
  const toNew = replacing(new Map(orders.map((each) => [each.old, each.new])))
  const isConcerned = subjectFilter(decisions)
  const { exchanges, map } = compareRecordings(
    { exchanges: driven.recorded.filter(isConcerned) },
    { exchanges: driven.live.filter(isConcerned).map((each) => replaceTexts(each, toOld)) },
    rules,
  )
  const judge = createJudge(driven, exchanges)
  const judged = exchanges.map((each) => {
    const { live, ...rest } = judge(each)
    return live ? { ...rest, live: replaceTexts(live, toNew) } : rest
  })
  const first = judged.findIndex(
    ({ standing }) => differingStandings.has(standing) || standing === 'blocked',
  )
  return {
    exchanges: judged,
    ...(first < 0 ? {} : { first }),
    counts: countByStanding(judged),
    map: [
      ...orders.map((each) => ({ kind: 'order', ...each })),
      ...map.filter(({ kind, old }) => kind !== 'order' || !orders.some((o) => o.old === old)),
    ],
  }
}
