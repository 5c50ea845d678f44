/**
 * Steps of near misses. An event is named by its type and order, `CONFIRMED a`, which is its id; a third word tells apart
 * two of one type.
 */
import type { Command } from '../../src/core/engine/command.ts'
import type { Fact } from '../../src/core/engine/fact.ts'
import type { DeliveryStatus } from '../../src/core/protocol/logistics/status.ts'
import type { OperationId } from '../../src/core/protocol/catalogue.ts'
import type { OrderTrigger } from '../../src/core/protocol/orders/lifecycle.ts'
import type { Order, OrderStatus } from '../../src/core/protocol/orders/order.ts'
import type { EmittedEvent } from '../../src/core/engine/emitted-event.ts'
import type { OutgoingCall } from '../../src/core/engine/calls/call.ts'
import { minimalOrder, type OrderProfile } from './minimal-order.ts'
import type { Steps } from './near-misses.ts'
import type { ScriptedCall } from './scripted-judge.ts'
import { noon } from './transcript.ts'

/** What a call may add. */
export type More = Partial<Omit<ScriptedCall, 'at' | 'operation' | 'order'>> & {
  /** X-Request-Id. */
  readonly key?: string
}

interface OrderOptions {
  readonly type?: OrderProfile
  readonly merchant?: string
}

const clock = (at: number): string => new Date(noon + at).toISOString()

const fact = (at: number, happened: Fact): Steps => ({ at, fact: happened })

/** An operation, and the order that it is about: `confirmOrder a`. */
type Call = OperationId | `${OperationId} ${string}`

/** A call of the service. */
export const call = (at: number, what: Call, status = 202, more: More = {}): Steps => {
  const { key, headers = [], ...rest } = more
  const [operation, order] = what.split(/ (.*)/s) as [OperationId, string?]
  return {
    at,
    operation,
    status,
    ...(order === undefined ? {} : { order }),
    ...rest,
    headers: key === undefined ? headers : [...headers, ['X-Request-Id', key]],
  }
}

/** A GET of an order that shows a status. */
export const read = (at: number, order: string, status: OrderStatus, more: More = {}): Steps =>
  call(at, `getOrder ${order}`, 200, { answer: { status }, ...more })

/** A call to the Delivery Platform; the body of some names the order, and not their path. */
export const delivery = (at: number, what: Call, status = 202, more: More = {}): Steps => {
  const [operation = '', orderId] = what.split(' ')
  const isInBody = operation === 'createDelivery' || operation === 'checkDeliveryAvailability'
  const body = isInBody ? { body: { orderId } } : {}
  return call(at, isInBody ? operation : what, status, {
    to: 'delivery-platform',
    ...body,
    ...more,
  })
}

export const token = (at: number, name: string, more: More = {}): Steps =>
  call(at, 'issueToken', 200, {
    token: '',
    body: 'grant_type=client_credentials&client_id=subject&client_secret=secret',
    answer: { access_token: name, expires_in: 3600 },
    ...more,
  })

const partsOf = (eventId: string) => {
  const [eventType = '', orderId = ''] = eventId.split(' ')
  return { eventType, orderId }
}

/** The host emits an event. */
export const emitted = (
  at: number,
  eventId: string,
  more: Partial<Omit<EmittedEvent, 'eventId'>> = {},
): Steps => {
  const { eventType, orderId } = partsOf(eventId)
  const type = eventType as EmittedEvent['eventType']
  const event = { eventId, eventType: type, orderId, merchantId: 'loja-1', createdAt: clock(at) }
  return fact(at, { kind: 'event.emitted', event: { ...event, ...more } })
}

/** The host creates an order and emits CREATED. */
export const created = (at: number, order: string, options: OrderOptions = {}): Steps => {
  const { type = 'TAKEOUT', merchant = 'loja-1' } = options
  const made = minimalOrder(order, type, { merchant: { id: merchant, name: 'Loja' } })
  return [
    fact(at, { kind: 'order.created', order: made as unknown as Order }),
    emitted(at, `CREATED ${order}`, { merchantId: merchant }),
  ]
}

const triggers: Readonly<Record<OrderStatus, OrderTrigger>> = {
  CREATED: 'confirm',
  CONFIRMED: 'confirm',
  PREPARING: 'preparing',
  READY: 'ready-for-pickup',
  IN_DELIVERY: 'dispatch',
  DELIVERED: 'delivered',
  CANCELLED: 'cancel',
  CONCLUDED: 'conclude',
}

/** The order has another status at the host. */
export const moved = (at: number, orderId: string, to: OrderStatus, forced?: true): Steps =>
  fact(at, {
    kind: 'order.moved',
    orderId,
    trigger: triggers[to],
    from: 'CREATED',
    to,
    ...(forced && { forced }),
  })

/** A poll that returns events. */
export const polled = (at: number, events: readonly string[], more: More = {}): Steps =>
  call(at, 'pollingEvents', events.length > 0 ? 200 : 204, {
    ...(events.length > 0
      ? { answer: events.map((eventId) => ({ eventId, ...partsOf(eventId) })) }
      : {}),
    ...more,
  })

