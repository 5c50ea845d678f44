import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromUnits, Price, priceFromUnits, toUnits } from './price.ts'

test('sums in units are exact where sums of floats are not', () => {
  expect(0.1 + 0.2).not.toBe(0.3)
  expect(fromUnits(toUnits(0.1) + toUnits(0.2))).toBe(0.3)
})

test('round trip: an amount with up to four decimal places is preserved by units', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 11), max: 10 ** 11 }), (units) => {
      expect(toUnits(fromUnits(units))).toBe(units)
    }),
  )
})

test('[ORD-FLD-17] a price is a value with a currency', () => {
  expect(Price.parse(priceFromUnits(123_400, 'BRL'))).toEqual({ value: 12.34, currency: 'BRL' })
  expect(Price.safeParse({ amount: 1, currency: 'BRL' }).success).toBe(false)
  expect(Price.safeParse({ value: 1, currency: 'real' }).success).toBe(false)
  expect(Price.safeParse(12.34).success).toBe(false)
})
