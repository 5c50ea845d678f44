import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createExchangeFormatter, formatEndLine, formatLine } from './recording-lines.ts'
import { createRecordingReader, readRecordedLine, type RollingHash } from './reader.ts'
import { createSalt } from './line-ids.ts'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../../test/support/sample-exchange.ts'

const salt = createSalt([1, 2, 3])
const header = sampleHeader({}, salt)
const format = createExchangeFormatter({ header, t0: sampleT0 })
const body = formatLine(header) + format(sampleExchange(1)) + format(sampleExchange(2))
const sha256 = createHash('sha256').update(body).digest('hex')
const whole = body + formatEndLine({ salt, instant: sampleT0, seq: 2, http: 2, dropped: 0, sha256 })

function rolling(): RollingHash {
  const hash = createHash('sha256')
  return { update: (text) => hash.update(text), current: () => hash.copy().digest('hex') }
}

function read(text: string, chunk = text.length) {
  const reader = createRecordingReader(rolling())
  const lines = []
  for (let at = 0; at < text.length; at += chunk)
    lines.push(...reader.feed(text.slice(at, at + chunk)))
  const { last, summary } = reader.finish()
  return { kinds: [...lines, ...last].map(({ kind }) => kind), summary }
}

test.each([1, 7, 100, 100_000])('a recording is read in chunks of %i characters', (chunk) => {
  const { kinds, summary } = read(whole, chunk)
  expect(kinds).toEqual(['header', 'exchange', 'exchange', 'end'])
  expect(summary).toMatchObject({ exchanges: 2, torn: 0, problems: [], intact: true })
  expect(summary.header?._rec.name).toBe('lunch')
})

test('a modified recording is read, and its hash does not match', () => {
  const { kinds, summary } = read(whole.replace('order-2', 'order-9'))
  expect(kinds).toHaveLength(4)
  expect(summary.intact).toBe(false)
})

test('after a crash, all complete lines are read, the last one is torn and there is no end line', () => {
  const { kinds, summary } = read(body + format(sampleExchange(3)).slice(0, 200))
  expect(kinds).toEqual(['header', 'exchange', 'exchange'])
  expect(summary).toMatchObject({ torn: 200, problems: [] })
  expect(summary.end).toBeUndefined()
})

test('a missing last line feed, CRLF and a byte order mark are accepted', () => {
  expect(read(whole.trimEnd()).kinds).toHaveLength(4)
  expect(read(`\uFEFF${whole.replaceAll('\n', '\r\n')}`).kinds).toHaveLength(4)
})

test('a broken line is reported by number, and the others are read', () => {
  const lines = whole.split('\n')
  lines.splice(
    2,
    0,
    '{"_rec":',
    '[]',
    '{"_rec":{"v":1,"type":"dance"}}',
    '',
    '{"_rec":{"v":2,"type":"http"}}',
  )
  const { kinds, summary } = read(lines.join('\n'))
  expect(kinds).toEqual(['header', 'exchange', 'exchange', 'end'])
  expect(summary.problems).toEqual([
    { line: 3, message: 'it is no JSON' },
    { line: 4, message: 'it has no _rec, so it is no line of a recording' },
    { line: 5, message: 'its type "dance" is not known' },
    { line: 7, message: 'it is of format version 2, and version 1 is the newest known here' },
  ])
})

test('the error of an invalid line names the field', () => {
  const line = format(sampleExchange(1)).replace('"lt":1', '"lt":"1"')
  const result = readRecordedLine(line)
  expect(result.ok ? '' : result.error).toMatch(/^_rec\.lt will not do: /)
})

test('unknown members are kept', () => {
  const line = format(sampleExchange(1)).replace('"cache":{}', '"cache":{},"_mine":{"a":1}')
  const result = readRecordedLine(line)
  expect(result.ok && result.value.line['_mine']).toEqual({ a: 1 })
})

test('marks and snapshots are read', () => {
  const result = readRecordedLine('{"_rec":{"v":1,"type":"mark","id":"x","seq":4},"text":"here"}')
  expect(result).toMatchObject({ ok: true, value: { kind: 'other', line: { text: 'here' } } })
})

test('a missing header is reported, and at most 100 problems are', () => {
  expect(read(format(sampleExchange(1))).summary.problems).toEqual([
    { line: 1, message: 'the first line is no header' },
  ])
  expect(read('nonsense\n'.repeat(500)).summary.problems).toHaveLength(100)
})

test('a line of many megabytes in small chunks is read in one pass', () => {
  const long = `{"_rec":{"v":1,"type":"mark","id":"m","seq":1,"text":"${'x'.repeat(60_000_000)}"}}\n`
  const reader = createRecordingReader()
  // Read from its beginning for each chunk, it would take longer than a test may.
  let lines = 0
  for (let at = 0; at < long.length; at += 4096)
    lines += reader.feed(long.slice(at, at + 4096)).length
  expect(lines).toBe(1)
})
