/** The lanes of recorded exchanges: what they are about. Polls and acknowledgments may be about several. */
import { parseExactJson } from '../../core/traffic/json/lossless-json.ts'
import { exchangeEntities, extractHandedOverEvents } from '../../core/traffic/entities/entities.ts'
import { splitByEvent } from '../../core/traffic/recording/split-by-event.ts'
import { hasSucceeded } from '../../core/traffic/exchange.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { isAcknowledgmentCall, isPollCall } from '../../core/traffic/polling.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

export type Lanes = ReturnType<typeof createLanes>

const laneName = (kind: string, id: string): string => (kind === 'order' ? id : `${kind} ${id}`)

const isBatch = (exchange: RecordedExchange): boolean =>
  isPollCall(exchange) || isAcknowledgmentCall(exchange)

const membersOf = (text: string | undefined): readonly unknown[] => {
  const value = parseExactJson(text ?? '')?.value
  if (Array.isArray(value)) return value
  const wrapped = (value as { readonly eventIds?: unknown } | null | undefined)?.eventIds
  return Array.isArray(wrapped) ? wrapped : []
}

const acknowledgedIn = ({ request }: RecordedExchange): readonly string[] =>
  membersOf(request.body).filter((id) => typeof id === 'string')

/** One exchange of the same parts joined again. */
function joined(whole: RecordedExchange, pieces: readonly RecordedExchange[]): RecordedExchange {
  const isPoll = isPollCall(whole)
  const members = pieces.flatMap(({ request, reply }) =>
    membersOf(isPoll ? reply?.body : request.body),
  )
  const eventIds = pieces.flatMap((piece) => piece.eventIds ?? [])
  if (isPoll)
    return {
      ...whole,
      eventIds,
      ...(whole.reply ? { reply: { ...whole.reply, body: JSON.stringify(members) } } : {}),
    }
  const before = tryParseJson(whole.request.body)
  const body = Array.isArray(before) ? members : { ...(before as object), eventIds: members }
  return { ...whole, eventIds, request: { ...whole.request, body: JSON.stringify(body) } }
}

export function createLanes(exchanges: readonly RecordedExchange[]) {
  const laneOfEvent = new Map<string, string>()
  const lanesByExchange = new Map<string, readonly string[]>()

  function entityLanes(exchange: RecordedExchange): readonly string[] {
    const [first] = exchangeEntities(exchange)
    if (exchange.orderId !== undefined) return [exchange.orderId]
    return first ? [laneName(first.kind, first.id)] : []
  }

  for (const exchange of exchanges)
    for (const { id, about } of extractHandedOverEvents(exchange)) {
      const [kind, ...rest] = about[0]?.split(' ') ?? []
      if (id !== undefined && kind !== undefined)
        laneOfEvent.set(id, laneName(kind, rest.join(' ')))
    }
  for (const exchange of exchanges) {
    // An acknowledgment without an answer has acknowledged nothing, and is about its events all the same.
    const { recordId, eventIds = isAcknowledgmentCall(exchange) ? acknowledgedIn(exchange) : [] } =
      exchange
    const lanes = isBatch(exchange)
      ? [...new Set(eventIds.flatMap((id) => laneOfEvent.get(id) ?? []))]
      : entityLanes(exchange)
    lanesByExchange.set(recordId, lanes)
  }

  return {
    /** An order id, or another entity as `kind id`; none for exchanges of the session. */
    of: ({ recordId }: RecordedExchange): readonly string[] => lanesByExchange.get(recordId) ?? [],
    /** A poll or an acknowledgment with the events of these lanes only; undefined when none is left. */
    narrow(exchange: RecordedExchange, lanes: ReadonlySet<string>): RecordedExchange | undefined {
      const own = lanesByExchange.get(exchange.recordId) ?? []
      if (!isBatch(exchange) || own.every((lane) => lanes.has(lane))) return exchange
      const pieces = splitByEvent(exchange).filter(({ eventIds: [id = ''] = [] }) =>
        lanes.has(laneOfEvent.get(id) ?? ''),
      )
      return pieces.length === 0 ? undefined : joined(exchange, pieces)
    },
  }
}

const isRead = ({ request }: RecordedExchange): boolean => ['GET', 'HEAD'].includes(request.method)

const isChange = (exchange: RecordedExchange): boolean =>
  exchange.to.party === 'subject' &&
  !isRead(exchange) &&
  exchange.operation !== 'issueToken' &&
  hasSucceeded(exchange.reply)

/**
 * What changed the state that a call of the service reads: only after these is its recorded answer to be expected. The
 * calls since the same read was answered otherwise, of its own order or entity where there are some: a cancellation
 * between 41 points and 0.
 */
export function changesBefore(
  exchanges: readonly RecordedExchange[],
  read: RecordedExchange,
): readonly RecordedExchange[] {
  if (read.to.party !== 'subject' || !isRead(read)) return []
  const lanes = createLanes(exchanges)
  const ownLanes = lanes.of(read)
  const before = exchanges.slice(0, exchanges.indexOf(read))
  const last = before.findLastIndex(
    ({ request, reply }) =>
      request.method === read.request.method &&
      request.url === read.request.url &&
      reply?.body !== read.reply?.body,
  )
  const changes = before.slice(last + 1).filter(isChange)
  const own = changes.filter((each) => lanes.of(each).some((lane) => ownLanes.includes(lane)))
  return own.length > 0 || last < 0 ? own : changes
}

/** In characters: shorter values are shared by coincidence. */
const minValueChars = 4
const maxDepth = 50

function collectTexts(value: unknown, into: Set<string>, depth = 0): void {
  if (depth > maxDepth) return
  if (typeof value === 'string') {
    if (value.length >= minValueChars) into.add(value)
  } else if (Array.isArray(value)) for (const each of value) collectTexts(each, into, depth + 1)
  else if (isUnknownRecord(value))
    for (const each of Object.values(value)) collectTexts(each, into, depth + 1)
}

/** Score of every other lane that shares an exchange, or a value with few: the rarer the value, the more it counts. */
export function laneAffinity(
  exchanges: readonly RecordedExchange[],
  lanesOf: (exchange: RecordedExchange) => readonly string[],
  lane: string,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  const textsByLane = new Map<string, Set<string>>()
  for (const exchange of exchanges) {
    const lanes = lanesOf(exchange)
    const [only] = lanes
    // An exchange about several lanes relates them, and does not tell whose a value is.
    if (lanes.length > 1 && lanes.includes(lane))
      for (const other of lanes) scores.set(other, (scores.get(other) ?? 0) + 1)
    if (only === undefined || lanes.length > 1) continue
    const texts = textsByLane.get(only) ?? new Set<string>()
    textsByLane.set(only, texts)
    for (const body of [exchange.request.body, exchange.reply?.body])
      collectTexts(tryParseJson(body), texts)
  }
  const counts = new Map<string, number>()
  for (const texts of textsByLane.values())
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const own = textsByLane.get(lane) ?? new Set<string>()
  for (const [other, texts] of textsByLane) {
    if (other === lane) continue
    let score = scores.get(other) ?? 0
    for (const text of texts) {
      const count = counts.get(text) ?? 0
      if (own.has(text) && count * 2 <= textsByLane.size) score += 1 / count
    }
    if (score > 0) scores.set(other, score)
  }
  scores.delete(lane)
  return scores
}
