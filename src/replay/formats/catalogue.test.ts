/** Contract tests for every format of the catalogue. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createExchangeFormatter,
  formatLine,
} from '../../core/traffic/recording/recording-lines.ts'
import { createRecordingReader } from '../../core/traffic/recording/reader.ts'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../test/support/sample-exchange.ts'
import { formats } from './catalogue.ts'
import { exportText, importBytes } from '../../../test/support/round-trip.ts'

const readable = formats.filter(({ importer }) => importer)
const writable = formats.filter(({ exporter }) => exporter)

const named = (name: string) => formats.find((each) => each.name === name)!

test('format names are unique plain words, and each format has a summary', () => {
  const names = formats.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, summary, fileExtensions: endings, importer, exporter } of formats) {
    expect(name).toMatch(/^[a-z][a-z\d]*$/)
    expect(summary.length).toBeGreaterThan(10)
    expect(summary).not.toMatch(/\.$/)
    for (const ending of endings) expect(ending).toMatch(/^\./)
    expect(importer ?? exporter).toBeDefined()
  }
})

test.each(readable)(
  '$name returns a confidence between 0 and 1 for any file beginning',
  (format) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string().map((text) => new TextEncoder().encode(text)),
        ),
        fc.constantFrom('a.har', 'a', 'a.sh', ''),
        (bytes, file) => {
          const sure = format.recognises?.(bytes, file) ?? 0
          expect(sure).toBeGreaterThanOrEqual(0)
          expect(sure).toBeLessThanOrEqual(1)
        },
      ),
    )
  },
)

test.each(readable)(
  '$name imports arbitrary bytes in arbitrary chunks without throwing, and the result is a valid recording',
  (format) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => new TextEncoder().encode(text)),
          fc.constant(new Uint8Array()),
        ),
        fc.constantFrom(1, 7, 1000),
        (bytes, piece) => {
          const { recording, summary: imported } = importBytes(format, bytes, {
            piece,
            redact: true,
          })
          if (imported.exchanges === 0 && !imported.isOurs) expect(recording).toBe('')
          if (recording === '') return
          const reader = createRecordingReader()
          reader.feed(recording)
          const { summary } = reader.finish()
          expect(summary.problems).toEqual([])
          expect(summary.header).toBeDefined()
        },
      ),
      { numRuns: 100 },
    )
  },
)

const header = sampleHeader()
const lineFor = createExchangeFormatter({ header, t0: sampleT0 })
const recording = formatLine(header) + [1, 2, 3].map((seq) => lineFor(sampleExchange(seq))).join('')

test.each(writable)('$name exports deterministically, and includes every exchange', (format) => {
  const text = exportText(format, recording)
  expect(exportText(format, recording)).toBe(text)
  for (const seq of [1, 2, 3]) expect(text).toContain(`order-${seq}`)
})

test.each(writable)('$name exports a recording without exchanges', (format) => {
  expect(exportText(format, formatLine(header))).not.toBe('')
})

test('importing a raw recording redacts it, and a second import changes nothing', () => {
  const spaced = recording
    .split('\n')
    .map((line) =>
      line === '' ? '' : JSON.stringify(JSON.parse(line), null, 1).replaceAll('\n', ' '),
    )
    .join('\r\n')
  const once = importBytes(named('recording'), Buffer.from(spaced), { redact: true })
  expect(once.recording).not.toContain('Ana Souza')
  expect(once.recording).not.toContain('a-token-of-the-subject')
  expect(once.summary.redacted).toMatchObject({ token: expect.any(Number) as number })
  const twice = importBytes(named('recording'), Buffer.from(once.recording), { redact: true })
  expect(twice.recording).toBe(once.recording)
  // Without redaction only the JSON of the lines is normalized.
  expect(importBytes(named('recording'), Buffer.from(spaced)).recording).toBe(recording)
})

test('a recording with a truncated end and a broken line is imported without those lines', () => {
  const [first = '', second = '', ...rest] = recording.split('\n')
  const broken = [first, second, '{"_rec":', ...rest].join('\n') + '{"_rec":{"v":1,"ty'
  const { recording: mended, summary } = importBytes(named('recording'), Buffer.from(broken))
  expect(mended).toBe(recording)
  expect(summary.problems).toEqual([
    { where: 'line 3', message: 'it is no JSON' },
    { where: 'line 6', message: 'it broke off, as a crash leaves it' },
  ])
})
