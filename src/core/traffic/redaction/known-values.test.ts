// @module-tag slow
/** Known values are found however they are written, and nothing else is changed. */
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { secretEncodings } from '../../../../test/support/planted-secrets.ts'
import { standInNumber } from './digits.ts'
import { KnownValues, createPatternIndex } from './known-values.ts'
import { createRedactor } from './redactor.ts'

const none = (): void => undefined
const secret = 'Xk29/f0Qa81+Lm_33=vTz'
const mark = '~sec_abcdefghij'

function knowing(...values: readonly string[]) {
  const known = new KnownValues()
  for (const value of values) known.learn('secret', { value, replacement: mark, id: 'secret' })
  return known
}
const replaced = (text: string, ...values: readonly string[]): string =>
  knowing(...values).replaceInText(text, none)

const coded = /base64|in hexadecimal|UTF-16|in a script|in octal/
const searched = Object.entries(secretEncodings).filter(
  ([name]) => !coded.test(name) && !name.includes('claims'),
)

test.each(searched)('%s: only the value is replaced', (_, encode) => {
  expect(replaced(`before ${encode(secret)} behind`, secret)).toBe(`before ${mark} behind`)
})

const redactor = createRedactor((text) => createHash('sha256').update(text).digest('hex'))

test.each(Object.entries(secretEncodings).filter(([name]) => coded.test(name)))(
  '%s: replaced before it is known, with what it is encoded together with',
  (_, encode) => {
    const { value } = redactor.message(`before ${encode(secret)} behind`, 'm')
    expect(value).toMatch(/^before(?: |%20)~enc_[a-z]{10}(?: |%20)behind$|^~txt\(\d+\)$/)
  },
)

test('in the claims of a redacted token: only the value is replaced', () => {
  const tokenWith = (text: string): string =>
    `${secretEncodings['in the claims of a token']!(text).split('.').slice(0, 2).join('.')}.~sig_abcdefghij`
  const text = (value: string): string => `Bearer ${tokenWith(`a ${tokenWith(value)}`)} behind`
  expect(replaced(text(secret), secret)).toBe(text(mark))
})

test('a replacement in an encoded text is encoded like it', () => {
  const known = new KnownValues()
  known.learn('personal', { value: '+5511987654321', replacement: '+5511900000001', id: 'phone' })
  expect(known.replaceInText('q=%2B5511987654321', none)).toBe('q=%2B5511900000001')
  expect(known.replaceInText('q=%252B5511987654321', none)).toBe('q=%252B5511900000001')
  expect(known.replaceInText('{"q":"+5511987654321"}', none)).toBe('{"q":"+5511900000001"}')
})

test('JSON stays JSON: a number stays a number', () => {
  const pin = '1234567890123456'
  expect(replaced(`{"a":${pin},"b":"${pin}","c":[1, ${pin}],"d":${pin}7}`, pin)).toBe(
    `{"a":${standInNumber(mark)},"b":"${mark}","c":[1, ${standInNumber(mark)}],"d":${pin}7}`,
  )
})

test('a short value is replaced as a whole word only, a long one everywhere', () => {
  expect(replaced('k9Xq2LmZ7 xk9Xq2LmZ7 k9Xq2LmZ7-1 "\\nk9Xq2LmZ7"', 'k9Xq2LmZ7')).toBe(
    `${mark} xk9Xq2LmZ7 ${mark}-1 "\\n${mark}"`,
  )
  expect(replaced(`x${secret}y`, secret)).toBe(`x${mark}y`)
})

test('the longer of two values that begin alike is replaced', () => {
  const longer = `${secret}.signature`
  const known = knowing(secret)
  known.learn('secret', { value: longer, replacement: '~tok_zzzzzzzzzz', id: 'token' })
  expect(known.replaceInText(`${longer} ${secret}`, none)).toBe(`~tok_zzzzzzzzzz ${mark}`)
})

test('of two kinds of one value the newest is the replacement, whatever else begins and ends alike', () => {
  const known = knowing(
    ...Array.from({ length: 500 }, (_, n) => `+5511${81_234_567 + n}@example.com`),
  )
  const value = '+551181299999@example.com'
  known.learn('signature', { value, replacement: '~sig_abcdefghij', id: 'signature' })
  known.learn('personal', { value, replacement: '~eml_abcdefghij', id: 'email' })
  for (const before of ['', 'a', 'ab', 'abc', 'abcd'])
    expect(known.replaceInText(`${before} ${value}`, none)).toBe(`${before} ~eml_abcdefghij`)
})

