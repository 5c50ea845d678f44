/** The lanes of recorded exchanges: what they are about. Polls and acknowledgments may be about several. */
import { exchangeEntities } from '../causality/entities.ts'
import { extractHandedOverEvents } from '../causality/handed-over-events.ts'
import { splitByEvent } from '../difference/split-by-event.ts'
import { tryParseJson } from '../json/try-parse-json.ts'
import { isAcknowledgmentCall, isPollCall } from '../polling.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'

export interface Lanes {
  /** An order id, or another entity as `kind id`; none for exchanges of the session. */
  readonly of: (exchange: RecordedExchange) => readonly string[]
  /** A poll or an acknowledgment with the events of these lanes only; undefined when none is left. */
  readonly narrow: (
    exchange: RecordedExchange,
    lanes: ReadonlySet<string>,
  ) => RecordedExchange | undefined
}

const laneName = (kind: string, id: string): string => (kind === 'order' ? id : `${kind} ${id}`)

const isBatch = (exchange: RecordedExchange): boolean =>
  isPollCall(exchange) || isAcknowledgmentCall(exchange)

const membersOf = (text: string | undefined): readonly unknown[] => {
  const value = tryParseJson(text)
  if (Array.isArray(value)) return value
  const wrapped = (value as { readonly eventIds?: unknown } | null | undefined)?.eventIds
  return Array.isArray(wrapped) ? wrapped : []
}

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

export function createLanes(exchanges: readonly RecordedExchange[]): Lanes {
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
    const { recordId, eventIds = [] } = exchange
    const lanes = isBatch(exchange)
      ? [...new Set(eventIds.flatMap((id) => laneOfEvent.get(id) ?? []))]
      : entityLanes(exchange)
    lanesByExchange.set(recordId, lanes)
  }

  return {
    of: ({ recordId }) => lanesByExchange.get(recordId) ?? [],
    narrow(exchange, lanes) {
      const own = lanesByExchange.get(exchange.recordId) ?? []
      if (!isBatch(exchange) || own.every((lane) => lanes.has(lane))) return exchange
      const pieces = splitByEvent(exchange).filter(({ eventIds: [id = ''] = [] }) =>
        lanes.has(laneOfEvent.get(id) ?? ''),
      )
      return pieces.length === 0 ? undefined : joined(exchange, pieces)
    },
  }
}
