// @module-tag slow
/** Recording history: independent of the machine's time zone, and linear in the length of the recording. */
import { afterEach, expect, test } from 'vitest'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { handoverAnomalies } from './handovers.ts'
import { historyOf } from './history.ts'
import { shiftDocument } from '../playback/replay/redrive.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const t0 = Date.UTC(2026, 0, 5, 12)

function poll(seq: number, eventIds: readonly string[], createdAt: string): RecordedExchange {
  const events = eventIds.map((eventId) => ({
    eventId,
    eventType: 'CREATED',
    orderId: `o-${eventId}`,
    createdAt,
  }))
  return {
    seq,
    recordId: `r${seq}`,
    startedAt: t0 + seq * 1000,
    tookMs: 5,
    from: { role: 'software-service', party: 'subject' },
    to: { role: 'ordering-application', party: 'partner' },
    operation: 'pollingEvents',
    eventIds,
    request: { method: 'GET', url: 'http://h.test/v2/events:polling', headers: [] },
    reply: { status: 200, headers: [], body: JSON.stringify(events) },
  }
}

const content = (exchanges: readonly RecordedExchange[]): RecordingContent => ({
  file: 'a.rec.ndjson',
  header: {
    _rec: {
      v: 1,
      type: 'header',
      id: 'h',
      seq: 0,
      name: 'n',
      tool: 't/1',
      created: '2026-01-05T12:00:00.000Z',
      t0: '2026-01-05T12:00:00.000Z',
      protocol: { name: 'p', version: 'v2' },
      parties: [{ party: 'subject', role: 'software-service' }],
      redaction: { policy: 'none', keyId: null, mode: 'none' },
    },
  },
  exchanges,
  problems: [],
  closed: true,
})

test('a time without an offset is parsed alike in every time zone', () => {
  const bare = '2026-01-05T12:00:00'
  const readIn = (name: string) => {
    process.env['TZ'] = name
    const { events } = historyOf(content([poll(1, ['e1'], bare)]))
    return [events[0]?.madeAt, shiftDocument({ createdAt: bare }, t0 + 60_000)['createdAt']]
  }
  const here = readIn('UTC')
  expect(here[1]).toBe('2026-01-05T12:01:00')
  expect(readIn('America/Sao_Paulo')).toEqual(here)
  expect(readIn('Asia/Tokyo')).toEqual(here)
})

test('a long recording of polls is scanned once, not once per event', () => {
  const at = (seq: number) => new Date(t0 + seq * 1000 - 10).toISOString()
  const polls = Array.from({ length: 8000 }, (_, index) =>
    poll(index + 1, index % 2 === 0 ? [`e${index}`] : [], at(index + 1)),
  )
  const history = historyOf(content(polls))
  let looks = 0
  const calls = new Proxy(history.calls, {
    get(all, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks++
      return Reflect.get(all, key) as unknown
    },
  })
  expect(handoverAnomalies({ ...history, calls })).toEqual([])
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThanOrEqual(3 * polls.length)
})
