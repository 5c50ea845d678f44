/**
 * The engine of the Loyalty host without a session: commands in, facts out, plus balances. Time advances only on demand.
 */
import { compact } from '../../src/core/base/compact.ts'
import {
  Configuration,
  type ConfigurationInput,
} from '../../src/core/session-api/configuration/schema.ts'
import type { Command } from '../../src/core/engine/command.ts'
import { SessionEngine, type Engine, type Reactor } from '../../src/core/engine/engine.ts'
import type { Fact } from '../../src/core/engine/fact.ts'
import { accountInProgram } from '../../src/core/engine/loyalty/find.ts'
import type {
  LoyaltyAccountRecord,
  CouponRecord,
  LoyaltyHostWorld,
  RedemptionRecord,
} from '../../src/core/engine/loyalty/world.ts'
import type { Refusal } from '../../src/core/engine/refusal.ts'
import type { LoyaltyEventBody } from '../../src/core/protocol/loyalty/event.ts'
import { engineSettings } from '../../src/core/session/settings.ts'
import { noon } from './transcript.ts'

/** A program with a cheap and an expensive reward, with round numbers. */
export const sampleProgram = {
  programs: [{ id: 'club', name: 'Clube' }],
  rewards: [
    { id: 'coffee', programId: 'club', name: 'Café', type: 'product', cost: 30 },
    { id: 'dinner', programId: 'club', name: 'Jantar', type: 'cashback', cost: 500 },
  ],
} as const satisfies LoyaltyInput

export type LoyaltyInput = NonNullable<NonNullable<ConfigurationInput['conduct']>['loyalty']>

export interface AnnouncedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly entityType?: string
  readonly occurredAt: string
  readonly payload: Readonly<Record<string, unknown>>
}

export interface LoyaltyTranscript {
  readonly engine: Engine
  readonly host: LoyaltyHostWorld
  /** Submits commands that must be accepted. */
  readonly given: (...commands: readonly Command[]) => LoyaltyTranscript
  /** The facts of a command; none when it is refused. */
  readonly facts: (command: Command) => readonly Fact[]
  /** The refusal of a command, which must change nothing. */
  readonly refusal: (command: Command) => Refusal
  /** All announced events, oldest first. */
  readonly events: () => readonly AnnouncedEvent[]
  readonly types: () => readonly string[]
  /** Advances the time and runs everything that comes due. */
  readonly pass: (ms: number) => LoyaltyTranscript
  readonly account: (customerId?: string, programId?: string) => LoyaltyAccountRecord
  /** The sum of the transactions of an account. */
  readonly sum: (accountId: string) => number
  readonly coupons: () => readonly CouponRecord[]
  readonly redemptions: () => readonly RedemptionRecord[]
}

export interface LoyaltyTranscriptOptions {
  readonly loyalty?: LoyaltyInput
  readonly reactors?: readonly Reactor[]
  readonly capabilities?: ConfigurationInput['capabilities']
  readonly seed?: number
}

export function loyaltyTranscript(options: LoyaltyTranscriptOptions = {}): LoyaltyTranscript {
  const { loyalty = {}, reactors = [], capabilities, seed = 42 } = options
  const configuration = Configuration.parse({
    conduct: { loyalty: { ...sampleProgram, ...loyalty } },
    subject: { role: 'ordering-application' },
    ...compact({ capabilities }),
  })
  const settings = engineSettings(configuration, ['crm'], [])
  const engine = new SessionEngine({ seed, settings, reactors, origin: noon })
  const { host } = engine.world.loyalty
  const all: Fact[] = []
  engine.onFact(({ fact }) => all.push(fact))

  const transcript: LoyaltyTranscript = {
    engine,
    host,
    given(...commands) {
      for (const command of commands) {
        const decision = engine.submit(command)
        if (!decision.ok) throw new Error(`${command.kind}: ${decision.error.message}`)
      }
      return transcript
    },
    facts(command) {
      const decision = engine.submit(command)
      return decision.ok ? decision.value : []
    },
    refusal(command) {
      const before = engine.journal.last()
      const decision = engine.submit(command)
      if (decision.ok) throw new Error(`${command.kind} was not refused`)
      if (engine.journal.last() !== before) throw new Error('a refusal left a trace')
      return decision.error
    },
    events: () =>
      all.flatMap((fact) =>
        fact.kind === 'event.announced'
          ? [(fact.event.body as LoyaltyEventBody).event as AnnouncedEvent]
          : [],
      ),
    types: () => transcript.events().map(({ eventType }) => eventType.replace('loyalty.', '')),
    pass(ms) {
      const until = engine.now() + ms
      for (let taken = 0; taken < 10_000; taken++) {
        const [due] = [...engine.world.agenda.byId.values()]
          .filter((item) => !item.held)
          .sort((a, b) => a.due - b.due)
        if (!due || due.due > until) break
        engine.take()
      }
      engine.advanceTo(until)
      return transcript
    },
    account(customerId = 'ana', programId = 'club') {
      const account = accountInProgram(customerId, programId, engine.world)
      if (!account) throw new Error(`${customerId} has no account in ${programId}`)
      return account
    },
    sum: (accountId) =>
      (host.transactions.get(accountId) ?? []).reduce((sum, { amount }) => sum + amount, 0),
    coupons: () => [...host.coupons.values()],
    redemptions: () => [...host.redemptions.values()],
  }
  engine.submit({ kind: 'session.open' }, 'session')
  return transcript
}

/** An order notification, as the CRM passes it to its Loyalty module. */
export const orderNotification = (
  orderId: string,
  what: 'open' | 'completed' | 'canceled',
  more: {
    readonly customerId?: string
    readonly merchantId?: string
    readonly couponCodes?: readonly string[]
  } = {},
): Command => ({
  kind: 'loyalty.order-news',
  orderId,
  customerId: 'ana',
  merchantId: 'merchant-1',
  amount: 62.9,
  news: what,
  ...more,
})
