/** Conversations with one host of Customer. A `take` is a POST that the host accepts and has applied. */
import type { Command } from '../../src/core/engine/command.ts'
import { conversationTests, duration, type Word } from './conversation.ts'
import {
  customerEvent,
  customerProcessingMs,
  type CustomerWire,
  type CustomerWireOptions,
  openCustomerWire,
  sampleCustomer,
} from './customer-wire.ts'
import { minimalOrder } from './minimal-order.ts'

type Json = Readonly<Record<string, unknown>>

function wordsOf(wire: CustomerWire): Readonly<Record<string, Word>> {
  return {
    /** Bodies: a customer with every field, an order, an event. */
    sample: (id: string, more?: Json) => sampleCustomer(id, more),
    order: (id: string, more?: Json) => minimalOrder(id, 'DELIVERY', more),
    event: (type: string, payload: Json, more?: Json) => customerEvent(type, payload, more),
    less: (record: Json, field: string) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => name !== field)),
    merge: (record: Json, more: Json) => ({ ...record, ...more }),
    async take(path: string, body: unknown) {
      const { status } = await wire.post(path, body)
      await wire.pass(customerProcessingMs)
      return status
    },
    list: (path: string) => wire.list(path),
    /** The ids in a list. */
    ids: async (path: string) => (await wire.list(path)).map(({ id }) => id),
    read: (path: string) => wire.read(path),
    declared: () => wire.declared(),
    pass: (time: string) => wire.pass(duration(time)),
    submit: (command: Command) => wire.session.submit(command),
    async labels(kind: 'review') {
      const { entities } = await wire.session.look({ entities: { kind, limit: 9 } })
      return entities.map(({ label }) => label)
    },
  }
}

export const customerTests = conversationTests<CustomerWireOptions>(async (options) => {
  const wire = await openCustomerWire(options)
  return {
    send: wire.send,
    words: wordsOf(wire),
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  }
})
