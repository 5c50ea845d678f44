import { afterEach, expect, test, vi } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { districts } from './districts.ts'
import { merchantIdentities } from './merchants.ts'
import { createPopulation } from './population.ts'
import type { Population, PopulationOptions } from './types.ts'

const now = 1_795_200_000_000
const yearMs = 31_557_600_000

const buildFromSeed = (
  seed: number,
  options: Partial<PopulationOptions> = {},
): Promise<Population> =>
  createPopulation({ chance: createChance(seed, 'population'), now, ...options })

/** JSON with maps as lists, to compare populations byte for byte. */
const bytes = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (each instanceof Map ? [...each] : each))

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the same seed and instant give the same population, byte for byte; another seed another one', async () => {
  const first = await buildFromSeed(42)
  expect(bytes(await buildFromSeed(42))).toBe(bytes(first))
  const other = await buildFromSeed(43)
  expect(other.customers.map(({ id }) => id)).not.toEqual(first.customers.map(({ id }) => id))
})

test('merchants and menus are the same for every seed, as a service has them in its database', async () => {
  const [first, other] = [await buildFromSeed(42), await buildFromSeed(43)]
  expect(bytes(other.merchants)).toBe(bytes(first.merchants))
})

test('the result is independent of wall clock, time zone and Math.random', async () => {
  const expected = bytes(await buildFromSeed(42))
  const zone = process.env['TZ']
  const random = vi.spyOn(Math, 'random')
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('1999-12-31T23:59:59Z') })
  try {
    process.env['TZ'] = 'Pacific/Kiritimati'
    expect(new Date().getTimezoneOffset()).toBe(-14 * 60)
    expect(bytes(await buildFromSeed(42))).toBe(expected)
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
  expect(random).not.toHaveBeenCalled()
})

test('two populations built concurrently do not interfere', async () => {
  const alone = [bytes(await buildFromSeed(1)), bytes(await buildFromSeed(2))]
  const together = await Promise.all([buildFromSeed(1), buildFromSeed(2)])
  expect(together.map(bytes)).toEqual(alone)
})

