/** Finds the exchanges in which the bug of a foreign service shows: the cause, and what comes of it. */
import { z } from 'zod'
import type { Exchange } from '../../src/core/traffic/exchange.ts'

type Seen = Pick<Exchange, 'seq' | 'operation' | 'orderId' | 'request' | 'reply'>

const Event = z.looseObject({ eventId: z.string(), eventType: z.string(), orderId: z.string() })
type Event = z.infer<typeof Event>
const Batch = z.array(Event)
const Acknowledgment = z.looseObject({ eventIds: z.array(z.string()) })
const Options = z.looseObject({
  id: z.string(),
  items: z.array(
    z.looseObject({ options: z.array(z.looseObject({ quantity: z.number() })).default([]) }),
  ),
})

function parsed<T>(schema: z.ZodType<T>, body: string | undefined): T | undefined {
  if (body === undefined || body === '') return undefined
  return schema.safeParse(JSON.parse(body)).data
}

const statusOf = ({ reply }: Seen): number => reply?.status ?? 0
const isTaken = (exchange: Seen): boolean => Math.floor(statusOf(exchange) / 100) === 2

/** The events that an exchange hands over, by poll or by webhook. */
function handedOver({ operation, request, reply }: Seen): readonly Event[] {
  if (operation === 'pollingEvents') return parsed(Batch, reply?.body) ?? []
  const event = operation === 'receiveOrderEvent' ? parsed(Event, request.body) : undefined
  return event ? [event] : []
}

const brings =
  (eventType: string, orderId?: string) =>
  (exchange: Seen): boolean =>
    handedOver(exchange).some(
      (event) =>
        event.eventType === eventType && (orderId === undefined || event.orderId === orderId),
    )

const calls =
  (operation: string, orderId: string) =>
  (exchange: Seen): boolean =>
    exchange.operation === operation && exchange.orderId === orderId

/** The first exchanges that satisfy these one after the other; undefined when one does not come. */
function inOrder(
  exchanges: readonly Seen[],
  ...wanted: readonly ((exchange: Seen) => boolean)[]
): readonly number[] | undefined {
  const found: number[] = []
  let from = 0
  for (const holds of wanted) {
    const index = exchanges.findIndex((exchange, at) => at >= from && holds(exchange))
    const exchange = exchanges[index]
    if (!exchange) return undefined
    found.push(exchange.seq)
    from = index + 1
  }
  return found
}

type FindCause = (exchanges: readonly Seen[], orderId: string) => readonly number[] | undefined

const both =
  (...all: readonly ((exchange: Seen) => boolean)[]) =>
  (exchange: Seen): boolean =>
    all.every((holds) => holds(exchange))

const causes: Readonly<Record<string, FindCause>> = {
  'late-confirmed': (exchanges, orderId) =>
    inOrder(
      exchanges,
      both(brings('CANCELLED', orderId), isTaken),
      both(brings('CONFIRMED', orderId), (exchange) => statusOf(exchange) === 500),
    ),
  'second-line': (exchanges, orderId) =>
    inOrder(
      exchanges,
      both(brings('ITEM_CANCELLED', orderId), (exchange) => statusOf(exchange) === 500),
    ),
  // The first order of the customer: what is called of it is called of the second.
  'one-customer': (exchanges, orderId) =>
    inOrder(
      exchanges,
      both(calls('confirmOrder', orderId), isTaken),
      both(brings('CONFIRMED', orderId), (exchange) => statusOf(exchange) === 500),
    ),
  'confirmed-too-late': (exchanges, orderId) =>
    inOrder(
      exchanges,
      both(brings('CANCELLED', orderId), isTaken),
      both(calls('confirmOrder', orderId), (exchange) => statusOf(exchange) === 409),
    ),
  'dropped-at-renewal'(exchanges, orderId) {
    const taken = exchanges.find(both(brings('CREATED', orderId), isTaken))
    const refused = exchanges.findLast(
      (exchange) => statusOf(exchange) === 401 && exchange.seq < (taken?.seq ?? 0),
    )
    if (!taken || !refused || exchanges.some(calls('getOrder', orderId))) return undefined
    return [refused.seq, taken.seq]
  },
  'repeated-event': (exchanges, orderId) =>
    inOrder(
      exchanges,
      brings('READY_FOR_PICKUP', orderId),
      calls('dispatchOrder', orderId),
      brings('READY_FOR_PICKUP', orderId),
      calls('dispatchOrder', orderId),
    ),
  'two-in-one-poll'(exchanges, orderId) {
    const poll = exchanges.find(
      (exchange) =>
        handedOver(exchange).filter(({ eventType }) => eventType === 'CREATED').length > 1 &&
        brings('CREATED', orderId)(exchange),
    )
    const created = poll && handedOver(poll).find((event) => event.orderId === orderId)
    if (!created || exchanges.some(calls('getOrder', orderId))) return undefined
    const acknowledged = exchanges.find(
      ({ operation, request }) =>
        operation === 'acknowledgeEvents' &&
        parsed(Acknowledgment, request.body)?.eventIds.includes(created.eventId) === true,
    )
    // A recording that is cut down may leave out what the service does by itself.
    return [poll.seq, ...(acknowledged ? [acknowledged.seq] : [])]
  },
  'option-quantity'(exchanges, orderId) {
    const read = exchanges.find(
      (exchange) =>
        calls('getOrder', orderId)(exchange) &&
        parsed(Options, exchange.reply?.body)?.items.some(({ options }) =>
          options.some(({ quantity }) => quantity > 9),
        ) === true,
    )
    const event = exchanges.find(
      both(brings('CREATED', orderId), (exchange) => statusOf(exchange) === 422),
    )
    return read && event && [event.seq, read.seq]
  },
  'swallowed-cancellation': (exchanges, orderId) =>
    inOrder(
      exchanges,
      both(calls('confirmOrder', orderId), isTaken),
      both(brings('CANCELLED', orderId), isTaken),
      both(calls('setOrderPreparing', orderId), (exchange) => statusOf(exchange) === 409),
      both(calls('dispatchOrder', orderId), (exchange) => statusOf(exchange) === 409),
    ),
}

export interface ForeignCause {
  readonly orderId: string
  /** Sequence numbers of the exchanges, in the order of the cause. */
  readonly exchanges: readonly number[]
}

/** The cause of a bug, for each order that it shows with. */
export function findForeignCauses(
  bug: string,
  exchanges: readonly Seen[],
): readonly ForeignCause[] {
  const find = causes[bug]
  if (find === undefined) throw new Error(`nobody knows the cause of ${bug}`)
  const orderIds = new Set(exchanges.flatMap(handedOver).map(({ orderId }) => orderId))
  return [...orderIds].flatMap((orderId) => {
    const found = find(exchanges, orderId)
    return found ? [{ orderId, exchanges: found }] : []
  })
}
