/** Differences of two exchanges and their places, for every kind of change and of rule. */
import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Exchange, HeaderPairs } from '../../core/traffic/exchange.ts'
import { compareExchanges, createMonotonicHistory } from './compare-exchanges.ts'
import type { Comparator, Difference, Rule } from '../../core/traffic/recording/difference.ts'
import { protocolRules, createRuleBook } from './protocol-rules.ts'
import { compileRules } from './rule-book.ts'
import { parseUserRules, formatUserRules } from './user-rules.ts'

const json: HeaderPairs = [['Content-Type', 'application/json; charset=utf-8']]
const answering = (body: unknown, headers: HeaderPairs = json): Exchange =>
  sampleExchange(1, { reply: { status: 200, headers, body: JSON.stringify(body) } })

const user = (at: string, compare: Comparator, more: Partial<Rule> = {}): Rule => ({
  at,
  compare,
  from: 'user',
  reason: 'we know that',
  ...more,
})

const summaries = (differences: readonly Difference[]): readonly string[] =>
  differences.map(({ where, kind, accepted }) => `${kind} ${where}${accepted ? ' accepted' : ''}`)

const compare = (recorded: unknown, live: unknown, ...rules: readonly Rule[]) =>
  summaries(compareExchanges(answering(recorded), answering(live), createRuleBook(rules)))

const item = (id: string, quantity = 1) => ({ id, name: `dish ${id}`, quantity })

describe('lists', () => {
  test('one removed item and one changed quantity give two differences, not shifted positions', () => {
    const items = Array.from({ length: 200 }, (_, index) => item(`i${index}`))
    const live = items
      .filter(({ id }) => id !== 'i3')
      .map((each) => (each.id === 'i150' ? { ...each, quantity: 7 } : each))
    expect(compare({ items }, { items: live })).toEqual([
      'value /body/items/150/quantity',
      'missing /body/items/3',
    ])
  })

  test('members are matched by a key of the protocol, or by another key when all values of the first are new', () => {
    const payments = [
      { paymentId: 'a', amount: 1 },
      { paymentId: 'b', amount: 2 },
    ]
    expect(compare({ payments }, { payments: payments.slice(1) })).toEqual([
      'missing /body/payments/0',
    ])
    const coded = (prefix: string) =>
      ['x', 'y', 'z'].map((code) => ({ id: `${prefix}-${code}`, externalCode: code, note: code }))
    const [, ...rest] = coded('new')
    expect(compare({ items: coded('old') }, { items: rest })).toEqual([
      'value /body/items/1/id',
      'value /body/items/2/id',
      'missing /body/items/0',
    ])
  })

  test('without a key, members are matched by content, and the rest of a gap by similarity', () => {
    const fees = [
      { type: 'A', value: 1 },
      { type: 'B', value: 2 },
      { type: 'C', value: 3 },
    ]
    const live = [
      { type: 'B', value: 5 },
      { type: 'C', value: 3 },
    ]
    expect(compare({ fees }, { fees: live })).toEqual([
      'missing /body/fees/0',
      'value /body/fees/1/value',
    ])
    expect(compare({ tags: ['a', 'b', 'c'] }, { tags: ['a', 'c'] })).toEqual([
      'missing /body/tags/1',
    ])
  })

  test('another order is one difference; in an unordered list it is accepted and still reported', () => {
    const items = [item('a'), item('b'), item('c')]
    const turned = { items: items.toReversed() }
    expect(compare({ items }, turned)).toEqual(['order /body/items'])
    expect(compare({ items }, turned, user('$.body.items', { as: 'set' }))).toEqual([
      'order /body/items accepted',
    ])
  })

  test('a duplicate event is one extra difference', () => {
    const events = [{ eventId: 'a' }, { eventId: 'b' }]
    expect(compare(events, [...events, { eventId: 'a' }])).toEqual(['extra /body/2'])
  })

  test('lists above the alignment limit are compared by position within the time limit', () => {
    const left = Array.from({ length: 20_000 }, (_, index) => `${index}`)
    const right = left.with(19_999, 'other')
    expect(compare({ left }, { left: right })).toEqual(['value /body/left/19999'])
  })
})

