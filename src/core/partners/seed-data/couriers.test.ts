/** Synchronous couriers and stable addresses. */
import { expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { drawCouriers } from './couriers.ts'
import { stableAddressOf } from './stable-address.ts'

const vehicles = [
  { value: 'MOTORCYCLE', weight: 3 },
  { value: 'BICYCLE', weight: 1 },
] as const

test('the same seed gives the same couriers, each with a unique name', () => {
  const fleet = drawCouriers(createChance(1), 40, vehicles)
  expect(drawCouriers(createChance(1), 40, vehicles)).toEqual(fleet)
  expect(drawCouriers(createChance(2), 40, vehicles)).not.toEqual(fleet)
  expect(new Set(fleet.map(({ name }) => name)).size).toBe(40)
  expect(new Set(fleet.map(({ id }) => id)).size).toBe(40)
  for (const { phone, kmPerHour, vehicle } of fleet) {
    expect(phone).toMatch(/^\+551190\d{7}$/)
    expect(kmPerHour).toBeGreaterThanOrEqual(vehicle === 'BICYCLE' ? 12 : 24)
  }
  const motorcycles = fleet.filter(({ vehicle }) => vehicle === 'MOTORCYCLE').length
  expect(motorcycles).toBeGreaterThan(20)
  expect(motorcycles).toBeLessThan(40)
})

test('the same id always gets the same address, another id another one', () => {
  expect(stableAddressOf('loja-1')).toEqual(stableAddressOf('loja-1'))
  expect(stableAddressOf('loja-1')).not.toEqual(stableAddressOf('loja-2'))
  expect(stableAddressOf('loja-1')).toMatchObject({
    street: expect.any(String),
    city: 'São Paulo',
    country: 'BR',
    coordinates: { latitude: expect.any(Number), longitude: expect.any(Number) },
  })
})
