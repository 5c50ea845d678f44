/** The recording index gives the same as reading every line. */
import { compact } from '../../base/compact.ts'
import { createHmac } from 'node:crypto'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import {
  createExchangeFormatter,
  formatEndLine,
  formatLine,
} from '../../traffic/recording/recording-lines.ts'
import { formatMarkLine, formatSessionEndLine } from '../../traffic/recording/recording-lines.ts'
import { createSalt } from '../../traffic/recording/line-ids.ts'
import { createRedactor } from '../../traffic/redaction/redactor.ts'
import { createEntityTable } from './entity-table.ts'
import { createLineHead, LineHeadReader, fillLineHead } from './line-head.ts'
import { readRecording } from './read-recording.ts'
import { type IndexFilter, type IndexOptions, openRecordingIndex } from './recording-index.ts'
import { readRecordedLine } from '../../traffic/recording/reader.ts'

const salt = createSalt([4, 2])
const header = sampleHeader({}, salt)
const line = createExchangeFormatter({ header, t0: sampleT0 })
const end = formatEndLine({ salt, instant: sampleT0, seq: 1, http: 1, dropped: 0, sha256: 'ab' })
const folder = () => mkdtempSync(join(tmpdir(), 'sparring-index-'))
const place = (name = 'lunch.rec.ndjson') => join(folder(), name)

/** Twenty exchanges of several operations, orders and parties, some failed. */
const exchanges: readonly Exchange[] = Array.from({ length: 20 }, (_, index) => {
  const seq = index + 1
  const orderId = `order-${seq % 4}`
  const { reply, ...rest } = sampleExchange(seq, { orderId, params: { orderId } })
  if (seq % 7 === 0) return { ...rest, failure: { code: 'ECONNREFUSED', message: 'refused' } }
  if (seq % 5 === 0)
    return {
      ...rest,
      operation: 'receiveOrderEvent',
      from: { role: 'ordering-application', party: 'sparring' },
      to: { role: 'software-service', party: 'subject' },
      fault: 'drop on req(receiveOrderEvent,o1)',
      reply: { status: 503, headers: [] },
    }
  if (seq % 3 === 0)
    return {
      ...rest,
      operation: 'confirmOrder',
      reply: { status: 404, headers: [], body: '{"error":"não há \\"isto\\""}' },
    }
  return { ...rest, ...compact({ reply }) }
})
const text = formatLine(header) + exchanges.map((each) => line(each)).join('')

function written(content: string | Uint8Array = text, name?: string): string {
  const file = place(name)
  writeFileSync(file, content)
  return file
}

async function opened(file: string, options?: IndexOptions) {
  const index = await openRecordingIndex(file, options)
  if (!index.ok) throw new Error(index.error)
  return index.value
}

const positions = (list: Uint32Array) => [...list]
const where = (fits: (exchange: Exchange) => boolean) =>
  exchanges.flatMap((exchange, position) => (fits(exchange) ? [position] : []))

const packed: readonly (readonly [string, (content: string) => Uint8Array])[] = [
  ['plain', (content) => Buffer.from(content)],
  ['gzip', (content) => gzipSync(content)],
  ['zstd, one piece', (content) => zstdCompressSync(content)],
  [
    'zstd, cut anywhere',
    (content) => {
      const bytes = Buffer.from(content)
      const pieces = []
      for (let at = 0; at < bytes.length; at += 3000)
        pieces.push(zstdCompressSync(bytes.subarray(at, at + 3000)))
      return Buffer.concat(pieces)
    },
  ],
]

test.each(packed)('%s: every exchange is read at its position', async (_, pack) => {
  const index = await opened(written(pack(text + end)))
  expect(index).toMatchObject({ count: 20, problems: [], closed: true })
  expect(index.header._rec.name).toBe('lunch')
  for (const [position, exchange] of exchanges.entries())
    expect(await index.at(position)).toMatchObject(exchange)
  expect(index.row(6)).toEqual({
    seq: 7,
    startedAt: sampleT0 + 71.75,
    tookMs: 1.5,
    status: 0,
    from: exchanges[6]?.from,
    to: exchanges[6]?.to,
    operation: 'getOrder',
    entity: index.row(2).entity,
    bytes: line(exchanges[6]!).length - 1,
    failed: true,
    open: false,
    faulty: false,
  })
  await expect(index.at(20)).rejects.toThrow('there is no exchange 20: the recording has 20')
  index.close()
})

