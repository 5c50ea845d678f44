// @module-tag slow
/** Segmented recordings: segments, separately stored bodies, and recovery after a kill or a full disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  fdatasync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  write,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sampleExchange, sampleInfo, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { runsFor } from '../../../../test/support/soak.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Disk } from './appender.ts'
import { readRecording } from './read-recording.ts'
import { createRecorder, type RecorderOptions } from './recorder.ts'
import { openRecordingIndex } from './recording-index.ts'
import { redactionKeyFrom } from './redaction-key.ts'

const key = redactionKeyFrom(Buffer.alloc(32, 7))
const place = () => join(mkdtempSync(join(tmpdir(), 'sparring-long-')), 'today')
const small = { bytes: 20_000, frame: 6000 }

const base = (folder: string) => ({
  file: `${folder}/`,
  t0: sampleT0,
  info: { ...sampleInfo, name: 'today' },
  segments: small,
})

function start(options: RecorderOptions) {
  const recorder = createRecorder(options)
  if (!recorder.ok) throw new Error(recorder.error)
  return recorder.value
}
type Changes = Pick<RecorderOptions, 'appender' | 'underWay'>
const raw = (folder: string, options: Changes = {}) =>
  start({ ...base(folder), ...options, redact: false, unsafe: true })

async function read(folder: string) {
  const content = await readRecording(folder)
  if (!content.ok) throw new Error(content.error)
  return content.value
}

/** Exchanges without recorded metadata. */
const bare = (exchanges: readonly Exchange[]) =>
  exchanges.map((exchange) => {
    const { recordId: _, ...rest } = exchange as Exchange & { recordId: string }
    return rest
  })

/** Segments that are not compressed yet. */
const plainSegments = (folder: string): number =>
  readdirSync(folder).filter((name) => name.endsWith('.ndjson')).length

/**
 * Records in batches of ten, each written before the next and all full segments compressed, so that their number is
 * the same on any machine.
 */
async function recordMany(folder: string, count: number, options: Changes = {}) {
  const recorder = raw(folder, options)
  const exchanges = Array.from({ length: count }, (_, index) => sampleExchange(index + 1))
  for (const [index, exchange] of exchanges.entries()) {
    recorder.record(exchange)
    if (index % 10 === 9)
      while (
        (recorder.stats().written <= index || plainSegments(folder) > 1) &&
        !recorder.stats().problem
      )
        await pause(1)
  }
  return { recorder, exchanges }
}

test('a folder of segments, compressed when full, reads like one recording', async () => {
  const folder = place()
  const { recorder, exchanges } = await recordMany(folder, 120)
  expect(await recorder.close()).toEqual({ written: 120, dropped: 0 })

  const names = readdirSync(folder).toSorted()
  expect(names.length).toBeGreaterThan(4)
  expect(names.every((name) => /^\d{4}\.rec\.ndjson\.zst$/.test(name))).toBe(true)
  const content = await read(folder)
  expect(bare(content.exchanges)).toEqual(exchanges)
  expect(content).toMatchObject({ problems: [], closed: true })
})

test('every segment is a complete recording with its number in the header', async () => {
  const folder = place()
  const { recorder } = await recordMany(folder, 60)
  await recorder.close()
  const [, second = ''] = readdirSync(folder).toSorted()
  const alone = await read(join(folder, second))
  const before = alone.exchanges[0]!.seq - 1
  expect(alone.header._rec['segment']).toEqual({ number: 2, http: before, seq: before })
  // Its end line says that another segment follows.
  expect(alone.closed).toBe(false)
  expect(alone.problems).toEqual([])
})

test('a segment is compressed in frames of whole lines, each readable by itself', async () => {
  const folder = place()
  const { recorder } = await recordMany(folder, 60)
  await recorder.close()
  const bytes = readFileSync(join(folder, '0001.rec.ndjson.zst'))
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
  const starts: number[] = []
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 4)) starts.push(at)
  expect(starts.length).toBeGreaterThan(2)
  for (const [index, from] of starts.entries()) {
    const text = zstdDecompressSync(bytes.subarray(from, starts[index + 1])).toString('utf8')
    expect(text).toMatch(/^\{"_rec":/)
    expect(text.endsWith('}\n')).toBe(true)
  }
})

