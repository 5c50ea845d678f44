/** Matching of expressions from outside ends, and says the same as the expression does. */
import { expect, test } from 'vitest'
import { BoundedPattern, TimeLimitExceeded, withinTime } from './bounded-pattern.ts'

test.each([
  '^(a+)+$',
  '^(a|a)*$',
  '^(?:a*)*b$',
  '^(?<name>a|aa)+$',
  '(a+){2,}$',
  '^(?=(a+)+$)',
  'a*a*a*a*a*a*a*a*b',
  '^[a-z]+[a-z]+[a-z]+[a-z]+[a-z]+[a-z]+[a-z]+!$',
])('/%s/ is given up after a limit, and after some times at once', (source) => {
  const pattern = new BoundedPattern(source, 'u')
  const text = `${'a'.repeat(5000)}?`
  for (let times = 0; times < 1000; times++)
    expect(() => pattern.test(text)).toThrow(TimeLimitExceeded)
})

test('the error names the expression', () => {
  expect(() => new BoundedPattern('^(a+)+$').test(`${'a'.repeat(35)}!`)).toThrow(
    expect.objectContaining({ pattern: '/^(a+)+$/', limitMs: 100 }),
  )
})

test.each([
  ['^(a+)+$', 'aaaa', true],
  ['^(a+)+$', 'a'.repeat(10_000), true],
  ['^[a-z0-9]+(-[a-z0-9]+)*$', 'pizza-da-casa-42', true],
  ['^[a-z0-9]+(-[a-z0-9]+)*$', `${'pizza-'.repeat(10)}!`, false],
  [String.raw`^\d{3}\.\d{3}\.\d{3}-\d{2}$`, '123.456.789-09', true],
  [String.raw`^[\w.-]+@[\w-]+(\.[a-z]{2,})+$`, 'ana.souza@example.com.br', true],
  ['^[^@]+@[^@]+$', 'no address at all', false],
  ['^([0-9a-f]{4}-){3}[0-9a-f]{4}$', '00ff-12ab-9999-abcd', true],
  ['a|b', 'xxb', true],
  [String.raw`[)(]\(`, '((', true],
])('/%s/ of %s: %s, as by the expression itself', (source, text, fits) => {
  expect(new BoundedPattern(source, 'u').test(text)).toBe(fits)
})

test('what is no expression is a SyntaxError, as of RegExp', () => {
  expect(() => new BoundedPattern('(', 'u')).toThrow(SyntaxError)
})

test('work within a time: its value, its own error, or the end of the time; also one within another', () => {
  expect(withinTime(1000, () => withinTime(1000, () => 'inner') + ' and outer')).toBe(
    'inner and outer',
  )
  expect(() =>
    withinTime(1000, () => {
      throw new RangeError('of the work')
    }),
  ).toThrow('of the work')
  const endless = (): never => {
    for (;;);
  }
  expect(() => withinTime(20, endless)).toThrow(TimeLimitExceeded)
  expect(() => withinTime(60_000, () => withinTime(20, endless))).toThrow(
    expect.objectContaining({ limitMs: 20 }),
  )
})
