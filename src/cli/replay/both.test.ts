/** What the driver `both` cannot do is said before anything begins. */
import { expect, test } from 'vitest'
import { both } from './both.ts'

test('flags about requests that are sent again are refused, by their names', () => {
  expect(() => both.check({ recording: 'a', rate: 5 })).toThrow('reading --rate')
  expect(() => both.check({ recording: 'a', dup: 2 })).toThrow('say --as client')
})

test('a target that is not this machine needs to be allowed', () => {
  const flags = { recording: 'a', to: 'http://partner.example:80' }
  expect(() => both.check(flags)).toThrow('is not this machine')
  expect(() => both.check({ ...flags, 'allow-target': ['partner.example'] })).not.toThrow()
})
