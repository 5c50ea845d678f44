// @module-tag nightly
/** The bench with tiny sizes: every row is complete. Speed is not asserted. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBench } from './bench.ts'
import type { BenchSizes } from './options.ts'
import { readBenchOptions } from './options.ts'
import { rotateVariants, spreadOf } from './ratio.ts'
import { rowJson, rowsMarkdown, rowText } from './report.ts'
import type { BenchRow, RowLine } from './row.ts'
import { unmetTargets } from './unmet-targets.ts'
import { rowMakers } from './rows/catalogue.ts'
import { normalizeAnswer, findAnswerDifference, type ServerAnswer } from './rows/same-answers.ts'
import { testedPackage } from '../test/support/tested-command.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
/** A copy of the build made for the tests: `dist` may be outdated, or may be being rebuilt. */
const root = mkdtempSync(join(tmpdir(), 'sparring-bench-test-'))

beforeAll(() => {
  cpSync(join(testedPackage(), 'dist'), join(root, 'dist'), { recursive: true })
  for (const each of ['package.json', 'bin'])
    cpSync(join(repository, each), join(root, each), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'), 'junction')
}, 60_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

const tiny: BenchSizes = {
  rounds: 1,
  warmUp: 50,
  measured: 200,
  warmUpLives: 2,
  measuredLives: 20,
  slowRounds: 1,
  webhooks: 60,
  exchanges: 800,
  openOrders: [50, 100],
  batches: 1,
  starts: 1,
  pending: 500,
  edits: 200,
}

/** Rows that start few programs; all rows run with `npm run soak`. */
const allRows = process.env['SPARRING_SOAK'] !== undefined
const shortRows: ReadonlySet<string> = new Set(['get-order', 'help'])

const rowNames = [
  'get-order',
  'confirm-order',
  'order-life',
  'watched-life',
  'contract-life',
  'everything-on',
  'attach',
  'monitored',
  'open-orders',
  'agenda-edits',
  'indoor-payment',
  'logistics-delivery',
  'customer-ingest',
  'loyalty-redeem',
  'webhook-out',
  'replay-timing',
  'record-overhead',
  'cold-start',
  'help',
  'memory',
  'recording-open',
  'player-open',
  'recording-write',
  'har-import',
  'redacted-import',
]
const isShort = (name: string): boolean =>
  rowMakers.some(({ names }) => names.includes(name) && names.some((each) => shortRows.has(each)))

const parsedRow = (row: BenchRow) => JSON.parse(rowJson(row)) as Record<string, unknown>

test(
  'every row is measured and formatted completely, as JSON and as a table',
  { timeout: 300_000 },
  async () => {
    const rows: BenchRow[] = []
    const options = {
      sizes: tiny,
      quick: false,
      json: true,
      peers: false,
      install: false,
      rows: [],
      root,
    }
    const makers = rowMakers
      .filter(({ optional }) => !optional)
      .filter(({ names }) => allRows || names.some((name) => shortRows.has(name)))
    await runBench(options, makers, {
      showProgress: () => undefined,
      onRow: (row) => rows.push(row),
    })

    expect(rows.map(({ name }) => name)).toEqual(
      rowNames.filter((name) => allRows || isShort(name)),
    )
    for (const row of rows) {
      expect(parsedRow(row)).toMatchObject({
        name: row.name,
        ratio: expect.any(Number) as number,
        baseline: expect.any(String) as string,
        spread: [expect.any(Number), expect.any(Number)],
        raw: { median: expect.any(Number) as number, unit: expect.any(String) as string },
      })
      expect(rowText(row)).toContain('against: ')
    }
    // Without a complete recording, the line `recorder on` would be missing.
    for (const row of rows.slice(0, 2))
      expect(parsedRow(row)).toMatchObject({ what: 'recorder on' })
  },
)

test('answers of two servers are compared without ids, instants and random values', () => {
  const answerWith = (body: unknown, status = 200): ServerAnswer => ({
    call: 'GET /accounts',
    status,
    isEchoed: true,
    body: normalizeAnswer(body),
  })
  const one = { id: crypto.randomUUID(), at: '2026-01-05T14:00:00.000Z', due: 12.5 }
  const other = { due: 12.5, id: crypto.randomUUID(), at: new Date().toISOString() }
  expect(findAnswerDifference([answerWith(one)], [answerWith(other)])).toBeUndefined()
  expect(findAnswerDifference([answerWith(one)], [answerWith({ ...other, due: 12 })])).toContain(
    '12.5',
  )
  expect(findAnswerDifference([answerWith(one)], [answerWith({ ...other, tip: 1 })])).toContain(
    'GET /accounts',
  )
  expect(findAnswerDifference([answerWith(one)], [answerWith(other, 202)])).toContain('202')
  const [coupon, otherCoupon] = ['VYF6AS8J', '25HN4EQS'].map((code) =>
    answerWith({ items: [{ code }] }),
  )
  expect(coupon).toEqual(otherCoupon)
  const [conflict, forbidden] = ['CONFLICT', 'FORBIDDEN'].map((code) =>
    answerWith({ error: { code } }),
  )
  expect(conflict).not.toEqual(forbidden)
  expect(findAnswerDifference([answerWith([one])], [answerWith([one, one])])).toContain('by us')
  expect(findAnswerDifference([answerWith(one)], [])).toContain('undefined by us')
})

test('a spread holds median, minimum and maximum, for any order of the values', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 })
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, least: 1, most: 4 })
  expect(() => spreadOf([])).toThrow('nothing')
})

test('each variant is first in some round', () => {
  expect([0, 1, 2, 3].map((round) => rotateVariants(['a', 'b', 'c'], round).join(''))).toEqual([
    'abc',
    'bca',
    'cab',
    'abc',
  ])
})

test('the command line selects sizes, rows and folder; an unknown option is an error', () => {
  expect(readBenchOptions(['--quick', '--json', 'help'], '/here')).toMatchObject({
    sizes: { rounds: 3 },
    json: true,
    peers: false,
    rows: ['help'],
    root: '/here',
  })
  expect(readBenchOptions(['--help'], '/here')).toBeUndefined()
  expect(() => readBenchOptions(['--fast'], '/here')).toThrow('--fast')
})

test('a row whose control is off says so, and is a line of the page with its target', () => {
  const spread = (median: number) => ({ median, least: median, most: median })
  const line = (what: string, ratio: number): RowLine => ({
    what,
    ratio: spread(ratio),
    raw: spread(30),
    unit: 'µs',
  })
  const row = (control: number): BenchRow => ({
    kind: 'measured',
    name: 'get-order',
    baseline: 'by hand',
    rounds: 3,
    lines: [{ ...line('ours', 0.7), target: { atLeast: 0.8 } }, line('again (control)', control)],
    details: {},
  })
  expect(rowText(row(1.12))).toContain('3 rounds; noisy: the control is off by 12 %')
  expect(rowText(row(1.04))).not.toContain('noisy')
  expect(rowsMarkdown([row(1.04)]).split('\n')[2]).toBe(
    '| **get-order** | ours | 0.70 | ≥ 0.80 | no | 30.0 µs | by hand |',
  )
  expect(unmetTargets([row(1)])).toMatch(/^- \*\*get-order\*\*: of 74 µs 34 are node:http/)
  const met = { ...row(1), lines: [{ ...line('ours', 0.7), target: { atLeast: 0.6 } }] } as const
  expect(unmetTargets([met as BenchRow])).toBe('')
})
