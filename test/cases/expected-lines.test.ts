import { expect, test } from 'vitest'
import { deviationOf } from './expected-lines.ts'

test('texts and regular expressions fit line by line', () => {
  expect(deviationOf('exit 1\n14:08:50 ready\n', 'exit 1\n/^\\d\\d:.* ready$/\n')).toBeUndefined()
})

test.each([
  ['exit 0\n', 'exit 1\n', 'line 1 should be: exit 1'],
  ['a\n', 'a\nb\n', 'line 2 should be: b'],
  ['a\nb\n', 'a\n', 'line 2 should be: (nothing)'],
  ['', '/./\n', 'line 1 should be: /./'],
])('%j does not fit %j', (printed, expected, deviation) => {
  expect(deviationOf(printed, expected)).toContain(deviation)
})
