/**
 * Conversations with the Software Service about accounts; `?table=7` in a path is the operational key of that table.
 */
import type { Account } from '../../src/core/protocol/indoor/account.ts'
import type { AccountEventBody } from '../../src/core/protocol/indoor/events.ts'
import type { Command } from '../../src/core/engine/command.ts'
import { type Conversation, conversationTests, duration, type Word } from './conversation.ts'
import { minimalOrder } from './minimal-order.ts'
import {
  accountQuery,
  type IndoorOrderOptions,
  type IndoorWire,
  type IndoorWireOptions,
  openIndoorWire,
} from './indoor-wire.ts'

const tableOf = (identifier = 7): string => `${identifier}`

function wordsOf(wire: IndoorWire): Readonly<Record<string, Word>> {
  const { originator } = wire
  return {
    /** A new order, on its account. */
    order: (order?: IndoorOrderOptions) => wire.order(order),
    account: (status?: Account['status'], table?: number) => wire.account(status, tableOf(table)),
    read: (table?: number, mode?: string) => wire.read(tableOf(table), mode),
    documents: (table?: number) => wire.documents(tableOf(table)),
    pass: (time: string) => wire.pass(duration(time)),
    /** The types of the account events so far, of one account or of all. */
    events: (accountId?: string) => wire.types(accountId),
    /** Their bodies. */
    bodies: (): readonly AccountEventBody[] => wire.accountEvents.map(({ event }) => event),
    /** The accounts that they name; NONE where they name none. */
    accounts: () => wire.accountEvents.map(({ event }) => event.accountId ?? 'NONE'),
    /** The internal id of the first account. */
    async entity() {
      const { entities } = await wire.session.look({ entities: { kind: 'account', limit: 1 } })
      return entities[0]?.id ?? null
    },
    /** All that the house has written about table 7. */
    written: async () => JSON.stringify([wire.accountEvents, await wire.read()]),
    submit: (command: Command) => wire.session.submit(command),
    /** What the store asked the Ordering Application for. */
    calls: (name: string, orderId?: string) =>
      originator.callsOf(name as 'confirm', orderId).map(({ json }) => json),
    stored: (orderId: string) => originator.orders.get(orderId),
    called: (name: string, orderId: string) =>
      originator.callsOf(name as 'confirm', orderId).length > 0,
    /** The paths of all its calls, one a line. */
    paths: () => originator.calls.map(({ path }) => path).join(' '),
    /** An order that is announced and not waited for, with this status by the time it is read. */
    place(id: string, type: 'INDOOR', status = 'CREATED') {
      originator.place(minimalOrder(id, type)).status = status
    },
    /** The Ordering Application accepts a confirm and does not move the order. */
    'ignore-confirm': () => originator.script('confirm', () => ({ status: 202 })),
    /** So many of the two juices of an order are cancelled in Orders. */
    'cancelled-in-orders'(orderId: string, quantityCancelled: number) {
      const status = quantityCancelled === 2 ? 'CANCELLED' : 'PARTIALLY_CANCELLED'
      const { items = [] } = originator.orders.get(orderId) ?? {}
      originator.change(orderId, {
        items: items.map((item) =>
          item.id === 'suco' ? { ...item, quantityCancelled, status } : item,
        ),
      })
      originator.announce(orderId, 'ITEM_CANCELLED')
    },
    'cancel-order'(orderId: string) {
      originator.change(orderId, { status: 'CANCELLED' })
      originator.announce(orderId, 'CANCELLED')
    },
    'answer-events': (status: number) => wire.answerEvents(status),
    /** The last event, once it is sent, and the status of the account. */
    async latest() {
      await wire.pass(0)
      return `${wire.types().at(-1)} ${(await wire.read()).status}`
    },
    /** How many ids, and how many texts, the events have. */
    'event-ids': () => new Set(wire.accountEvents.map(({ event }) => event.eventId)).size,
    'event-texts': () => new Set(wire.accountEvents.map(({ text }) => text)).size,
    settle: () => wire.session.settle(),
    change: (orderId: string, fields: object) => originator.change(orderId, fields),
    announce: (orderId: string, type: string, more?: { lost: true }) =>
      originator.announce(orderId, type, more),
  }
}

export const indoorTests = conversationTests<IndoorWireOptions>(async (options) => {
  const wire = await openIndoorWire(options)
  const conversation: Conversation = {
    send(method, path, { body, headers }) {
      const keyed = path.replace(/table=(\w+)/, (_, table: string) => accountQuery(table))
      return wire.send(method, keyed, method === 'GET' ? body : (body ?? {}), headers)
    },
    words: wordsOf(wire),
  }
  return { ...conversation, [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose]() }
})