/** An acknowledgment, which the host applies when it accepts it. */
export const acknowledged = (at: number, eventIds: readonly string[], more: More = {}): Steps => {
  const { status = 202 } = more
  return [
    status < 300 && status > 0 ? fact(at, { kind: 'events.acknowledged', eventIds }) : [],
    call(at, 'acknowledgeEvents', status, { body: { eventIds }, ...more }),
  ]
}

/** The service knows a new order: its CREATED was polled and acknowledged, and it was read. */
export const known = (at: number, order: string, options: OrderOptions = {}): Steps => [
  created(at, order, options),
  polled(at, [`CREATED ${order}`]),
  acknowledged(at, [`CREATED ${order}`]),
  read(at, order, 'CREATED'),
]

let calls = 0

interface WebhookOptions extends More {
  /** The operation; that of orders when absent. */
  readonly operation?: OperationId
}

const placed = (eventId: string, operation: OperationId): OutgoingCall => ({
  id: ++calls,
  from: 'ordering-application',
  to: 'software-service',
  operation,
  eventId,
  attempt: 1,
  requestId: `call-${calls}`,
})

const webhookExchange = (at: number, eventId: string, options: WebhookOptions): Steps => {
  const { operation = 'receiveOrderEvent', ...more } = options
  const { eventType, orderId } = partsOf(eventId)
  const body = { eventId, eventType, orderId }
  return call(at, `${operation} ${orderId}`, 204, {
    by: 'sparring',
    body,
    eventIds: [eventId],
    ...more,
  })
}

/** A webhook of Sparring: sent, what happens meanwhile, and answered. */
export const webhook = (
  at: number,
  eventId: string,
  meanwhile: Steps,
  options: WebhookOptions & { readonly took: number },
): Steps => {
  const sent = placed(eventId, options.operation ?? 'receiveOrderEvent')
  const concluded = { kind: 'call.concluded', call: sent, outcome: '204', ok: true } as const
  return [
    fact(at, { kind: 'call.placed', call: sent }),
    meanwhile,
    webhookExchange(at, eventId, options),
    fact(at + options.took, { ...concluded, retry: false }),
  ]
}

/** A fault is in force from here on; it distorts nothing by itself. */
export const faultAdded = (at: number): Steps =>
  fact(at, {
    kind: 'fault.added',
    fault: {
      id: 1,
      name: 'fail',
      text: 'fail',
      anchor: {},
      meets: ['answer'],
      options: {},
      legal: true,
      since: noon + at,
      fired: 0,
    },
  })

export const faultRemoved = (at: number): Steps =>
  fact(at, { kind: 'fault.removed', id: 1, because: 'removed' })

/** A fault fires on a message or a plan: `req(pollingEvents,o1)`. */
export const faultFired = (
  at: number,
  on: string,
  more: Partial<Extract<Fact, { kind: 'fault.fired' }>> = {},
): Steps =>
  fact(at, { kind: 'fault.fired', id: 9, name: 'fail', on, keys: [], legal: true, ...more })

const quote = { quoteId: 'q', available: true, metres: 1, fee: 1, currency: 'BRL', durationMs: 1 }

/** The Delivery Platform creates a delivery. */
export const deliveryCreated = (at: number, orderId: string): Steps => {
  const place = { address: {}, contact: {} }
  const wish = { orderId, merchant: place, pickup: place, dropoff: place }
  const consumer = 'software-service'
  return fact(at, { kind: 'delivery.created', orderId, id: `d-${orderId}`, wish, consumer, quote })
}

export const deliveryMoved = (at: number, orderId: string, to: DeliveryStatus): Steps =>
  fact(at, {
    kind: 'delivery.moved',
    orderId,
    deliveryId: `d-${orderId}`,
    trigger: 'cancel',
    from: 'PENDING',
    to,
  })

/** The host records that the service requested a cancellation, or how that was answered. */
export const cancellationRequested = (at: number, orderId: string): Steps => ({
  at,
  by: 'subject',
  fact: { kind: 'cancellation.requested', orderId },
})

export const cancellationAnswered = (
  at: number,
  orderId: string,
  answer: Extract<Fact, { kind: 'cancellation.answered' }>['answer'],
): Steps => fact(at, { kind: 'cancellation.answered', orderId, answer })

/** The host plans a command, which is not due before the end of the story. */
export const planned = (at: number, command: Command): Steps => {
  const item = { id: 1, due: noon * 2, rank: 1, held: false, command, cause: 0, background: false }
  return fact(at, { kind: 'agenda.planned', item })
}

/** The platform announces an event of a delivery. */
export const announced = (at: number, eventId: string): Steps => {
  const parts = { eventId, ...partsOf(eventId), entityId: 'd', body: {} }
  const [from, to] = ['delivery-platform', 'software-service'] as const
  const event = { ...parts, from, to, operation: 'receiveDeliveryEvent' } as const
  return fact(at, { kind: 'event.announced', event })
}