test('a resumed folder continues with a new segment, its header and its sequence numbers', async () => {
  const folder = place()
  const first = await recordMany(folder, 30)
  await first.recorder.close()
  const second = start({ ...base(folder), t0: sampleT0 + 60_000, redact: false, unsafe: true })
  second.record(sampleExchange(1, { startedAt: sampleT0 + 60_500 }))
  await second.close()
  const { exchanges, header, problems } = await read(folder)
  const numbers = exchanges.map(({ seq }) => seq)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(new Set(exchanges.map(({ recordId }) => recordId)).size).toBe(31)
  expect(exchanges.at(-1)?.startedAt).toBe(sampleT0 + 60_500)
  expect(header._rec.t0).toBe(new Date(sampleT0).toISOString())
  expect(problems).toEqual([])
})

test('segments at the end that a kill left empty are removed, and their numbers used again', async () => {
  const folder = place()
  const first = raw(folder)
  first.record(sampleExchange(1))
  await first.close()
  for (const name of ['0002', '0003']) {
    writeFileSync(join(folder, `${name}.rec.ndjson`), '')
    writeFileSync(join(folder, `${name}.rec.ndjson.lock`), '')
  }
  const second = raw(folder)
  second.record(sampleExchange(2))
  await second.close()
  expect(readdirSync(folder).toSorted()).toEqual(['0001.rec.ndjson.zst', '0002.rec.ndjson.zst'])
  const { exchanges, problems } = await read(folder)
  expect(exchanges).toHaveLength(2)
  expect(problems).toEqual([])
})

test('a second recorder, another key, and a folder with foreign files are refused', async () => {
  const folder = place()
  const recorder = raw(folder)
  const second = createRecorder({ ...base(folder), redact: false, unsafe: true })
  expect(second.ok ? '' : second.error).toContain('this very process is writing to it')
  recorder.record(sampleExchange(1))
  await recorder.close()
  const asRedacted = createRecorder({ ...base(folder), redact: true, key })
  expect(asRedacted.ok ? '' : asRedacted.error).toContain('begun with redaction "none"')
  const other = place()
  mkdirSync(other)
  writeFileSync(join(other, 'notes.txt'), 'mine')
  const amiss = createRecorder({ ...base(other), redact: false, unsafe: true })
  expect(amiss.ok ? '' : amiss.error).toContain('notes.txt lies in it, which is no part')
  expect(readdirSync(other)).toEqual(['notes.txt'])
})

const longBody = JSON.stringify({ note: 'ação '.repeat(20_000) })
const bytes = Buffer.from([0, 255, 1, 254, 128])

const withBodies = (seq: number): Exchange =>
  sampleExchange(seq, {
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:7101/v2/orders/x',
      headers: [['Content-Type', 'application/json']],
      body: longBody,
    },
    reply: {
      status: 200,
      headers: [['content-type', 'image/png']],
      wire: { coding: 'gzip', bytes: 3, sha256: 'ab', base64: bytes.toString('base64') },
    },
  })

test('large and binary bodies are stored in separate files, deduplicated', async () => {
  const folder = place()
  const recorder = raw(folder)
  for (let seq = 1; seq <= 5; seq++) recorder.record(withBodies(seq))
  await recorder.close()
  expect(readdirSync(join(folder, 'blobs'))).toHaveLength(2)
  const segment = readFileSync(join(folder, '0001.rec.ndjson.zst'))
  expect(zstdDecompressSync(segment).length).toBeLessThan(20_000)
  const { exchanges, problems } = await read(folder)
  expect(problems).toEqual([])
  expect(bare(exchanges)).toEqual([1, 2, 3, 4, 5].map(withBodies))
})

test('in a single file the same bodies are inline', async () => {
  const file = `${place()}.rec.ndjson`
  const recorder = start({ ...base(''), file, redact: false, unsafe: true })
  recorder.record(withBodies(1))
  await recorder.close()
  const { exchanges } = await read(file)
  expect(bare(exchanges)).toEqual([withBodies(1)])
})