test('a deeply nested body neither overflows the stack nor hides a change', () => {
  const nested = (depth: number, core: string): string =>
    `${'{"a":['.repeat(depth)}${JSON.stringify(core)}${']}'.repeat(depth)}`
  const deep = (core: string): Exchange =>
    sampleExchange(1, { reply: { status: 200, headers: json, body: nested(3000, core) } })
  const book = createRuleBook()
  expect(compareExchanges(deep('x'), deep('x'), book)).toEqual([])
  const [found, ...more] = compareExchanges(deep('x'), deep('y'), book)
  expect(more).toEqual([])
  expect(found).toMatchObject({ side: 'reply', accepted: false })
  expect(found?.where.startsWith('/body/a/0/a/0')).toBe(true)
  // It can be reported, in words where it is too deep for JSON.
  expect(JSON.stringify(found)).toMatch(/\(\d+ levels of lists and objects\)/)
})

test('status, content type and retry-after are compared; dates, signatures and tokens are not', () => {
  const headers = (...more: HeaderPairs): HeaderPairs => [...json, ...more]
  const left = answering(
    {},
    headers(['Date', 'Mon'], ['X-App-Signature', 'aa'], ['Retry-After', '5'], ['X-App-Id', 'a']),
  )
  const right = answering(
    {},
    headers(['date', 'Tue'], ['x-app-signature', 'bb'], ['retry-after', '6'], ['x-app-id', 'b']),
  )
  expect(summaries(compareExchanges(left, right, createRuleBook()))).toEqual([
    'value /headers/retry-after accepted',
    'value /headers/x-app-id',
  ])
  const none = sampleExchange(1, { failure: { code: 'ECONNRESET', message: 'gone' } })
  const { reply: _, ...silent } = none
  expect(summaries(compareExchanges(sampleExchange(1), silent, createRuleBook()))).toContain(
    'value /status',
  )
})

test.each<readonly [Comparator, unknown, unknown, boolean]>([
  [{ as: 'equal' }, 1, 2, false],
  [{ as: 'time', within: 5000 }, '2026-01-05T15:00:00Z', '2026-01-05T15:00:04.9Z', true],
  [{ as: 'time', within: 5000 }, '2026-01-05T15:00:00Z', '2026-01-05T15:00:05.1Z', false],
  [{ as: 'time' }, '2026-01-05T15:00:00Z', '2031-01-05T15:00:00+02:00', true],
  [{ as: 'time' }, '2026-01-05T15:00:00Z', 'soon', false],
  [
    { as: 'shape' },
    '811dd618-6d35-48fb-b997-5fdd856a7184',
    '0db393d1-8ac7-4b6e-b362-52b5e2ba334b',
    true,
  ],
  [{ as: 'shape' }, '811dd618-6d35-48fb-b997-5fdd856a7184', 'an id', false],
  [{ as: 'shape' }, { a: 1, b: 'x' }, { a: 2, b: 'y' }, true],
  [{ as: 'shape' }, { a: 1 }, { a: '1' }, false],
  [{ as: 'present' }, 'a', 5, true],
  [{ as: 'present' }, 'a', null, false],
  [{ as: 'absent-or-null' }, null, undefined, true],
  [{ as: 'absent-or-null' }, null, 0, false],
  [{ as: 'empty' }, [], undefined, true],
  [{ as: 'empty' }, '', {}, true],
  [{ as: 'empty' }, '', 'a', false],
  [{ as: 'number', within: 0.01 }, 10, 10.01, true],
  [{ as: 'number', within: 0.01 }, 10, 10.02, false],
  [{ as: 'number', within: 1 }, '10', '11', true],
  [{ as: 'address' }, 'http://127.0.0.1:7101/orders/1?a=b', 'https://x.test/orders/1?a=b', true],
  [{ as: 'address' }, 'http://127.0.0.1:7101/orders/1', 'http://127.0.0.1:7101/orders/2', false],
  [{ as: 'number', within: 1 }, '10', 10, false],
  // The instant may differ, its form may not: offset, T, unit, type.
  [{ as: 'time' }, '2026-01-05T15:00:00Z', '2026-01-05T15:00:00', false],
  [{ as: 'time' }, '2026-01-05T15:00:00Z', '2026-01-05 15:00:00Z', false],
  [{ as: 'time' }, '2026-01-05T15:00:00Z', '2026-01-05T15:00Z', false],
  [{ as: 'time' }, '2026-01-05T15:00:00+00:00', '2026-01-05T15:00:00+0000', false],
  [{ as: 'time' }, '2026-01-05T15:00:00Z', 1_767_625_200_000, false],
  [{ as: 'time' }, '1767625200', 1_767_625_200, false],
  [{ as: 'time' }, 1_767_625_200, 1_767_625_200_000, false],
  [{ as: 'time' }, 1_767_625_200, 1_767_625_201, true],
  [{ as: 'time' }, '2026-01-05T15:00:00.5Z', '2026-01-05T12:00:01-03:00', true],
  [{ as: 'time' }, '2026-01-05 15:00:00', '2026-01-05 15:00:09', true],
  [{ as: 'shape' }, '2026-01-05T15:00:00Z', '2026-01-05T15:00:00', false],
  [{ as: 'monotonic' }, '2026-01-05T15:00:00Z', '2026-01-05T15:00:01', false],
  [{ as: 'opaque' }, { a: 1 }, 'x', false],
  [{ as: 'opaque' }, 'x', 'y', true],
  [{ as: 'opaque' }, 'x', undefined, false],
  [{ as: 'ignore' }, 'x', undefined, true],
])('%j: %j and %j', (comparator, recorded, live, accepted) => {
  const rules = compileRules([user('$.body.at', comparator)])
  if (!rules.ok) throw new Error(rules.error)
  const found = compareExchanges(answering({ at: recorded }), answering({ at: live }), rules.value)
  expect(found.length).toBeGreaterThan(0)
  expect(found.every((each) => each.accepted)).toBe(accepted)
})