test.each(packed)('%s: a filter gives the same as testing every exchange', async (_, pack) => {
  const index = await opened(written(pack(text)))
  const filter = (by: IndexFilter) => index.filter(by)
  expect(positions(await filter({}))).toEqual(exchanges.map((__, position) => position))
  expect(positions(await filter({ operation: 'confirmOrder' }))).toEqual(
    where(({ operation }) => operation === 'confirmOrder'),
  )
  expect(positions(await filter({ order: 'order-2' }))).toEqual(
    where(({ orderId }) => orderId === 'order-2'),
  )
  expect(positions(await filter({ order: 'order-9' }))).toEqual([])
  expect(positions(await filter({ status: 404 }))).toEqual(
    where(({ reply }) => reply?.status === 404),
  )
  expect(positions(await filter({ status: '5xx' }))).toEqual(
    where(({ reply }) => reply?.status === 503),
  )
  expect(positions(await filter({ status: 'none' }))).toEqual(where(({ reply }) => !reply))
  expect(
    positions(await filter({ party: 'sparring', operation: ['getOrder', 'confirmOrder'] })),
  ).toEqual(where(({ operation }) => operation !== 'receiveOrderEvent'))
  expect(positions(await filter({ text: 'não há "isto"' }))).toEqual([])
  expect(positions(await filter({ text: 'não há \\"isto' }))).toEqual(
    where(({ reply }) => reply?.body?.includes('isto') === true),
  )
  expect(positions(await filter({ text: 'request-13', order: 'order-1' }))).toEqual([12])
  index.close()
})

test('text search over many candidates scans the whole file', async () => {
  const many = Array.from({ length: 1500 }, (_, index) => line(sampleExchange(index + 1))).join('')
  const index = await opened(written(formatLine(header) + many))
  expect(positions(await index.filter({ text: 'request-1203' }))).toEqual([1202])
  expect((await index.filter({ text: 'Ana Souza' })).length).toBe(1500)
  expect(positions(await index.filter({ text: 'nobody' }))).toEqual([])
  index.close()
})

test('seek by time or number gives the exchange that began then or later', async () => {
  const index = await opened(written())
  expect(index.seek(0)).toBe(0)
  expect(index.seek(sampleT0 + 10.25 * 5)).toBe(4)
  expect(index.seek(sampleT0 + 10.25 * 5 + 0.1)).toBe(5)
  expect(index.seek(sampleT0 + 1_000_000)).toBe(20)
  expect(index.positionOf(9)).toBe(8)
  expect(index.positionOf(99)).toBe(20)
  index.close()
})

test('seek by time gives the first that began then or later, though the clock was set back', async () => {
  const at = [10, 50, 20, 60, 30]
  const lines = at.map((ms, index) => line(sampleExchange(index + 1, { startedAt: sampleT0 + ms })))
  const index = await opened(written(formatLine(header) + lines.join('')))
  const found = [0, 10, 15, 50, 55, 60, 61].map((ms) => index.seek(sampleT0 + ms))
  expect(found).toEqual([0, 0, 1, 1, 3, 3, 5])
  index.close()
})

test('exchanges are ordered by begin, not by end', async () => {
  const order = [3, 1, 2, 9, 8, 4, 7, 5, 6, 10]
  const index = await opened(
    written(formatLine(header) + order.map((seq) => line(sampleExchange(seq))).join('')),
  )
  const numbers = Array.from({ length: 10 }, (_, position) => index.row(position).seq)
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(index.seek(sampleT0 + 10.25 * 6)).toBe(5)
  index.close()
})

const verdictsLine = formatSessionEndLine(
  { salt, t0: sampleT0, instant: sampleT0 + 6, seq: 3, before: 1 },
  {
    faults: [],
    orders: [],
    verdicts: [
      {
        id: 'SE-7',
        sentence: 'Must read.',
        remedy: 'Read.',
        clauses: [],
        outcome: 'failed',
        premises: 1,
        violations: 1,
        findings: [{ because: 'Confirmed unread.', evidence: [2] }],
      },
    ],
  },
)

test('refresh reads what was written since, and leaves a partial line until it is complete', async () => {
  const file = written(formatLine(header) + line(sampleExchange(1)))
  const index = await opened(file)
  expect(index.count).toBe(1)
  const next = line(sampleExchange(3)) + line(sampleExchange(2))
  appendFileSync(file, next.slice(0, -30))
  expect(await index.refresh()).toBe(1)
  expect(index.row(1).seq).toBe(3)
  appendFileSync(file, next.slice(-30))
  expect(await index.refresh()).toBe(1)
  expect([0, 1, 2].map((position) => index.row(position).seq)).toEqual([1, 2, 3])
  expect((await index.at(1)).seq).toBe(2)
  expect(index.closed).toBe(false)
  appendFileSync(
    file,
    formatMarkLine({ salt, t0: sampleT0, instant: sampleT0 + 5, seq: 3, before: 0 }, 'here') +
      verdictsLine +
      end,
  )
  expect(await index.refresh()).toBe(0)
  expect(index).toMatchObject({ closed: true, problems: [] })
  expect(index.marks).toMatchObject([{ seq: 3, at: sampleT0 + 5, text: 'here' }])
  expect([...index.failures]).toEqual([[2, 'SE-7: Confirmed unread.']])
  index.close()
})

