// @module-tag slow
/**
 * Golden hashes: for 20 seeds in each of four settings, the SHA-256 of the journal, and of the verdicts (but not of their
 * words) where a subject is judged. A refactoring leaves them as they are. A change of behaviour renews them with `npm run golden`, and says so.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { journalText } from '../../src/core/engine/journal.ts'
import { isSoak, runsFor } from '../support/soak.ts'
import { runFuzz } from '../support/fuzz.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import { openSession } from '../../src/core/session/open-session.ts'

/** `npm run test:all` compares the first seed of each file, `npm run soak` all. */
const seeds = Array.from({ length: runsFor(1, 20) }, (_, index) => index + 1)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A day on which all four roles are played here, and trade with each other over the protocol. */
const day = (seed: number, options: SessionOptions = {}): SessionOptions => ({
  seed,
  listen: false,
  clock: 'virtual',
  automatic: false,
  ...options,
  counterparts: {
    crm: { mode: 'hybrid' },
    ...options.counterparts,
    'ordering-application': {
      orders: { every: 2000, limit: 8, mix: { DELIVERY: 4, TAKEOUT: 3, INDOOR: 3 } },
      ...options.counterparts?.['ordering-application'],
    },
  },
})

/** Faults of every family but those that wait by the wall. */
const faults = [
  { duplicate: { percent: 15 } },
  { 'duplicate-late': { percent: 10 } },
  { drop: { percent: 10 } },
  { delay: { percent: 20, by: '10s' } },
  { reorder: { percent: 10, k: 1 } },
  { fail: { percent: 10, status: 503, burst: 2 } },
  { 'rate-limit': { percent: 5, by: '5s' } },
  { 'slow-effect': { percent: 20, by: '8s' } },
  { 'drop-response': { percent: 5, how: 'reset' } },
  { 'ack-lag': { percent: 30, polls: 2 } },
  { 'unknown-event': { percent: 5 } },
  { unauthorized: { percent: 3, revoke: true } },
]

const hostile = {
  'ordering-application': { behaviour: 'hostile' },
  'software-service': { behaviour: 'forgetful', deliveries: true },
  'delivery-platform': { behaviour: 'hostile' },
  crm: { behaviour: 'slow', mode: 'push' },
} as const

async function journalOf(options: SessionOptions): Promise<string> {
  await using session = await openSession(options)
  await session.advance(600_000)
  return journalText(session.facts())
}

/** Verdicts are compared by outcomes, counts, times, orders and evidence: their words may change. */
const wording: ReadonlySet<string> = new Set(['sentence', 'remedy', 'premise', 'because'])
const withoutWording = (key: string, value: unknown): unknown =>
  wording.has(key) ? undefined : value

/** What one seed comes to in each setting, as the texts that are hashed. */
const settings: Readonly<Record<string, (seed: number) => Promise<readonly string[]>>> = {
  'four counterparts': async (seed) => [await journalOf(day(seed))],
  'four counterparts with faults': async (seed) => [await journalOf(day(seed, { faults }))],
  'dialect v1, difficult behaviour': async (seed) => [
    await journalOf(
      day(seed, {
        dialect: 'v1',
        counterparts: { ...hostile, 'ordering-application': { behaviour: 'hostile' } },
      }),
    ),
  ],
  'reference service under dense faults': (seed) =>
    runFuzz(seed, { channel: 'both', delivers: true }, ({ verdicts, harness }) => [
      journalText(harness.session.facts()),
      JSON.stringify(verdicts, withoutWording),
    ]),
}

test.each(Object.keys(settings))(
  `journals of ${seeds.length} seeds are those of the golden hashes: %s`,
  async (name) => {
    const lines: string[] = []
    for (const seed of seeds) {
      const texts = await settings[name]!(seed)
      lines.push(`${seed} ${texts.map(sha256).join(' ')}`)
    }
    const file = `${name.replaceAll(/[^a-z0-9]+/g, '-')}.golden.txt`
    if (isSoak) return expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`./${file}`)
    const golden = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')
    expect(lines).toEqual(golden.slice(0, seeds.length))
  },
  120_000,
)