test('a monotonic rule compares with earlier exchanges', () => {
  const book = createRuleBook([user('$.body.version', { as: 'monotonic' })])
  const growth = createMonotonicHistory()
  const see = (version: number) =>
    summaries(compareExchanges(answering({ version: 1 }), answering({ version }), book, growth))
  expect([see(5), see(6), see(4)]).toEqual([
    ['value /body/version accepted'],
    ['value /body/version accepted'],
    ['value /body/version'],
  ])
})

describe('rules', () => {
  test('a user rule precedes a protocol rule, only in its operation and on its side', () => {
    const [early, late] = ['2026-01-05T15:00:00Z', '2026-01-05T15:00:30Z']
    const at = (createdAt: string) => ({ createdAt })
    expect(compare(at(early), at(late))).toEqual(['value /body/createdAt accepted'])
    const strict = user('$.body.createdAt', { as: 'equal' })
    expect(compare(at(early), at(late), strict)).toEqual(['value /body/createdAt'])
    expect(compare(at(early), at(late), { ...strict, operation: 'getDelivery' })).toEqual([
      'value /body/createdAt accepted',
    ])
    expect(compare(at(early), at(late), { ...strict, side: 'request' })).toEqual([
      'value /body/createdAt accepted',
    ])
  })

  test('a filter, a slice and an index select by the content of the document', () => {
    const items = [item('a'), item('b'), item('c')]
    const live = items.map((each) => ({ ...each, quantity: 9 }))
    const ignored = (at: string) => compare({ items }, { items: live }, user(at, { as: 'ignore' }))
    const open = [
      'value /body/items/0/quantity',
      'value /body/items/1/quantity',
      'value /body/items/2/quantity',
    ]
    const accepting = (...positions: readonly number[]) =>
      open.map((each, index) => (positions.includes(index) ? `${each} accepted` : each))
    expect(ignored("$.body.items[?@.id == 'b'].quantity")).toEqual(accepting(1))
    expect(ignored('$.body.items[1:].quantity')).toEqual(accepting(1, 2))
    expect(ignored('$.body.items[0].quantity')).toEqual(accepting(0))
    expect(ignored('$..quantity')).toEqual(accepting(0, 1, 2))
    expect(ignored('$.body.items[*].*')).toEqual(accepting(0, 1, 2))
  })

  test('every protocol rule compiles and has a sentence as its reason', () => {
    expect(protocolRules().length).toBeGreaterThan(40)
    for (const { reason, from } of protocolRules()) {
      expect(from).toBe('protocol')
      expect(reason).toMatch(/^\S.{15,}\.$/)
    }
    const places = protocolRules().map(({ at }) => at)
    expect(places).toEqual(
      expect.arrayContaining(['$.body..createdAt', '$.body..paidAt', '$.body..orderURL']),
    )
    expect(places).not.toContain('$.body..birthDate')
  })

  test('a rules file survives a round trip, and the error of an invalid one names its place', () => {
    const text = formatUserRules([
      user('$.body.a', { as: 'time', within: 5000 }, { operation: 'getOrder' }),
      user("$.body['b c']", { as: 'ignore' }, { side: 'reply' }),
    ])
    const read = parseUserRules(text)
    expect(read.ok && formatUserRules(read.value)).toBe(text)
    const bad = (rules: unknown) => {
      const result = parseUserRules(JSON.stringify({ version: 1, rules }))
      return result.ok ? 'read' : result.error
    }
    expect(bad([{ at: '$.a[', compare: 'ignore', reason: 'x' }])).toMatch(
      /rules\.0\.at will not do: "\$\.a\[" is no JSONPath/,
    )
    expect(bad([{ at: '$.a', compare: 'ignore' }])).toMatch(/rules\.0\.reason/)
    expect(bad([{ at: '$.a', compare: { as: 'time', within: 'soon' }, reason: 'x' }])).toMatch(
      /rules\.0\.compare/,
    )
    expect(parseUserRules('{')).toEqual({ ok: false, error: 'it is no JSON' })
  })
})

