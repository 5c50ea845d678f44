/** Suppression of repeated log lines: frequent fault hits and an unreachable subject. */
import { expect, test } from 'vitest'
import { compact } from '../../core/base/compact.ts'
import type { SessionChanges } from '../../core/runtime/control/follow.ts'
import type { JournalRow, SessionInfo, TrafficRow } from '../../core/session-api/session-api.ts'
import { createSessionLogFormatter } from './log-lines.ts'

const info = {
  clock: { mode: 'virtual', speed: 1, now: 0 },
  subject: { role: 'software-service', url: 'http://127.0.0.1:3000' },
} as SessionInfo

const news = (parts: Partial<SessionChanges>): SessionChanges => ({
  facts: [],
  exchanges: [],
  info,
  missed: 0,
  cursor: { fact: 0, exchange: 0 },
  ...parts,
})

const fired = (seq: number): JournalRow => ({
  seq,
  at: seq,
  kind: 'fault.fired',
  text: `drop on ev(o${seq},CONFIRMED,webhook)`,
  by: 'agenda',
  subject: true,
})

const call = (seq: number, more: Partial<TrafficRow> = {}): TrafficRow => ({
  seq,
  startedAt: seq,
  endedAt: seq,
  tookMs: 1,
  from: 'ordering-application',
  to: 'software-service',
  subject: true,
  method: 'POST',
  path: '/webhooks/orders',
  status: 0,
  failure: 'ECONNREFUSED',
  ...more,
})

test('facts and exchanges are in the order of session time, exchanges by their end', () => {
  const at = (ms: number) => Date.parse('2026-01-05T15:00:00Z') + ms
  function exchange(began: number, ended: number, path: string): TrafficRow {
    const { failure: _, ...row } = call(1, { startedAt: at(began), endedAt: at(ended) })
    return { ...row, path, status: 200 }
  }
  const moved = (ms: number): JournalRow => ({
    seq: ms,
    at: at(ms),
    kind: 'order.moved',
    text: `moved ${ms}`,
    by: 'subject',
    subject: true,
  })
  const clock = { mode: 'real', speed: 20, now: at(9000) } as const
  const lines = createSessionLogFormatter().lines(
    news({
      info: { ...info, clock },
      facts: [moved(1000), moved(8000)],
      exchanges: [exchange(900, 5000.5, '/slow'), exchange(950, 990, '/quick')],
    }),
    false,
  )
  expect(lines.map((line) => /^(\S+).*?(\/\w+|moved \d+)/.exec(line)?.slice(1))).toEqual([
    ['15:00:00.990', '/quick'],
    ['15:00:01.000', 'moved 1000'],
    ['15:00:05.000', '/slow'],
    ['15:00:08.000', 'moved 8000'],
  ])
})

test('the first hits of a fault are logged one by one, later ones as a count at growing intervals', () => {
  const { lines } = createSessionLogFormatter()
  const all = Array.from({ length: 120 }, (_, index) => fired(index + 1))
  const logged = [all.slice(0, 70), all.slice(70)].flatMap((facts) => lines(news({ facts }), false))
  expect(logged.map((line) => line.slice(line.indexOf('drop')))).toEqual([
    'drop on ev(o1,CONFIRMED,webhook)',
    'drop on ev(o2,CONFIRMED,webhook)',
    'drop on ev(o3,CONFIRMED,webhook); from now on it is counted',
    'drop has fired 10 times',
    'drop has fired 20 times',
    'drop has fired 50 times',
    'drop has fired 100 times',
  ])
})

test('an unreachable subject is logged once, and so is its recovery', () => {
  const { lines } = createSessionLogFormatter()
  const first = lines(news({ exchanges: [call(1), call(2), call(3)] }), false)
  expect(first).toHaveLength(2)
  expect(first[1]).toContain(
    'calls to your service without an answer are left out from here on, until it answers again',
  )
  expect(lines(news({ exchanges: [call(4)] }), false)).toEqual([])
  const { failure: _, ...answered } = call(5, { status: 204 })
  const again = lines(news({ exchanges: [answered, call(6)] }), false)
  expect(again[1]).toContain('your service answers now; 4 calls had no answer')
  expect(again[3]).toContain('calls to your service without an answer are left out')
})

test('a call that failed by an injected fault does not count as an unreachable subject', () => {
  const { lines } = createSessionLogFormatter()
  const broken = call(1, { failure: 'UNSENT', fault: 'reset on call(receiveOrderEvent,o1)' })
  const logged = lines(news({ exchanges: [broken, call(2, { fault: 'hang on call(x)' })] }), false)
  expect(logged).toHaveLength(2)
  expect(logged[0]).toMatch(/UNSENT {2}1ms {2}by reset on call\(receiveOrderEvent,o1\)$/)
})