test('values at the borders of windows of a long text are found', () => {
  const long = 'abc def, '.repeat(30_000)
  for (let shift = 0; shift < 40; shift += 3) {
    const at = 262_144 - shift
    const text = long.slice(0, at) + encodeURIComponent(secret) + long.slice(0, 100_000)
    expect(replaced(text, secret)).toBe(long.slice(0, at) + mark + long.slice(0, 100_000))
  }
})

test('memory is bounded: the oldest values are forgotten, the newest are known', () => {
  const known = new KnownValues()
  const valueAt = (n: number): string => `secret-number-${n}-of-many`
  for (let n = 0; n < 9000; n++)
    known.learn('secret', { value: valueAt(n), replacement: mark, id: 'secret' })
  expect(known.replacementOf(valueAt(0))).toBeUndefined()
  expect(known.replacementOf(valueAt(8999))).toBe(mark)
  expect(known.replaceInText(valueAt(0), none)).toBe(valueAt(0))
  for (let n = 5000; n < 9000; n += 10)
    expect(known.replaceInText(`a ${encodeURIComponent(valueAt(n))}`, none)).toBe(`a ${mark}`)
})

test('any text without a known value is returned as it is', () => {
  const known = knowing(secret, 'another/secret+0815', 'password "with" 1 \\ backslash')
  const part = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.base64String(),
    fc.webUrl(),
    fc.json(),
    fc.constantFrom('%', '%2', '&#', '&amp;', '\\', '\\u00', '\\\\n', secret.slice(0, 12)),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      expect(known.replaceInText(text, none)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

test('any secret in any text, however it is written: replaced, and the rest stays', () => {
  const value = fc.stringMatching(/^[\w!#$%&'()*+,./:;<=>?@^{|}~-]{16,40}$/)
  const around = fc.stringMatching(/^[ a-zA-Z,.:;{}"]{0,30}$/)
  const encoding = fc.constantFrom(...searched.map(([, encode]) => encode))
  fc.assert(
    fc.property(value, around, around, encoding, (each, before, behind, encode) => {
      fc.pre(!`${before}${behind}`.includes(each))
      const text = `${before} ${encode(each)} ${behind}`
      const after = replaced(text, each)
      expect(after).not.toBe(text)
      expect(after.startsWith(`${before} `)).toBe(true)
      expect(after.endsWith(` ${behind}`)).toBe(true)
      expect(replaced(after, each)).toBe(after)
    }),
    { numRuns: 1000 },
  )
})

test('the index finds what a search for each pattern finds', () => {
  const letters = fc.uint8Array({ min: 97, max: 99 })
  const pattern = fc.uint8Array({ min: 97, max: 99, minLength: 8, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 5 }), fc.array(letters), (patterns, pieces) => {
      const index = createPatternIndex()
      for (const each of patterns) index.add(each)
      const text = Buffer.concat([...pieces, ...patterns])
      const found = new Set<string>()
      index.search(text, text.length, (number, at) => found.add(`${number} ${at}`))
      const expected = patterns.flatMap((each, number) =>
        Array.from(text.keys())
          .filter((at) => text.subarray(at, at + each.length).equals(each))
          .map((at) => `${number} ${at}`),
      )
      expect([...found].sort()).toEqual(expected.sort())
    }),
  )
})

test('thousands of patterns are found, each where it stands', () => {
  const index = createPatternIndex()
  const values = Array.from({ length: 5000 }, (_, n) => `value-${n}-${(n * 7919) % 10_007};`)
  for (const each of values) index.add(Buffer.from(each))
  const text = Buffer.from(values.join(' '))
  const found = new Map<number, number>()
  index.search(text, text.length, (number, at) => found.set(number, at))
  expect(values.map((_, number) => found.get(number))).toEqual(
    values.map((each) => text.indexOf(` ${each}`) + 1),
  )
})

test('beyond the bound the oldest secrets are forgotten, and counted', () => {
  const known = new KnownValues({ secret: 4, signature: 4, personal: 4 })
  const values = Array.from({ length: 5 }, (_, n) => `x9-${n}-Qw81kLmZ77-${n}`)
  for (const value of values) known.learn('secret', { value, replacement: mark, id: 'secret' })
  expect(known.forgotten()).toBe(2)
  expect(known.replaceInText(values.join(' '), none)).toBe(
    [...values.slice(0, 2), mark, mark, mark].join(' '),
  )
})