test('any amount of accepted noise leaves room for real differences', () => {
  const order = (index: number, minute: number, total: number) => ({
    id: `o${index}`,
    createdAt: `2026-01-05T12:0${minute}:00.000Z`,
    updatedAt: `2026-01-05T12:0${minute}:30.000Z`,
    total,
  })
  const list = (minute: number, last: number) => ({
    items: Array.from({ length: 700 }, (_, index) =>
      order(index, minute, index === 699 ? last : 1),
    ),
  })
  const found = compare(list(0, 1), list(1, 2))
  expect(found.filter((each) => !each.endsWith('accepted'))).toEqual([
    'value /body/items/699/total',
  ])
})

test('a key that equals a numbered duplicate of another key is a key of its own', () => {
  const items = ['a', 'a', 'a 1'].map((id) => item(id))
  expect(compare({ items }, { items })).toEqual([])
  const live = items.map((each, index) => (index === 1 ? { ...each, quantity: 9 } : each))
  expect(compare({ items }, { items: live })).toEqual(['value /body/items/1/quantity'])
})

test('a body that is not there is no stand-in for one that was recorded; bodies that are no text differ byte by byte', () => {
  const reply = (message: Partial<NonNullable<Exchange['reply']>>): Exchange =>
    sampleExchange(1, { reply: { status: 200, headers: json, ...message } })
  const person = reply({ body: '{"customer":{"name":"Ana Souza"}}' })
  const bytes = (base64: string): Exchange => reply({ wire: { base64 } })
  const rules = createRuleBook([])
  const compared = (recorded: Exchange, live: Exchange) =>
    summaries(compareExchanges(recorded, live, rules))
  expect(compared(person, reply({}))).toEqual(['missing /body'])
  expect(compared(bytes('/9j/'), reply({}))).toEqual(['missing /body'])
  expect(compared(reply({}), bytes('/9j/'))).toEqual(['extra /body'])
  expect(compared(bytes('/9j/'), bytes('/9j/'))).toEqual([])
  expect(compared(bytes('/9j/'), bytes('/9jg'))).toEqual(['value /body/base64'])
  expect(compared(reply({ wire: { bytes: 3 } }), bytes('/9j/'))).toEqual(['extra /body accepted'])
})

describe('credentials', () => {
  const sent = (...headers: HeaderPairs) => {
    const sample = sampleExchange(1)
    return { ...sample, request: { ...sample.request, headers } }
  }
  const bearer = ['Authorization', 'Bearer one'] as const
  const signed = ['X-App-Signature', '00ff'] as const
  const place = '/headers/authorization'

  test.each<readonly [string, HeaderPairs, HeaderPairs, readonly string[]]>([
    ['a token is gone', [bearer], [], [`missing ${place}`]],
    ['its scheme is gone', [bearer], [['Authorization', 'one']], [`value ${place}`]],
    ['it has another scheme', [bearer], [['Authorization', 'Basic b25l']], [`value ${place}`]],
    ['a signature is gone', [signed], [], ['missing /headers/x-app-signature']],
    ['it is another token', [bearer], [['authorization', 'bearer ~tok_abcdefghij']], []],
    ['it is another signature', [signed], [['x-app-signature', '~sig_abcdefghij']], []],
    ['the recording left it out', [], [bearer], []],
  ])('%s', (_, recorded, live, expected) => {
    const found = compareExchanges(sent(...recorded), sent(...live), createRuleBook())
    expect(summaries(found)).toEqual(expected)
  })
})