test('a missing or altered body is reported, and the exchange is read without it', async () => {
  const folder = place()
  const recorder = raw(folder)
  recorder.record(withBodies(1))
  await recorder.close()
  const names = readdirSync(join(folder, 'blobs'))
  for (const name of names) {
    const file = join(folder, 'blobs', name)
    if (statSync(file).size < 100) rmSync(file)
    else writeFileSync(file, 'something else')
  }
  const { exchanges, problems } = await read(folder)
  expect(exchanges[0]?.request.body).toBeUndefined()
  expect(problems.map(({ message }) => message).toSorted()).toEqual([
    expect.stringMatching(/^of exchange 1, the body in blobs\/[\da-f]{64} is not there$/),
    expect.stringMatching(
      /^of exchange 1, the body in blobs\/[\da-f]{64} is not what was recorded/,
    ),
  ])
})

test('redaction omits binary bodies and says so; large texts are redacted in their files', async () => {
  const folder = place()
  const secret = sampleExchange(1, {
    request: {
      ...withBodies(1).request,
      body: JSON.stringify({ customer: { name: 'Ana Souza' }, pad: 'x'.repeat(70_000) }),
    },
    reply: withBodies(1).reply!,
  })
  const recorder = start({ ...base(folder), redact: true, key })
  recorder.record(secret)
  await recorder.close()
  const [name = ''] = readdirSync(join(folder, 'blobs'))
  expect(readFileSync(join(folder, 'blobs', name), 'utf8')).not.toContain('Ana')
  const line = zstdDecompressSync(readFileSync(join(folder, '0001.rec.ndjson.zst'))).toString()
  expect(line).toContain('{"p":"p.body","c":"binary"}')
  expect(line).not.toContain(bytes.toString('base64'))
  expect((await read(folder)).exchanges[0]?.reply?.wire).toEqual({ coding: 'gzip', bytes: 3 })

  const keeping = place()
  const keeper = start({ ...base(keeping), redact: true, key, keepBinary: true })
  keeper.record(secret)
  await keeper.close()
  expect((await read(keeping)).exchanges[0]?.reply?.wire?.base64).toBe(bytes.toString('base64'))
})

/** The file of a descriptor. */
const fileOf = (fd: number): string => readlinkSync(`/proc/self/fd/${fd}`)
const noSpace = () => Object.assign(new Error('full'), { code: 'ENOSPC' })

/** A disk that is full for files of one kind, while switched on. */
function fullFor(kind: RegExp) {
  const state = { isFull: true }
  const disk: Disk = {
    write: (fd, data, done) => {
      if (state.isFull && kind.test(fileOf(fd))) setTimeout(() => done(noSpace(), 0), 1)
      else write(fd, data, done)
    },
    force: fdatasync,
  }
  return { state, disk }
}
const elsewhere = process.platform !== 'linux'

test.skipIf(elsewhere)(
  'disk full during compression: the plain segment stays, the problem is reported, a retry succeeds',
  async () => {
    const folder = place()
    const { state, disk } = fullFor(/\.tmp$/)
    const { recorder, exchanges } = await recordMany(folder, 40, { appender: { disk, retryMs: 5 } })
    while (!recorder.stats().problem) await pause(1)
    expect(recorder.stats().problem).toMatch(
      /^compressing .*0001\.rec\.ndjson, which stays as it is: the disk is full \(ENOSPC\)/,
    )
    while (recorder.stats().written < 40) await pause(1)
    expect((await read(folder)).exchanges).toHaveLength(40)
    state.isFull = false
    await recorder.close()
    expect(readdirSync(folder).every((name) => name.endsWith('.zst'))).toBe(true)
    expect(bare((await read(folder)).exchanges)).toEqual(exchanges)
  },
)

test.skipIf(elsewhere)(
  'disk full for a body: no line refers to it before it is stored',
  async () => {
    const folder = place()
    const { state, disk } = fullFor(/blobs/)
    const recorder = raw(folder, { appender: { disk, retryMs: 5 } })
    recorder.record(sampleExchange(1))
    recorder.record(withBodies(2))
    recorder.record(sampleExchange(3))
    while (!recorder.stats().problem) await pause(1)
    expect(recorder.stats().problem).toMatch(
      /^writing a body to .*blobs: the disk is full \(ENOSPC\)/,
    )
    expect((await read(folder)).exchanges.map(({ seq }) => seq)).toEqual([1])
    expect(recorder.stats().queued).toBe(2)
    state.isFull = false
    while (recorder.stats().queued > 0) await pause(1)
    expect(await recorder.close()).toEqual({ written: 3, dropped: 0 })
    expect(bare((await read(folder)).exchanges)).toEqual([
      sampleExchange(1),
      withBodies(2),
      sampleExchange(3),
    ])
  },
)

