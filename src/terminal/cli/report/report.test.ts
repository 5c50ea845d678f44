// @module-tag slow
/** `sparring report` over real recordings, files of other formats and a session behind its control API. */
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openHarness } from '../../../../test/support/in-process-harness.ts'
import { sampleExchange, sampleHeader } from '../../../../test/support/sample-exchange.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { startControl } from '../../../core/runtime/control/control.ts'
import { Problem } from '../../../core/base/problem.ts'
import {
  createExchangeFormatter,
  formatLine,
} from '../../../core/traffic/recording/recording-lines.ts'

const recording = (name: string): string =>
  fileURLToPath(new URL(`../../../../recordings/${name}.rec.ndjson`, import.meta.url))

const folderOf = (): string => mkdtempSync(join(tmpdir(), 'sparring-report-'))

async function report(cwd: string, ...argv: readonly string[]) {
  const { io, written } = createTestIo({ cwd })
  const code = await runVerbs(['report', ...argv], io)
  return { code, ...written() }
}

const pageIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')

const shown = (page: string): number => [...page.matchAll(/ data-searched /g)].length

test('of a recording: what it was, its failure, both orders and the way to verdicts', async () => {
  const cwd = folderOf()
  const { code, stderr } = await report(cwd, recording('lost-cancelled'), '-o', 'a.html')
  const page = pageIn(cwd, 'a.html')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^a\.html {2}73 exchanges, 0\.\d MB\n$/) as string,
  })
  expect(page).toContain('<title>Report of lost-cancelled</title>')
  expect(page).toContain('<dt>seed</dt><dd>42</dd>')
  expect(page).toContain('setOrderReadyForPickup of order 7b2897cf')
  expect(page).toContain('CANCELLED, no event came')
  expect([...page.matchAll(/class="order"/g)]).toHaveLength(2)
  expect(page).toContain('sparring replay &lt;recording&gt;')
})

test('beside the recording when nobody says where, and never over a file without --force', async () => {
  const cwd = folderOf()
  writeFileSync(join(cwd, 'lunch.rec.ndjson'), readFileSync(recording('happy-path')))
  expect(await report(cwd, 'lunch.rec.ndjson')).toMatchObject({ code: 0, stdout: '' })
  const before = pageIn(cwd, 'lunch.report.html')
  await expect(report(cwd, 'lunch.rec.ndjson')).rejects.toThrow(
    /lunch\.report\.html: it is there already.*--force/,
  )
  expect(pageIn(cwd, 'lunch.report.html')).toBe(before)
  expect(await report(cwd, 'lunch.rec.ndjson', '--force')).toMatchObject({ code: 0 })
  const { stdout, stderr } = await report(cwd, 'lunch.rec.ndjson', '-o', '-')
  expect(stdout).toBe(before)
  expect(stderr).toBe('')
})

test('--order, --failed, --only and --limit choose, and the page says of how many', async () => {
  const cwd = folderOf()
  const file = recording('lost-cancelled')
  const pageOf = async (...argv: string[]): Promise<string> => {
    await report(cwd, file, '-o', 'x.html', '--force', ...argv)
    return pageIn(cwd, 'x.html')
  }
  const ofOrder = await pageOf('--order', '7b2897cf')
  expect(ofOrder).toContain('16 of 73 exchanges were chosen')
  expect([...ofOrder.matchAll(/class="order"/g)]).toHaveLength(1)
  expect(await pageOf('--order', 'o1')).toBe(ofOrder)
  expect(shown(await pageOf('--failed'))).toBe(1)
  expect(shown(await pageOf('--only', 'getOrder status=200'))).toBeGreaterThan(5)
  const short = await pageOf('--limit', '10')
  expect(shown(short)).toBe(10)
  expect(short).toMatch(/left out of the page, which shows 10: .*--order &lt;id&gt;/)
  await expect(pageOf('--order', 'o9')).rejects.toThrow('no order "o9" is in the traffic')
  await expect(pageOf('--only', 'ms>x')).rejects.toThrow('needs a number')
})

