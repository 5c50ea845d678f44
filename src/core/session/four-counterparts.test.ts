/**
 * End-to-end run of all four counterparts over the protocol: orders of all kinds, deliveries, tables, loyalty. At the
 * end all sums are right and nothing is left open.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journalText } from '../engine/journal.ts'
import type { OrderDetail } from '../session-api/session-api.ts'
import { isSoak, runsFor } from '../../../test/support/soak.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from './options.ts'
import { openSession } from './open-session.ts'
import type { SessionEntityKind, EntityDetail } from '../session-api/entities.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

/** The long version: `npm run soak`. */
const orders = runsFor(40, 2000)

const day = (limit: number, more: SessionOptions['counterparts'] = {}): SessionOptions => ({
  listen: false,
  clock: 'virtual',
  automatic: false,
  counterparts: {
    ...more,
    'ordering-application': {
      ...more['ordering-application'],
      orders: { every: 2000, limit, mix: { DELIVERY: 4, TAKEOUT: 3, INDOOR: 3 } },
    },
    crm: { mode: 'hybrid', ...more.crm },
  },
})

async function lived(options: SessionOptions): Promise<Session> {
  const session = await openSession(options)
  await session.settle()
  return session
}

/** All entities of a kind, in full. */
async function each(session: Session, kind: SessionEntityKind): Promise<readonly EntityDetail[]> {
  const details: EntityDetail[] = []
  for (let offset = 0; ; offset += 1000) {
    const { entities } = await session.look({ entities: { kind, limit: 1000, offset } })
    for (const { id } of entities) {
      const { entity } = await session.look({ entity: { kind, id } })
      if (entity) details.push(entity)
    }
    if (entities.length < 1000) return details
  }
}

async function everyOrder(session: Session): Promise<readonly OrderDetail[]> {
  const details: OrderDetail[] = []
  for (let offset = 0; ; offset += 1000) {
    const { orders: rows } = await session.look({ orders: { limit: 1000, offset } })
    for (const { orderId } of rows) {
      const { order } = await session.look({ orderId })
      if (order) details.push(order)
    }
    if (rows.length < 1000) return details
  }
}

const statuses = (details: readonly { readonly row: { readonly status: string } }[]) => [
  ...new Set(details.map(({ row }) => row.status)),
]

const cents = (amount: number): number => Math.round(amount * 100)
const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + cents(amount), 0)

interface OrderDocument {
  readonly items: readonly {
    readonly status?: string
    readonly quantity: number
    readonly pricing: { readonly totalPrice: { readonly value: number } }
  }[]
  readonly total: Readonly<
    Record<'itemsPrice' | 'otherFees' | 'discount' | 'orderAmount', { readonly value: number }>
  >
  readonly payments: {
    readonly prepaid: number
    readonly pending: number
    readonly methods: readonly { readonly value: number }[]
  }
}

interface AccountDocument {
  readonly status: string
  readonly items: readonly { readonly status: string; readonly totalPrice: number }[]
  readonly payments: readonly { readonly amount: number }[]
  readonly totals: {
    readonly itemsSubtotal: number
    readonly serviceCharge: { readonly amount: number }
    readonly taxes: { readonly amount: number }
    readonly discount: number
    readonly paid: number
    readonly due: number
  }
}

interface Page {
  readonly items: readonly { readonly type: string; readonly amount: number }[]
  readonly total: number
}

const orderingApplication = {
  clientId: 'sparring-ordering-application',
  clientSecret: 'secret-of-ordering-application',
}

/** Reads from the CRM as the Ordering Application would. */
async function reader(session: Session) {
  const base = session.urls.get('crm') ?? ''
  const { read } = createHostClient({ fetch: session.fetch, base, ...orderingApplication })
  return async (path: string): Promise<Page> => {
    // Respects its declared rate limit: advances time between two reads.
    await session.advance(20)
    return read<Page>(path)
  }
}