test('the default is five merchants of five cuisines, with different locations and waiters', async () => {
  const { merchants, merchantById } = await buildFromSeed(42)
  expect(merchants.map(({ cuisine }) => cuisine)).toEqual([
    'Hamburgueria',
    'Pizzaria',
    'Japonesa',
    'Açaí',
    'Marmitaria',
  ])
  expect(new Set(merchants.map(({ latitude }) => latitude)).size).toBe(5)
  for (const merchant of merchants) {
    expect(merchantById.get(merchant.id)).toBe(merchant)
    expect(merchant.offers).toEqual(merchant.menu.flatMap(({ offers }) => offers))
    expect(merchant.mains.length).toBeGreaterThan(3)
    expect(merchant.waiters).toHaveLength(4)
  }
  const ids = merchants.flatMap(({ offers }) => offers.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a bigger population begins with the same merchants, and repeated names are numbered branches', async () => {
  const small = await buildFromSeed(42)
  const big = await buildFromSeed(42, { merchants: 7, customers: 1, couriers: 1 })
  expect(bytes(big.merchants.slice(0, 5))).toBe(bytes(small.merchants))
  const names = merchantIdentities(45).map(({ name }) => name)
  expect(new Set(names).size).toBe(45)
  expect(names[20]).toBe('Brasa Torta Burger – Unidade 2')
})

test('merchant identities are available before the population is built', async () => {
  const { merchants } = await buildFromSeed(42)
  const known = merchantIdentities()
  expect(known).toEqual(merchants.map(({ id, externalCode, name }) => ({ id, externalCode, name })))
})

test('the parts are drawn independently: more of one does not change the others', async () => {
  const [few, many] = [await buildFromSeed(42), await buildFromSeed(42, { couriers: 30 })]
  expect(many.couriers).toHaveLength(30)
  expect(bytes(many.couriers.slice(0, 8))).toBe(bytes(few.couriers))
  expect(bytes(many.customers)).toBe(bytes(few.customers))
  const crowded = await buildFromSeed(42, { merchants: 6, customers: 60 })
  expect(bytes(crowded.couriers)).toBe(bytes(few.couriers))
})

test('customers have Brazilian names, phones and emails, none of which can be real', async () => {
  const { customers } = await buildFromSeed(42)
  expect(customers).toHaveLength(48)
  for (const { name, phone, email, documentNumber } of customers) {
    expect(name.split(' ').length).toBeGreaterThanOrEqual(2)
    expect(phone.number).toMatch(/^\+551190\d{7}$/)
    if (email !== undefined) expect(email).toMatch(/^[a-z.]+\d+@example\.(com|net|org)$/)
    if (documentNumber !== undefined) expect(documentNumber).toMatch(/^\d{8}8\d{2}$/)
  }
  const emails = customers.flatMap(({ email }) => email ?? [])
  expect(new Set(emails).size).toBe(emails.length)
})

test('optional customer fields are present sometimes', async () => {
  const { customers } = await buildFromSeed(42)
  const known = (['documentNumber', 'email', 'birthDate', 'gender'] as const).map(
    (field) => customers.filter((customer) => customer[field] !== undefined).length,
  )
  expect(Math.min(...known)).toBeGreaterThan(5)
  expect(Math.max(...known)).toBeLessThan(48)
  expect(customers.some(({ phone }) => phone.extension !== undefined)).toBe(true)
  const genders = new Set(customers.flatMap(({ gender }) => gender ?? []))
  expect(genders).toEqual(new Set(['FEMALE', 'MALE']))
})

test('customers with a birth date are between 18 and 79 years old at the given instant', async () => {
  const { customers } = await buildFromSeed(42)
  for (const { birthDate } of customers.filter((each) => each.birthDate !== undefined)) {
    expect(birthDate).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    const years = (now - Date.parse(birthDate!)) / yearMs
    expect(years).toBeGreaterThanOrEqual(17.99)
    expect(years).toBeLessThan(79.01)
  }
})

test('every street is one of São Paulo, by its name and its postal code', () => {
  for (const { name, postal } of districts.flatMap(({ streets }) => streets)) {
    expect(name).toMatch(/^(Rua|Avenida|Alameda) /)
    expect(postal).toMatch(/^0[1-5]\d{3}$/)
  }
})

test('all customers live in São Paulo, some at two addresses', async () => {
  const { customers } = await buildFromSeed(42)
  const addresses = customers.flatMap((customer) => customer.addresses)
  expect(addresses.length).toBeGreaterThan(customers.length)
  for (const { city, state, postalCode, latitude, longitude, street } of addresses) {
    expect({ city, state }).toEqual({ city: 'São Paulo', state: 'SP' })
    expect(postalCode).toMatch(/^0[1-5]\d{3}-\d{3}$/)
    expect(latitude).toBeGreaterThan(-23.62)
    expect(latitude).toBeLessThan(-23.48)
    expect(longitude).toBeGreaterThan(-46.73)
    expect(longitude).toBeLessThan(-46.55)
    expect(street).toMatch(/^(Rua|Avenida|Alameda) /)
  }
  expect(new Set(addresses.map(({ neighborhood }) => neighborhood)).size).toBeGreaterThan(8)
})

test('some customers are regulars, and some have no past orders', async () => {
  const { customers, regulars, merchantById } = await buildFromSeed(42)
  expect(regulars.length).toBeGreaterThan(8)
  expect(regulars.length).toBeLessThan(24)
  for (const { orders } of customers)
    for (const [merchantId, count] of orders) {
      expect(merchantById.has(merchantId)).toBe(true)
      expect(count).toBeGreaterThanOrEqual(1)
    }
  expect(customers.some(({ orders }) => orders.size === 0)).toBe(true)
})

test('couriers have vehicles of the protocol, with a licence plate unless it is a bicycle', async () => {
  const { couriers } = await buildFromSeed(42, { couriers: 40 })
  for (const { vehicle, licencePlate } of couriers)
    if (vehicle === 'BICYCLE') expect(licencePlate).toBeUndefined()
    else expect(licencePlate).toMatch(/^[A-Z]{3}\d[A-J]\d{2}$/)
  expect(new Set(couriers.map(({ vehicle }) => vehicle)).size).toBe(5)
})

test('a population of one merchant and one customer is valid', async () => {
  const { merchants, customers, regulars } = await buildFromSeed(42, { merchants: 1, customers: 1 })
  expect([merchants.length, customers.length, regulars.length]).toEqual([1, 1, 1])
})