test('what another program saved is imported first, and nothing of that stays', async () => {
  const cwd = folderOf()
  const har = join(cwd, 'traffic.har')
  const { io } = createTestIo({ cwd })
  await runVerbs(['export', recording('happy-path'), '--plain', '-o', har], io)
  const { code, stderr } = await report(cwd, 'traffic.har')
  expect(code).toBe(0)
  expect(stderr).toContain('format: har')
  const page = pageIn(cwd, 'traffic.report.html')
  expect(page).toMatch(/<dt>imported from<\/dt><dd>traffic\.har \(har\)<\/dd>/)
  expect([...page.matchAll(/class="order"/g)]).toHaveLength(2)
})

test('a page of a raw recording is for its owner only', async () => {
  const cwd = folderOf()
  const header = sampleHeader()
  const line = createExchangeFormatter({ header, t0: Date.parse(header._rec.t0) })
  writeFileSync(join(cwd, 'raw.rec.ndjson'), `${formatLine(header)}${line(sampleExchange(1))}`)
  await report(cwd, 'raw.rec.ndjson')
  expect(statSync(join(cwd, 'raw.report.html')).mode & 0o777).toBe(0o600)
  expect(pageIn(cwd, 'raw.report.html')).toContain('it holds secrets and people as they were')
})

test.each([
  ['missing.rec.ndjson', /reading the recording .*missing\.rec\.ndjson.*no such file/],
  ['empty.txt', /it has no header: it is empty/],
  ['ftp://127.0.0.1', /reading the recording/],
  ['http://127.0.0.1:9', /nothing answers there/],
])('%s is no source: the error says so, and no file is made', async (source, message) => {
  const cwd = folderOf()
  writeFileSync(join(cwd, 'empty.txt'), '')
  const failed = report(cwd, source)
  await expect(failed).rejects.toBeInstanceOf(Problem)
  await expect(failed).rejects.toThrow(message)
  expect(existsSync(join(cwd, 'report.html'))).toBe(false)
})

test('of a session: verdicts with evidence and clauses, faults, slots, and no token of it', async () => {
  const cwd = folderOf()
  await using harness = await openHarness({
    seed: 7,
    defects: ['counts-events'],
    faults: [{ reorder: { event: 'CONFIRMED' } }],
  })
  const { session } = harness
  await harness.order('TAKEOUT')
  await harness.order('DELIVERY')
  await harness.pass(120_000)
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  try {
    const { code } = await report(cwd, control.url)
    expect(code).toBe(0)
    const page = pageIn(cwd, 'report.html')
    const { verdicts } = await session.look({ verdicts: true })
    const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    const wanted = failed.flatMap(({ id, clauses }) => [
      `id="v-${id}" open`,
      ...clauses.map((clause) => `class="clause">${clause}</span>`),
    ])
    expect(wanted.filter((each) => !page.includes(each))).toEqual([])
    // Each clause with its sentence and its place.
    expect(page).not.toMatch(/class="clause">[^<]*<\/span><\/li>/)
    expect(page).toMatch(/Faults<\/h2>.*reorder/s)
    expect(page).toContain('<code>o2 ')
    const tokens = new Set<string>()
    const { traffic } = await session.look({ traffic: { limit: 1000 } })
    for (const { seq } of traffic) {
      const { exchange } = await session.look({ exchange: seq })
      for (const [name, value] of exchange?.request.headers ?? [])
        if (name.toLowerCase() === 'authorization') tokens.add(value.replace(/^Bearer /, ''))
    }
    expect(tokens.size).toBeGreaterThan(0)
    expect([...tokens].filter((token) => page.includes(token))).toEqual([])
    const one = await report(cwd, control.url, '--order', 'o2', '-o', 'o2.html')
    expect(one.code).toBe(0)
    expect([...pageIn(cwd, 'o2.html').matchAll(/class="order"/g)]).toHaveLength(1)
    await expect(report(cwd, control.url, '--control', control.url)).rejects.toThrow('named twice')
  } finally {
    await control.close()
  }
})
