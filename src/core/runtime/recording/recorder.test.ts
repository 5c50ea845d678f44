// @module-tag slow
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sampleExchange, sampleInfo, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { exchangeFromLine } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordedClock } from '../../traffic/recording/format.ts'
import { createRecordingReader } from '../../traffic/recording/reader.ts'
import type { Disk } from './appender.ts'
import { createExchangeQueue, createRecorder, type RecorderOptions } from './recorder.ts'
import { redactionKeyFrom } from './redaction-key.ts'

const key = redactionKeyFrom(Buffer.alloc(32, 7))
const place = () => join(mkdtempSync(join(tmpdir(), 'sparring-rec-')), 'lunch.rec.ndjson')
const base = (file: string) => ({
  file,
  t0: sampleT0,
  info: sampleInfo,
})

function start(options: RecorderOptions) {
  const recorder = createRecorder(options)
  if (!recorder.ok) throw new Error(recorder.error)
  return recorder.value
}
const recording = (file: string) => start({ ...base(file), redact: true, key })
const raw = (file: string) => start({ ...base(file), redact: false, unsafe: true })

function read(file: string) {
  const hash = createHash('sha256')
  const reader = createRecordingReader({
    update: (text) => hash.update(text),
    current: () => hash.copy().digest('hex'),
  })
  const lines = [...reader.feed(readFileSync(file, 'utf8'))]
  const { last, summary } = reader.finish()
  lines.push(...last)
  return {
    summary,
    exchanges: lines.flatMap((line) => (line.kind === 'exchange' ? [line.line] : [])),
  }
}

test('recorded exchanges are read back unchanged', async () => {
  const file = place()
  const recorder = raw(file)
  const exchanges = Array.from({ length: 50 }, (_, index) => sampleExchange(index + 1))
  for (const exchange of exchanges) recorder.record(exchange)
  expect(await recorder.close()).toEqual({ written: 50, dropped: 0 })
  const { exchanges: lines, summary } = read(file)
  expect(lines.map((line) => exchangeFromLine(line, sampleT0))).toEqual(exchanges)
  expect(summary).toMatchObject({ exchanges: 50, intact: true, problems: [], torn: 0 })
  expect(summary.end?._rec).toMatchObject({ seq: 51, counts: { http: 50 }, dropped: 0 })
})

test('secrets do not reach the disk, and the live exchange is unchanged', async () => {
  const file = place()
  const recorder = recording(file)
  const exchange = sampleExchange(1)
  const before = JSON.stringify(exchange)
  recorder.record(exchange)
  await recorder.close()
  expect(readFileSync(file, 'utf8')).not.toMatch(/Ana|a-token-of/)
  expect(JSON.stringify(exchange)).toBe(before)
  const { _rec } = read(file).summary.header!
  expect(_rec.redaction).toEqual({ policy: 'default-1', keyId: key.keyId, mode: 'pseudonym' })
})

test('record() is asynchronous: lines are serialised a few ms later', async () => {
  const file = place()
  const recorder = recording(file)
  recorder.record(sampleExchange(1))
  expect(recorder.stats()).toMatchObject({ queued: 1, written: 0 })
  while (recorder.stats().written === 0) await pause(5)
  expect(recorder.stats()).toMatchObject({ queued: 0, written: 1, dropped: 0 })
  expect(read(file).exchanges).toHaveLength(1)
  await recorder.close()
})

test('an existing recording is resumed under its header', async () => {
  const file = place()
  const first = recording(file)
  first.record(sampleExchange(1))
  first.record(sampleExchange(2))
  await first.close()
  const second = start({ ...base(file), t0: sampleT0 + 60_000, redact: true, key })
  second.record(sampleExchange(1, { startedAt: sampleT0 + 60_500 }))
  await second.close()
  const { exchanges, summary } = read(file)
  expect(exchanges.map(({ _rec }) => _rec.seq)).toEqual([1, 2, 4])
  expect(exchanges[2]?._rec.t.q0).toBe(60_500_000)
  expect(new Set(exchanges.map(({ _rec }) => _rec.id)).size).toBe(3)
  expect(summary).toMatchObject({ exchanges: 3, intact: true })
  expect(summary.end?._rec.counts.http).toBe(3)
})

