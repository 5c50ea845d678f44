/** Noise by double replay: what two replays of one build do differently is known for what it is, or said to be unknown. */
import { expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { isoOf } from '../../engine/instant.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../exchange.ts'
import { compareExchanges } from './compare-exchanges.ts'
import { inferRules, type Twice } from './infer-rules.ts'
import { compileRules } from './rule-book.ts'

const bare = compileRules([])
if (!bare.ok) throw new Error(bare.error)
const book = bare.value

const answering = (body: unknown, request = 'r'): Exchange =>
  sampleExchange(1, {
    request: { method: 'GET', url: 'http://x.test/orders/1', headers: [['X-App-Run', request]] },
    reply: { status: 200, headers: [], body: JSON.stringify(body) },
  })

/** So many exchanges, each recorded and replayed twice. */
const replayed = (times: number, body: (run: number, index: number) => unknown): readonly Twice[] =>
  Array.from({ length: times }, (_, index) => ({
    recorded: answering(body(0, index)),
    first: answering(body(1, index)),
    second: answering(body(2, index)),
  }))

test('times, counters, shuffled lists and made-up names are known by their values', () => {
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
      ['$.body.at', { as: 'time', within: 2000 }],
      ['$.body.count', { as: 'monotonic' }],
      ['$.body.tags', { as: 'set' }],
      ['$.body.token', { as: 'shape' }],
    ]),
  )
  expect(rules).toHaveLength(4)
  for (const rule of rules)
    expect(rule).toMatchObject({ from: 'inferred', side: 'reply', operation: 'getOrder' })
  // And with them the replays are the same.
  const compiled = compileRules(rules)
  if (!compiled.ok) throw new Error(compiled.error)
  const left = pairs.flatMap(({ first, second }) =>
    compareExchanges(first, second, compiled.value).filter(({ accepted }) => !accepted),
  )
  expect(left).toEqual([])
})

test('few samples and no volatile kind: nobody can tell, and that is said', () => {
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

test('many samples: what differs as often by itself is noise, what differs more often is a change', () => {
  const words = ['red', 'green', 'blue']
  const pairs = replayed(120, (run, index) => ({
    color: words[(run + index) % 3],
    // Another one than was recorded, always; and rarely another one by itself.
    status: run === 0 ? 'old' : index === 5 && run === 2 ? 'odd' : 'new',
  }))
  const { rules, unstable } = inferRules(pairs, book)
  expect(rules.map(({ at, compare }) => [at, compare.as])).toEqual([['$.body.color', 'opaque']])
  expect(unstable.map(({ at }) => at)).toEqual(['$.body.status'])
})

test('a change between recording and both replays is no noise; headers are looked at as well', () => {
  const pairs: readonly Twice[] = [1, 2, 3].map((index) => ({
    recorded: answering({ status: 'CONFIRMED' }, '811dd618-6d35-48fb-b997-5fdd856a7184'),
    first: answering({ status: 'CANCELLED' }, `0db393d1-8ac7-4b6e-b362-52b5e2ba334${index}`),
    second: answering({ status: 'CANCELLED' }, `90c0a128-6a82-40b5-937d-01d18b5342c${index}`),
  }))
  const { rules, unstable } = inferRules(pairs, book)
  expect(unstable).toEqual([])
  expect(rules.map(({ at, side, compare }) => [at, side, compare.as])).toEqual([
    ['$.headers["x-app-run"]', 'request', 'shape'],
  ])
})
