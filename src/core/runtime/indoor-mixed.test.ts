// @module-tag slow
/** Whole days of Indoor: hundreds of orders at few tables, with both sides played by us, in every behaviour profile. */
import { expect, test } from 'vitest'
import type { BehaviourName } from '../partners/counterparts/behaviour.ts'
import type { Account } from '../protocol/indoor/account.ts'
import { accountSums, toCents } from '../protocol/indoor/totals.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { runsFor, behaviourPairs } from '../../../test/support/soak.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

interface Day {
  readonly session: Session
  readonly accounts: readonly Account[]
  /** Answers of 400 and more, and failures. */
  readonly refused: readonly Exchange[]
}

const open = (options: SessionOptions): Promise<Session> =>
  openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    listen: false,
    capabilities: { logistics: false, customer: false },
    ...options,
  })

async function accountsOf(session: Session): Promise<readonly Account[]> {
  const { entities } = await session.look({ entities: { kind: 'account', limit: 1000 } })
  const accounts: Account[] = []
  for (const { id } of entities) {
    const { entity } = await session.look({ entity: { kind: 'account', id } })
    accounts.push(entity!.document as Account)
  }
  return accounts
}

const watch = (session: Session): readonly Exchange[] => {
  const refused: Exchange[] = []
  session.onExchange((exchange) => {
    if (!exchange.reply || exchange.reply.status >= 400) refused.push(exchange)
  })
  return refused
}

/** Automatic orders: any table of any house. */
async function quietDay(options: SessionOptions, limit: number): Promise<Day> {
  const session = await open({
    ...options,
    counterparts: {
      ...options.counterparts,
      'ordering-application': {
        orders: { every: '1s', limit, mix: { INDOOR: 1 } },
        ...options.counterparts?.['ordering-application'],
      },
    },
  })
  const refused = watch(session)
  await session.settle()
  return { session, refused, accounts: await accountsOf(session) }
}

/** Orders placed at three tables of one house, one after the other. */
async function busyDay(options: SessionOptions, count: number): Promise<Day> {
  const session = await open(options)
  const refused = watch(session)
  for (let number = 1; number <= count; number++) {
    const indoor = {
      operationMode: 'TABLE',
      identifier: String((number * 7) % 3),
      originChannel: { type: 'QR_CODE' },
      consumptionType: 'DINE_IN',
      fiscal: { shouldIssueDocument: number % 2 === 0 },
    }
    const fulfillment = { orderType: 'INDOOR', indoor }
    const more = { fulfillment, unavailabilityPreference: 'REMOVE_ITEM' }
    await session.createOrder({ order: minimalOrder(`o-${number}`, 'INDOOR', more) })
    await session.advance(4000)
  }
  await session.settle()
  return { session, refused, accounts: await accountsOf(session) }
}

const unitsPaid = ({ payments }: Account): number =>
  payments.reduce((sum, { amount }) => sum + toCents(amount), 0)

/** An account's total, added up from its items. */
function unitsDue({ items, totals }: Account): number {
  return accountSums({
    items: items.map(({ status, totalPrice = 0 }) => ({ status, cents: toCents(totalPrice) })),
    charges: [{ feeCents: toCents(totals.serviceCharge.amount ?? 0), discountCents: 0 }],
    payments: [],
    discountCents: toCents(totals.discount),
  }).amount
}

/** The violations of the accounts at the end of a day, one sentence each. */
const wrongs = (accounts: readonly Account[]): readonly string[] =>
  accounts.flatMap((account) => {
    const name = `${account.operationMode} ${account.identifier} ${account.accountId}`
    const problems: string[] = []
    if (account.status !== 'CLOSED') problems.push(`${name} is ${account.status}`)
    if (unitsPaid(account) < unitsDue(account)) problems.push(`${name} is not covered`)
    if (toCents(account.totals.paid) !== unitsPaid(account)) problems.push(`${name}: totals.paid`)
    if (account.totals.due !== 0) problems.push(`${name} has ${account.totals.due} due`)
    const ids = account.items.map(({ itemId }) => itemId)
    if (new Set(ids).size < ids.length) problems.push(`${name} has an item twice`)
    return problems
  })

test('[IND-GEN-01, IND-GEN-04] a day of orders, over sockets: every account is closed and covered, and no request refused', async () => {
  const day = await quietDay({ listen: true }, runsFor(20, 300))
  await using session = day.session
  expect(day.refused.map(({ request }) => request.url)).toEqual([])
  expect(wrongs(day.accounts)).toEqual([])
  expect(day.accounts.length).toBeGreaterThan(runsFor(6, 30))
  const { orders, info } = await session.look({ orders: { limit: 1000 } })
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['CONCLUDED']))
  expect(info.counts.open).toBe(0)
  // Each order that was not cancelled is on one account, with its full total.
  const booked = day.accounts.flatMap((account) => account.orders.map(({ orderId }) => orderId))
  expect(new Set(booked).size).toBe(booked.length)
  // Splits, courses of action and documents all occurred.
  const kinds = new Set(session.facts().map(({ fact }) => fact.kind))
  for (const kind of ['account.items-added', 'account.fiscal-concluded', 'account.paid'])
    expect(kinds).toContain(kind)
})

const cast = (guest: BehaviourName, house: BehaviourName) => ({
  'ordering-application': { behaviour: guest, channel: 'both' as const },
  'software-service': { behaviour: house },
})

test.each(behaviourPairs)(
  'a %s guest at the three tables of a %s house: every account is finished',
  async (guest, house) => {
    const day = await busyDay({ counterparts: cast(guest, house) }, runsFor(8, 40))
    await using session = day.session
    expect(wrongs(day.accounts)).toEqual([])
    expect(day.accounts.length).toBeGreaterThan(2)
    const stuck = session
      .facts()
      .flatMap(({ fact }) => (fact.kind === 'table.left' && fact.because === 'stuck' ? [fact] : []))
    expect(stuck).toEqual([])
    // Its accounts have the remaining items of an order; an order refused by a lock is cancelled or explained.
    const { orders } = await session.look({ orders: { limit: 1000 } })
    const booked = new Set(
      day.accounts.flatMap((account) => account.orders.map((each) => each.orderId)),
    )
    for (const { orderId, status, cancellation } of orders) {
      const { order } = await session.look({ orderId })
      const way = order!.statusHistory.map((step) => step.status)
      if (!booked.has(orderId))
        expect([way.includes('CANCELLED'), cancellation]).not.toEqual([false, undefined])
      if (guest !== 'forgetful') expect(status).toBe('CONCLUDED')
    }
    // Only hostile guests and houses get refusals for accounts.
    const accountCalls = day.refused.filter(({ request }) => request.url.includes('/accounts'))
    if (guest !== 'hostile') expect(accountCalls.map(({ reply }) => reply?.body)).toEqual([])
  },
)

test('[IND-FLD-03] at busy tables later orders name the account that is open there', async () => {
  const day = await quietDay({ seed: 11 }, runsFor(30, 400))
  await using session = day.session
  const { orders } = await session.look({ orders: { limit: 1000 } })
  let named = 0
  for (const { orderId } of orders) {
    const { order } = await session.look({ orderId })
    const { fulfillment } = order!.document as {
      fulfillment: { indoor: { identifier: string; account?: { id: string } } }
    }
    const { account, identifier } = fulfillment.indoor
    if (!account) continue
    named++
    const known = day.accounts.find(({ accountId }) => accountId === account.id)
    expect(known?.identifier).toBe(identifier)
  }
  expect(named).toBeGreaterThan(0)
})
