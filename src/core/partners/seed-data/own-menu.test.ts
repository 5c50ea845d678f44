import { expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { Order, orderTypes } from '../../protocol/orders/order.ts'
import { toUnits } from '../../protocol/orders/price.ts'
import { sumProblems } from '../../protocol/orders/totals.ts'
import type { OwnSeedData, MenuItemInput } from './own-seed-data.ts'
import { generateOrder } from './orders.ts'
import { createPopulation } from './population.ts'

const now = 1_795_200_000_000

const item = (externalCode: string, price: number, more: Partial<MenuItemInput> = {}) => ({
  externalCode,
  name: `Item ${externalCode}`,
  price,
  currency: 'BRL',
  unit: 'UN' as const,
  ...more,
})

const choice = (name: string, price: number, externalCode?: string) => ({
  name,
  price,
  externalCode,
  max: 1,
})

const menu: readonly MenuItemInput[] = [
  item('0017', 42.9, {
    category: 'Pizzas',
    options: [
      { name: 'Size', min: 1, max: 1, choices: [choice('Small', 0), choice('Large', 10.5, 'L')] },
      { name: 'Extras', min: 0, choices: [choice('Bacon', 4.5, 'B'), choice('Egg', 2)] },
    ],
  }),
  item('0018', 39.99, { category: 'Pizzas', originalPrice: 45 }),
  item('0019', 89.9, { unit: 'KG' }),
  item('0020', 0),
]

const cantina = { id: 'm-1', name: 'Cantina', externalCode: 'C1', status: 'OPEN' as const }

async function drawn(own: OwnSeedData, { seed = 42, count = 60 } = {}) {
  const population = await createPopulation({ chance: createChance(seed, 'population'), now, own })
  const chance = createChance(seed, 'orders')
  return Array.from({ length: count }, (_, index) =>
    generateOrder({ population, chance, now, type: orderTypes[index % 3] }),
  )
}

test('orders of every profile consist of items of the menu alone, with right sums', async () => {
  const prices = new Map(menu.map(({ externalCode, price }) => [externalCode, price]))
  for (const order of await drawn({ merchants: [{ ...cantina, menu }] })) {
    expect(Order.safeParse(order).error).toBeUndefined()
    expect(sumProblems(order)).toEqual([])
    for (const { externalCode = '', name, pricing } of order.items) {
      expect(name).toBe(`Item ${externalCode}`)
      expect(pricing.unitPrice).toEqual({ value: prices.get(externalCode), currency: 'BRL' })
    }
  }
})

test('every order names the code of each item, and a merchant that sells it', async () => {
  const second = { ...cantina, id: 'm-2', name: 'Bar', menu: [item('bar-1', 8)] }
  const orders = await drawn({ merchants: [{ ...cantina, menu }, second] })
  const sold = new Map([
    ['m-1', new Set(menu.map(({ externalCode }) => externalCode))],
    ['m-2', new Set(['bar-1'])],
  ])
  expect(new Set(orders.map(({ merchant }) => merchant.id))).toEqual(new Set(['m-1', 'm-2']))
  for (const { merchant, items } of orders)
    for (const { externalCode = 'none' } of items)
      expect(sold.get(merchant.id)).toContain(externalCode)
  expect(orders[0]?.merchant).toMatchObject({ externalCode: 'C1' })
})

test('options have the prices of the menu and, as ids, its codes; a required group is always chosen', async () => {
  const lines = (await drawn({ merchants: [{ ...cantina, menu }] }))
    .flatMap(({ items }) => items)
    .filter(({ externalCode }) => externalCode === '0017')
  expect(lines.length).toBeGreaterThan(10)
  const options = lines.flatMap((line) => line.options ?? [])
  for (const { options: chosen = [] } of lines)
    expect(chosen.filter(({ optionGroupName }) => optionGroupName === 'Size')).toHaveLength(1)
  const large = options.find(({ name }) => name === 'Large')
  expect(large).toMatchObject({ id: 'L', pricing: { unitPrice: { value: 10.5 } } })
  expect(new Set(options.map(({ name }) => name))).toEqual(
    new Set(['Small', 'Large', 'Bacon', 'Egg']),
  )
})

test('an item by weight is sold in parts of a kilogram, and one on offer names its regular price', async () => {
  const lines = (await drawn({ merchants: [{ ...cantina, menu }] })).flatMap(({ items }) => items)
  const weighed = lines.filter(({ unit }) => unit === 'KG')
  expect(weighed.some(({ quantity }) => !Number.isInteger(quantity))).toBe(true)
  const offered = lines.find(({ externalCode }) => externalCode === '0018')
  expect(offered?.pricing.originalPrice).toEqual({ value: 45, currency: 'BRL' })
})

test('another currency is that of all amounts of the order', async () => {
  const euros = [item('1', 12.5, { currency: 'EUR' }), item('2', 7, { currency: 'EUR' })]
  const orders = await drawn({ menu: euros })
  expect(orders.some(({ otherFees }) => otherFees)).toBe(true)
  expect(orders.some(({ discounts }) => discounts)).toBe(true)
  for (const order of orders) expect(JSON.stringify(order)).not.toContain('BRL')
})

test('a menu without merchants is that of the made-up ones', async () => {
  const orders = await drawn({ menu })
  expect(new Set(orders.map(({ merchant }) => merchant.externalCode)).size).toBe(5)
  for (const { items } of orders)
    for (const { externalCode } of items)
      expect(menu.map((each) => each.externalCode)).toContain(externalCode)
})

test('merchants without a menu sell made-up dishes', async () => {
  const orders = await drawn({ merchants: [cantina] })
  expect(new Set(orders.map(({ merchant }) => merchant.id))).toEqual(new Set(['m-1']))
  expect(orders[0]?.items[0]?.name).not.toMatch(/^Item/)
})

test('orders are made up for open merchants only', async () => {
  const closed = { ...cantina, id: 'm-2', status: 'PAUSED' as const }
  const orders = await drawn({ merchants: [closed, { ...cantina, menu }] })
  expect(new Set(orders.map(({ merchant }) => merchant.id))).toEqual(new Set(['m-1']))
})

test('the same seed and menu give the same orders; another item changes the ids of none', async () => {
  const own = { merchants: [{ ...cantina, menu }] }
  expect(await drawn(own)).toEqual(await drawn(own))
  expect(await drawn(own, { seed: 43 })).not.toEqual(await drawn(own))
  const offersOf = async (items: readonly MenuItemInput[]) => {
    const chance = createChance(1, 'population')
    const merchants = [{ ...cantina, menu: items }]
    const population = await createPopulation({ chance, now, own: { merchants } })
    return population.merchants[0]?.offers ?? []
  }
  const before = await offersOf(menu)
  const after = await offersOf([item('new', 1), ...menu])
  const byCode = new Map(after.map((offer) => [offer.externalCode, offer]))
  expect(before.map(({ externalCode }) => byCode.get(externalCode))).toEqual(before)
})

test('amounts stay exact in a menu of thousands of items', async () => {
  const many = Array.from({ length: 3000 }, (_, index) => item(`p${index}`, (index % 997) / 100))
  const orders = await drawn({ merchants: [{ ...cantina, menu: many }] }, { count: 30 })
  for (const { total, items } of orders)
    expect(toUnits(total.itemsPrice.value)).toBe(
      items.reduce((sum, { pricing }) => sum + toUnits(pricing.totalPrice.value), 0),
    )
})
