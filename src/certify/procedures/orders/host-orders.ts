/**
 * Orders of an Ordering Application under certification: had created, read, and moved by calls of a Software Service.
 */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { OrderEventType } from '../../../core/protocol/orders/events.ts'
import type { OrderStatus, OrderType } from '../../../core/protocol/orders/order.ts'
import {
  maxEffectMs,
  type ProcedureContext,
  ProcedureSkipped,
  readUntil,
  type ServiceAction,
  type WaitLimit,
} from '../../judge/procedure.ts'
import { emittedEvents, type Observed } from '../../../core/rules/checks/trace.ts'
import { isAtOrPast, statusOf, typeOf } from '../../../core/rules/checks/orders/hosted-orders.ts'

/** How long an order may take to be announced, where a person has to create it at the service. */
const announcementMs = 60_000
/** How long something may take that must not come. */
export const quietMs = 1500

/** The reason in the cancellations that we ask for. */
export const cancellationReason = 'certification: it cannot be prepared'

/** A call, and the status that it leads to. */
type ProgressStep = readonly [OperationId, OrderStatus]

/** The calls that take an order to its end. */
export const progressSteps: Readonly<Record<OrderType, readonly ProgressStep[]>> = {
  DELIVERY: [
    ['confirmOrder', 'CONFIRMED'],
    ['setOrderPreparing', 'PREPARING'],
    ['setOrderReadyForPickup', 'READY'],
    ['dispatchOrder', 'IN_DELIVERY'],
    ['setOrderDelivered', 'DELIVERED'],
  ],
  TAKEOUT: [
    ['confirmOrder', 'CONFIRMED'],
    ['setOrderReadyForPickup', 'READY'],
    ['setOrderDelivered', 'DELIVERED'],
  ],
  INDOOR: [
    ['confirmOrder', 'CONFIRMED'],
    ['setOrderPreparing', 'PREPARING'],
    ['setOrderReadyForPickup', 'READY'],
    ['setOrderDelivered', 'DELIVERED'],
  ],
}

export interface PlacedOrder {
  readonly orderId: string
  readonly type: OrderType
  /** The first read. */
  readonly read: Observed
}

/** Has an order created at the service, waits for its CREATED event, and reads it at once, as the step `read-new`. */
export async function newOrder(
  context: ProcedureContext,
  type: OrderType,
  options: Pick<Extract<ServiceAction, { kind: 'create-order' }>, 'isFull' | 'document'> = {},
): Promise<PlacedOrder> {
  const createdIds = (observed = context.observed()): readonly string[] =>
    emittedEvents(observed).flatMap(({ eventType, orderId }) =>
      eventType === 'CREATED' && orderId !== undefined ? [orderId] : [],
    )
  // The event of an earlier order may come again, on the other channel.
  const known = new Set([...createdIds(context.earlier()), ...createdIds()])
  await context.ask({ kind: 'create-order', type, ...options })
  const end = context.now() + announcementMs
  for (;;) {
    const orderId = await context.until(() => createdIds().find((id) => !known.has(id)), {
      within: Math.max(0, end - context.now()),
      what: `the event CREATED of the new ${type} order`,
    })
    if (orderId === undefined) {
      context.note('unannounced-order', type)
      return context.skip(`no CREATED event of a new ${type} order came within 60 s`)
    }
    known.add(orderId)
    const read = await readOrder(context, 'read-new', orderId)
    // Others may create orders at the service at the same time.
    if ((typeOf(read) ?? type) === type) return { orderId, type, read }
  }
}

/** Does what the service may not be able to do; undefined where it is not. */
export async function ifPossible<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProcedureSkipped) return undefined
    throw error
  }
}

/** An order of each type, as far as they can be had; ends the procedure when there is none. */
export async function newOrders(
  context: ProcedureContext,
  types: readonly OrderType[],
): Promise<readonly PlacedOrder[]> {
  const placed: PlacedOrder[] = []
  for (const type of types) {
    if (type === 'INDOOR' && !context.capabilities.includes('indoor')) continue
    const order = await ifPossible(() => newOrder(context, type))
    if (order) placed.push(order)
  }
  return placed.length > 0 ? placed : context.skip('no order could be had')
}

export const readOrder = (
  context: ProcedureContext,
  step: string,
  orderId: string,
): Promise<Observed> =>
  context.call(step, { as: 'software-service', operation: 'getOrder', params: { orderId } })

export async function readOrders(
  context: ProcedureContext,
  step: string,
  orders: readonly PlacedOrder[],
): Promise<void> {
  for (const { orderId } of orders) await readOrder(context, step, orderId)
}

export const callForOrder = (
  context: ProcedureContext,
  operation: OperationId,
  orderId: string,
  { step = operation, body = {}, itemId }: CallOptions = {},
): Promise<Observed> =>
  context.call(step, {
    as: 'software-service',
    operation,
    params: { orderId, ...(itemId === undefined ? {} : { itemId }) },
    body,
  })

