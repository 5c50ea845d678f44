import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  mergeFlags,
  readSessionOptions,
  type ResolvedSessionOptions,
  withDefaultOrderInterval,
  withRandomCredentials,
} from './session-options.ts'

test('each flag sets its configuration key and overrides the file', () => {
  const { configuration } = mergeFlags(
    { seed: 1, host: '0.0.0.0', subject: { role: 'ordering-application', url: 'http://a' } },
    {
      seed: 2,
      clock: 'virtual',
      speed: 3,
      as: 'software-service',
      subject: 'http://b',
      channel: 'both',
      record: 'r.har',
    },
  )
  expect(configuration).toMatchObject({
    seed: 2,
    clock: 'virtual',
    speed: 3,
    host: '0.0.0.0',
    port: 7100,
    subject: { role: 'software-service', url: 'http://b' },
    counterparts: { 'ordering-application': { channel: 'both' } },
    recording: { file: 'r.har', redact: true },
  })
})

test('--port sets all ports and overrides those per role of the file', () => {
  const file = {
    port: 1,
    counterparts: { 'software-service': { port: 2, behaviour: 'slow' as const } },
  }
  expect(mergeFlags(file, {}).configuration.counterparts['software-service'].port).toBe(2)
  const { configuration } = mergeFlags(file, { port: 0 })
  expect(configuration.port).toBe(0)
  expect(configuration.counterparts['software-service']).toMatchObject({ behaviour: 'slow' })
  expect(configuration.counterparts['software-service']).not.toHaveProperty('port')
})

test('--orders-every 0 switches generated orders off instead of using the default of 5s', () => {
  const everyOf = (given: ResolvedSessionOptions): number | undefined =>
    given.configuration.counterparts['ordering-application'].orders.every
  expect(everyOf(withDefaultOrderInterval(mergeFlags({}, {})))).toBe(5000)
  expect(everyOf(withDefaultOrderInterval(mergeFlags({}, { 'orders-every': '0' })))).toBe(0)
})

test('random credentials follow from the seed, and a form has to encode them', () => {
  const drawn = (seed: number) => withRandomCredentials(mergeFlags({}, { seed })).configuration
  const { clientId, clientSecret } = drawn(7).subject.credentials
  expect(clientId).toMatch(/^[\da-f]{6}\+[\da-f]{6}$/)
  for (const each of '+/&%=') expect(clientSecret).toContain(each)
  expect(new URLSearchParams(`secret=${clientSecret}`).get('secret')).not.toBe(clientSecret)
  expect(drawn(7)).toEqual(drawn(7))
  expect(drawn(8).subject.credentials).not.toEqual(drawn(7).subject.credentials)
})

test('an invalid flag value is reported by the name of the flag', () => {
  expect(() => mergeFlags({}, { subject: 'localhost:3000' })).toThrow(
    'reading --subject: "localhost:3000" is no http or https URL.',
  )
  expect(() => mergeFlags({}, { 'orders-every': 'often' })).toThrow(
    'reading --orders-every: "often" is no duration; write 250ms, 5s, 2m or 1h.',
  )
})

test('a subject with a URL and no role is a problem, whether set by flag or file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-options-'))
  const named = readSessionOptions({ subject: 'http://127.0.0.1:3000' }, folder)
  await expect(named).rejects.toThrow(/its role is not given. Say it with --as/)
  writeFileSync(join(folder, 'sparring.config.json'), '{"subject":{"role":"software-service"}}')
  const { file, configuration } = await readSessionOptions(
    { subject: 'http://127.0.0.1:3000' },
    folder,
  )
  expect(file).toBe('sparring.config.json')
  expect(configuration.subject.role).toBe('software-service')
})
