/** The driver `both` validates its flags before it starts. */
import { expect, test } from 'vitest'
import { bothDriver } from './both.ts'

test('flags for re-sent requests are rejected by name', () => {
  expect(() => bothDriver.check({ recording: 'a', rate: 5 })).toThrow('reading --rate')
  expect(() => bothDriver.check({ recording: 'a', dup: 2 })).toThrow('say --as client')
})

test('a target on another machine needs to be allowed', () => {
  const flags = { recording: 'a', to: 'http://partner.example:80' }
  expect(() => bothDriver.check(flags)).toThrow('is not this machine')
  expect(() => bothDriver.check({ ...flags, 'allow-target': ['partner.example'] })).not.toThrow()
})
