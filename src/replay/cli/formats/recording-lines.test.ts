/** All lines are read from files, folders of segments, and compressed recordings. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecorder } from '../../../core/runtime/recording/recorder.ts'
import { sampleExchange, sampleInfo, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { defaultLineLimits, type LineLimits, readRecordingLines } from './recording-lines.ts'

let cwd = ''
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'sparring-lines-'))))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

/** Records this many exchanges; into several segments of several compressed blocks for a folder. */
async function recorded(name: string, count: number): Promise<string> {
  const file = join(cwd, name)
  const recorder = createRecorder({
    file,
    t0: sampleT0,
    info: { ...sampleInfo, name: 'today' },
    segments: { bytes: 30_000, frame: 4000 },
    redact: false,
    unsafe: true,
  })
  if (!recorder.ok) throw new Error(recorder.error)
  for (let seq = 1; seq <= count; seq++) {
    recorder.value.record(sampleExchange(seq))
    // In small batches, so that segments fill up one after the other.
    if (seq % 10 === 0) while (recorder.value.stats().queued > 0) await pause(1)
  }
  await recorder.value.close()
  return file.replace(/\/$/, '')
}

async function exchangesIn(path: string, limits: Partial<LineLimits> = {}) {
  const problems: string[] = []
  const seqs: number[] = []
  const complain = (where: string, message: string) => void problems.push(`${where}: ${message}`)
  const allLimits = { ...defaultLineLimits, ...limits }
  for await (const { read } of readRecordingLines(path, complain, allLimits))
    if (read.kind === 'exchange') seqs.push(read.line._rec.seq)
  return { seqs, problems }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('all blocks of all segments of a long recording are read', async () => {
  const folder = await recorded('today/', 100)
  expect(await exchangesIn(folder)).toEqual({ seqs: upTo(100), problems: [] })
})

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
])('a recording compressed with %s is read under any file name', async (_, pack) => {
  const file = await recorded('a.rec.ndjson', 30)
  const packed = join(cwd, 'sent.bin')
  writeFileSync(packed, pack(readFileSync(file)))
  expect(await exchangesIn(packed)).toEqual({ seqs: upTo(30), problems: [] })
})

test('a broken line is reported with its segment, and the others are read', async () => {
  const folder = await recorded('today/', 100)
  const [first = '', second = ''] = readdirSync(folder).toSorted()
  truncateSync(join(folder, first), 3000)
  rmSync(join(folder, second))
  const { seqs, problems } = await exchangesIn(folder)
  expect(seqs.at(0)).toBe(1)
  expect(seqs.at(-1)).toBe(100)
  expect(seqs.length).toBeLessThan(90)
  expect(problems[0]).toBe('segment 2: it is not there')
  expect(problems[1]).toMatch(
    new RegExp(`^${first}: a compressed frame breaks off at byte \\d+; what is there is lost$`),
  )
})

/** A recording with this behind its exchanges. */
async function recordedWith(count: number, behind: string): Promise<Buffer> {
  return Buffer.concat([
    readFileSync(await recorded('whole.rec.ndjson', count)),
    Buffer.from(behind),
  ])
}

const expansion = { freeBytes: 100_000, maxRatio: 20 }

test.each([
  ['zstd', (bytes: Buffer) => zstdCompressSync(bytes)],
  ['gzip', (bytes: Buffer) => gzipSync(bytes)],
  [
    'zstd in blocks that say their size',
    (bytes: Buffer) =>
      Buffer.concat(
        Array.from({ length: Math.ceil(bytes.length / 50_000) }, (_, index) =>
          zstdCompressSync(bytes.subarray(index * 50_000, (index + 1) * 50_000)),
        ),
      ),
  ],
])('%s: what stands for very much is read up to the bound, with a sentence', async (_, pack) => {
  const path = join(cwd, 'bomb.rec.ndjson.packed')
  writeFileSync(path, pack(await recordedWith(20, '{}\n'.repeat(2_000_000))))
  const { seqs, problems } = await exchangesIn(path, { expansion, unreadableLines: 1e9 })
  expect(seqs).toEqual(upTo(20))
  expect(problems.filter((each) => each.includes('it unpacks to more than 20 times'))).toHaveLength(
    1,
  )
  // Lines up to the bound, each with a word, and not two million.
  expect(problems.length).toBeLessThan(200_000)
})

test('reading stops where lines one behind the other cannot be read, and names the line', async () => {
  const path = join(cwd, 'tiny.rec.ndjson')
  const whole = await recordedWith(3, '')
  const lines = whole.toString().split('\n').length - 1
  writeFileSync(
    path,
    Buffer.concat([whole, Buffer.from(`${'\n'.repeat(500)}${'{}\n'.repeat(5000)}`), whole]),
  )
  const { seqs, problems } = await exchangesIn(path, { unreadableLines: 1000 })
  expect(seqs).toEqual(upTo(3))
  expect(problems.at(-1)).toBe(
    `line ${lines + 1000}: 1000 lines up to there cannot be read; the rest is not tried`,
  )
})

test('a line that is longer than the bound is left out by its number, wherever blocks end', async () => {
  const path = join(cwd, 'long.rec.ndjson')
  const whole = (await recordedWith(3, '')).toString().split('\n')
  for (const length of [100_000, 2_000_000]) {
    const lines = [...whole.slice(0, 2), 'x'.repeat(length), ...whole.slice(2)]
    writeFileSync(path, lines.join('\n'))
    const { seqs, problems } = await exchangesIn(path, { lineBytes: 50_000 })
    expect(seqs).toEqual(upTo(3))
    expect(problems).toEqual(['line 3: it is longer than 50000 bytes and was left out'])
  }
})
