import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mergeFlags, readSessionOptions, type SessionGiven, withOrders } from './session-options.ts'

test('each flag goes to its place, over what the file says', () => {
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

test('--port chooses all ports, so those of the file give way', () => {
  const file = {
    port: 1,
    counterparts: { 'software-service': { port: 2, temperament: 'slow' as const } },
  }
  expect(mergeFlags(file, {}).configuration.counterparts['software-service'].port).toBe(2)
  const { configuration } = mergeFlags(file, { port: 0 })
  expect(configuration.port).toBe(0)
  expect(configuration.counterparts['software-service']).toMatchObject({ temperament: 'slow' })
  expect(configuration.counterparts['software-service']).not.toHaveProperty('port')
})

test('no orders of their own accord is 0, and that is not 5s', () => {
  const everyOf = (given: SessionGiven): number | undefined =>
    given.configuration.counterparts['ordering-application'].orders.every
  expect(everyOf(withOrders(mergeFlags({}, {})))).toBe(5000)
  expect(everyOf(withOrders(mergeFlags({}, { 'orders-every': '0' })))).toBe(0)
})

test('a flag that will not do is told by its name', () => {
  expect(() => mergeFlags({}, { subject: 'localhost:3000' })).toThrow(
    'reading --subject: "localhost:3000" is no http or https URL.',
  )
  expect(() => mergeFlags({}, { 'orders-every': 'often' })).toThrow(
    'reading --orders-every: "often" is no duration; write 250ms, 5s, 2m or 1h.',
  )
})

test('a service with a URL and no role is a problem, wherever they were said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-options-'))
  const named = readSessionOptions({ subject: 'http://127.0.0.1:3000' }, folder)
  await expect(named).rejects.toThrow(/nobody says which role it plays. Say it with --as/)
  writeFileSync(join(folder, 'sparring.config.json'), '{"subject":{"role":"software-service"}}')
  const { file, configuration } = await readSessionOptions(
    { subject: 'http://127.0.0.1:3000' },
    folder,
  )
  expect(file).toBe('sparring.config.json')
  expect(configuration.subject.role).toBe('software-service')
})
