/** Rules inferred from two replays of one build, and places that remain unstable. */
import { expect, test } from 'vitest'
import { createChance } from '../../core/engine/chance.ts'
import { isoOf } from '../../core/engine/instant.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { compareExchanges } from './compare-exchanges.ts'
import { inferRules, type ReplayPair } from './infer-rules.ts'
import { compileRules } from './rule-book.ts'

const bare = compileRules([])
if (!bare.ok) throw new Error(bare.error)
const book = bare.value

const answering = (body: unknown, request = 'r'): Exchange =>
  sampleExchange(1, {
    request: { method: 'GET', url: 'http://x.test/orders/1', headers: [['X-App-Run', request]] },
    reply: { status: 200, headers: [], body: JSON.stringify(body) },
  })

/** `times` exchanges, each recorded and replayed twice. */
const replayed = (
  times: number,
  body: (run: number, index: number) => unknown,
): readonly ReplayPair[] =>
  Array.from({ length: times }, (_, index) => ({
    recorded: answering(body(0, index)),
    first: answering(body(1, index)),
    second: answering(body(2, index)),
  }))

test('instants, counters, reordered lists and generated ids are recognised by their values', () => {
  const chance = createChance(7)
  const pairs = replayed(5, (run, index) => ({
    at: isoOf(1_795_176_000_000 + run * 700),
    count: run * 100 + index,
    tags: run === 2 ? ['b', 'a', 'c'] : ['a', 'b', 'c'],
    token: chance.uuid(),
    same: 'same',
  }))
  const { rules, unstable } = inferRules(pairs, book)
  expect(unstable).toEqual([])
  expect(rules.map(({ at, compare }) => [at, compare])).toEqual(
    expect.arrayContaining([
      ['$.body.at', { as: 'time', within: 60_000 }],
      ['$.body.count', { as: 'monotonic' }],
      ['$.body.tags', { as: 'set' }],
      ['$.body.token', { as: 'shape' }],
    ]),
  )
  expect(rules).toHaveLength(4)
  for (const rule of rules)
    expect(rule).toMatchObject({ from: 'inferred', side: 'reply', operation: 'getOrder' })
  // With the inferred rules the replays have no differences.
  const compiled = compileRules(rules)
  if (!compiled.ok) throw new Error(compiled.error)
  const left = pairs.flatMap(({ first, second }) =>
    compareExchanges(first, second, compiled.value).filter(({ accepted }) => !accepted),
  )
  expect(left).toEqual([])
})

test('with few samples and no recognised kind, a place is reported as unstable', () => {
  const words = ['red', 'green', 'blue']
  const { rules, unstable } = inferRules(
    replayed(3, (run) => ({ color: words[run] })),
    book,
  )
  expect(rules).toEqual([])
  expect(unstable).toMatchObject([
    {
      operation: 'getOrder',
      side: 'reply',
      at: '$.body.color',
      samples: 3,
      values: ['green', 'blue'],
    },
  ])
})

test('with many samples, a place that differs as often between replays is noise, one that differs more often is a change', () => {
  const words = ['red', 'green', 'blue']
  const pairs = replayed(120, (run, index) => ({
    color: words[(run + index) % 3],
    // Always differs from the recording; rarely between the replays.
    status: run === 0 ? 'old' : index === 5 && run === 2 ? 'odd' : 'new',
  }))
  const { rules, unstable } = inferRules(pairs, book)
  expect(rules.map(({ at, compare }) => [at, compare.as])).toEqual([['$.body.color', 'opaque']])
  expect(unstable.map(({ at }) => at)).toEqual(['$.body.status'])
})

test('a difference between the recording and both replays is no noise, in headers too', () => {
  const pairs: readonly ReplayPair[] = [1, 2, 3].map((index) => ({
    recorded: answering({ status: 'CONFIRMED' }, '811dd618-6d35-48fb-b997-5fdd856a7184'),
    first: answering({ status: 'CANCELLED' }, `0db393d1-8ac7-4b6e-b362-52b5e2ba334${index}`),
    second: answering({ status: 'CANCELLED' }, `90c0a128-6a82-40b5-937d-01d18b5342c${index}`),
  }))
  const { rules, unstable } = inferRules(pairs, book)
  expect(unstable).toEqual([])
  expect(rules.map(({ at, side, compare }) => [at, side, compare.as])).toEqual([
    ['$.headers["x-app-run"]', 'request', 'identifier'],
  ])
})
