import { expect, test } from 'vitest'
import { shortText } from './short-text.ts'

test('a text of usual length stays as it is', () => {
  expect(shortText('o-1')).toBe('o-1')
  expect(shortText('x'.repeat(500))).toBe('x'.repeat(500))
})

test('of a long text the beginning, the length and a hash stay: equal ones stay equal, others differ', () => {
  const long = (last: string): string => `${'é'.repeat(600)}${last}`
  expect(shortText(long('a'))).toBe(shortText(long('a')))
  expect(shortText(long('a'))).not.toBe(shortText(long('b')))
  expect(shortText(long('a'))).toMatch(/^é{100}… \(601 -?\d+\)$/)
})