test.skipIf(elsewhere)(
  'disk full until close: dropped exchanges are counted, the rest is intact',
  async () => {
    const folder = place()
    const { disk } = fullFor(/blobs/)
    const recorder = raw(folder, { appender: { disk, retryMs: 5 } })
    recorder.record(sampleExchange(1))
    recorder.record(withBodies(2))
    recorder.record(sampleExchange(3))
    expect(await recorder.close()).toEqual({ written: 1, dropped: 2 })
    const { exchanges, problems } = await read(folder)
    expect(exchanges.map(({ seq }) => seq)).toEqual([1])
    expect(problems).toEqual([])
  },
)

test.skipIf(elsewhere)(
  'disk full for the live segment: exchanges are queued and written once there is room',
  async () => {
    const folder = place()
    const { state, disk } = fullFor(/\d{4}\.rec\.ndjson$/)
    const recorder = raw(folder, { appender: { disk, retryMs: 5 } })
    for (let seq = 1; seq <= 100; seq++) recorder.record(sampleExchange(seq))
    while (!recorder.stats().problem) await pause(1)
    expect(recorder.stats().problem).toContain('the disk is full (ENOSPC)')
    state.isFull = false
    expect(await recorder.close()).toEqual({ written: 100, dropped: 0 })
    expect((await read(folder)).exchanges).toHaveLength(100)
  },
)

test('a corrupt segment in the middle is reported with its position, the rest is read', async () => {
  const folder = place()
  const { recorder, exchanges } = await recordMany(folder, 120)
  await recorder.close()
  const file = join(folder, '0002.rec.ndjson.zst')
  const data = readFileSync(file)
  // Within its first frame.
  data.fill(0x55, 60, 90)
  writeFileSync(file, data)
  // Their number depends on the disk's speed; another one follows this.
  const lost = readdirSync(folder).toSorted().at(-2) ?? ''
  rmSync(join(folder, lost))
  const content = await read(folder)
  expect(content.exchanges.length).toBeGreaterThan(30)
  expect(content.exchanges.length).toBeLessThan(exchanges.length)
  expect(content.problems).toContainEqual({
    line: 0,
    message: `segment ${Number.parseInt(lost, 10)} is not there`,
  })
  expect(content.problems).toContainEqual({
    line: 0,
    message: expect.stringMatching(
      /cannot be decompressed|breaks off|no compressed frame/,
    ) as string,
    file: '0002.rec.ndjson.zst',
  })
  const index = await openRecordingIndex(folder)
  expect(index.ok && index.value.count).toBe(content.exchanges.length)
  if (index.ok) {
    const last = await index.value.at(index.value.count - 1)
    expect(last.seq).toBe(120)
    index.value.close()
  }
})

test('a truncated segment keeps the frames before the break', async () => {
  const folder = place()
  const { recorder } = await recordMany(folder, 60)
  await recorder.close()
  const file = join(folder, '0001.rec.ndjson.zst')
  writeFileSync(file, readFileSync(file).subarray(0, -20))
  const { exchanges, problems } = await read(folder)
  expect(exchanges[0]?.seq).toBe(1)
  expect(problems[0]).toMatchObject({ file: '0001.rec.ndjson.zst' })
  expect(problems[0]?.message).toMatch(/breaks off at byte \d+; what is there is lost/)
})

