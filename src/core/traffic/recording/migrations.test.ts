import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordedExchangeFromLine } from './recorded-exchange.ts'
import { formatVersion } from './format.ts'
import type { UnknownRecord } from '../../protocol/unknown-record.ts'
import {
  createRecordingReader,
  readRecordedLine,
  migrateLine,
  migrations,
  type Migrations,
} from './reader.ts'

const golden = (version: number): string =>
  readFileSync(
    fileURLToPath(
      new URL(`../../../../test/recordings/version-${version}.rec.ndjson`, import.meta.url),
    ),
    'utf8',
  )

/** Invented old formats: first with times in milliseconds, then with another name for the status code. */
const past: Migrations = {
  newest: 3,
  from: {
    1: (line) => ({ ...line, _rec: { ...(line['_rec'] as UnknownRecord), ms: 12 } }),
    2: (line) => {
      const { ms, ...rec } = line['_rec'] as { readonly ms: number }
      return { ...line, _rec: { ...rec, us: ms * 1000 } }
    },
  },
}

test('a line is migrated through every version up to the newest, in order', () => {
  expect(migrateLine({ _rec: { v: 1, type: 'mark' }, kept: [1] }, past)).toEqual({
    ok: true,
    value: { _rec: { v: 3, type: 'mark', us: 12_000 }, kept: [1] },
  })
  expect(migrateLine({ _rec: { v: 2, ms: 3 } }, past)).toEqual({
    ok: true,
    value: { _rec: { v: 3, us: 3000 } },
  })
  const newest = { _rec: { v: 3 } }
  const same = migrateLine(newest, past)
  expect(same.ok && same.value).toBe(newest)
})

test('migration does not mutate its input', () => {
  const line = { _rec: { v: 1, type: 'mark' } }
  migrateLine(line, past)
  expect(line).toEqual({ _rec: { v: 1, type: 'mark' } })
})

test('an unsupported, future or invalid version is an error', () => {
  const wrong = (v: unknown) => {
    const result = migrateLine({ _rec: { v } }, past)
    return result.ok ? '' : result.error
  }
  expect(wrong(0)).toBe('it is of format version 0, which cannot be read any more')
  expect(wrong(4)).toBe('it is of format version 4, and version 3 is the newest known here')
  expect(wrong('2')).toBe('its version "2" is no version of this format')
  expect(wrong(1.5)).toBe('its version 1.5 is no version of this format')
})

test('the reader applies the migrations', () => {
  const table: Migrations = {
    newest: formatVersion,
    from: {
      0: ({ kind, ...line }) => ({
        ...line,
        _rec: { v: 0, type: kind, id: 'x', seq: 1, text: 'old' },
      }),
    },
  }
  expect(readRecordedLine('{"_rec":{"v":0},"kind":"mark"}', table)).toEqual({
    ok: true,
    value: { kind: 'other', line: { _rec: { v: 1, type: 'mark', id: 'x', seq: 1, text: 'old' } } },
  })
})

test('every old version has a migration', () => {
  expect(migrations.newest).toBe(formatVersion)
  for (let version = 1; version < formatVersion; version++)
    expect(migrations.from[version]).toBeTypeOf('function')
})

test.each(Array.from({ length: formatVersion }, (_, index) => index + 1))(
  'the stored recording of version %i is read as expected',
  (version) => {
    const reader = createRecordingReader()
    const lines = [...reader.feed(golden(version))]
    const { last, summary } = reader.finish()
    expect(last).toEqual([])
    expect(summary).toMatchObject({ exchanges: 2, problems: [], torn: 0 })
    const t0 = Date.parse(summary.header?._rec.t0 ?? '')
    const exchanges = lines.flatMap((line) =>
      line.kind === 'exchange' || line.kind === 'open'
        ? [recordedExchangeFromLine(line.line, t0)]
        : [],
    )
    const cookies = [
      ['content-type', 'application/json'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ]
    const read = (order: number) => ({
      seq: order,
      operation: 'getOrder',
      orderId: `order-${order}`,
      params: { orderId: `order-${order}` },
      from: { party: 'subject', role: 'software-service' },
      to: { party: 'sparring', role: 'ordering-application' },
      request: {
        method: 'GET',
        url: `http://127.0.0.1:7101/v2/orders/order-${order}`,
        headers: [
          ['Host', '127.0.0.1:7101'],
          ['Authorization', 'Bearer a-token-of-the-subject'],
          ['X-Request-Id', `request-${order}`],
        ],
      },
    })
    expect(exchanges).toStrictEqual([
      {
        ...read(1),
        attempt: 2,
        eventIds: ['e-1'],
        fault: 'slow on req(getOrder,o1)',
        recordId: '01M7WD7TGA1234567890000001',
        reply: {
          status: 200,
          headers: cookies,
          body: '{"id":"order-1","customer":{"name":"Ana Souza","id":"c-1"}}',
        },
        startedAt: 1_795_176_000_010.25,
        tookMs: 1.5,
      },
      {
        ...read(3),
        failure: {
          code: 'OPEN',
          message: 'the request was still under way when the recording was written',
        },
        open: true,
        recordId: '01M7WD7TGY1234567890000003',
        startedAt: 1_795_176_000_030.75,
        tookMs: 5000,
      },
      {
        ...read(2),
        recordId: '01M7WD7TGM1234567890000002',
        repliedMs: 1.25,
        reply: {
          status: 200,
          headers: cookies,
          wire: { base64: 'AP8B/oA=', bytes: 30, coding: 'gzip', sha256: 'ab'.repeat(32) },
        },
        sentMs: 0.25,
        startedAt: 1_795_176_000_020.5,
        tookMs: 1.5,
      },
    ])
  },
)
