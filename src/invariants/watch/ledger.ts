/** The host's side of what a judge goes by: which orders and events there are, and what of ours is still on its way. */
import { addBounded, setBounded } from '../../engine/bounded.ts'
import type { Command } from '../../engine/command.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Item } from '../../engine/item.ts'
import type { World } from '../../engine/world.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'
import { arrive, type Arrivals, sendOff } from './arrivals.ts'
import { createByStatus } from './by-status.ts'
import type { Keeps, Undone } from './keeps.ts'
import { blankNotes } from './notes.ts'
import { isOver, projected } from './progress.ts'
import type { EventWatch, OrderWatch } from './watch.ts'

/** Orders that are kept in mind, and how many of those that are over. */
const mostOrders = 20_000
const mostOver = 2000
const mostEvents = 100_000
const mostForgotten = 20_000

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

export interface Ledger {
  readonly orders: Map<string, OrderWatch>
  readonly events: Map<string, EventWatch>
  readonly forgotten: ReadonlySet<string>
  readonly arrivals: Arrivals
  readonly facts: Keeps
}

export function createLedger(world: World, subject: Role): Ledger {
  const orders = new Map<string, OrderWatch>()
  const events = new Map<string, EventWatch>()
  const forgotten = new Set<string>()
  const arrivals: Arrivals = new Map()
  /** Orders that are over, oldest first. */
  const over = new Set<string>()
  /** Who waits for what is still to come, by item: hands edit an agenda, and undo what they did. */
  const waiters = new Map<number, OrderWatch | EventWatch>()

  function createOrder(order: FactOf<'order.created'>['order'], at: Instant): void {
    const { id: orderId, merchant, fulfillment } = order
    const watched: OrderWatch = {
      orderId,
      slot: world.faults.slots.get(orderId),
      merchantId: merchant.id,
      profile: fulfillment.orderType,
      createdAt: at,
      told: undefined,
      read: undefined,
      lastRead: undefined,
      handed: 0,
      heard: 0,
      lastCall: undefined,
      cancellation: undefined,
      known: createByStatus(),
      shown: createByStatus(),
      underWay: 0,
      events: [],
      truth: 'CREATED',
      truthSince: at,
      wasCancelled: false,
      notes: blankNotes(),
    }
    setBounded(orders, orderId, watched, mostOrders)
  }

  function forget(orderId: string | undefined): void {
    const order = orderId === undefined ? undefined : orders.get(orderId)
    if (!order) return
    orders.delete(order.orderId)
    for (const eventId of order.events) {
      addBounded(forgotten, eventId, mostForgotten)
      events.delete(eventId)
    }
  }

  function moveOrder(orderId: string, to: OrderStatus, at: Instant): void {
    const order = orders.get(orderId)
    if (!order) return
    const wasOver = isOver(order.truth)
    order.truth = to
    order.truthSince = at
    // Hands may take a cancellation back; what is closed stays what it was.
    if (to !== 'CONCLUDED') order.wasCancelled = to === 'CANCELLED'
    if (isOver(to)) forget(addBounded(over, orderId, mostOver))
    else if (wasOver) over.delete(orderId)
  }

  function emit(emitted: FactOf<'event.emitted' | 'event.announced'>['event'], at: Instant): void {
    const { eventId, eventType } = emitted
    const order = emitted.orderId === undefined ? undefined : orders.get(emitted.orderId)
    const orderId = order?.orderId ?? emitted.orderId
    const event: EventWatch = {
      eventId,
      eventType,
      orderId,
      createdAt: 'createdAt' in emitted ? emitted.createdAt : '',
      emitted: at,
      handovers: 0,
      underWay: 0,
      mailed: false,
      waiting: false,
      named: undefined,
    }
    setBounded(events, eventId, event, mostEvents)
    if (order) order.events = order.events.concat(eventId)
  }

  function wait(eventId: string, waiting: boolean): void {
    const event = events.get(eventId)
    if (event) event.waiting = waiting
  }

  function mail(eventId: string, mailed: boolean): void {
    const event = events.get(eventId)
    if (event) event.mailed = mailed
  }

  function ask(orderId: string, cancellation: OrderWatch['cancellation']): void {
    const order = orders.get(orderId)
    if (order) order.cancellation = cancellation
  }

  /** What has something to wait for as long as a command is still to come. */
  function waiterOf(command: Command): OrderWatch | EventWatch | undefined {
    switch (command.kind) {
      case 'order.apply':
        return command.trigger === 'conclude' ? undefined : orders.get(command.orderId)
      case 'cancellation.answer':
      case 'item.cancel':
        return orders.get(command.orderId)
      case 'event.offer':
      case 'event.push':
        return events.get(command.eventId)
      default:
        return undefined
    }
  }

  function unplan(id: number): void {
    const waiter = waiters.get(id)
    if (!waiter) return
    waiter.underWay--
    waiters.delete(id)
  }

  /** An item that is there already does something else from now on. */
  function plan({ id, command }: Pick<Item, 'id' | 'command'>): void {
    unplan(id)
    const waiter = waiterOf(command)
    if (!waiter) return
    waiter.underWay++
    waiters.set(id, waiter)
  }

  function turn({ items, removed }: Undone): void {
    for (const id of removed) unplan(id)
    for (const item of items) plan(item)
  }

  /** A webhook is on its way: whoever answers it may act on it before that answer. */
  function call(
    placed: FactOf<'call.placed' | 'call.concluded'>['call'],
    by: 1 | -1,
    at: Instant,
  ): void {
    const event = placed.eventId === undefined ? undefined : events.get(placed.eventId)
    if (!event || placed.to !== subject) return
    event.underWay += by
    const { orderId } = event
    if (orderId !== undefined)
      if (by > 0) sendOff(arrivals, orderId, placed.id, at)
      else arrive(arrivals, orderId, placed.id, at)
    const order = orderId === undefined ? undefined : orders.get(orderId)
    const status = projected(event.eventType)
    if (by < 0 || !order || !status || order.shown.has(status)) return
    order.shown.set(status, { since: at, cite: undefined })
  }

  return {
    orders,
    events,
    forgotten,
    arrivals,
    facts: {
      'order.created': ({ order }, { at }) => createOrder(order, at),
      'order.moved': ({ orderId, to }, { at }) => moveOrder(orderId, to, at),
      'event.emitted': ({ event }, { at }) => emit(event, at),
      'event.announced': ({ event }, { at }) => emit(event, at),
      'event.offered': ({ eventId }) => mail(eventId, true),
      'events.acknowledged': ({ eventIds }) => {
        for (const eventId of eventIds) mail(eventId, false)
      },
      'event.waiting': ({ eventId }) => wait(eventId, true),
      'event.pushed': ({ eventId }) => wait(eventId, false),
      'event.push-failed': ({ eventId }) => wait(eventId, false),
      'event.given-up': ({ eventId }) => wait(eventId, false),
      'cancellation.requested': ({ orderId }) => ask(orderId, 'asked'),
      'cancellation.answered': ({ orderId, answer }) => ask(orderId, answer),
      'agenda.planned': ({ item }) => plan(item),
      'agenda.edited': plan,
      'agenda.taken': ({ id }) => unplan(id),
      'agenda.dropped': ({ id }) => unplan(id),
      'agenda.undone': turn,
      'agenda.redone': turn,
      'call.placed': ({ call: placed }, { at }) => call(placed, 1, at),
      'call.concluded': ({ call: placed }, { at }) => call(placed, -1, at),
    },
  }
}