interface CallOptions {
  /** Name of the step; the operation when absent. */
  readonly step?: string
  readonly body?: unknown
  readonly itemId?: string
}

/**
 * Reads orders until a condition holds for each; returns those for which it has come to hold in time, with that read.
 */
export async function untilReads<Order extends Pick<PlacedOrder, 'orderId'>>(
  context: ProcedureContext,
  orders: readonly Order[],
  holds: (read: Observed, order: Order) => boolean,
  { step = 'read-effect', ...limit }: WaitLimit & { readonly step?: string } = {},
): Promise<readonly (Order & { readonly read: Observed })[]> {
  const held = new Map<Order, Observed>()
  await readUntil(
    context,
    async () => {
      for (const order of orders) {
        if (held.has(order)) continue
        const read = await readOrder(context, step, order.orderId)
        if (holds(read, order)) held.set(order, read)
      }
    },
    () => held.size === orders.length,
    limit,
  )
  return [...held].map(([order, read]) => ({ ...order, read }))
}

/** Reads orders until they have this status, or one behind it. */
export const untilStatus = <Order extends PlacedOrder>(
  context: ProcedureContext,
  orders: readonly Order[],
  status: (order: Order) => OrderStatus,
  within = maxEffectMs,
): Promise<readonly Order[]> =>
  untilReads(
    context,
    orders,
    (read, order) => isAtOrPast(statusOf(read), status(order), order.type),
    { within, what: `status ${[...new Set(orders.map(status))].join(', ')} in reads of orders` },
  )

/** Reads an order, as the step `read-<status>`, until it has the status. */
export const untilOrderRead = (
  context: ProcedureContext,
  orderId: string,
  status: OrderStatus,
): Promise<unknown> =>
  untilReads(context, [{ orderId }], (read) => statusOf(read) === status, {
    step: `read-${status}`,
    what: `status ${status} in a read of order ${orderId}`,
  })

/** The steps from a status to another one; none from a status that does not lead to it. */
function stepsBetween(type: OrderType, from: unknown, to: OrderStatus): readonly ProgressStep[] {
  const steps = progressSteps[type]
  const statuses = ['CREATED', ...steps.map(([, status]) => status)]
  const start = statuses.findIndex((status) => status === from)
  return start < 0 ? [] : steps.slice(start, statuses.indexOf(to))
}

/** Takes orders through the steps of their profile, side by side, up to this status. Returns those that got there. */
export async function progress(
  context: ProcedureContext,
  orders: readonly PlacedOrder[],
  upTo: OrderStatus,
  onReached: (order: PlacedOrder, operation: OperationId) => Promise<unknown> = async () => {},
): Promise<readonly PlacedOrder[]> {
  let walking: readonly (PlacedOrder & { readonly steps: readonly ProgressStep[] })[] = []
  for (const order of orders) {
    const read = await readOrder(context, 'read-before', order.orderId)
    walking = [...walking, { ...order, steps: stepsBetween(order.type, statusOf(read), upTo) }]
  }
  for (let round = 0; walking.some(({ steps }) => round < steps.length); round++) {
    const due = walking.flatMap((walk) => {
      const step = walk.steps[round]
      return step ? [{ ...walk, operation: step[0], status: step[1] }] : []
    })
    for (const { operation, orderId } of due) await callForOrder(context, operation, orderId)
    const settled = await untilStatus(context, due, ({ status }) => status)
    // The service may cancel an order of its own accord at any time.
    const reached = settled.filter(({ read }) => statusOf(read) !== 'CANCELLED')
    for (const order of reached) await onReached(order, order.operation)
    const advancing = new Set(reached.map(({ orderId }) => orderId))
    walking = walking.filter(
      ({ orderId, steps }) => round >= steps.length || advancing.has(orderId),
    )
  }
  return walking
}

/** Waits for an event of this type of each order. */
export async function untilOrderEvents(
  context: ProcedureContext,
  wanted: readonly (readonly [orderId: string, ...types: OrderEventType[]])[],
  within = maxEffectMs,
): Promise<boolean> {
  const arrived = await context.until(
    () => {
      const events = emittedEvents(context.observed())
      return wanted.every(([orderId, ...types]) =>
        events.some(
          (event) =>
            event.orderId === orderId && types.some((eventType) => event.eventType === eventType),
        ),
      )
    },
    {
      within,
      what: `the events ${wanted.map(([orderId, ...types]) => `${types.join(' or ')} of order ${orderId}`).join(', ')}`,
    },
  )
  return arrived === true
}

/** Lets something come that must not come. */
export const quietTime = (context: ProcedureContext): Promise<void> => context.sleep(quietMs)
