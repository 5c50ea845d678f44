// @module-tag slow
/**
 * The services of this folder that were written from the documents alone start and publish a manifest, and the restaurant
 * takes an order to its end. What finds their planted mistakes is tried by try-mutants.mjs.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, onTestFinished } from 'vitest'
import { freeServicePort } from '../../src/terminal/cli/ports.ts'
import { openSession } from '../../src/sparring/library/index.ts'
import mutantsOfMarketplace from './marketplace.mutants.json' with { type: 'json' }
import mutantsOfPlatform from './platform.mutants.json' with { type: 'json' }
import mutantsOfRelations from './relations.mutants.json' with { type: 'json' }
import mutantsOfRestaurant from './restaurant.mutants.json' with { type: 'json' }
import mutantsOfTables from './tables.mutants.json' with { type: 'json' }
import { readFileSync } from 'node:fs'

const fileOf = (name: string): string => fileURLToPath(new URL(`${name}.mjs`, import.meta.url))

async function start(name: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, [fileOf(name)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  expect(output.toString()).toContain('ready http://127.0.0.1:')
}

describe.each([
  { name: 'tables', capability: 'indoor', table: mutantsOfTables },
  { name: 'restaurant', capability: 'orders', table: mutantsOfRestaurant },
  { name: 'marketplace', capability: 'orders', table: mutantsOfMarketplace },
  { name: 'platform', capability: 'logistics', table: mutantsOfPlatform },
  { name: 'relations', capability: 'customer', table: mutantsOfRelations },
])('$name', ({ name, capability, table }) => {
  test('[DIS-WKN-01] publishes its manifest', async () => {
    const port = await freeServicePort('127.0.0.1')
    await start(name, { PORT: String(port) })
    const response = await fetch(`http://127.0.0.1:${port}/.well-known/protocol`)
    expect(response.status).toBe(200)
    const { capabilities } = (await response.json()) as { capabilities: { name: string }[] }
    expect(capabilities.at(-1)?.name).toBe(capability)
  })

  test('plants each mistake of its table, under its number', () => {
    const source = readFileSync(fileOf(name), 'utf8')
    const numbers = [...source.matchAll(/MUTANT (\d+) breaks/g)].map(([, number]) => Number(number))
    const planted = [...source.matchAll(/\bwrong\((\d+)\)/g)].map(([, number]) => Number(number))
    const listed = table.mutants.map(({ mutant }) => mutant)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(listed)
    expect([...new Set(planted)].toSorted((a, b) => a - b)).toEqual(listed)
  })
})

test('[ORD-FLO-04] the restaurant takes an order to its end', async () => {
  const port = await freeServicePort('127.0.0.1')
  await using session = await openSession({
    as: 'software-service',
    subject: `http://127.0.0.1:${port}`,
    port: 0,
    clock: 'real',
    speed: 10,
    capabilities: { logistics: false },
    counterparts: { 'ordering-application': { channel: 'polling' } },
  })
  const delivered = new Promise<void>((resolve) => {
    session.onExchange(({ operation, reply }) => {
      if (operation === 'setOrderDelivered' && reply?.status === 202) resolve()
    })
  })
  await session.createOrder({ type: 'TAKEOUT' })
  await start('restaurant', {
    PORT: String(port),
    SPEED: '10',
    CHANNEL: 'polling',
    COURIERS: 'own',
    SPARRING_ORDERING_APPLICATION_URL: session.urls.get('ordering-application') ?? '',
  })
  await delivered
  expect(session.verdicts()).toEqual([])
})