test('with a service of the user only what concerns it is logged; --all logs the rest as well', () => {
  const { failure: _, ...answered } = call(1, { status: 200 })
  const others: TrafficRow = { ...answered, seq: 2, path: '/loyalty/programs', subject: false }
  const fact = (seq: number, text: string): JournalRow => ({
    seq,
    at: seq,
    kind: 'order.moved',
    text,
    by: 'counterpart',
  })
  const changes = {
    facts: [
      { ...fact(1, 'CREATED > CONFIRMED'), subject: true as const },
      fact(2, 'CREATED > CANCELLED'),
    ],
    exchanges: [answered, others],
  }
  const shown = (text: string) => text.replace(/^\S+ +/, '').replace(/ {2}200.*/, '')
  const own = ['OA > SS   POST /webhooks/orders', 'order.moved  CREATED > CONFIRMED']
  const everything = [
    ...own,
    'order.moved  CREATED > CANCELLED',
    'OA > SS   POST /loyalty/programs',
  ]
  const lines = (all: boolean, from = info) =>
    createSessionLogFormatter({ all })
      .lines(news({ ...changes, info: from }), false)
      .map(shown)
  expect(lines(false)).toEqual(own)
  expect(lines(true).toSorted()).toEqual(everything.toSorted())
  const { subject: _subject, ...nobody } = info
  expect(lines(false, nobody as SessionInfo).toSorted()).toEqual(everything.toSorted())
})

test('a line has the reason of a failed request, and the advice for one that succeeded', () => {
  const { failure: _, ...answered } = call(1, { status: 404 })
  const rows = [
    { ...answered, failed: true as const, reason: 'nothing is at /x\u001b[2J' },
    { ...answered, seq: 2, status: 204, advice: 'no merchant foo here' },
  ]
  const lines = createSessionLogFormatter().lines(news({ exchanges: rows }), true)
  expect(lines[0]).toContain('\u001b[31m404\u001b[39m  1ms  nothing is at /x\\u001b[2J')
  expect(lines[1]).toMatch(/204 {2}1ms {2}no merchant foo here$/)
})

const pushFailed = (seq: number): JournalRow => ({
  seq,
  at: seq,
  kind: 'event.push-failed',
  text: 'Webhook CREATED failed (attempt 1): connect ECONNREFUSED',
  by: 'counterpart',
  subject: true,
})

test('while a service does not answer, webhooks that failed for that reason are not logged', () => {
  const { lines } = createSessionLogFormatter()
  lines(news({ exchanges: [call(1)], facts: [pushFailed(1)] }), false)
  expect(lines(news({ exchanges: [call(2)], facts: [pushFailed(2)] }), false)).toEqual([])
  const { failure: _, ...refused } = call(3, { status: 500 })
  const logged = lines(news({ exchanges: [refused], facts: [pushFailed(3)] }), false)
  expect(logged).toHaveLength(3)
  expect(logged[2]).toContain('Webhook CREATED failed (attempt 1)')
})

test('a manifest that is read again with the same status is not logged again', () => {
  const { lines } = createSessionLogFormatter()
  const read = (seq: number, status: number): TrafficRow => {
    const { failure: _, ...row } = call(seq, { status, method: 'GET', operation: 'getManifest' })
    return row
  }
  const logged = [404, 404, 200, 200, 404].map(
    (status, index) => lines(news({ exchanges: [read(index, status)] }), false).length,
  )
  expect(logged).toEqual([1, 0, 1, 0, 1])
})

test('a warning about your service is logged once, and again when it comes back; its first contact once', () => {
  const { lines } = createSessionLogFormatter()
  const logged = (notices: readonly string[], connected?: { at: number; by: string }) =>
    lines(
      news({ info: { ...info, contact: { notices, waiting: 0, ...compact({ connected }) } } }),
      false,
    ).map((line) => line.split('  ').at(-1)?.trim())
  expect(logged(['No manifest.'])).toEqual(['No manifest.'])
  expect(logged(['No manifest.'])).toEqual([])
  const connected = { at: 0, by: 'it called POST /oauth/token' }
  expect(logged([], connected)).toEqual([
    'Your service has connected: it called POST /oauth/token.',
  ])
  expect(logged(['No manifest.'], connected)).toEqual(['No manifest.'])
})

test('an answer that cannot be read is a line, once while it lasts, and with it the order that was refused for it', () => {
  const formatter = createSessionLogFormatter()
  const row = (
    seq: number,
    kind: JournalRow['kind'],
    more: Partial<JournalRow> = {},
  ): JournalRow => ({
    seq,
    at: seq,
    kind,
    text: `${kind} because it is no list`,
    by: 'subject',
    subject: true,
    ...more,
  })
  const unreadable = (seq: number) => row(seq, 'call.unreadable', { orderId: 'o-1' })
  const of = (...facts: readonly JournalRow[]) => formatter.lines(news({ facts }), false).length
  expect(of(unreadable(1), row(1, 'ticket.refused', { orderId: 'o-1' }))).toBe(1)
  expect(of(unreadable(2))).toBe(0)
  expect(of(row(3, 'ticket.refused', { orderId: 'o-1' }))).toBe(1)
  expect(of(unreadable(4), row(4, 'ticket.refused', { orderId: 'o-2' }))).toBe(1)
  expect(of({ ...unreadable(5), text: 'another reason' })).toBe(1)
})
