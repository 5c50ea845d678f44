/** The driver `partner` validates its flags before it starts. */
import { expect, test } from 'vitest'
import { partnerDriver } from './partner.ts'

test('flags for re-sent requests are rejected by name', () => {
  expect(() => partnerDriver.check({ recording: 'a', rate: 5 })).toThrow('reading --rate')
  expect(() => partnerDriver.check({ recording: 'a', repeat: 2 })).toThrow('say --driver client')
})

test('a target on another machine needs to be allowed', () => {
  const flags = { recording: 'a', to: 'http://partner.example:80' }
  expect(() => partnerDriver.check(flags)).toThrow('is not this machine')
  expect(() => partnerDriver.check({ ...flags, 'allow-target': ['partner.example'] })).not.toThrow()
})