test('repeated kills while filling, closing and compressing segments lose nothing that was written', async () => {
  const folder = place()
  const fixture = fileURLToPath(
    new URL('../../../../test/support/kill-recorder.ts', import.meta.url),
  )
  let due = 0
  for (let round = 0; round < runsFor(2, 4); round++) {
    const child = spawn(process.execPath, [fixture, `${folder}/`, '60000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let lines = 0
    let written = 0
    let rest = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const rows = (rest + text).split('\n')
      rest = rows.pop() ?? ''
      for (const row of rows) {
        lines++
        written = Number(row.split(' ')[2])
      }
    })
    while (lines < 60 + round * 11 || written < 500) await pause(2)
    child.kill('SIGKILL')
    await once(child, 'close')
    due += written
    const { exchanges, problems } = await read(folder)
    expect(problems).toEqual([])
    expect(exchanges.length).toBeGreaterThanOrEqual(due)
    due = exchanges.length
    // Every number once: nothing lost, nothing duplicated.
    const numbers = exchanges.map(({ seq }) => seq)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(new Set(exchanges.map(({ recordId }) => recordId)).size).toBe(numbers.length)
  }
  // The next recorder repairs, compresses and resumes.
  const recorder = start({ ...base(folder), redact: true, key })
  recorder.record(sampleExchange(1))
  await recorder.close()
  const names = readdirSync(folder).filter((name) => !name.endsWith('.torn'))
  expect(names.every((name) => name.endsWith('.zst'))).toBe(true)
  const mended = await read(folder)
  expect(mended.exchanges).toHaveLength(due + 1)
  expect(mended).toMatchObject({ closed: true, problems: [] })
})

test('a long exchange is recorded in flight, and its final line replaces that', async () => {
  const folder = place()
  const { reply: _, ...asked } = sampleExchange(2)
  const startedAt = Date.now() - 60_000
  const inFlight = (seq: number, since: number) => ({
    seq,
    startedAt: since,
    soFar: (tookMs: number) => ({ ...asked, seq, startedAt: since, tookMs }),
  })
  const calls = [inFlight(2, startedAt)]
  const recorder = raw(folder, { underWay: () => calls })
  recorder.record(sampleExchange(1))
  const live = join(folder, '0001.rec.ndjson')
  while (!readFileSync(live, 'utf8').includes('"type":"open"')) await pause(20)
  const early = await read(folder)
  expect(early.exchanges.map(({ seq, open, failure }) => [seq, open, failure?.code])).toEqual([
    [1, undefined, undefined],
    [2, true, 'OPEN'],
  ])
  const index = await openRecordingIndex(folder)
  if (!index.ok) throw new Error(index.error)
  expect(index.value.count).toBe(2)
  expect(index.value.row(1)).toMatchObject({ open: true, failed: true, status: 0 })
  recorder.record(sampleExchange(2, { startedAt }))
  calls.splice(0, 1, inFlight(3, Date.now()))
  // Exchanges still in flight are written at the end.
  await recorder.close()
  await index.value.refresh()
  expect(index.value.count).toBe(3)
  expect(index.value.row(1)).toMatchObject({ seq: 2, open: false, status: 200 })
  index.value.close()
  const { exchanges } = await read(folder)
  expect(exchanges.map(({ seq, open }) => [seq, open])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, true],
  ])
})

test('a bookmark is read back, redacted', async () => {
  const folder = place()
  const recorder = start({ ...base(folder), redact: true, key })
  recorder.record(sampleExchange(1))
  while (recorder.stats().queued > 0) await pause(1)
  recorder.mark('here ana@souza.example was lost')
  recorder.mark('and again')
  await recorder.close()
  const index = await openRecordingIndex(folder)
  if (!index.ok) throw new Error(index.error)
  const [first, second] = index.value.marks
  expect(first).toMatchObject({ seq: 1 })
  expect(first?.text).toMatch(/^here .* was lost$/)
  expect(first?.text).not.toContain('souza')
  expect(second?.text).toBe('and again')
  expect(second?.id).not.toBe(first?.id)
  index.value.close()
})

test('an empty folder, and one with other recordings, is refused with a hint', async () => {
  const folder = place()
  mkdirSync(folder)
  expect(await readRecording(folder)).toEqual({
    ok: false,
    error: `reading the recording ${folder}: no recording is in the folder. Name a recording, or the folder of a long one`,
  })
  writeFileSync(join(folder, 'a.rec.ndjson'), '')
  const other = await readRecording(folder)
  expect(other.ok ? '' : other.error).toContain(`Did you mean ${join(folder, 'a.rec.ndjson')}?`)
})