test('a segment that is compressed during reading gives the same content', async () => {
  const long = folder()
  const file = join(long, '0001.rec.ndjson')
  writeFileSync(file, text)
  const index = await opened(long)
  writeFileSync(`${file}.tmp`, zstdCompressSync(text + end))
  renameSync(`${file}.tmp`, `${file}.zst`)
  rmSync(file)
  expect(await index.at(4)).toMatchObject(exchanges[4]!)
  writeFileSync(join(long, '0002.rec.ndjson'), formatLine(header) + line(sampleExchange(21)))
  expect(await index.refresh()).toBe(1)
  expect((await index.at(20)).seq).toBe(21)
  expect(await index.at(4)).toMatchObject(exchanges[4]!)
  expect(positions(await index.filter({ text: 'request-21' }))).toEqual([20])
  index.close()
})

test('the first exchanges are there after a bounded part of the file; refresh goes on to its end', async () => {
  const lines = Array.from({ length: 6000 }, (_, index) => line(sampleExchange(index + 1)))
  const content = formatLine(header) + lines.toSpliced(5000, 0, 'nonsense\n').join('')
  const index = await opened(written(content), { first: 1000 })
  const { count, bytes } = index
  expect(count).toBeGreaterThanOrEqual(1000)
  // One block more at most, however long the file is.
  expect(bytes).toBeLessThan(1000 * (content.length / 6000) + 1024 * 1024)
  expect(index.isWhole).toBe(false)
  expect(positions(await index.filter({ text: `order-${count}"` }))).toContain(count - 1)
  const counts: number[] = []
  expect(await index.refresh(() => counts.push(index.count))).toBe(6000 - count)
  expect(counts[0]).toBeGreaterThan(count)
  expect(index).toMatchObject({ count: 6000, bytes: content.length, isWhole: true })
  expect(index.problems).toEqual([{ line: 5002, message: 'it is no JSON' }])
  expect((await index.at(5999)).seq).toBe(6000)
  index.close()
})

test('a line that reaches over the place where indexing paused is indexed once', async () => {
  const lines = Array.from({ length: 2000 }, (_, index) => line(sampleExchange(index + 1)))
  for (const first of [1, 2, 700]) {
    const index = await opened(written(formatLine(header) + lines.join('')), { first })
    await index.refresh()
    expect(index.count).toBe(2000)
    index.close()
  }
})

test('closing the index ends a scan', async () => {
  const lines = Array.from({ length: 6000 }, (_, index) => line(sampleExchange(index + 1)))
  const index = await opened(written(formatLine(header) + lines.join('')), { first: 1 })
  await index.refresh(() => index.close())
  expect(index.count).toBeLessThan(6000)
})

test('corrupt lines are reported by number, other JSON spellings are parsed, the rest is read', async () => {
  const foreign = JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(line(sampleExchange(30))) as object).toReversed()),
    undefined,
    1,
  ).replaceAll('\n', ' ')
  const file = written(
    `\uFEFF${formatLine(header)}nonsense\n\n${line(sampleExchange(29))}${foreign}\r\n{"_rec":{"v":9,"type":"http"}}\n${line(sampleExchange(31)).slice(0, 200)}`,
  )
  const index = await opened(file)
  expect(index.count).toBe(2)
  expect(await index.at(1)).toMatchObject(sampleExchange(30))
  expect(index.row(1)).toMatchObject({ seq: 30, status: 200, operation: 'getOrder' })
  expect(index.problems).toEqual([
    { line: 2, message: 'it is no JSON' },
    { line: 6, message: 'it is of format version 9, and version 1 is the newest known here' },
  ])
  index.close()
})

test('a file that is no recording is reported', async () => {
  const wrong = async (content: string) => {
    const index = await openRecordingIndex(written(content))
    return index.ok ? '' : index.error.replace(/^reading the recording \S+: /, '')
  }
  expect(await wrong('')).toBe('it has no header: it is empty. Is it a recording?')
  expect(await wrong('a\nb\n')).toBe('it has no header: it is no JSON. Is it a recording?')
  const missing = await openRecordingIndex('/nowhere/at.all')
  expect(missing.ok ? '' : missing.error).toContain('there is no such file or directory (ENOENT)')
})

