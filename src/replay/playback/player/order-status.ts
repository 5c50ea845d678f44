/** The status of the orders of a recording at one place, as its events and documents tell it. */
import { setBounded } from '../../../core/engine/bounded.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { isOrderEventType, orderEvents } from '../../../core/protocol/orders/events.ts'
import { OrderStatus } from '../../../core/protocol/orders/order.ts'
import { eventTypeOf, splitByEvent } from '../../../core/traffic/recording/split-by-event.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { tryParseJson } from '../../../core/traffic/json/try-parse-json.ts'
import { isPollCall } from '../../../core/traffic/polling.ts'
import type { ExchangeReader } from './reader.ts'
import type { RecordingTimeline } from './timeline.ts'

type StatusesOfOrders = readonly (readonly [orderId: string, status: OrderStatus])[]

function documentStatus({ operation, reply }: Exchange): OrderStatus | undefined {
  if (operation !== 'getOrder' || reply?.status !== 200) return undefined
  const document = tryParseJson(reply.body)
  const parsed = OrderStatus.safeParse(isUnknownRecord(document) ? document['status'] : undefined)
  return parsed.success ? parsed.data : undefined
}

/** What an exchange tells of orders: by the events that it hands over, or by the document that it answers. */
export function statusesIn(exchange: Exchange): StatusesOfOrders {
  return splitByEvent(exchange).flatMap((part): StatusesOfOrders => {
    const type = eventTypeOf(part) ?? ''
    const projected = isOrderEventType(type) ? orderEvents[type].projects : undefined
    const status = projected ?? documentStatus(part)
    return part.orderId === undefined || status === undefined ? [] : [[part.orderId, status]]
  })
}

/** Maximum number of rows looked at for one screen of orders. */
const maxScanned = 20_000
/** Maximum number of exchanges read for each order, and of polls read for all of them. */
const maxOwnRead = 3
const maxPollsRead = 40
const maxCached = 4000

/** Operations whose exchanges tell the status of their order. */
const isTelling = (operation: string | undefined): boolean =>
  operation === 'getOrder' || operation?.startsWith('receive') === true

export interface OrderStatuses {
  /** The statuses of these orders before the place `until`, by order id; unknown ones are absent. */
  readonly before: (
    until: number,
    wanted: ReadonlyMap<number, string>,
  ) => Promise<ReadonlyMap<string, OrderStatus>>
}

/** `wanted` has the orders by their entity in the timeline. */
export function createOrderStatuses(
  timeline: RecordingTimeline,
  reader: Pick<ExchangeReader, 'read'>,
): OrderStatuses {
  // By number: places move while a recording is indexed.
  const statusesBySeq = new Map<number, StatusesOfOrders>()

  async function statusesAt(place: number): Promise<StatusesOfOrders> {
    const { seq } = timeline.row(place)
    const known = statusesBySeq.get(seq)
    if (known) return known
    const found = statusesIn(await reader.read(place))
    setBounded(statusesBySeq, seq, found, maxCached)
    return found
  }

  return {
    async before(until, wanted) {
      const statuses = new Map<string, OrderStatus>()
      const entities = new Map([...wanted].map(([entity, orderId]) => [orderId, entity]))
      /** Orders without a status so far, with the number of their exchanges that were read. */
      const left = new Map([...wanted.keys()].map((entity) => [entity, 0]))
      let pollsRead = 0
      /** Whether to read it: a poll hands over events of any order. */
      const isWanted = (place: number): boolean => {
        const { entity, operation, status } = timeline.row(place)
        if (isPollCall({ operation })) return status === 200 && pollsRead++ < maxPollsRead
        const read = entity === undefined ? undefined : left.get(entity)
        if (entity === undefined || read === undefined || !isTelling(operation)) return false
        left.set(entity, read + 1)
        return read < maxOwnRead
      }
      const end = Math.max(0, until - maxScanned)
      for (let place = until - 1; place >= end && left.size > 0; place--) {
        if (!isWanted(place)) continue
        // Of several events in one exchange the last is the latest.
        for (const [orderId, status] of (await statusesAt(place)).toReversed()) {
          const entity = entities.get(orderId)
          if (entity !== undefined && left.delete(entity)) statuses.set(orderId, status)
        }
      }
      return statuses
    },
  }
}
