/** Rows of orders, and one order in detail with its moves and events. */
import { compact } from '../base/compact.ts'
import { handedOverIds } from '../engine/faults/handed-over.ts'
import { faultBounds, slotOf } from '../engine/faults/world.ts'
import type { Settings } from '../engine/settings.ts'
import type { OrderRecord, World } from '../engine/world.ts'
import { isCancellable, orderView } from '../engine/orders/record.ts'
import {
  orderLifecycle,
  orderLifecycleIn,
  type OrderTrigger,
  type ProgressionTrigger,
  progressionTriggers,
} from '../protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'
import type { OrderDetail, OrderRow, View } from '../session-api/session-api.ts'
import { rowTest } from './row-text.ts'
import type { Move } from '../session-api/entities.ts'
import type { EmittedEvent } from '../engine/emitted-event.ts'
import { speaksV1 } from '../protocol/dialects/settings.ts'

const strips: Readonly<Record<OrderType, readonly OrderStatus[]>> = {
  DELIVERY: ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY', 'DELIVERED', 'CONCLUDED'],
  TAKEOUT: ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'DELIVERED', 'CONCLUDED'],
  INDOOR: ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'DELIVERED', 'CONCLUDED'],
}

export function orderRow(record: OrderRecord, world: World): OrderRow {
  const { order, status, since, lastEvent, cancellation } = record
  const { orderAmount } = order.total
  return compact({
    orderId: order.id,
    displayId: order.displayId,
    profile: order.fulfillment.orderType,
    status,
    merchant: order.merchant.name ?? order.merchant.id,
    amount: `${orderAmount.currency} ${orderAmount.value.toFixed(2)}`,
    createdAt: record.way[0]?.at ?? since,
    since,
    lastEvent,
    customer: order.customer?.name,
    cancellation,
    believed: world.store.tickets.get(order.id)?.status,
    slot: slotOf(world.faults, order.id),
  })
}

/** Rows of those of the ids whose orders are known. */
export const pinnedRows = (ids: readonly string[], world: World): readonly OrderRow[] =>
  ids.flatMap((orderId) => {
    const record = world.ordering.orders.get(orderId)
    return record ? [orderRow(record, world)] : []
  })

export interface OrderRows {
  /** Newest first. */
  readonly rows: readonly OrderRow[]
  /** Place of the order that was asked for among all rows; undefined when it is not there. */
  readonly place: number | undefined
  /** Number of orders with the words that are searched for. */
  readonly found?: number
}

/** Iterates over the map without copying: it may be large, and this runs often. */
export function orderRows(
  world: World,
  view: NonNullable<View['orders']>,
  orderId: string | undefined,
): OrderRows {
  const { limit, offset = 0, status, contains } = view
  const { orders } = world.ordering
  const test = rowTest('orders', contains, world)
  if (test) {
    const found: OrderRow[] = []
    for (const record of orders.values()) {
      const row = orderRow(record, world)
      if ((status === undefined || row.status === status) && test(row)) found.push(row)
    }
    found.reverse()
    const index = found.findIndex((row) => row.orderId === orderId)
    const place = index < 0 ? undefined : index
    return { rows: found.slice(offset, offset + limit), place, found: found.length }
  }
  const wanted = ({ status: own }: OrderRecord): boolean => status === undefined || own === status
  let count = orders.size
  if (status !== undefined) {
    count = 0
    for (const record of orders.values()) if (wanted(record)) count++
  }
  const rows: OrderRow[] = []
  let fromOldest = 0
  let place: number | undefined
  for (const record of orders.values()) {
    if (!wanted(record)) continue
    const fromNewest = count - ++fromOldest
    if (record.order.id === orderId) place = fromNewest
    if (fromNewest >= offset && fromNewest < offset + limit) rows.push(orderRow(record, world))
  }
  return { rows: rows.toReversed(), place }
}

const progressions: ReadonlySet<OrderTrigger> = new Set(progressionTriggers)
const isProgression = (trigger: OrderTrigger): trigger is ProgressionTrigger =>
  progressions.has(trigger)

/** Each trigger with the status that a forced one leads to. */
const forcible = orderLifecycle
  .filter(
    ({ trigger }, index) => orderLifecycle.findIndex((row) => row.trigger === trigger) === index,
  )
  .map(({ trigger, to }) => {
    const by: Role = isProgression(trigger) ? 'software-service' : 'ordering-application'
    return { trigger, to, by }
  })

