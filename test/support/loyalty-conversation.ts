/** Conversations with the CRM about loyalty; its program and rewards are the sample with round numbers. */
import type { Command } from '../../src/core/engine/command.ts'
import { conversationTests, duration, type Word } from './conversation.ts'
import { orderNotification, sampleProgram } from './loyalty-transcript.ts'
import { type LoyaltyWire, type LoyaltyWireOptions, openLoyaltyWire } from './loyalty-wire.ts'

type LoyaltyInput = NonNullable<NonNullable<LoyaltyWireOptions['conduct']>['loyalty']>

/** The options of the session, and in short those of the program. */
export interface LoyaltyConversationOptions extends LoyaltyWireOptions {
  readonly loyalty?: LoyaltyInput
  /** So many webhooks are answered 503 first. */
  readonly failures?: number
}

function wordsOf(wire: LoyaltyWire): Readonly<Record<string, Word>> {
  return {
    /** Enrolls a customer and grants points; the account's id. */
    customer: (id: string, points?: number) => wire.customer(id, points),
    read: (path: string) => wire.read(path),
    account: (id: string) => wire.read(`/loyalty/accounts/${id}`),
    async transactions(id: string) {
      const { items } = await wire.read<{ items: { type: string; amount: number }[] }>(
        `/loyalty/accounts/${id}/transactions`,
      )
      return items.map(({ type, amount }) => `${type} ${amount}`)
    },
    tell: (command: Command) => wire.tell(command),
    order: (id: string, news: 'open' | 'completed' | 'canceled') =>
      wire.tell(orderNotification(id, news)),
    pass: (time: string) => wire.pass(duration(time)),
    /** The types of the events so far. */
    events: () => wire.types(),
    ids: () => new Set(wire.events().map(({ eventId }) => eventId)).size,
    balances: () => wire.events().map(({ payload }) => payload['balance']),
    /** The last events. */
    latest: (count: number) => wire.events().slice(-count),
    async 'coupon-codes'() {
      const { items } = await wire.read<{ items: { code: string }[] }>('/loyalty/coupons')
      return new Set(items.map(({ code }) => code)).size
    },
    texts: () => [...new Set(wire.received.map(({ text }) => text))],
    facts: (kind: Parameters<LoyaltyWire['facts']>[0]) => wire.facts(kind).length,
  }
}

export const loyaltyTests = conversationTests<LoyaltyConversationOptions>(
  async ({ loyalty, failures = 0, ...options }) => {
    const wire = await openLoyaltyWire({
      ...options,
      reply: (nth) => (nth <= failures ? 503 : 204),
      conduct: { ...options.conduct, loyalty: { ...sampleProgram, ...loyalty } },
    })
    return {
      send: wire.send,
      words: wordsOf(wire),
      [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
    }
  },
)
