/** Conversations with the Delivery Platform. */
import type { Command } from '../../src/core/engine/command.ts'
import type { Fact } from '../../src/core/engine/fact.ts'
import { conversationTests, duration, type Word } from './conversation.ts'
import {
  deliveryRequest,
  dropoffPlace,
  type LogisticsWire,
  type LogisticsWireOptions,
  openLogisticsWire,
  pickupPlace,
} from './logistics-wire.ts'

function wordsOf(wire: LogisticsWire): Readonly<Record<string, Word>> {
  const { session } = wire
  return {
    /** Bodies: two places about three kilometres apart, and a request for a delivery between them. */
    places: () => ({ pickup: pickupPlace, dropoff: dropoffPlace }),
    request: (orderId: string) => deliveryRequest(orderId),
    /** Creates a delivery for an order; the receipt. */
    create: async (orderId: string, more?: object) => {
      const { status, json, text } = await wire.create(orderId, more)
      if (status !== 202) throw new Error(`no delivery: ${status} ${text}`)
      return json
    },
    read: (orderId: string) => wire.read(orderId),
    bring: (orderId: string, status: string) => wire.bring(orderId, status),
    pass: (time: string) => wire.pass(duration(time)),
    submit: (command: Command) => session.submit(command),
    facts: (kind: Fact['kind']) => wire.facts(kind),
    /** How often a courier was assigned. */
    assigned: () => wire.facts('delivery.moved').filter(({ to }) => to === 'ASSIGNED').length,
    /** How many facts there are. */
    count: () => session.facts().length,
    /** The bodies of the webhooks so far. */
    hooks: () => wire.hooks.map(({ json }) => json),
  }
}

export const logisticsTests = conversationTests<LogisticsWireOptions>(async (options) => {
  const wire = await openLogisticsWire(options)
  await wire.pass(0)
  return {
    send: wire.send,
    words: wordsOf(wire),
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  }
})
