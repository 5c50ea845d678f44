/** Comparison of protocol versions. */
import { expect, test } from 'vitest'
import { commonVersion, majorVersionOf } from './version.ts'

test('[MIG-UND-01] the major version is the leading number, with or without a V', () => {
  for (const version of ['v2', 'V2', '2', '2.0.0', 'V2.0.0', 'v2.1', '2-rc.1', ' v2 '])
    expect([version, majorVersionOf(version)]).toEqual([version, 2])
  for (const version of ['v1', '1.7.0', 'V1.7.0']) expect(majorVersionOf(version)).toBe(1)
  expect(majorVersionOf('20.1')).toBe(20)
  for (const version of ['', 'two', 'v', 'x2']) expect(majorVersionOf(version)).toBeUndefined()
})

test('[MIG-UND-01, MIG-VER-03, DIS-FLD-10] the common version is found in any notation, and undefined when there is none', () => {
  expect(commonVersion(['v2'], ['v1', 'v2'])).toBe('v2')
  expect(commonVersion(['v2'], ['1.7.0', 'V2.0.0'])).toBe('v2')
  expect(commonVersion(['2.0.0'], ['2'])).toBe('2.0.0')
  expect(commonVersion(['v2'], ['v1'])).toBeUndefined()
  expect(commonVersion(['v2'], ['v20'])).toBeUndefined()
  expect(commonVersion([], [])).toBeUndefined()
  // Versions without a number are equal only when identical.
  expect(commonVersion(['beta'], ['beta'])).toBe('beta')
  expect(commonVersion(['beta'], ['alpha'])).toBeUndefined()
})
