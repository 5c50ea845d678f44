/** Conversations with the Software Service about accounts; `?table=7` in a path is the operational key of that table. */
import type { Account } from '../../src/core/protocol/indoor/account.ts'
import type { AccountEventBody } from '../../src/core/protocol/indoor/events.ts'
import type { Command } from '../../src/core/engine/command.ts'
import { type Conversation, conversationTests, duration, type Word } from './conversation.ts'
import {
  accountQuery,
  type IndoorOrderOptions,
  type IndoorWire,
  type IndoorWireOptions,
  openIndoorWire,
} from './indoor-wire.ts'

const tableOf = (identifier: unknown): string => String(identifier ?? '7')

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
      return entities[0]?.id
    },
    /** All that the house has written about table 7. */
    written: async () => JSON.stringify([wire.accountEvents, await wire.read()]),
    submit: (command: Command) => wire.session.submit(command),
    /** What the store asked the Ordering Application for. */
    calls: (name: string, orderId?: string) =>
      originator.callsOf(name as 'confirm', orderId).map(({ json }) => json),
    stored: (orderId: string) => originator.orders.get(orderId),
    change: (orderId: string, fields: object) => originator.change(orderId, fields),
    announce: (orderId: string, type: string) => originator.announce(orderId, type),
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
