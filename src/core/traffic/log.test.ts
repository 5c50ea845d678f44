import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { TrafficLog } from './log.ts'

/** A log with a number of exchanges, each with a reply body of that many characters. */
function filled(count: number, window: number, bodyChars = 10, maxBodyChars = 1_000_000) {
  const log = new TrafficLog({ window, maxChars: maxBodyChars })
  for (let made = 0; made < count; made++) log.add(exchangeOf(log.begin(), bodyChars))
  return log
}

const exchangeOf = (seq: number, bodyChars: number) =>
  sampleExchange(seq, { reply: { status: 200, headers: [], body: 'x'.repeat(bodyChars) } })

const seqs = (exchanges: Iterable<{ readonly seq: number }>) =>
  Array.from(exchanges, ({ seq }) => seq)

test('the log holds the last exchanges of its window, and no more', () => {
  const log = filled(7, 3)
  expect(seqs(log.before(Number.MAX_SAFE_INTEGER))).toEqual([7, 6, 5])
  expect(seqs(log.before(7))).toEqual([6, 5])
  expect(seqs(log.after(5))).toEqual([6, 7])
  expect(seqs(log.after(0))).toEqual([5, 6, 7])
  expect(log.get(4)).toBeUndefined()
  expect(log.count()).toBe(7)
})

test('an exchange in the log equals the added one in every member', () => {
  const { reply: _reply, operation: _operation, ...rest } = sampleExchange(3)
  const failed = { ...rest, failure: { code: 'ECONNREFUSED', message: 'refused' } }
  const full = sampleExchange(1, { eventIds: ['e-1'], attempt: 2 })
  const { params: _params, orderId: _orderId, ...bare } = sampleExchange(2)
  const posted = {
    ...bare,
    request: { ...bare.request, body: '' },
    reply: { status: 204, headers: [] },
  }
  const log = new TrafficLog({ window: 2 })
  const given = [full, posted, failed, sampleExchange(4)]
  for (const exchange of given) {
    log.begin()
    log.add(exchange)
    expect(log.get(exchange.seq)).toStrictEqual(exchange)
  }
  expect(log.get(3)).toStrictEqual(failed)
})

test('an exchange that ends late has the position of its start, unless that was evicted', () => {
  const log = new TrafficLog({ window: 3 })
  for (let begun = 0; begun < 4; begun++) log.begin()
  for (const seq of [4, 2, 1]) log.add(exchangeOf(seq, 1))
  expect(seqs(log.before(Number.MAX_SAFE_INTEGER))).toEqual([4, 2])
  log.add(exchangeOf(3, 1))
  expect(seqs(log.after(0))).toEqual([2, 3, 4])
  expect(log.count()).toBe(4)
})

test('long bodies are evicted earlier: the log is bounded in characters too', () => {
  const log = filled(10, 100, 300, 1000)
  expect(seqs(log.after(0))).toEqual([8, 9, 10])
  log.add(exchangeOf(log.begin(), 5000))
  // A body above the limit is kept as the only one.
  expect(seqs(log.after(0))).toEqual([11])
  log.add(exchangeOf(log.begin(), 10))
  expect(seqs(log.after(0))).toEqual([12])
  for (let more = 0; more < 4; more++) log.add(exchangeOf(log.begin(), 240))
  expect(seqs(log.after(0))).toEqual([12, 13, 14, 15, 16])
})

test('a reused slot shows nothing of its previous exchange', () => {
  const log = new TrafficLog({ window: 1 })
  log.begin()
  log.add(sampleExchange(1, { eventIds: ['e-1'], attempt: 2 }))
  log.begin()
  const { params: _, orderId: __, operation: ___, reply: ____, ...bare } = sampleExchange(2)
  log.add(bare)
  expect(log.get(2)).toStrictEqual(bare)
  expect(log.get(1)).toBeUndefined()
})

test('the span of an exchange in session time is known as long as it is in memory', () => {
  let now = 100
  const log = new TrafficLog({ window: 2, now: () => now })
  const seq = log.begin()
  now = 130
  log.add(exchangeOf(seq, 1))
  expect(log.spanOf(seq)).toEqual({ began: 100, ended: 130 })
  for (let more = 0; more < 2; more++) log.add(exchangeOf(log.begin(), 1))
  expect(log.spanOf(seq)).toBeUndefined()
})
