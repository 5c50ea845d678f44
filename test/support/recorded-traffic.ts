/**
 * Traffic of real sessions in the form of a recording, for code that learns from traffic: a population with all
 * capabilities, or the reference Software Service against us. Virtual time, no sockets.
 */
import type { JournalEntry } from '../../src/core/engine/journal.ts'
import type { Exchange, Party } from '../../src/core/traffic/exchange.ts'
import type { RecordedExchange } from '../../src/core/traffic/recording/recorded-exchange.ts'
import { openHarness } from './in-process-harness.ts'
import { openSession } from '../../src/core/session/open-session.ts'

export interface RecordedTraffic {
  readonly exchanges: readonly RecordedExchange[]
  readonly facts: readonly JournalEntry[]
}

const asRecorded = (exchanges: readonly Exchange[]): readonly RecordedExchange[] =>
  exchanges
    .toSorted((a, b) => a.seq - b.seq)
    .map((exchange) => ({ ...exchange, recordId: `line-${exchange.seq}` }))

/** Orders, deliveries, accounts, customers and points; we play every role. */
export async function populationTraffic(orders = 40, seed = 42): Promise<RecordedTraffic> {
  const session = await openSession({
    seed,
    listen: false,
    clock: 'virtual',
    automatic: false,
    counterparts: {
      'ordering-application': {
        orders: { every: 2000, limit: orders, mix: { DELIVERY: 4, TAKEOUT: 3, INDOOR: 3 } },
      },
      crm: { mode: 'hybrid' },
    },
  })
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(structuredClone(exchange)))
  await session.settle()
  const facts = session.facts()
  await session.close()
  return { exchanges: asRecorded(exchanges), facts }
}

/** The reference Software Service with our Delivery Platform. */
export async function serviceTraffic(
  channel: 'polling' | 'webhook' | 'both' = 'polling',
  seed = 1,
): Promise<RecordedTraffic> {
  const harness = await openHarness({ seed, channel, delivers: true })
  const exchanges: Exchange[] = []
  harness.session.onExchange((exchange) => exchanges.push(structuredClone(exchange)))
  for (const type of ['DELIVERY', 'TAKEOUT', 'DELIVERY'] as const) {
    await harness.order(type)
    await harness.pass(20_000)
  }
  await harness.pass(120_000)
  const facts = harness.session.facts()
  await harness[Symbol.asyncDispose]()
  return { exchanges: asRecorded(exchanges), facts }
}

/** The same parties, with one role as the subject. */
export const asSubject = (
  exchanges: readonly RecordedExchange[],
  role: Party['role'],
): readonly RecordedExchange[] => {
  const party = (each: Party): Party => (each.role === role ? { role, party: 'subject' } : each)
  return exchanges.map((each) => ({ ...each, from: party(each.from), to: party(each.to) }))
}
