import { describe, expect, test } from 'vitest'
import { Configuration, type ConfigurationInput } from './schema.ts'
import { fillConfiguration } from './fill.ts'

describe('filling in defaults part by part equals parsing with the whole schema', () => {
  const said: readonly ConfigurationInput[] = [
    {},
    { port: 0, subject: { role: 'software-service', url: 'http://127.0.0.1:3000' } },
    { seed: 7, clock: 'virtual', origin: '2026-03-01T12:00:00Z', tls: true },
    { counterparts: { crm: { mode: 'pull' } }, capabilities: { indoor: false } },
    { conduct: { passedTarget: 409 }, tolerances: { grace: '30s' }, faults: ['flaky-network'] },
    { dialect: 'keeta', recording: { file: 'here.ndjson' }, speed: 10 },
    { clients: [{ clientId: 'a', clientSecret: 'b', role: 'crm' }], host: '127.0.0.2' },
  ]
  test.each(said)('%j', (input) => {
    const filled = fillConfiguration(input)
    expect(filled).toEqual(Configuration.parse(input))
    expect(Object.keys(filled ?? {})).toEqual(Object.keys(Configuration.parse(input)))
  })

  const wrong: readonly unknown[] = [
    undefined,
    [],
    'port',
    { prot: 1 },
    { port: 'x' },
    { capabilities: { orders: false } },
    JSON.parse('{"__proto__": {"port": 1}}'),
  ]
  test.each(wrong)('invalid input is left to the whole schema: %j', (input) => {
    expect(fillConfiguration(input)).toBeUndefined()
    expect(Configuration.safeParse(input).success).toBe(false)
  })
})
