/**
 * Explains an order, an event or an exchange: handovers, acknowledgments, reads and calls, their effects, and where the
 * two sides' views split. Pure and bounded: reads only the world, journal and traffic in memory.
 */
import { compact } from '../base/compact.ts'
import type { Explanation, StoryLine, StoryStep } from '../session-api/session-api.ts'
import { requestedCallsOf, statusReadsOf } from './explain-calls.ts'
import {
  callConclusion,
  conclusionOf,
  eventConclusion,
  type OrderViews,
} from './explain-conclusion.ts'
import { eventTracesOf } from './explain-events.ts'
import { type ExplainSources, gatherEvidence, type OrderEvidence } from './explain-gather.ts'
import { explainedRules } from './explain-rules.ts'
import { storyLinesOf } from './explain-lines.ts'
import type { OrderActivity } from './explain-reason.ts'
import { knownStatuses, splitsOf } from './explain-views.ts'
import { resolveOrder } from './order-reference.ts'
import { trafficRow } from './traffic-rows.ts'

/** Maximum lines; the middle of a longer explanation is omitted. */
const maxLines = 200
const headLines = 60

interface Target {
  readonly kind: Explanation['about']['kind']
  readonly id: string
  readonly orderId: string | undefined
}

/** Resolves an order, an event's id or an exchange number. */
function resolveTarget(text: string, { world, log }: ExplainSources): Target | undefined {
  const { ordering, announcements, store } = world
  const number = /^#?(\d+)$/.exec(text)?.[1]
  const order = resolveOrder(world, text)
  const orderId = order.ok ? order.value : text
  if (orderId !== text || ordering.orders.has(orderId) || store.tickets.has(orderId))
    return { kind: 'order', id: orderId, orderId }
  const eventId = ordering.eventIdByAlias.get(text) ?? text
  const event = ordering.events.get(eventId) ?? announcements.events.get(eventId)
  if (event) return { kind: 'event', id: eventId, orderId: event.orderId }
  const exchange = number === undefined ? undefined : log.get(Number(number))
  if (exchange) {
    const carried = exchange.eventIds?.map((id) => ordering.events.get(id)?.orderId) ?? []
    const carriedId = exchange.orderId ?? carried.find((id) => id !== undefined)
    return { kind: 'exchange', id: `#${exchange.seq}`, orderId: carriedId }
  }
  // An order evicted from memory may still have traffic.
  return { kind: 'order', id: text, orderId: text }
}

function shortened(lines: readonly StoryLine[]): Pick<Explanation, 'lines' | 'omitted'> {
  const omitted = Math.max(0, lines.length - maxLines)
  if (omitted === 0) return { lines, omitted }
  const tailLines = maxLines - headLines
  return { lines: [...lines.slice(0, headLines), ...lines.slice(-tailLines)], omitted }
}

function titleOf({ record, host, orderId }: OrderEvidence, slot: string | undefined): string {
  const name = slot === undefined ? orderId : `${slot} (${orderId})`
  if (!record) return `${name}, an order of ${host.name}`
  const { order, status } = record
  const { name: store = order.merchant.id } = order.merchant
  return `${name}, ${order.fulfillment.orderType} order ${order.displayId} of ${store}: ${status}`
}

/** Explanation of an exchange or event without an order. */
function withoutOrder(
  { kind, id }: Target,
  { log, world }: ExplainSources,
): Explanation | undefined {
  const bare = {
    about: { kind, id },
    host: [],
    known: [],
    splits: [],
    omitted: 0,
    lines: [],
    rules: [],
  }
  const other = { role: 'software-service', name: 'the Software Service' } as const
  if (kind === 'event') {
    const event = world.announcements.events.get(id)
    return event && { ...bare, other, title: `${event.eventType}, about no order`, conclusion: [] }
  }
  const exchange = log.get(Number(id.slice(1)))
  if (!exchange) return undefined
  const { method, path, status, failure } = trafficRow(exchange)
  const by = exchange.fault === undefined ? '' : `, by the fault ${exchange.fault}`
  return {
    ...bare,
    other,
    title: `${id}, ${method} ${path}, about no order`,
    conclusion: [`It ended in ${failure ?? status}${by}.`],
  }
}

export function explanationOf(parts: ExplainSources, text: string): Explanation | undefined {
  const target = resolveTarget(text.trim(), parts)
  if (!target) return undefined
  if (target.orderId === undefined) return withoutOrder(target, parts)
  const gathered = gatherEvidence(target.orderId, parts)
  if (!gathered) return undefined
  const activity: OrderActivity = {
    events: eventTracesOf(gathered),
    reads: statusReadsOf(gathered),
    calls: requestedCallsOf(gathered),
  }
  const host: readonly StoryStep[] =
    gathered.record?.way.map(({ status, at }) => ({ status, at })) ?? []
  const known = knownStatuses(activity)
  const splits = splitsOf(gathered, activity, host, known)
  const slot = parts.world.faults.slotByOrder.get(target.orderId)
  const views: OrderViews = { host, known, splits }
  const { lines, first } = restrictToTarget(target, gathered, activity, views)
  return {
    about: { kind: target.kind, id: target.id },
    orderId: target.orderId,
    ...compact({ slot }),
    title: titleOf(gathered, slot),
    other: gathered.other,
    ...views,
    ...shortened(lines),
    conclusion: conclusionOf(gathered, activity, views, first),
    rules: explainedRules(gathered),
  }
}

/** Restricts the lines to the requested event or exchange, with conclusions about it. */
function restrictToTarget(
  { kind, id }: Target,
  gathered: OrderEvidence,
  activity: OrderActivity,
  views: OrderViews,
): { readonly lines: readonly StoryLine[]; readonly first: readonly string[] } {
  const lines = storyLinesOf(gathered, activity)
  if (kind === 'order') return { lines, first: [] }
  if (kind === 'event') {
    const fate = activity.events.find(({ eventId }) => eventId === id)
    const first = fate ? eventConclusion(fate, gathered, activity) : []
    return { lines: lines.filter((each) => each.eventId === id), first }
  }
  const seq = Number(id.slice(1))
  const call = activity.calls.find(({ seen }) => seen.exchange.seq === seq)
  const first = call ? callConclusion(call, gathered, views) : []
  return { lines: lines.filter(({ exchanges }) => exchanges.includes(seq)), first }
}
