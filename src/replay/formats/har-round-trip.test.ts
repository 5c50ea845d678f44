// @module-tag slow
/** Round-trip properties of the HAR format, on generated archives. */
import * as fc from 'fast-check'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import {
  createExchangeFormatter,
  formatEndLine,
  createHeaderLine,
  formatLine,
} from '../../core/traffic/recording/recording-lines.ts'
import { createSalt } from '../../core/traffic/recording/line-ids.ts'
import { harFormat } from './har.ts'
import {
  exportText,
  importBytes,
  importText,
  testRedactor,
} from '../../../test/support/round-trip.ts'

const json = (value: unknown): string => JSON.stringify(value)

/** Any custom member, except `_rec`. */
const unknownMembers = fc.dictionary(
  fc.string({ maxLength: 12 }).filter((name) => name !== '_rec' && name !== 'entries'),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 3 },
)

const headers = fc.oneof(
  fc.array(
    fc.record({
      name: fc.constantFrom('Content-Type', ':authority', 'x-request-id', 'content-encoding', ''),
      value: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string())),
    }),
    { maxLength: 4 },
  ),
  fc.constant({ 'content-type': 'text/plain' }),
)

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '{"id":"o-1"}', 'eyJpZCI6MX0=', 'a=1&b=%20', '\u{1F355}', '\uD800'),
)

const content = fc.record(
  {
    size: fc.integer({ min: -1, max: 40 }),
    mimeType: fc.constantFrom('application/json', '', 'image/png'),
    encoding: fc.constantFrom('base64', 'BASE64', 'utf8', ''),
    text: fc.oneof(text, fc.constant(null), fc.integer()),
  },
  { requiredKeys: [] },
)

const httpVersion = fc.constantFrom('HTTP/1.1', 'http/2.0', 'h3', '', null)

const entry = fc
  .record(
    {
      startedDateTime: fc.constantFrom(
        '2026-11-22T12:00:00.123Z',
        '2026-11-22T12:00:00.123456-03:00',
        'yesterday',
        0,
      ),
      time: fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.constantFrom(-1, null)),
      request: fc.record(
        {
          method: fc.constantFrom('GET', 'POST', 'get', ''),
          url: fc.constantFrom(
            'https://partner.example/v2/orders/o-1/confirm',
            '/relative',
            '',
            'https://user:pw@x/%zz',
          ),
          httpVersion,
          headers,
          cookies: fc.constantFrom([], [{ name: 'a', value: 'b' }]),
          queryString: fc.constantFrom([], [{ name: 'q', value: '1' }]),
          postData: fc.oneof(content, fc.constant({ mimeType: 'a/b', params: [{ name: 'n' }] })),
        },
        { requiredKeys: [] },
      ),
      response: fc.oneof(
        fc.record(
          {
            status: fc.constantFrom(200, 202, 0, -1, '200', null),
            statusText: fc.string(),
            httpVersion,
            headers,
            content,
            _error: fc.constantFrom('net::ERR_FAILED', null),
          },
          { requiredKeys: [] },
        ),
        fc.constant(null),
      ),
      timings: fc.constantFrom({ send: 1, wait: 2, receive: 3 }, { blocked: -1 }, {}, null),
      cache: fc.constant({}),
    },
    { requiredKeys: [] },
  )
  .chain((known) => unknownMembers.map((more) => ({ ...known, ...more })))

interface Archive {
  readonly document: unknown
  readonly spaces: number | undefined
  readonly mark: string
  readonly piece: number
}

const archive: fc.Arbitrary<Archive> = fc.record({
  document: fc
    .record({
      first: unknownMembers,
      before: unknownMembers,
      entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
      behind: unknownMembers,
      last: unknownMembers,
    })
    .map(({ first, before, entries, behind, last }) => ({
      ...first,
      // A duplicate member keeps its first position.
      log: { ...before, entries, ...without(behind, before) },
      ...without(last, { ...first, log: 1 }),
    }))
    .filter((document) => 'log' in document && isLog(document.log)),
  spaces: fc.constantFrom(undefined, 2),
  mark: fc.constantFrom('', '\uFEFF'),
  piece: fc.constantFrom(1, 3, 17, 65_536),
})

const isLog = (log: unknown): boolean =>
  typeof log === 'object' && log !== null && Array.isArray((log as { entries?: unknown }).entries)

const without = (members: object, known: object): object =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(known, name)))

const written = ({ document, spaces, mark }: Archive): string =>
  mark + JSON.stringify(document, null, spaces)

