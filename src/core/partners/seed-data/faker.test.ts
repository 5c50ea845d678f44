import { faker as shared } from '@faker-js/faker/locale/pt_BR'
import { expect, test, vi } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { createFaker } from './faker.ts'

const now = 1_924_992_000_000

const names = (seed: number): string[] => {
  const faker = createFaker(createChance(seed), now)
  return Array.from({ length: 20 }, () => faker.person.firstName())
}

test('the same seed gives the same names, and another seed other names', () => {
  expect(names(1)).toEqual(names(1))
  expect(names(1)).not.toEqual(names(2))
})

test('it draws from the given chance only and does not disturb the library’s shared instance', () => {
  const expected = names(1)
  const random = vi.spyOn(Math, 'random')
  shared.seed(5)
  const [first] = [shared.number.int(), createFaker(createChance(9), now).person.fullName()]
  const second = shared.number.int()
  shared.seed(5)
  expect([shared.number.int(), shared.number.int()]).toEqual([first, second])
  shared.seed(77)
  expect(names(1)).toEqual(expected)
  expect(random).not.toHaveBeenCalled()
  random.mockRestore()
})

test('its reference date is the given instant', () => {
  const faker = createFaker(createChance(4), now)
  const soon = faker.date.soon({ days: 1 }).getTime()
  expect(soon).toBeGreaterThanOrEqual(now)
  expect(soon).toBeLessThanOrEqual(now + 86_400_000)
})