test('changes of the clock are lines, also when a recording is resumed on another', async () => {
  const file = place()
  const options = { ...base(file), redact: false, unsafe: true } as const
  const on = (clock: RecordedClock) => start({ ...options, info: { ...options.info, clock } })
  const first = on({ mode: 'real', speed: 20 })
  first.setClock({ mode: 'real', speed: 20 })
  first.setClock({ mode: 'stepped', speed: 1 })
  await first.close()
  await on({ mode: 'stepped', speed: 1 }).close()
  await on({ mode: 'real', speed: 20 }).close()
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const clocks = lines.flatMap((line) => {
    const { _rec: rec } = JSON.parse(line) as { _rec: { type: string; clock?: RecordedClock } }
    return rec.clock ? [[rec.type, rec.clock]] : []
  })
  expect(clocks).toEqual([
    ['header', { mode: 'real', speed: 20 }],
    ['state', { mode: 'stepped', speed: 1 }],
    ['state', { mode: 'stepped', speed: 1 }],
    ['state', { mode: 'real', speed: 20 }],
  ])
  expect(read(file).summary).toMatchObject({ problems: [], intact: true })
})

test('a recording is not resumed with another redaction', async () => {
  const file = place()
  await recording(file).close()
  const before = readFileSync(file, 'utf8')
  const asRaw = createRecorder({ ...base(file), redact: false, unsafe: true })
  expect(asRaw.ok ? '' : asRaw.error).toBe(
    `writing to ${file}: it was begun with redaction "pseudonym", and "none" is asked for. Name another file`,
  )
  const other = redactionKeyFrom(Buffer.alloc(32, 8))
  const otherKey = createRecorder({ ...base(file), redact: true, key: other })
  expect(otherKey.ok ? '' : otherKey.error).toContain(
    `begun with the redaction key ${key.keyId}, and yours is ${other.keyId}`,
  )
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a file that is no recording is not touched', () => {
  const file = place()
  writeFileSync(file, '{"my":"notes"}')
  const recorder = createRecorder({ ...base(file), redact: false, unsafe: true })
  expect(recorder.ok ? '' : recorder.error).toBe(
    `writing to ${file}: it is no recording: of its first line, it has no _rec, so it is no line of a recording. Name another file`,
  )
  expect(readFileSync(file, 'utf8')).toBe('{"my":"notes"}')
})

