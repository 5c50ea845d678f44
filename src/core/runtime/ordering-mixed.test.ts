// @module-tag slow
/** Whole days of Orders: many orders of every profile, with both roles played by us, in every behaviour profile. */
import { expect, test } from 'vitest'
import { createAudit } from '../../../test/support/audit.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { behaviourPairs, runsFor } from '../../../test/support/soak.ts'
import { sumProblems } from '../protocol/orders/totals.ts'
import type { Order } from '../protocol/orders/order.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const many = runsFor(40, 100)
const few = runsFor(20, 40)

async function day(options: SessionOptions, limit: number) {
  await using session = await openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    capabilities: ordersOnly,
    ...options,
    counterparts: {
      ...options.counterparts,
      'ordering-application': {
        orders: { every: '500ms', limit, mix: { DELIVERY: 1, TAKEOUT: 1, INDOOR: 1 } },
        ...options.counterparts?.['ordering-application'],
      },
    },
  })
  const audit = createAudit()
  session.onExchange(audit.record)
  await session.settle()
  const { orders, info } = await session.look({ orders: { limit: 1000 } })
  const documents: Order[] = []
  for (const { orderId } of orders) {
    const { order } = await session.look({ orderId })
    documents.push(order!.document as Order)
  }
  return { orders, info, documents, facts: session.facts(), problems: audit.problems() }
}

const sums = ({ documents }: { documents: readonly Order[] }): readonly string[] =>
  documents.flatMap((order) => sumProblems(order).map((problem) => `${order.id}: ${problem}`))

test('[ORD-GEN-01] orders of every profile go from CREATED to CONCLUDED, both roles ours, over sockets', async () => {
  const end = await day({}, many)
  expect(end.problems).toEqual([])
  expect(end.orders).toHaveLength(many)
  expect(new Set(end.orders.map(({ status }) => status))).toEqual(new Set(['CONCLUDED']))
  expect(new Set(end.orders.map(({ profile }) => profile)).size).toBe(3)
  expect(sums(end)).toEqual([])
  expect(end.info.counts).toMatchObject({ open: 0, failed: { rejected: 0, errors: 0 } })
})

test.each(behaviourPairs)(
  '[ORD-GEN-01] a %s application and a %s store bring every order to its end, and the sums add up',
  async (ordering, store) => {
    const end = await day(
      {
        listen: false,
        counterparts: {
          'ordering-application': {
            behaviour: ordering,
            channel: 'both',
            orders: { every: '2s', limit: few, mix: { DELIVERY: 2, TAKEOUT: 1, INDOOR: 1 } },
          },
          'software-service': { behaviour: store },
        },
      },
      few,
    )
    // Only calls concurrent with a random cancellation, or out-of-turn calls of a hostile store, are refused.
    const refused = /was answered 409: \{"error":\{"code":"(INVALID_TRANSITION|CONFLICT)"/
    const crossed = end.problems.filter((problem) => refused.test(problem))
    expect(end.problems.filter((problem) => !refused.test(problem))).toEqual([])
    if (ordering !== 'hostile' && store !== 'hostile') expect(crossed).toEqual([])
    expect(sums(end)).toEqual([])
    expect(end.orders).toHaveLength(few)
    // Only a cancellation request that a forgetful application never answers keeps an order from its end.
    const waiting = ordering === 'forgetful' ? 'open' : 'nothing may'
    const stuck = end.orders.filter(
      ({ status, cancellation }) => status !== 'CONCLUDED' && cancellation !== waiting,
    )
    expect(stuck).toEqual([])
    // Some orders end early.
    const ends = end.facts.map(({ fact }) => (fact.kind === 'order.moved' ? fact.to : undefined))
    if (ordering === 'hostile') expect(ends).toContain('CANCELLED')
  },
)
