/**
 * Audits the traffic of a session: reports lifecycle and event violations per order from the wire alone, with its own
 * lifecycle and event tables, independent of the implementation.
 */
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import { orderEvents, type OrderEventType } from '../../src/core/protocol/orders/events.ts'
import { orderLifecycle } from '../../src/core/protocol/orders/lifecycle.ts'
import type { Order, OrderStatus } from '../../src/core/protocol/orders/order.ts'
import type { OrderEvent } from '../../src/core/protocol/orders/event.ts'
import { sumProblems } from '../../src/core/protocol/orders/totals.ts'

interface Life {
  order?: Order
  readonly statuses: OrderStatus[]
  readonly events: Map<string, OrderEvent>
}

/** Whether the lifecycle table leads from one status to another in one or more steps. */
function leadsTo(from: OrderStatus, to: OrderStatus, order: Order): boolean {
  const profile = order.fulfillment.orderType
  const next = orderLifecycle
    .filter(
      (row) => row.from === from && (row.profiles === undefined || row.profiles.includes(profile)),
    )
    .map((row) => row.to)
  return next.includes(to) || next.some((status) => leadsTo(status, to, order))
}

export interface Audit {
  readonly record: (exchange: Exchange) => void
  /** All violations, one sentence each. */
  readonly problems: () => readonly string[]
}

/** Two orders of a customer may redeem the same points concurrently; one is refused. */
const isLateRedemption = (body: string | undefined): boolean =>
  body?.includes('"INSUFFICIENT_BALANCE"') ?? false

export function createAudit(): Audit {
  const lives = new Map<string, Life>()
  const problems: string[] = []

  function life(orderId: string): Life {
    const known = lives.get(orderId)
    if (known) return known
    const fresh: Life = { statuses: [], events: new Map() }
    lives.set(orderId, fresh)
    return fresh
  }

  function heardEvent(event: OrderEvent): void {
    const { events } = life(event.orderId)
    const before = events.get(event.eventId)
    if (before && JSON.stringify(before) !== JSON.stringify(event))
      problems.push(`event ${event.eventId} changed between two handovers`)
    events.set(event.eventId, event)
  }

  function read(order: Order): void {
    const known = life(order.id)
    known.order = order
    const last = known.statuses.at(-1)
    if (last === order.status) return
    if (last !== undefined && !leadsTo(last, order.status, order))
      problems.push(`order ${order.id} went from ${last} to ${order.status}`)
    known.statuses.push(order.status)
    problems.push(...sumProblems(order).map((problem) => `order ${order.id}: ${problem}`))
  }

  function judge(orderId: string, { order, statuses, events }: Life): readonly string[] {
    if (!order) return [`order ${orderId} was never read`]
    const profile = order.fulfillment.orderType
    const types = [...events.values()].map(({ eventType }) => eventType as OrderEventType)
    const missing = statuses.flatMap((status) =>
      Object.entries(orderEvents)
        .filter(([, row]) => row.projects === status && row.obligation[profile] === 'MUST')
        .map(([type]) => type as OrderEventType)
        .filter((type) => !types.includes(type))
        .map((type) => `order ${orderId} reached ${status} without ${type}`),
    )
    const twice = types
      .filter((type, index) => orderEvents[type].projects && types.indexOf(type) !== index)
      .map((type) => `order ${orderId} was announced ${type} under two ids`)
    const forbidden = types
      .filter((type) => orderEvents[type].obligation[profile] === 'MUST NOT')
      .map((type) => `order ${orderId}, ${profile}, was announced ${type}`)
    return [...missing, ...twice, ...forbidden]
  }

  return {
    record({ operation, reply, failure, request }) {
      const line = `${request.method} ${request.url}`
      if (failure) problems.push(`${line} failed: ${failure.code}`)
      if (reply && reply.status >= 400 && !isLateRedemption(reply.body))
        problems.push(`${line} was answered ${reply.status}: ${reply.body}`)
      if (operation === 'pollingEvents' && reply?.body)
        for (const event of JSON.parse(reply.body) as OrderEvent[]) heardEvent(event)
      if (operation === 'receiveOrderEvent' && request.body)
        heardEvent(JSON.parse(request.body) as OrderEvent)
      if (operation === 'getOrder' && reply?.status === 200 && reply.body)
        read(JSON.parse(reply.body) as Order)
    },
    problems: () => [
      ...(lives.size === 0 ? ['nothing was heard of any order'] : []),
      ...problems,
      ...[...lives].flatMap(([id, each]) => judge(id, each)),
    ],
  }
}