test('a second recorder for the same file is refused', async () => {
  const file = place()
  const recorder = recording(file)
  const second = createRecorder({ ...base(file), redact: true, key })
  expect(second.ok ? '' : second.error).toContain('this very process is writing to it')
  await recorder.close()
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('a partial header left by a crash is repaired', async () => {
  const file = place()
  writeFileSync(file, '{"_rec":{"v":1,"type":"hea')
  const recorder = recording(file)
  recorder.record(sampleExchange(1))
  await recorder.close()
  expect(read(file).summary).toMatchObject({ exchanges: 1, intact: true, problems: [] })
  expect(readFileSync(`${file}.torn`, 'utf8')).toBe('{"_rec":{"v":1,"type":"hea\n')
})

test('a slow disk drops exchanges instead of growing memory, and the recording counts them', async () => {
  const file = place()
  const full: Disk = {
    write: (_, __, done) => {
      setTimeout(() => done(Object.assign(new Error('full'), { code: 'ENOSPC' }), 0), 1)
    },
    force: (_, done) => done(null),
  }
  const recorder = start({
    ...base(file),
    redact: false,
    unsafe: true,
    appender: { disk: full, retryMs: 10, maxPendingBytes: 100_000 },
  })
  for (let seq = 1; seq <= 25_000; seq++) recorder.record(sampleExchange(seq))
  expect(recorder.stats()).toMatchObject({ queued: 20_000, dropped: 5000 })
  while (recorder.stats().problem?.includes('missing') !== false) await pause(5)
  expect(recorder.stats().problem).toContain('the disk is full (ENOSPC). Free some space')
  expect(await recorder.close()).toEqual({ written: 0, dropped: 25_000 })
})

test('after the disk recovers the rest is written, and the end line counts dropped exchanges', async () => {
  const file = place()
  const { write, fdatasync } = await import('node:fs')
  let isFull = true
  const disk: Disk = {
    write: (fd, bytes, done) => {
      if (isFull) setTimeout(() => done(Object.assign(new Error('full'), { code: 'ENOSPC' }), 0), 1)
      else write(fd, bytes, done)
    },
    force: fdatasync,
  }
  const recorder = start({
    ...base(file),
    redact: false,
    unsafe: true,
    appender: { disk, retryMs: 10, maxPendingBytes: 50_000 },
  })
  for (let seq = 1; seq <= 200; seq++) recorder.record(sampleExchange(seq))
  while (recorder.stats().queued > 0) await pause(5)
  const lost = recorder.stats().dropped
  expect(lost).toBeGreaterThan(0)
  isFull = false
  while (recorder.stats().written === 0) await pause(5)
  recorder.record(sampleExchange(201))
  expect(await recorder.close()).toEqual({ written: 201 - lost, dropped: lost })
  expect(recorder.stats().problem).toContain(`${lost} exchanges are missing`)
  const { summary, exchanges } = read(file)
  expect(summary).toMatchObject({ exchanges: 201 - lost, intact: true, problems: [] })
  expect(summary.end?._rec).toMatchObject({ dropped: lost, counts: { http: 201 - lost } })
  expect(exchanges.at(-1)?._rec.seq).toBe(201)
})

test.each([
  ['', {}],
  [' of a process whose event loop has no turn', { BUSY: '1' }],
])('after a kill%s the file opens, and at most the last 200 ms are missing', async (_name, env) => {
  const file = place()
  const fixture = fileURLToPath(
    new URL('../../../../test/support/kill-recorder.ts', import.meta.url),
  )
  const child = spawn(process.execPath, [fixture, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const told: { readonly seq: number; readonly at: number }[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const rows = (rest + text).split('\n')
    rest = rows.pop() ?? ''
    for (const row of rows) {
      const [seq = 0, at = 0] = row.split(' ').map(Number)
      told.push({ seq, at })
    }
  })
  while (told.length < 120) await pause(10)
  const killedAt = Date.now()
  child.kill('SIGKILL')
  await once(child, 'close')

  const due = Math.max(...told.filter(({ at }) => at <= killedAt - 200).map(({ seq }) => seq))
  const left = read(file)
  expect(left.summary.problems).toEqual([])
  expect(left.summary.end).toBeUndefined()
  const numbers = left.exchanges.map(({ _rec }) => _rec.seq)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(due).toBeGreaterThan(100)
  expect(numbers.length).toBeGreaterThanOrEqual(due)
  expect(readFileSync(file, 'utf8')).not.toMatch(/Ana|a-token-of/)

  // The stale lock is taken over, the torn line set aside, and the recording resumed.
  const recorder = recording(file)
  recorder.record(sampleExchange(1))
  await recorder.close()
  const mended = read(file)
  expect(mended.summary).toMatchObject({ intact: true, problems: [], torn: 0 })
  expect(mended.exchanges.at(-1)?._rec.seq).toBe(numbers.length + 1)
})

test('the queue is FIFO at any fill level', () => {
  const queue = createExchangeQueue()
  let pushed = 0
  let taken = 0
  const push = (count: number) => {
    for (let each = 0; each < count; each++)
      expect(queue.push(sampleExchange(++pushed), pushed)).toBe(true)
  }
  const take = (count: number) => {
    for (let each = 0; each < count; each++) {
      expect(queue.oldestAt()).toBe(taken + 1)
      expect(queue.take()?.seq).toBe(++taken)
    }
  }
  push(1500)
  take(1200)
  push(900)
  take(1100)
  expect(queue.size()).toBe(100)
  take(100)
  expect(queue.take()).toBeUndefined()
  expect(queue.oldestAt()).toBe(Number.POSITIVE_INFINITY)
  expect(queue.bytes()).toBe(0)
  push(3)
  take(3)
  expect(queue.size()).toBe(0)
})

test('the queue is bounded, and is cleared at once', () => {
  const queue = createExchangeQueue()
  let taken = 0
  while (queue.push(sampleExchange(taken + 1), taken)) taken++
  expect(taken).toBe(20_000)
  expect(queue.clear()).toBe(20_000)
  expect([queue.size(), queue.bytes(), queue.take()]).toEqual([0, 0, undefined])
  expect(queue.push(sampleExchange(1), 1)).toBe(true)
  expect(queue.take()?.seq).toBe(1)
})

test('the bound counts the bytes of bodies', () => {
  const queue = createExchangeQueue()
  const long = sampleExchange(1, {
    reply: { status: 200, headers: [], body: 'x'.repeat(9 * 1024 * 1024) },
  })
  let taken = 0
  while (queue.push(long, taken)) taken++
  expect(taken).toBe(4)
})
