/** Times out of the range of a recording are replaced: the line stays readable and has the warning `clock inferred`. */
import { expect, test } from 'vitest'
import { readRecordedLine } from '../../core/traffic/recording/reader.ts'
import { harFormat } from './har.ts'
import { logsFormat } from './logs.ts'
import { mitmproxyFormat } from './mitmproxy.ts'
import { importBytes, importText } from '../../../test/support/round-trip.ts'

const kinds = (recording: string) =>
  recording
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const read = readRecordedLine(line)
      return read.ok ? read.value.kind : read.error
    })

const logged = (msec: number): string =>
  `${JSON.stringify({ request_method: 'GET', request_uri: '/x', status: 200, msec })}\n`

test.each([1e30, 1e300, -5])('a log with the invalid time %d', (time) => {
  const { recording, summary } = importText(logsFormat, logged(time))
  expect(kinds(recording)).toEqual(['header', 'exchange', 'end'])
  expect(summary.remarks).toMatchObject({ 'clock inferred': 1 })
})

const entry = (startedDateTime: string, time = 1) => ({
  startedDateTime,
  time,
  request: { method: 'GET', url: 'http://a.example/v2/orders', headers: [] },
  response: { status: 200, headers: [], content: {} },
})

test('a HAR with an entry at the zero date and one of excessive duration', () => {
  const entries = [
    entry('0001-01-01T00:00:00Z'),
    entry('2026-01-05T12:00:00Z', 1e300),
    entry('2026-01-05T12:00:01Z'),
  ]
  const { recording } = importText(harFormat, JSON.stringify({ log: { version: '1.2', entries } }))
  expect(kinds(recording)).toEqual(['header', 'exchange', 'exchange', 'exchange', 'end'])
})

const tagged = (value: unknown): string => {
  const of = (payload: string, type: string): string => `${payload.length}:${payload}${type}`
  if (typeof value === 'number') return of(String(value), Number.isInteger(value) ? '#' : '^')
  if (typeof value === 'string') return of(value, ',')
  const members = Object.entries(value as object).flatMap(([key, each]) => [
    of(key, ';'),
    tagged(each),
  ])
  return of(members.join(''), '}')
}

test('a mitmproxy flow with a start time out of range', () => {
  const request = {
    method: 'GET',
    host: 'a.example',
    path: '/',
    timestamp_start: 1e200,
    content: '',
  }
  const flow = tagged({ version: 21, type: 'http', request })
  const { recording } = importBytes(mitmproxyFormat, new TextEncoder().encode(flow))
  expect(kinds(recording)).toEqual(['header', 'exchange', 'end'])
})
