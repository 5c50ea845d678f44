/**
 * The story of an order, of one of its events, or of an exchange that had no effect: what was announced, handed over,
 * acknowledged, read and called, what became of it, and where the two sides' views split. Pure: everything is read from
 * the world, the journal and the traffic that are in memory, and nothing that is told is longer than a person reads.
 */
import { compact } from '../compact.ts'
import type { Explanation, StoryLine, StoryStep } from '../session-api/session-api.ts'
import { callsOf, readsOf } from './explain-calls.ts'
import { callConclusion, conclusionOf, eventConclusion, type Views } from './explain-conclusion.ts'
import { fatesOf } from './explain-events.ts'
import { type ExplainParts, gather, type Gathered } from './explain-gather.ts'
import { linesOf } from './explain-lines.ts'
import type { Told } from './explain-reason.ts'
import { knownBy, splitsOf } from './explain-views.ts'
import { trafficRow } from './traffic-rows.ts'

/** Lines of a story at most: of a longer one, the middle is left out. */
const mostLines = 200
const atTheBeginning = 60

interface About {
  readonly kind: Explanation['about']['kind']
  readonly id: string
  readonly orderId: string | undefined
}

/** What somebody means by an id, a slot or a number. */
function meaning(text: string, { world, log }: ExplainParts): About | undefined {
  const { ordering, announcements, faults, store } = world
  const number = /^#?(\d+)$/.exec(text)?.[1]
  if (ordering.orders.has(text) || store.tickets.has(text))
    return { kind: 'order', id: text, orderId: text }
  for (const [orderId, slot] of faults.slotByOrder)
    if (slot === text) return { kind: 'order', id: orderId, orderId }
  const eventId = ordering.eventIdByAlias.get(text) ?? text
  const event = ordering.events.get(eventId) ?? announcements.events.get(eventId)
  if (event) return { kind: 'event', id: eventId, orderId: event.orderId }
  const exchange = number === undefined ? undefined : log.get(Number(number))
  if (exchange) {
    const carried = exchange.eventIds?.map((id) => ordering.events.get(id)?.orderId) ?? []
    const orderId = exchange.orderId ?? carried.find((id) => id !== undefined)
    return { kind: 'exchange', id: `#${exchange.seq}`, orderId }
  }
  // An order that was forgotten may still have traffic.
  return { kind: 'order', id: text, orderId: text }
}

function shortened(lines: readonly StoryLine[]): Pick<Explanation, 'lines' | 'omitted'> {
  const omitted = Math.max(0, lines.length - mostLines)
  if (omitted === 0) return { lines, omitted }
  const atTheEnd = mostLines - atTheBeginning
  return { lines: [...lines.slice(0, atTheBeginning), ...lines.slice(-atTheEnd)], omitted }
}

function titleOf({ record, host, orderId }: Gathered, slot: string | undefined): string {
  const name = slot === undefined ? orderId : `${slot} (${orderId})`
  if (!record) return `${name}, an order of ${host.name}`
  const { order, status } = record
  const { name: store = order.merchant.id } = order.merchant
  return `${name}, ${order.fulfillment.orderType} order ${order.displayId} of ${store}: ${status}`
}

/** An exchange or an event that belongs to no order is told by itself. */
function alone({ kind, id }: About, { log, world }: ExplainParts): Explanation | undefined {
  const bare = { about: { kind, id }, host: [], known: [], splits: [], omitted: 0, lines: [] }
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

export function explain(parts: ExplainParts, text: string): Explanation | undefined {
  const about = meaning(text.trim(), parts)
  if (!about) return undefined
  if (about.orderId === undefined) return alone(about, parts)
  const gathered = gather(about.orderId, parts)
  if (!gathered) return undefined
  const told: Told = {
    fates: fatesOf(gathered),
    reads: readsOf(gathered),
    calls: callsOf(gathered),
  }
  const host: readonly StoryStep[] =
    gathered.record?.way.map(({ status, at }) => ({ status, at })) ?? []
  const known = knownBy(told)
  const splits = splitsOf(gathered, told, host, known)
  const slot = parts.world.faults.slotByOrder.get(about.orderId)
  const views: Views = { host, known, splits }
  const { lines, first } = narrowed(about, gathered, told, views)
  return {
    about: { kind: about.kind, id: about.id },
    orderId: about.orderId,
    ...compact({ slot }),
    title: titleOf(gathered, slot),
    other: gathered.other,
    ...views,
    ...shortened(lines),
    conclusion: conclusionOf(gathered, told, views, first),
  }
}

/** The lines that have to do with what was asked for, and what there is to say of that in particular. */
function narrowed(
  { kind, id }: About,
  gathered: Gathered,
  told: Told,
  views: Views,
): { readonly lines: readonly StoryLine[]; readonly first: readonly string[] } {
  const lines = linesOf(gathered, told)
  if (kind === 'order') return { lines, first: [] }
  if (kind === 'event') {
    const fate = told.fates.find(({ eventId }) => eventId === id)
    const first = fate ? eventConclusion(fate, gathered, told) : []
    return { lines: lines.filter((each) => each.eventId === id), first }
  }
  const seq = Number(id.slice(1))
  const call = told.calls.find(({ seen }) => seen.exchange.seq === seq)
  const first = call ? callConclusion(call, gathered, views) : []
  return { lines: lines.filter(({ exchanges }) => exchanges.includes(seq)), first }
}
