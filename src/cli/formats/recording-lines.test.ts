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
import { createRecorder } from '../../edge/recording/recorder.ts'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import { readRecordingLines } from './recording-lines.ts'

let cwd = ''
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'sparring-lines-'))))
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

/** Records this many exchanges; into several segments of several compressed blocks for a folder. */
async function recorded(name: string, count: number): Promise<string> {
  const file = join(cwd, name)
  const recorder = createRecorder({
    file,
    t0: sampleT0,
    info: {
      name: 'today',
      tool: 'sparring/0.1.0',
      protocol: { name: 'protocol', version: 'v2' },
      parties: [],
    },
    segments: { bytes: 30_000, frame: 4000 },
    redact: false,
    unsafe: true,
  })
  if (!recorder.ok) throw new Error(recorder.error)
  const { record, stats, close } = recorder.value
  for (let seq = 1; seq <= count; seq++) {
    record(sampleExchange(seq))
    // In small batches, so that segments fill up one after the other.
    if (seq % 10 === 0) while (stats().queued > 0) await pause(1)
  }
  await close()
  return file.replace(/\/$/, '')
}

async function exchangesIn(path: string) {
  const problems: string[] = []
  const seqs: number[] = []
  const complain = (where: string, message: string) => void problems.push(`${where}: ${message}`)
  for await (const { read } of readRecordingLines(path, complain))
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
    new RegExp(`^${first}: a compressed frame breaks off at byte \\d+; what stands there is lost$`),
  )
})
