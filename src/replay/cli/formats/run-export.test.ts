/** A part of a recording is itself a complete recording, for sources of any size. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { createRecorder } from '../../../core/runtime/recording/recorder.ts'
import { sampleExchange, sampleInfo, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { emptyFolder } from '../../../../test/support/spawn-sparring.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { words } from '../../../../test/support/shell-words.ts'

let cwd = ''
beforeEach(() => (cwd = emptyFolder()))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

async function sparring(...args: readonly string[]) {
  const { io, written } = createTestIo({ cwd })
  const code = await runVerbs(args, io)
  return { code, ...written() }
}

const longBody = JSON.stringify({ note: 'ação '.repeat(20_000) })

/** The third exchange has a body too long for its line, and binary data. */
const lived = (seq: number): Exchange =>
  seq === 3
    ? sampleExchange(seq, {
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:7101/v2/orders/order-3/confirm',
          headers: [['Content-Type', 'application/json']],
          body: longBody,
        },
        reply: {
          status: 200,
          headers: [['content-type', 'image/png']],
          wire: { base64: Buffer.from([0, 255, 1]).toString('base64') },
        },
      })
    : sampleExchange(seq)

async function record(name: string, count = 9): Promise<void> {
  const recorder = createRecorder({
    file: join(cwd, name),
    t0: sampleT0,
    info: sampleInfo,
    redact: false,
    unsafe: true,
  })
  if (!recorder.ok) throw new Error(recorder.error)
  for (let seq = 1; seq <= count; seq++) recorder.value.record(lived(seq))
  await recorder.value.close()
}

const read = async (name: string) => {
  const content = await readRecording(join(cwd, name))
  if (!content.ok) throw new Error(content.error)
  return content.value
}

test('a range of sequence numbers is exported with unchanged lines', async () => {
  await record('lunch.rec.ndjson')
  const said = await sparring(
    ...words`export lunch.rec.ndjson --only 'seq>=4 seq<7' -o part.rec.ndjson`,
  )
  expect(said).toMatchObject({ code: 0, stdout: '' })
  expect(said.stderr).toBe('part.rec.ndjson  3 exchanges of lunch.rec.ndjson\n')
  const [whole, part] = [await read('lunch.rec.ndjson'), await read('part.rec.ndjson')]
  expect(part.exchanges).toEqual(whole.exchanges.slice(3, 6))
  expect(part).toMatchObject({ closed: true, problems: [], header: whole.header })
  const lines = readFileSync(join(cwd, 'lunch.rec.ndjson'), 'utf8').split('\n')
  for (const line of lines.slice(4, 7))
    expect(readFileSync(join(cwd, 'part.rec.ndjson'), 'utf8')).toContain(line)
})

test('a folder recording with blob files is exported as one self-contained file', async () => {
  await record('week/')
  const { code } = await sparring(
    ...words`export week/ --format recording --only !order-1 -o part.rec.ndjson`,
  )
  expect(code).toBe(0)
  const whole = await read('week/')
  rmSync(join(cwd, 'week'), { recursive: true })
  const part = await read('part.rec.ndjson')
  expect(part.problems).toEqual([])
  expect(part.header._rec).not.toHaveProperty('segment')
  expect(part.exchanges.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  expect(part.exchanges[1]?.request.body).toBe(longBody)
  expect(part.exchanges[1]?.reply?.wire?.base64).toBe(whole.exchanges[2]?.reply?.wire?.base64)
})

test('--only works with other formats, and a truncated last line is reported', async () => {
  await record('lunch.rec.ndjson')
  const torn = readFileSync(join(cwd, 'lunch.rec.ndjson'), 'utf8').split('\n').slice(0, 6)
  writeFileSync(join(cwd, 'torn.rec.ndjson'), `${torn.join('\n')}\n{"_rec":{"v":1,`)
  const har = await sparring('export', 'torn.rec.ndjson', '--format', 'har', '--only', 'seq=2')
  expect(JSON.parse(har.stdout)).toMatchObject({
    log: { entries: [{ request: { url: expect.stringContaining('order-2') } }] },
  })
  const part = await sparring('export', 'torn.rec.ndjson', '-o', 'mended.rec.ndjson')
  expect(part.stderr).toMatch(/torn\.rec\.ndjson: line 7: .*; it was left out\n/)
  expect(part.stderr).toContain('mended.rec.ndjson  5 exchanges of torn.rec.ndjson')
  expect(await read('mended.rec.ndjson')).toMatchObject({ closed: true, problems: [] })
})

test('an invalid filter and an existing output file are reported before anything is written', async () => {
  await record('lunch.rec.ndjson')
  const to = ['-o', 'part.rec.ndjson']
  await expect(sparring('export', 'lunch.rec.ndjson', '--only', 'seq>=x', ...to)).rejects.toThrow(
    '"seq>=x" needs a number after >=',
  )
  writeFileSync(join(cwd, 'part.rec.ndjson'), 'mine')
  await expect(sparring('export', 'lunch.rec.ndjson', ...to)).rejects.toThrow('it is there already')
  expect(readFileSync(join(cwd, 'part.rec.ndjson'), 'utf8')).toBe('mine')
})

test('exports of a raw recording are allowed only at a git-ignored location', async () => {
  await record('lunch.rec.ndjson')
  mkdirSync(join(cwd, 'repository/.git'), { recursive: true })
  for (const output of ['repository/part.rec.ndjson', 'repository/lunch.har']) {
    await expect(sparring('export', 'lunch.rec.ndjson', '-o', output)).rejects.toThrow(
      /it holds secrets and people as they were\..*redact the recording first: sparring import/,
    )
    expect(existsSync(join(cwd, output))).toBe(false)
  }
})

test('a HAR export inlines bodies from blob files and reports missing ones', async () => {
  await record('lunch/')
  expect(await sparring('export', 'lunch', '-o', 'lunch.har')).toMatchObject({ code: 0 })
  const archive = readFileSync(join(cwd, 'lunch.har'), 'utf8')
  const { log } = JSON.parse(archive) as {
    log: { entries: { request: { postData?: { text?: string } }; response: { content: object } }[] }
  }
  expect(log.entries[2]?.request.postData?.text).toBe(longBody)
  expect(log.entries[2]?.response.content).toMatchObject({ text: 'AP8B', encoding: 'base64' })
  expect(archive).not.toContain('"blob"')
  rmSync(join(cwd, 'lunch/blobs'), { recursive: true })
  for (const name of ['again.har', 'again.rec.ndjson']) {
    const { code, stderr } = await sparring('export', 'lunch', '-o', name)
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /sparring: lunch: the body in blobs\/\w+ is not there; it was left out\n/,
    )
  }
})