describe(`${orders} orders among four`, () => {
  let session: Session
  const refused: string[] = []

  beforeAll(async () => {
    session = await openSession(day(orders))
    session.onExchange(({ operation, reply, failure }) => {
      if (!reply || reply.status >= 400)
        refused.push(`${operation} ${reply?.status ?? failure?.code}`)
    })
    await session.settle()
  }, 120_000)
  afterAll(() => session.close())

  test('every order is concluded, without any refusal', async () => {
    const { info } = await session.look({})
    expect(info.counts).toMatchObject({ orders, open: 0, held: 0 })
    expect(info.counts.pending).toBe(info.counts.loops)
    expect(refused).toEqual([])
  })

  test('the totals of each order are those of its lines, and its payments cover them', async () => {
    for (const { document, row } of await everyOrder(session)) {
      const { items, total, payments } = document as OrderDocument
      const lines = items.filter(({ status }) => status !== 'CANCELLED')
      const { itemsPrice, otherFees, discount, orderAmount } = total
      const lineSum = sum(lines.map(({ pricing }) => pricing.totalPrice.value))
      expect([row.orderId, lineSum]).toEqual([row.orderId, cents(itemsPrice.value)])
      expect(sum([itemsPrice.value, otherFees.value, -discount.value])).toBe(
        cents(orderAmount.value),
      )
      expect(sum(payments.methods.map(({ value }) => value))).toBe(cents(orderAmount.value))
      expect(sum([payments.prepaid, payments.pending])).toBe(cents(orderAmount.value))
    }
  })

  test('every account is closed, its payments cover it, and its totals are those of its items', async () => {
    const accounts = await each(session, 'account')
    expect(accounts.length).toBeGreaterThan(orders / 10)
    expect(statuses(accounts)).toEqual(['CLOSED'])
    for (const { document, row } of accounts) {
      const { items, payments, totals } = document as AccountDocument
      const { itemsSubtotal, serviceCharge, taxes, discount, paid, due } = totals
      const left = items.filter(({ status }) => status !== 'CANCELLED')
      const itemSum = sum(left.map(({ totalPrice }) => totalPrice))
      expect([row.id, itemSum]).toEqual([row.id, cents(itemsSubtotal)])
      expect(sum(payments.map(({ amount }) => amount))).toBe(cents(paid))
      const amount = sum([itemsSubtotal, serviceCharge.amount, taxes.amount, -discount])
      expect(cents(due)).toBe(0)
      expect(cents(paid)).toBeGreaterThanOrEqual(amount)
    }
  })

  test('every delivery has ended, one for each DELIVERY order', async () => {
    const deliveries = await each(session, 'delivery')
    const delivered = (await everyOrder(session)).filter(({ row }) => row.profile === 'DELIVERY')
    expect(new Set(deliveries.map(({ row }) => row.orderId))).toEqual(
      new Set(delivered.map(({ row }) => row.orderId)),
    )
    for (const { row } of deliveries)
      expect(['DELIVERED', 'CANCELLED', 'FAILED']).toContain(row.status)
  })

  test('every customer who ordered is known and active, and every balance is the sum of its transactions', async () => {
    expect(statuses(await each(session, 'customer'))).toEqual(['active'])
    const read = await reader(session)
    const accounts = await each(session, 'loyalty-account')
    expect(accounts.length).toBeGreaterThan(20)
    for (const { document, row } of accounts) {
      const { summary } = document as {
        summary: { pointsAvailable: number; pointsPending: number }
      }
      const { items, total } = await read(`/loyalty/accounts/${row.id}/transactions?pageSize=500`)
      expect(items).toHaveLength(total)
      const signed = items.map(({ type, amount }) =>
        type === 'burn' || type === 'expire' ? -Math.abs(amount) : amount,
      )
      const balance = signed.reduce((all, amount) => all + amount, 0)
      expect([row.id, balance]).toEqual([row.id, summary.pointsAvailable])
      expect(summary).toMatchObject({ pointsPending: 0 })
      expect(summary.pointsAvailable).toBeGreaterThanOrEqual(0)
    }
    for (const { row } of await each(session, 'coupon'))
      expect(['available', 'applied', 'used', 'expired', 'cancelled']).toContain(row.status)
  })
})

test('with every counterpart misbehaving every aggregate still ends', async () => {
  const behaviour = 'hostile'
  await using session = await lived(
    day(runsFor(16, 300), {
      'ordering-application': { behaviour, channel: 'both' },
      'software-service': { behaviour },
      'delivery-platform': { behaviour },
      crm: { behaviour },
    }),
  )
  const { info } = await session.look({})
  expect(info.counts.pending).toBe(info.counts.loops)
  expect(statuses(await everyOrder(session))).toEqual(['CONCLUDED'])
  expect(statuses(await each(session, 'account'))).toEqual(['CLOSED'])
  for (const { row } of await each(session, 'delivery'))
    expect(['DELIVERED', 'CANCELLED', 'FAILED']).toContain(row.status)
  for (const { document } of await each(session, 'loyalty-account'))
    expect(
      (document as { summary: { pointsAvailable: number } }).summary.pointsAvailable,
    ).toBeGreaterThanOrEqual(0)
})

// The golden journals show it with every run of the tests.
test.runIf(isSoak)('the same seed gives the same journal, another seed another one', async () => {
  const text = async (seed: number): Promise<string> => {
    await using session = await lived({ ...day(runsFor(20, 150)), seed })
    return journalText(session.facts())
  }
  const [first, again, other] = [await text(7), await text(7), await text(8)]
  expect(again === first).toBe(true)
  expect(other === first).toBe(false)
})
