/** A generated value has the shape of the original and is determined by the seed. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { looksGenerated, generateSameShape, identifierShape } from './identifier-shapes.ts'

test.each([
  [
    '3a595223-87d2-4c1d-a351-c77a9a3c15ad',
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  ],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /^01ARZ3NDEK[\dA-HJKMNP-TV-Z]{16}$/],
  ['dlv_0123456789abcdef', /^dlv_[\da-f]{16}$/],
  ['order-1041', /^order-[1-9]\d{3}$/],
  ['000123', /^\d{6}$/],
  ['987654321012', /^[1-9]\d{11}$/],
  ['~tok_abcdefghij', /^~tok_[a-z]{10}$/],
  ['ABC123DEF456GHI789', /^[A-Z]{3}[1-9]\d\d[A-Z]{3}[1-9]\d\d[A-Z]{3}[1-9]\d\d$/],
  ['LOJA-001', /^LOJA-\d{3}$/],
])('%s is replaced by another value of its shape', (value, pattern) => {
  const fresh = generateSameShape(value, 42, 'order')
  expect(fresh).toMatch(pattern)
  expect(fresh).not.toBe(value)
  expect(generateSameShape(value, 42, 'order')).toBe(fresh)
  expect(generateSameShape(value, 43, 'order')).not.toBe(fresh)
})

test('shape and length stay for any value', () => {
  const names = fc.oneof(
    fc.uuid(),
    fc.ulid(),
    fc.stringMatching(/^[a-z]{2,5}[_-][\da-f]{16,32}$/),
    fc.stringMatching(/^[A-Z]{0,4}-?[1-9]\d{3,12}$/),
    fc.stringMatching(/^[\w~.:-]{6,40}$/),
  )
  fc.assert(
    fc.property(names, fc.integer(), (value, seed) => {
      const fresh = generateSameShape(value, seed, 'order')
      expect(fresh).toHaveLength(value.length)
      expect(looksGenerated(fresh)).toBe(looksGenerated(value))
      if (looksGenerated(value)) expect(identifierShape(fresh)).toBe(identifierShape(value))
      expect(fresh.replaceAll(/[A-Za-z\d]/g, '')).toBe(value.replaceAll(/[A-Za-z\d]/g, ''))
    }),
    { numRuns: 300 },
  )
})

test('a word with digits never becomes a value that looks like a hash', () => {
  for (let seed = 0; seed < 2000; seed++) {
    const fresh = generateSameShape('HNA4732280713992', seed, 'order')
    expect(fresh).toMatch(/^[A-Z]{3}[1-9]\d{12}$/)
    expect(looksGenerated(fresh)).toBe(false)
  }
})

test('100,000 generated values have no collision', () => {
  const fresh = new Set<string>()
  for (let number = 0; number < 100_000; number++)
    fresh.add(
      generateSameShape(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`, 1, ''),
    )
  expect(fresh.size).toBe(100_000)
})

test.each([
  'Marmita da Tia Lurdes',
  'CANCELLATION_REQUESTED',
  'clube-da-cidade-refrigerante',
  '5511999990000',
  '2026-01-05T15:00:00.000Z',
  'heloisa.silva.santos43@example.com',
  '~txt(120)',
])('%s does not look machine-generated', (value) => {
  expect(looksGenerated(value)).toBe(false)
})