/** All lifecycle triggers, valid ones first; the others are forced, with the reason. */
function movesOf(
  { order, status, cancellation }: OrderRecord,
  ofV1: readonly Move[],
  { conduct }: Settings,
): readonly Move[] {
  const orderId = order.id
  const profile = order.fulfillment.orderType
  const { transitionsFrom } = orderLifecycleIn(conduct)
  const valid = transitionsFrom(status, profile).map(({ trigger, to }): Move =>
    isProgression(trigger)
      ? {
          trigger,
          to,
          by: 'software-service',
          command: { kind: 'order.request', orderId, trigger },
        }
      : {
          trigger,
          to,
          by: 'ordering-application',
          command: { kind: 'order.apply', orderId, trigger },
        },
  )
  const answers: readonly Move[] =
    cancellation === 'asked' || cancellation === 'open'
      ? (['accept', 'deny'] as const).map((answer) => ({
          trigger: `${answer}-cancellation`,
          to: answer === 'accept' ? 'CANCELLED' : status,
          by: 'ordering-application',
          command: { kind: 'cancellation.answer', orderId, answer },
        }))
      : []
  const known = new Set(valid.map(({ trigger }) => trigger))
  const forced = forcible.flatMap(({ trigger, to, by }): readonly Move[] => {
    if (known.has(trigger) || to === status) return []
    const command = { kind: 'order.apply', orderId, trigger, force: true } as const
    return [{ trigger, to, by, command, invalid: `no ${trigger} from ${status} for ${profile}` }]
  })
  return [...valid, ...answers, ...ofV1, ...forced]
}

/** Whether an event was handed over; assumed when the log of handovers is full. */
function wasHandedOver(eventId: string, orderId: string, { faults }: World): boolean {
  const handed = handedOverIds(faults, orderId)
  if (!handed) return slotOf(faults, orderId) === undefined
  return handed.length >= faultBounds.handed || handed.includes(eventId)
}

/** State of an event that was taken. */
export const takenState = 'delivered'

/** State of an event between emission and acknowledgment. */
function eventState(
  { eventId, orderId }: EmittedEvent,
  world: World,
  { planned, called }: InFlight,
): string {
  if (planned.has(eventId)) return 'planned'
  if (world.ordering.mailbox.has(eventId)) return 'queued for polling'
  if (world.ordering.waiting.has(eventId)) return 'queued for a webhook'
  if (called.has(eventId)) return 'in flight'
  // Dropped from the agenda by a fault or by hand, or handed over without an acknowledgment.
  return wasHandedOver(eventId, orderId, world) ? takenState : 'not delivered'
}

/** Those of the events that have a planned handover, and those in flight. */
interface InFlight {
  readonly planned: ReadonlySet<string>
  readonly called: ReadonlySet<string>
}

function inFlightIn({ agenda, calls }: World, eventIds: readonly string[]): InFlight {
  const planned = new Set<string>()
  const called = new Set<string>()
  const isAsked = (eventId: string | undefined): eventId is string =>
    eventId !== undefined && eventIds.includes(eventId)
  for (const { command } of agenda.byId.values())
    if (command.kind === 'event.offer' || command.kind === 'event.push') {
      if (isAsked(command.eventId)) planned.add(command.eventId)
    } else if (command.kind === 'call.place' && isAsked(command.call.eventId))
      called.add(command.call.eventId)
  for (const { eventId } of calls.values()) if (isAsked(eventId)) called.add(eventId)
  return { planned, called }
}

export function orderDetail(
  orderId: string,
  world: World,
  settings: Settings,
): OrderDetail | undefined {
  const record = world.ordering.orders.get(orderId)
  if (!record) return undefined
  const inFlight = inFlightIn(world, record.eventIds)
  return {
    row: orderRow(record, world),
    statusHistory: record.way,
    regularStatuses: strips[record.order.fulfillment.orderType],
    moves: movesOf(record, v1Moves(record, world, settings), settings),
    events: record.eventIds.flatMap((eventId) => {
      const event = world.ordering.events.get(eventId)
      return event
        ? [
            {
              eventId,
              eventType: event.eventType,
              createdAt: event.createdAt,
              state: eventState(event, world, inFlight),
            },
          ]
        : []
    }),
    document: orderView(record),
  }
}

export function v1Moves(
  record: OrderRecord,
  { v1 }: World,
  { conduct }: Settings,
): readonly Move[] {
  const { order, status, cancellation } = record
  const orderId = order.id
  if (!speaksV1(conduct) || !isCancellable(record, conduct)) return []
  if (v1.handshakes.has(orderId))
    return (['accept', 'deny'] as const).map((answer) => ({
      trigger: `${answer}-cancelling`,
      to: answer === 'accept' ? 'CANCELLED' : status,
      by: 'software-service',
      command: { kind: 'handshake.answer', orderId, answer },
    }))
  return cancellation === 'accept' || conduct.v1.originatorCancel === 'direct'
    ? []
    : [
        {
          trigger: 'ask-to-cancel',
          to: 'CANCELLED',
          by: 'ordering-application',
          command: { kind: 'handshake.offer', orderId },
        },
      ]
}
