import { expect, test } from 'vitest'
import { passesLuhn } from './digits.ts'

test.each([
  ['79927398713', true],
  ['6011000990139424', true],
  ['378282246310005', true],
  ['79927398710', false],
  ['6011000990139423', false],
  // Two neighbours that change places are found, except 0 and 9.
  ['97927398713', false],
  ['0', true],
  ['', false],
])('the Luhn check of "%s" is %s', (digits, passes) => {
  expect(passesLuhn(digits)).toBe(passes)
})
