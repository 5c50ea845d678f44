/** Replacements of single values: recognisable, deterministic, of the same type. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashWith } from '../../../../test/support/redactor.ts'
import { redactionClasses } from './catalogue.ts'
import { birth } from './classes/persons.ts'
import { code } from './classes/codes.ts'
import { coordinate, postal } from './classes/addresses.ts'
import { document, isValidDocument } from './classes/documents.ts'
import { email } from './classes/emails.ts'
import { isCardNumber } from './classes/payments.ts'
import { network } from './classes/machines.ts'
import { phone } from './classes/phones.ts'
import { token } from './classes/secrets.ts'
import {
  cnpjCheckDigits,
  cpfCheckDigits,
  digitsOf,
  isStandInNumber,
  standInNumber,
} from './digits.ts'
import type { ReplacementTools } from './class.ts'
import { createPseudonyms } from './pseudonyms.ts'

const toolsWith = (key: string): ReplacementTools => ({
  pseudonyms: createPseudonyms(hashWith(key)),
  claims: (text) => text.replaceAll('Ana', 'Pessoa'),
})
const tools = toolsWith('a key')
const as = (
  definition: { replace: (value: string, tools: ReplacementTools) => string },
  value: string,
) => definition.replace(value, tools)

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
const cpf = digits(9).map((base) => base + cpfCheckDigits(base))
const cnpj = digits(12).map((base) => base + cnpjCheckDigits(base))
const lettered = fc.stringMatching(/^[0-9A-Z]{12}$/).map((base) => base + cnpjCheckDigits(base))

test('check digits match published examples', () => {
  expect(cpfCheckDigits('529982247')).toBe('25')
  expect(cnpjCheckDigits('112223330001')).toBe('81')
  // A CNPJ with letters, from the tax authority's explanation.
  expect(cnpjCheckDigits('12ABC34501DE')).toBe('35')
})

test('a valid CPF or CNPJ becomes another valid one in the same spelling', () => {
  for (const value of ['529.982.247-25', '52998224725', '11.222.333/0001-81', '12ABC34501DE35']) {
    const next = as(document, value)
    expect(next).not.toBe(value)
    expect(isValidDocument(next)).toBe(true)
    expect(next.replaceAll(/[0-9A-Z]/g, '#')).toBe(value.replaceAll(/[0-9A-Z]/g, '#'))
  }
  fc.assert(
    fc.property(fc.oneof(cpf, cnpj, lettered), (value) => {
      // Eleven equal digits pass the check, and are still no CPF.
      fc.pre(isValidDocument(value))
      expect(isValidDocument(as(document, value))).toBe(true)
    }),
  )
})

test('a CPF with invalid check digits stays invalid', () => {
  const next = as(document, '12345678900')
  expect(next).toMatch(/^\d{11}$/)
  expect(isValidDocument(next)).toBe(false)
})

test('all spellings of a value have one pseudonym', () => {
  expect(as(document, '529.982.247-25').replaceAll(/\D/g, '')).toBe(as(document, '52998224725'))
  expect(digitsOf(as(phone, '+55 (11) 99999-0000')).slice(-9)).toBe(
    as(phone, '11999990000').slice(-9),
  )
  expect(as(email, ' Ana.Silva@Example.com ')).toBe(as(email, 'ana.silva@example.com'))
})

test('a telephone number keeps country, area and punctuation, and cannot be called', () => {
  expect(as(phone, '+55 11 98765-4321')).toMatch(/^\+55 11 90\d{3}-\d{4}$/)
  expect(as(phone, '(11) 3456-7890')).toMatch(/^\(11\) 0\d{3}-\d{4}$/)
  expect(as(phone, '+14155552671')).toMatch(/^\+1400\d{7}$/)
  expect(as(phone, 'ask for Ana')).toMatch(/^~tel_[a-z]{10}$/)
  expect(as(phone, '')).toBe('')
})

test('a birth date becomes one between 1900 and 1919, in the same spelling', () => {
  expect(as(birth, '1990-01-01')).toMatch(/^19[01]\d-\d\d-\d\d$/)
  expect(as(birth, '20/05/1992')).toMatch(/^\d\d\/\d\d\/19[01]\d$/)
  expect(as(birth, '1992-05-20T14:30:10.000Z')).toMatch(/^19[01]\d-\d\d-\d\dT00:00:00\.000Z$/)
})

test('postal codes keep three digits, coordinates two decimals', () => {
  expect(as(postal, '01310-100')).toBe('01300-000')
  expect(as(coordinate, '-23.550520')).toBe('-23.55')
  expect(coordinate.replaceNumber?.('-46.633308', tools)).toBe('-46.63')
  expect(coordinate.replaceNumber?.('1.5e1', tools)).toBe('15.00')
  expect(as(coordinate, '-23.55052,-46.633308')).toBe('-23.55,-46.63')
})

test('short codes keep their length', () => {
  expect(as(code, '4821')).toMatch(/^~[a-z]{3}$/)
  expect(as(code, 'X')).toBe('~')
})

test('IP addresses become reserved ones; private ones stay', () => {
  expect(as(network, '200.147.3.1')).toMatch(/^2(?:4\d|5[0-5])\.\d+\.\d+\.\d+$/)
  expect(as(network, '192.168.0.7')).toBe('192.168.0.7')
  expect(as(network, '2001:db8::1')).toMatch(/^~net_/)
})

test('a token keeps its scheme; a JWT keeps its header, its claims and signature are redacted', () => {
  expect(as(token, 'Bearer s3cr3t-value')).toMatch(/^Bearer ~tok_[a-z]{10}$/)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = `${part({ alg: 'HS256' })}.${part({ name: 'Ana' })}.c2lnbmF0dXJl`
  const [header, claims, signature] = as(token, jwt).split('.')
  expect(header).toBe(part({ alg: 'HS256' }))
  expect(Buffer.from(claims!, 'base64url').toString()).toBe('{"name":"Pessoa"}')
  expect(signature).toMatch(/^~sig_[a-z]{10}$/)
})

test('card numbers are recognised by issuer, length and Luhn check', () => {
  for (const value of [
    '4111 1111 1111 1111',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '30569309025904',
    '6011111111111117',
    '3530111333300000',
    '6362970000457013',
    '6062825624254001',
  ])
    expect([value, isCardNumber(value)]).toEqual([value, true])
  // The last three pass the check, and have no issuer, or not its length.
  for (const value of ['4111 1111 1111 1112', '1700000000000', '9111111111111111', '4222222222222'])
    expect([value, isCardNumber(value)]).toEqual([value, false])
})

test('numbers that are replaced stay distinct, exact, and are recognised', () => {
  const marks = Array.from({ length: 20_000 }, (_, n) =>
    tools.pseudonyms.mark('pan', 'card', `${n}`),
  )
  const numbers = marks.map(standInNumber)
  expect(new Set(numbers).size).toBe(20_000)
  for (const each of numbers.slice(0, 1000)) {
    expect(String(Number(each))).toBe(each)
    expect(isStandInNumber(each)).toBe(true)
    expect(isCardNumber(each)).toBe(false)
  }
})

const samples = fc.oneof(
  cpf,
  cnpj,
  lettered,
  digits(8),
  digits(11),
  digits(13),
  fc.string({ maxLength: 30 }),
  fc.emailAddress(),
  fc.ipV4(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.constantFrom('+5511987654321', '(11) 98765-4321', 'Ana Silva', '01310-100', '-23.550520'),
)

test.each(redactionClasses.map((definition) => [definition.id, definition] as const))(
  'class %s: deterministic, idempotent, and different with another key',
  (_, definition) => {
    const other = toolsWith('another key')
    let differing = 0
    fc.assert(
      fc.property(samples, (value) => {
        const next = definition.replace(value, tools)
        expect(definition.replace(value, tools)).toBe(next)
        expect(definition.replace(next, tools)).toBe(next)
        if (definition.replace(value, other) !== next) differing++
      }),
      { numRuns: 300 },
    )
    const keyless = ['postal', 'coordinate', 'text', 'binary'].includes(definition.id)
    if (!keyless) expect(differing).toBeGreaterThan(100)
  },
)
