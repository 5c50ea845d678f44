/** Conversations with the Ordering Application about orders. */
import type { Command } from '../../src/core/engine/command.ts'
import type { OrderEvent } from '../../src/core/protocol/orders/event.ts'
import type { OrderEventType } from '../../src/core/protocol/orders/events.ts'
import type { OrderStatus, OrderType } from '../../src/core/protocol/orders/order.ts'
import type { NewOrder } from '../../src/core/session-api/session-api.ts'
import { conversationTests, duration, type Word } from './conversation.ts'
import type { HostSessionOptions } from './host-session.ts'
import { plainOrder } from './plain-order.ts'
import { eventTypesOf, openOrdersWire, orderProcessingMs, type OrdersWire } from './wire.ts'

const v1Bodies: Readonly<Record<string, unknown>> = {
  confirm: { createdAt: '2026-01-05T15:00:00Z', orderExternalCode: '77' },
  requestCancellation: { reason: 'sem luz', code: 'SYSTEMIC_ISSUES', mode: 'AUTO' },
  denyCancellation: { reason: 'pronto', code: 'DISH_ALREADY_DONE' },
}

const v1Call = (wire: OrdersWire, orderId: string, call: string) =>
  wire.post(`/v1/orders/${orderId}/${call}`, v1Bodies[call])

async function heardInV1(wire: OrdersWire, orderId: string): Promise<readonly string[]> {
  const { status, json } = await wire.send('GET', '/v1/events:polling')
  const events = status === 204 ? [] : (json as readonly OrderEvent[])
  const body = events.map(({ eventId: id, ...each }) => ({
    id,
    orderId: each.orderId,
    eventType: each.eventType,
  }))
  if (body.length > 0) {
    const answer = await wire.send('POST', '/v1/events/acknowledgment', { body })
    if (answer.status !== 202) throw new Error(`an acknowledgment: ${answer.status}`)
  }
  return eventTypesOf(events.filter((event) => event.orderId === orderId))
}

function wordsOf(wire: OrdersWire): Readonly<Record<string, Word>> {
  const { session } = wire
  const agendaOf = async (orderId: string) =>
    (await session.look({ agenda: { limit: 20, orderId } })).agenda
  const create = (id: string, type: OrderType = 'DELIVERY') =>
    wire.create({ order: plainOrder(id, type) })
  return {
    /** A new order; `plain` is the sample with round numbers. */
    create: (order?: NewOrder) => wire.create(order),
    plain: create,
    whole: (id: string, more: object) =>
      wire.create({ order: { ...plainOrder(id, 'DELIVERY'), ...more } }),
    count: () => session.facts().length,
    /** The sample, confirmed, with an empty mailbox. */
    async confirmed(id = 'a', type?: OrderType) {
      const orderId = await create(id, type)
      await wire.bring(orderId, 'CONFIRMED')
      await wire.drain()
      return orderId
    },
    bring: (orderId: string, status: OrderStatus) => wire.bring(orderId, status),
    read: (orderId: string) => wire.read(orderId),
    /** Passes time until the planned step of this kind is due. */
    async until(orderId: string, kind: string) {
      const item = (await agendaOf(orderId)).find((each) => each.kind === kind)
      const { info } = await session.look({})
      return wire.pass((item?.due ?? 0) - info.clock.now)
    },
    pass: (time: string) => wire.pass(duration(time)),
    /** Empties the mailbox: the types of the events, of one order or of all. */
    events: async (orderId?: string) => eventTypesOf(await wire.drain(orderId)),
    /** How a cancellation request was answered. */
    outcome: async (orderId: string) =>
      eventTypesOf(await wire.drain(orderId)).find((type) => /ACCEPTED|DENIED/.test(type)) ??
      'none',
    /** The same with their whole bodies. */
    bodies: (orderId?: string) => wire.drain(orderId),
    poll: () => wire.poll(),
    acknowledge: async (events: Awaited<ReturnType<OrdersWire['poll']>>) =>
      (await wire.acknowledge(events)).status,
    submit: (command: Command) => session.submit(command),
    hosts: () => [...session.urls.keys()],
    document: async (orderId: string) => (await session.look({ orderId })).order?.document,
    history: async (orderId: string) =>
      (await session.look({ orderId })).order?.statusHistory.map(({ status }) => status),
    /** A call of V1 with the body that it requires; its status. */
    v1: async (orderId: string, call: string) => (await v1Call(wire, orderId, call)).status,
    /** Such calls one by one, each accepted and applied. */
    async calls(orderId: string, ...names: readonly string[]) {
      for (const name of names) {
        const { status, text } = await v1Call(wire, orderId, name)
        if (status !== 202) throw new Error(`${name}: ${status} ${text}`)
        await wire.pass(orderProcessingMs)
      }
    },
    /** The types of the events of an order, polled and acknowledged in V1. */
    heard: (orderId: string) => heardInV1(wire, orderId),
    'last-heard': async (orderId: string) => (await heardInV1(wire, orderId)).at(-1),
    /** What the rules of these ids say. */
    async outcomes(...ids: readonly string[]) {
      const { verdicts = [] } = await session.look({ verdicts: true })
      return ids.map((id) => verdicts.find((verdict) => verdict.id === id)?.outcome)
    },
    /** The steps that the lifecycle has for an order. */
    moves: async (orderId: string) =>
      (await session.look({ orderId })).order?.moves
        .filter(({ invalid }) => !invalid)
        .map(({ trigger }) => trigger),
    /** A transition that the originator makes itself. */
    apply: (orderId: string, trigger: 'cancel', metadata?: Readonly<Record<string, unknown>>) =>
      session.submit({ kind: 'order.apply', orderId, trigger, ...(metadata ? { metadata } : {}) }),
    async emit(orderId: string, eventType: OrderEventType, force = false) {
      const forced = force ? ({ force: true } as const) : {}
      const done = await session.submit({ kind: 'event.emit', orderId, eventType, ...forced })
      await wire.pass(0)
      return done.ok ? 'emitted' : done.error.code
    },
    /** Changes the planned answer to a cancellation request, as a scenario would. */
    async decide(orderId: string, answer: 'accept' | 'deny') {
      const item = (await agendaOf(orderId)).find(({ kind }) => kind === 'cancellation.answer')
      return session.submit({ kind: 'agenda.edit', id: item?.id ?? 0, change: { answer } })
    },
    /** The id of the last planned step of this kind for an order. */
    planned: async (orderId: string, kind: string) =>
      (await agendaOf(orderId)).findLast(
        (item) => item.kind === kind || item.text.startsWith(kind) || item.effect === kind,
      )?.id,
    /** How many facts of this kind there are. */
    facts: (kind: string) => session.facts().filter(({ fact }) => fact.kind === kind).length,
  }
}

export const ordersTests = conversationTests<HostSessionOptions>(async (options) => {
  const wire = await openOrdersWire(options)
  return {
    send: wire.send,
    words: wordsOf(wire),
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  }
})
