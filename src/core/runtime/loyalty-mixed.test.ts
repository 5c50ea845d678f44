// @module-tag slow
/**
 * Days with Loyalty, every role ours, in every behaviour profile: at the end balances are consistent and nothing is in
 * flight.
 */
import { expect, test } from 'vitest'
import type { AnnouncedEvent } from '../../../test/support/loyalty-transcript.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { runsFor, behaviourPairs } from '../../../test/support/soak.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

interface Listed {
  readonly items: readonly Record<string, unknown>[]
  readonly total: number
}

interface Account {
  readonly id: string
  readonly status: string
  readonly balance: number
  readonly summary: { readonly pointsAvailable: number; readonly pointsPending: number }
}

/** The traffic of one day: exchanges, and the accounts as GET answers them afterwards. */
async function day(options: SessionOptions) {
  await using session = await openSession({
    port: 0,
    listen: false,
    clock: 'virtual',
    automatic: false,
    capabilities: { indoor: false, logistics: false },
    // Enough to redeem something with the second order.
    conduct: { loyalty: { pointsPerOrder: 150 } },
    ...options,
    counterparts: { 'software-service': { pollEvery: '10s' }, ...options.counterparts },
  })
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(exchange))
  // All orders arrive within the hour; after that no new work begins, and work in flight is finished.
  await session.advance(3_600_000)
  await session.settle()

  const crm = createHostClient({
    fetch: session.fetch,
    base: session.urls.get('crm') ?? '',
    clientId: 'sparring-ordering-application',
    clientSecret: 'secret-of-ordering-application',
  })
  async function read<Value>(path: string): Promise<Value> {
    // The rate limit used up in this second is free again in the next one.
    await session.advance(1000)
    return crm.read<Value>(path)
  }
  const facts = session.facts()
  const { entities } = await session.look({ entities: { kind: 'loyalty-account', limit: 1000 } })
  const books = []
  for (const { id } of entities) {
    const account = await read<Account>(`/loyalty/accounts/${id}`)
    const transactions = await read<Listed>(`/loyalty/accounts/${id}/transactions?pageSize=500`)
    books.push({ account, transactions })
  }
  const coupons = await read<Listed>('/loyalty/coupons?pageSize=500')
  return { exchanges, facts, books, coupons }
}

type Day = Awaited<ReturnType<typeof day>>

function judge({ exchanges, books, coupons }: Day): void {
  expect(books.length).toBeGreaterThan(10)
  for (const { account, transactions } of books) {
    const sum = transactions.items.reduce((points, { amount }) => points + Number(amount), 0)
    expect(sum).toBe(account.balance)
    // Nothing is in flight: the balance is what may be spent.
    expect(account.summary.pointsAvailable).toBe(account.balance)
    expect(account.balance).toBeGreaterThanOrEqual(0)
    expect(['ENROLLED', 'ACTIVE']).toContain(account.status)
  }
  const { accepted, redeemed, reversed, accrued } = heard(exchanges)
  expect(accrued).toBeGreaterThan(20)
  expect(accepted.size).toBeGreaterThan(0)
  // Each accepted redemption was done, or reverted before or after that; and no other was.
  expect(new Set([...redeemed, ...reversed])).toEqual(accepted)
  expect(new Set(coupons.items.map(({ code }) => code)).size).toBe(coupons.total)
  expect(coupons.total).toBe(redeemed.size)
}

/** The redemptions in the traffic: those answered with 202, and those reported by events. */
function heard(exchanges: readonly Exchange[]) {
  const events = new Map<string, AnnouncedEvent>()
  const accepted = new Set<unknown>()
  for (const { operation, request, reply } of exchanges) {
    if (operation === 'createLoyaltyRedemption' && reply?.status === 202)
      accepted.add((JSON.parse(reply.body ?? '{}') as Record<string, unknown>)['id'])
    if (operation !== 'receiveLoyaltyEvent') continue
    const { event } = JSON.parse(request.body ?? '{}') as { event: AnnouncedEvent }
    // Repetitions are equal, byte for byte.
    if (events.has(event.eventId)) expect(events.get(event.eventId)).toEqual(event)
    events.set(event.eventId, event)
  }
  const of = (type: string): readonly unknown[] =>
    [...events.values()].flatMap(({ eventType, payload }) =>
      eventType === `loyalty.${type}` ? [payload['redemptionId']] : [],
    )
  const [redeemed, reversed] = [of('points_redeemed'), of('redemption_reversed')]
  expect(new Set(redeemed).size).toBe(redeemed.length)
  expect(new Set(reversed).size).toBe(reversed.length)
  return {
    accepted,
    redeemed: new Set(redeemed),
    reversed: new Set(reversed),
    accrued: of('points_accrued').length,
  }
}

const orders = (limit: number) => ({ every: '5s', limit, mix: { DELIVERY: 2, TAKEOUT: 1 } })

test('[LOY-RUL-01, LOY-REC-02, LOY-GEN-01, LOY-EVR-01] a day of orders, over the wire: balances are the sums of their transactions, and nothing is in flight', async () => {
  const end = await day({
    counterparts: { 'ordering-application': { orders: orders(runsFor(30, 300)) } },
  })
  judge(end)
  const ofLoyalty = end.exchanges.filter(({ request }) => request.url.includes('loyalty'))
  expect(ofLoyalty.length).toBeGreaterThan(120)
  const failed = ofLoyalty.filter(({ reply }) => !reply || reply.status >= 400)
  expect(
    failed.map(({ request, reply }) => `${request.url} ${reply?.status} ${reply?.body}`),
  ).toEqual([])
  // Every completed order earned once in each account that it counts for.
  const earned = end.books.flatMap(({ transactions, account }) =>
    transactions.items.flatMap(({ type, relatedOrderId }) =>
      type === 'earn' ? [`${account.id} ${String(relatedOrderId)}`] : [],
    ),
  )
  expect(new Set(earned).size).toBe(earned.length)
})

test.each(behaviourPairs)(
  'a %s application and a %s host end with consistent accounts',
  async (ordering, crm) => {
    const end = await day({
      counterparts: {
        'ordering-application': { behaviour: ordering, orders: orders(runsFor(48, 80)) },
        crm: { behaviour: crm },
      },
    })
    judge(end)
    const statuses = new Set(
      end.exchanges
        .filter(({ request }) => request.url.includes('loyalty'))
        .map(({ reply }) => reply?.status),
    )
    // Only refusals may occur: two reads of one balance may overlap, and a hostile application redeems too much.
    const wrong = [...statuses].filter((status) => ![200, 202, 204].includes(status ?? 0))
    expect(wrong.filter((status) => status !== 409)).toEqual([])
    if (ordering === 'hostile') expect(wrong).toEqual([409])
  },
)
