/** Orders that the partner makes up, drawn from the samples: which, how many, and what is said of them. */
import { expect, test } from 'vitest'
import type { Order } from '../protocol/orders/order.ts'
import { sumProblems } from '../protocol/orders/totals.ts'
import { openSession } from '../session/open-session.ts'
import type { SessionOptions } from '../session/options.ts'

const mix = { DELIVERY: 1 }

async function arrivals(faults: SessionOptions['faults'], more: SessionOptions = {}) {
  await using session = await openSession({
    listen: false,
    clock: 'virtual',
    only: ['ordering-application'],
    seed: 7,
    faults,
    counterparts: { 'ordering-application': { orders: { every: '10s', limit: 40, mix } } },
    ...more,
  })
  await session.advance(410_000)
  const orders = [...session.facts()].flatMap(({ fact }): Order[] =>
    fact.kind === 'order.created' ? [fact.order] : [],
  )
  const { faults: rows } = await session.look({ faults: true })
  return { orders, rows }
}

const isFiveDeep = ({ items }: Order): boolean => items[0]?.name === 'Combo da casa'

test('[ORD-UND-01] every order is of a sample, and its sums are right', async () => {
  const { orders, rows } = await arrivals(['odd-order'])
  expect(orders).toHaveLength(40)
  expect(orders.flatMap(sumProblems)).toEqual([])
  expect(rows).toMatchObject([{ legal: true, fired: 40 }])
  const plain = await arrivals([])
  expect(orders.map(({ merchant }) => merchant)).toEqual(
    plain.orders.map(({ merchant }) => merchant),
  )
  const isOdd = (order: Order, index: number): boolean =>
    JSON.stringify(order) !== JSON.stringify(plain.orders[index])
  expect(orders.filter(isOdd).length).toBeGreaterThan(35)
})

test('percent: so many of them; the same seed gives the same ones, another does not', async () => {
  const spec = 'odd-order:percent=20,sample=options-five-deep'
  const { orders } = await arrivals([spec])
  const places = orders.flatMap((order, index) => (isFiveDeep(order) ? [index] : []))
  expect(places.length).toBeGreaterThan(3)
  expect(places.length).toBeLessThan(16)
  expect((await arrivals([spec])).orders).toEqual(orders)
  expect(
    (await arrivals([spec], { seed: 8 })).orders.flatMap((order, index) =>
      isFiveDeep(order) ? [index] : [],
    ),
  ).not.toEqual(places)
})

test('nth is the n-th order, and limit the number of them; a store is named by its code', async () => {
  const third = await arrivals(['odd-order:nth=3,sample=options-five-deep'])
  expect(third.orders.map(isFiveDeep).indexOf(true)).toBe(2)
  expect(third.orders.filter(isFiveDeep)).toHaveLength(1)
  const two = await arrivals(['odd-order:limit=2,sample=options-five-deep'])
  expect(two.orders.filter(isFiveDeep)).toHaveLength(2)
  const store = await arrivals(['odd-order:merchant=LOJA-001,sample=options-five-deep'])
  const odd = store.orders.filter(isFiveDeep)
  expect(odd.length).toBeGreaterThan(0)
  expect(store.orders.filter(({ merchant }) => merchant.externalCode === 'LOJA-001')).toEqual(odd)
})

test('a sample that is of another type changes nothing; one that no document allows is a robustness test', async () => {
  const table = await arrivals(['odd-order:sample=order-at-table'])
  expect(table.rows).toMatchObject([{ fired: 0 }])
  const unknown = await arrivals(['odd-order:sample=unknown-payment-method|emoji'])
  expect(unknown.rows).toMatchObject([{ legal: false }])
  expect(JSON.stringify(unknown.orders)).toContain('CRYPTO')
})

test('what can never match, or not here, is said', async () => {
  await expect(arrivals(['odd-order:event=CREATED'])).rejects.toThrow(
    /it acts on orders that we make up, which event as given here rules out/,
  )
  await expect(arrivals(['odd-order:sample=emojis'])).rejects.toThrow(/is emoji meant\?/)
  const { rows } = await arrivals(['odd-order'], {
    only: ['software-service'],
    counterparts: {},
  })
  expect(rows).toMatchObject([
    { idle: 'it matches nothing here: the orders are made up by your service' },
  ])
})