test('import and export of a foreign HAR keep every member in order', () => {
  fc.assert(
    fc.property(archive, (given) => {
      const { recording } = importText(harFormat, written(given), { piece: given.piece })
      expect(json(JSON.parse(exportText(harFormat, recording, { plain: true })))).toBe(
        json(given.document),
      )
    }),
    { numRuns: 200 },
  )
})

test('an imported HAR survives export and re-import byte for byte, redacted or raw', () => {
  fc.assert(
    fc.property(archive, fc.boolean(), (given, redact) => {
      const { recording } = importText(harFormat, written(given), { piece: given.piece, redact })
      const again = importText(harFormat, exportText(harFormat, recording), {
        piece: given.piece,
        redact,
      })
      expect(again.recording).toBe(recording)
      expect(again.summary.problems).toEqual([])
    }),
    { numRuns: 150 },
  )
})

/** A recording with lines of every type. */
function recordingOf(exchanges: readonly Exchange[], redact: boolean): string {
  const header = createHeaderLine({
    info: {
      name: 'lunch',
      tool: 'sparring/0.1.0',
      protocol: { name: 'protocol', version: 'v2' },
      parties: [{ party: 'subject', role: 'software-service' }],
      redaction: redact
        ? { policy: 'default-1', keyId: 'k', mode: 'pseudonym' }
        : { policy: 'none', keyId: null, mode: 'none' },
      seed: 7,
    },
    t0: sampleT0,
    salt: createSalt([4, 5, 6]),
  })
  const lineFor = createExchangeFormatter({
    header,
    t0: sampleT0,
    ...(redact ? { redactor: testRedactor() } : {}),
  })
  const mark = (seq: number) =>
    formatLine({ _rec: { v: 1, type: 'mark', id: `M${seq}`, seq, text: 'look here' } })
  let lines = formatLine(header)
  for (const [index, exchange] of exchanges.entries())
    lines += (index % 2 === 0 ? mark(index) : '') + lineFor(exchange)
  const sha256 = createHash('sha256').update(lines).digest('hex')
  const http = exchanges.length
  return (
    lines + formatEndLine({ salt: '0', instant: sampleT0, seq: http, http, dropped: 0, sha256 })
  )
}

const exchanges = fc.array(
  fc
    .record({ body: fc.string({ unit: 'binary' }), failed: fc.boolean() })
    .map(({ body, failed }) => (seq: number): Exchange => {
      const { reply: _, ...rest } = sampleExchange(seq)
      if (failed) return { ...rest, failure: { code: 'ECONNRESET', message: body } }
      return sampleExchange(seq, { reply: { status: 200, headers: [['a', body]], body } })
    }),
  { maxLength: 5 },
)

test('a recording survives export and re-import byte for byte, including marks and end line', () => {
  fc.assert(
    fc.property(exchanges, fc.boolean(), fc.constantFrom(1, 64, 65_536), (made, redact, piece) => {
      const recording = recordingOf(
        made.map((make, index) => make(index + 1)),
        redact,
      )
      const archived = exportText(harFormat, recording)
      expect(importText(harFormat, archived, { piece, redact }).recording).toBe(recording)
    }),
    { numRuns: 120 },
  )
})

test('an export is a valid HAR: version, creator, and an entry per exchange', () => {
  const recording = recordingOf([sampleExchange(1), sampleExchange(2)], true)
  const { log } = JSON.parse(exportText(harFormat, recording)) as {
    log: { version: string; creator: object; entries: readonly object[]; _rec: object }
  }
  expect(Object.keys(log)).toEqual(['version', 'creator', 'pages', '_rec', 'entries'])
  expect(log.creator).toEqual({ name: 'sparring', version: '0.1.0' })
  expect(log.entries).toHaveLength(2)
  const plain = exportText(harFormat, recording, { plain: true })
  expect(plain).not.toContain('_rec')
  expect(JSON.parse(plain)).toMatchObject({ log: { entries: [{ time: 1.5 }, { time: 1.5 }] } })
})

test('an exported raw recording is redacted on re-import; a further import changes nothing', () => {
  const recording = recordingOf([sampleExchange(1)], false)
  const first = importText(harFormat, exportText(harFormat, recording), { redact: true })
  expect(first.recording).not.toContain('Ana Souza')
  expect(first.recording).toContain('"mode":"pseudonym"')
  const again = importBytes(harFormat, Buffer.from(exportText(harFormat, first.recording)), {
    redact: true,
  })
  expect(again.recording).toBe(first.recording)
})
