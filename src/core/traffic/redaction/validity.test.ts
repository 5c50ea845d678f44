/** Replacements of valid values are valid, by check-digit code that is independent of redaction. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'
import { z } from 'zod'

function redacted(key: string, value: string | number): string | number {
  const body = JSON.stringify({ customer: { [key]: value } })
  const { value: text } = redactor.body('request', body, 'application/json', 'http://h/x')
  return (JSON.parse(text) as { customer: Record<string, string | number> }).customer[key] ?? ''
}

/**
 * Whether the last two characters are the check digits of the rest, with the weights that the tax authority
 * publishes.
 */
function follows(symbols: string, weights: readonly number[]): boolean {
  const worth = (symbol: string): number => symbol.charCodeAt(0) - 48
  const check = (count: number, from: number): number => {
    const sum = Array.from(symbols.slice(0, count)).reduce(
      (all, symbol, at) => all + worth(symbol) * (weights[at + from] ?? 0),
      0,
    )
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const base = symbols.length - 2
  return (
    check(base, 1) === Number(symbols[base]) && check(base + 1, 0) === Number(symbols[base + 1])
  )
}
const isCpf = (value: string): boolean =>
  /^\d{11}$/.test(value) && follows(value, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
const isCnpj = (value: string): boolean =>
  /^[\dA-Z]{12}\d{2}$/.test(value) && follows(value, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])

/** Appends check digits found by trial, to share no code with redaction. */
function completed(base: string, fits: (value: string) => boolean): string {
  for (let check = 0; check < 100; check++) {
    const value = base + String(check).padStart(2, '0')
    if (fits(value)) return value
  }
  throw new Error(`nothing completes ${base}`)
}

const anyCpf = fc.stringMatching(/^[1-8]\d{8}$/).map((base) => completed(base, isCpf))
const anyCnpj = fc.stringMatching(/^\d{12}$/).map((base) => completed(base, isCnpj))
const lettered = fc.stringMatching(/^[0-9A-Z]{11}[A-Z]$/).map((base) => completed(base, isCnpj))
const unlike = (value: string): boolean => !/^(.)\1*$/.test(value)

test.each([
  ['cpf', anyCpf, isCpf],
  ['cnpj', anyCnpj, isCnpj],
  ['cnpj', lettered, isCnpj],
] as const)('%s: a valid value becomes another valid one', (key, values, fits) => {
  fc.assert(
    fc.property(values.filter(unlike), (value) => {
      const next = String(redacted(key, value))
      expect(fits(next)).toBe(true)
      // One value in a thousand million may be its own pseudonym.
      expect(next).not.toBe(value)
    }),
  )
})

test('the check of this test accepts a published CNPJ with letters', () => {
  expect(isCnpj('12ABC34501DE35')).toBe(true)
  expect(isCpf('52998224725')).toBe(true)
})

test('telephone numbers stay in E.164 or national form', () => {
  const own = fc.stringMatching(/^[1-9][1-9]9[1-8]\d{7}$/)
  fc.assert(
    fc.property(own, fc.constantFrom('+55', '', '55'), (number, country) => {
      const next = String(redacted('phone', country + number))
      expect(next).toMatch(/^(?:\+55|55)?\d{10,11}$/)
      expect(next).toHaveLength((country + number).length)
      expect(next.slice(0, country.length + 2)).toBe(
        (country + number).slice(0, country.length + 2),
      )
      expect(z.e164().safeParse(next).success).toBe(z.e164().safeParse(country + number).success)
    }),
  )
})

test('e-mail addresses stay valid, on a reserved domain', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      const next = String(redacted('email', address))
      expect(z.email().safeParse(next).success).toBe(true)
      expect(next).toMatch(/@example\.com$/)
    }),
  )
})

test('postal codes keep their form, dates and coordinates stay valid', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{5}-?\d{3}$/), (code) => {
      expect(redacted('postalCode', code)).toMatch(code.includes('-') ? /^\d{5}-\d{3}$/ : /^\d{8}$/)
    }),
  )
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1930-01-01'), max: new Date('2015-01-01'), noInvalidDate: true }),
      (date) => {
        expect(
          z.iso.date().safeParse(redacted('birthDate', date.toISOString().slice(0, 10))).success,
        ).toBe(true)
      },
    ),
  )
  fc.assert(
    fc.property(fc.double({ min: -90, max: 90, noNaN: true }), (latitude) => {
      const next = redacted('latitude', latitude)
      expect(typeof next).toBe('number')
      expect(Math.abs(Number(next))).toBeLessThanOrEqual(90)
    }),
  )
})

test('a JSON number stays a number, whatever its class', () => {
  const keys = fc.constantFrom(
    'phone',
    'cpf',
    'cnpj',
    'cardNumber',
    'pin',
    'postalCode',
    'latitude',
    'pickupCode',
  )
  fc.assert(
    fc.property(
      keys,
      fc.oneof(fc.integer(), fc.bigInt({ min: 0n, max: 99_999_999_999_999n }).map(Number)),
      (key, value) => {
        expect(typeof redacted(key, value)).toBe('number')
      },
    ),
  )
})