test('a truncated compressed recording is read up to the break', async () => {
  const many = Array.from({ length: 600 }, (_, index) =>
    line(sampleExchange(index + 1, { orderId: crypto.randomUUID() })),
  ).join('')
  const whole = gzipSync(formatLine(header) + many)
  const index = await opened(written(whole.subarray(0, whole.length - 2000)))
  expect(index.count).toBeGreaterThan(100)
  expect(index.count).toBeLessThan(600)
  expect(index.problems[0]?.message).toMatch(/cannot be decompressed beyond byte \d+ of its text/)
  index.close()
})

test('a recording over the read limits is refused with a remedy', async () => {
  const file = written()
  const few = await readRecording(file, { exchanges: 5, bytes: 1e9 })
  expect(few.ok ? '' : few.error).toBe(
    `reading the recording ${file} whole: it has more than 5 exchanges or 954 MiB. ` +
      `Cut it: sparring export ${file} --only "seq>=1 seq<=5" -o part.rec.ndjson`,
  )
  const small = await readRecording(file, { exchanges: 50, bytes: 1000 })
  expect(small.ok ? '' : small.error).toContain('Cut it')
  const whole = await readRecording(file)
  expect(whole.ok && whole.value.exchanges).toMatchObject(exchanges)
})

const redactor = createRedactor((each) => createHmac('sha256', 'k').update(each).digest('hex'))
const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const anyBody = fc.option(
  fc.oneof(anyText, fc.constant('"response":{"status":999'), fc.json({ maxDepth: 2 })),
  { nil: undefined },
)

test('the fast line reader gives the same as parsing the line (property)', () => {
  fc.assert(
    fc.property(
      fc.record({
        seq: fc.nat(),
        at: fc.integer({ min: -1000, max: 1e9 }),
        order: fc.option(anyText, { nil: undefined }),
        events: fc.option(fc.array(anyText, { maxLength: 60 }), { nil: undefined }),
        fault: fc.option(anyText, { nil: undefined }),
        sent: anyBody,
        got: anyBody,
        status: fc.integer({ min: 100, max: 599 }),
        answered: fc.boolean(),
        redacted: fc.boolean(),
        isOpen: fc.boolean(),
        wall: fc.option(
          fc.record({ startedAt: fc.integer({ min: 0, max: 2e12 }), tookMs: fc.nat(100_000) }),
          { nil: undefined },
        ),
      }),
      (given) => {
        const { reply, orderId: _, params: __, ...rest } = sampleExchange(given.seq)
        const exchange: Exchange = {
          ...rest,
          startedAt: sampleT0 + given.at,
          ...compact({
            orderId: given.order,
            eventIds: given.events,
            fault: given.fault,
            wall: given.wall,
          }),
          request: { ...rest.request, ...compact({ body: given.sent }) },
          ...(given.answered
            ? {
                reply: {
                  ...reply!,
                  status: given.status,
                  ...compact({ body: given.got }),
                },
              }
            : { failure: { code: 'ETIMEDOUT', message: 'too late' } }),
        }
        const format = given.redacted
          ? createExchangeFormatter({ header, t0: sampleT0, redactor })
          : line
        const written1 = Buffer.from(format(exchange, given.isOpen ? 'open' : 'http'))
        // Other lines surround it in the block.
        const block = Buffer.concat([
          Buffer.from(end),
          written1,
          Buffer.from(line(sampleExchange(1))),
        ])
        const from = end.length
        const quick = createLineHead()
        const read = new LineHeadReader(quick).read(block, from, from + written1.length - 1)
        expect(read.kind).toBe('exchange')
        const parsed = readRecordedLine(written1.toString('utf8').trim())
        const slow = createLineHead()
        if (parsed.ok && (parsed.value.kind === 'exchange' || parsed.value.kind === 'open'))
          fillLineHead(slow, parsed.value.line)
        expect(quick).toEqual(slow)
        if (given.wall) expect(quick.tookMs).toBe(given.wall.tookMs)
      },
    ),
    { numRuns: 200 },
  )
})

test('the entity table gives stable, distinct numbers to 100,000 ids', () => {
  const table = createEntityTable()
  const ids = Array.from({ length: 100_000 }, (_, index) => `order-${index.toString(36)}`)
  expect(ids.every((id, number) => table.add(id) === number)).toBe(true)
  expect(ids.every((id, number) => table.find(id) === number && table.add(id) === number)).toBe(
    true,
  )
  expect(table.find('order-zzzz')).toBeUndefined()
  expect(table.size()).toBe(100_000)
  expect(readFileSync(written()).length).toBe(Buffer.byteLength(text))
})
