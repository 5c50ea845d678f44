// @module-tag slow
/**
 * What a service under test is called for in three minutes of a session that generates orders: each operation of its
 * capability, whatever the seed. The service is Sparring in a second session.
 */
import { expect, test } from 'vitest'
import type { OperationId } from '../protocol/catalogue.ts'
import type { OrderType } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'
import { type SessionService, startSessionService } from '../../../test/support/session-service.ts'
import { runsFor } from '../../../test/support/soak.ts'
import { openSession } from './open-session.ts'
import type { SessionOptions } from './options.ts'

const seeds = Array.from({ length: runsFor(2, 10) }, (_, index) => index + 1)
/** Each call and each refusal below is met in any three minutes. */
const someSeeds = seeds.slice(0, runsFor(1, 10))

interface Minutes {
  readonly every: number
  readonly mix: Readonly<Partial<Record<OrderType, number>>>
  readonly conduct?: SessionOptions['conduct']
}

/** The answers at the service and the facts there, and the verdicts here that are not good. */
async function threeMinutes(plays: Role, seed: number, { every, mix, conduct }: Minutes) {
  let service: SessionService | undefined
  await using session = await openSession({
    as: plays,
    seed,
    clock: 'virtual',
    automatic: false,
    listen: false,
    handler: async (request) =>
      (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
    counterparts: { 'ordering-application': { channel: 'both', orders: { every, mix } } },
    ...(conduct ? { conduct } : {}),
  })
  const calls: { operation: OperationId; status: number | undefined }[] = []
  session.onExchange(({ operation, to, reply }) => {
    if (to.role === plays && operation !== undefined)
      calls.push({ operation, status: reply?.status })
  })
  await using started = startSessionService({ plays, partner: 'ordering-application' }, session)
  service = started
  await session.advance(180_000)
  const facts = (await started.session).facts().map(({ fact }) => fact)
  return { calls, facts, verdicts: session.verdicts() }
}

const statusesOf = (
  { calls }: Awaited<ReturnType<typeof threeMinutes>>,
  wanted: OperationId,
): ReadonlySet<number | undefined> =>
  new Set(calls.flatMap(({ operation, status }) => (operation === wanted ? [status] : [])))

test.each(
  // Each kind of paths with a seed of its own; the soak has each with several.
  seeds.map((seed) => ({ seed, accountPaths: seed % 2 === 1 ? 'flat' : 'scoped' }) as const),
)('an evening at tables, seed $seed, $accountPaths paths', async ({ seed, accountPaths }) => {
  const evening = await threeMinutes('software-service', seed, {
    every: 8000,
    mix: { INDOOR: 1 },
    conduct: { indoor: { accountPaths } },
  })
  const { facts, verdicts } = evening
  expect(verdicts).toEqual([])
  for (const operation of [
    'getAccount',
    'getAccountById',
    'listAccountPayments',
    'listAccountFiscalDocuments',
  ] as const)
    expect([operation, statusesOf(evening, operation)]).toEqual([operation, new Set([200])])
  // Repeated ones too.
  for (const operation of ['preCloseAccount', 'unlockAccount', 'requestFiscalDocument'] as const)
    expect([operation, statusesOf(evening, operation)]).toEqual([operation, new Set([202])])
  // Of accounts that are locked they are refused.
  for (const operation of ['cancelAccountItem', 'transferAccountContent'] as const)
    expect([operation, statusesOf(evening, operation)]).toEqual([operation, new Set([200, 409])])
  // A close before all is paid, or before the bill, and a payment after the close.
  expect(statusesOf(evening, 'closeAccount')).toEqual(new Set([202, 409]))
  expect(statusesOf(evening, 'createPayment')).toEqual(new Set([200, 409]))
  const count = (kind: string): number => facts.filter((fact) => fact.kind === kind).length
  expect(count('account.items-added')).toBeGreaterThan(2)
  expect(count('account.order-rejected')).toBeGreaterThan(0)
  // Partial payments.
  expect(count('account.paid')).toBeGreaterThan(
    facts.filter((fact) => fact.kind === 'account.moved' && fact.to === 'CLOSED').length,
  )
})

test.each(someSeeds)('deliveries, seed %i', async (seed) => {
  const deliveries = await threeMinutes('delivery-platform', seed, {
    every: 8000,
    mix: { DELIVERY: 1 },
  })
  expect(deliveries.verdicts).toEqual([])
  expect(statusesOf(deliveries, 'checkDeliveryAvailability')).toEqual(new Set([200]))
  expect(statusesOf(deliveries, 'getDelivery')).toEqual(new Set([200]))
  // With a token that may only read it is refused.
  expect(statusesOf(deliveries, 'createDelivery')).toEqual(new Set([202, 403]))
  for (const operation of ['setDeliveryReadyForPickup', 'reportDeliveryProblem'] as const)
    expect([operation, statusesOf(deliveries, operation)]).toEqual([operation, new Set([202])])
  // Too early, and of what is over, they are refused.
  for (const operation of ['setDeliveryCollected', 'setDeliveryDelivered'] as const)
    expect([operation, statusesOf(deliveries, operation)]).toEqual([operation, new Set([202, 422])])
  // On the way it may be refused, and the order goes on.
  expect(statusesOf(deliveries, 'cancelDelivery')).toContain(202)
  const { facts } = deliveries
  const reports = facts.flatMap((fact) =>
    fact.kind === 'delivery.problem' ? [fact.deliveryId] : [],
  )
  // Twice each, so that the second must not replace the first.
  expect(reports.length).toBe(2 * new Set(reports).size)
})

test.each(someSeeds)('loyal customers, seed %i', async (seed) => {
  const customers = await threeMinutes('crm', seed, {
    every: 5000,
    mix: { DELIVERY: 6, TAKEOUT: 3, INDOOR: 1 },
  })
  expect(customers.verdicts).toEqual([])
  for (const operation of [
    'getCustomers',
    'ingestLead',
    'ingestOrdersForCRM',
    'ingestReview',
  ] as const)
    expect([operation, statusesOf(customers, operation)]).toEqual([
      operation,
      new Set([operation === 'getCustomers' ? 200 : 202]),
    ])
  // One that comes again by other keys may be a duplicate (CUS-TEN-06); a token may have another scope.
  const pushed = statusesOf(customers, 'ingestCustomer')
  expect(new Set([...pushed].filter((each) => each !== 409))).toEqual(new Set([202, 403]))
  for (const operation of [
    'listCustomerLoyaltyAccounts',
    'listLoyaltyTransactions',
    'listLoyaltyCoupons',
  ] as const)
    expect([operation, statusesOf(customers, operation)]).toEqual([operation, new Set([200])])
  // One account that there is not.
  expect(statusesOf(customers, 'getLoyaltyAccountById')).toEqual(new Set([200, 404]))
  // What the balance covers, and more than that.
  expect(statusesOf(customers, 'createLoyaltyRedemption')).toEqual(new Set([202, 409]))
  const kinds = new Set(customers.facts.map(({ kind }) => kind))
  for (const kind of [
    'loyalty.points-earned',
    'loyalty.points-burned',
    'loyalty.redemption-reversed',
  ])
    expect(kinds).toContain(kind)
  // A customer by other keys is the same: no two share an identifier or an external id.
  const saved = new Map(
    customers.facts.flatMap((fact) =>
      fact.kind === 'customer.saved' && fact.saved.entity === 'customer'
        ? [[fact.saved.customer.document.id, fact.saved.customer.document]]
        : [],
    ),
  )
  const keys = [...saved.values()].flatMap(({ externalIds }) => [...new Set(externalIds)])
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.some((key) => key.startsWith('fidelidade:'))).toBe(true)
})
