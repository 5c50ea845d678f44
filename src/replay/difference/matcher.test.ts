import { compact } from '../../core/base/compact.ts'
import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { parseUserRules } from './user-rules.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { ExchangeMatcher, type MatcherOptions } from './matcher.ts'

/** A comparison of whole bodies only. */
const compare = (recorded: Exchange, live: Exchange): readonly Difference[] =>
  recorded.request.body === live.request.body
    ? []
    : [
        {
          side: 'request',
          where: '/body',
          kind: 'value',
          recorded: recorded.request.body,
          live: live.request.body,
          rule: { at: '$', compare: { as: 'equal' }, from: 'default', reason: 'it must be equal' },
          accepted: false,
        },
      ]

const entities = ({ orderId, eventIds }: Exchange): readonly string[] => [
  ...(orderId === undefined ? [] : [orderId]),
  // Event ids in these tests begin with the number of their order: e1-created.
  ...(eventIds ?? []).map((id) => `o${id.slice(1, 2)}`),
]

/** Recorded to live identifiers: `o1` is `n1` now, unless it is not known yet. */
function names(known: Record<string, string>): MatcherOptions['binding'] {
  const oldOf = (name: string) => Object.entries(known).find(([, now]) => now === name)?.[0]
  return {
    oldName: (_kind, name) => oldOf(name),
    newName: (_kind, old) => known[old],
    bind: (_kind, old, name) => {
      known[old] = name
      return undefined
    },
    renamed: (live) => {
      const orderId = live.orderId === undefined ? undefined : (oldOf(live.orderId) ?? live.orderId)
      return orderId === undefined ? live : { ...live, orderId, params: { orderId } }
    },
  }
}

interface CallSpec {
  readonly call: Exchange['operation']
  readonly order?: string
  readonly body?: string
  readonly answer?: string
  readonly status?: number
  readonly events?: readonly string[]
  readonly pushed?: true
  readonly causes?: readonly string[]
}

const subject = { role: 'software-service', party: 'subject' } as const
const partner = { role: 'ordering-application', party: 'partner' } as const

function call({ call: operation, order, body, answer, status = 200, ...more }: CallSpec, seq = 1) {
  const { params: _params, orderId: _orderId, ...bare } = sampleExchange(seq)
  const safe = operation === 'getOrder' || operation === 'pollingEvents'
  return {
    ...bare,
    startedAt: sampleT0 + seq * 1000,
    tookMs: 0,
    from: more.pushed ? partner : subject,
    to: more.pushed ? subject : partner,
    operation: operation ?? 'getOrder',
    ...(order === undefined ? {} : { orderId: order, params: { orderId: order } }),
    ...compact({ eventIds: more.events }),
    request: {
      method: safe ? 'GET' : 'POST',
      url: `http://partner.test/${operation}/${order}`,
      headers: [],
      ...compact({ body }),
    },
    ...(status === 0
      ? { reply: undefined }
      : { reply: { status, headers: [], ...compact({ body: answer }) } }),
  } as Exchange
}

function createHarness(specs: readonly CallSpec[], options: Partial<MatcherOptions> = {}) {
  const exchanges = specs.map((each, index): RecordedExchange => ({
    ...call(each, index + 1),
    recordId: `r${index + 1}`,
  }))
  const causes = new Map(
    specs.map(({ causes: of = [] }, index) => [
      `r${index + 1}`,
      of.map((id): Cause => ({ id, kind: 'followup', sure: 1 })),
    ]),
  )
  const matcher = new ExchangeMatcher({
    exchanges,
    ours: ({ party }) => party === 'partner',
    binding: names({ o1: 'o1', o2: 'o2' }),
    correlation: {
      in: (recordId) => {
        const { params = {} } = exchanges.find((each) => each.recordId === recordId)!
        return Object.entries(params).map(([name, value]) => {
          const site = { recordId, side: 'request' as const, at: `/path/${name}` }
          return {
            identifier: { kind: 'order', value, origin: 'theirs' as const, born: site, uses: [] },
            site,
          }
        })
      },
    },
    causes: (id) => causes.get(id) ?? [],
    entities,
    compare,
    speed: 'asap',
    t0: sampleT0,
    ...options,
  })
  const ask = (live: CallSpec, now = 0) => {
    const { strategy, recorded, idle, explanation, renamed } = matcher.find(call(live), now, {
      shiftMs: 0,
    })
    const answer = recorded?.reply?.body
    return { strategy, answer, idle, explanation, renamed, id: recorded?.recordId }
  }
  return { matcher, ask, exchanges }
}

const orderLifecycle: readonly CallSpec[] = [
  { call: 'getOrder', order: 'o1', answer: 'CREATED' },
  { call: 'confirmOrder', order: 'o1', status: 202 },
  { call: 'getOrder', order: 'o1', answer: 'CONFIRMED' },
  { call: 'setOrderPreparing', order: 'o1', status: 202 },
  { call: 'getOrder', order: 'o1', answer: 'PREPARING' },
]

test('a read after a change gets the reply from after the change, also when it is repeated', () => {
  const { ask } = createHarness(orderLifecycle)
  const read = { call: 'getOrder', order: 'o1' } as const
  expect(ask(read)).toMatchObject({ strategy: 'exact', answer: 'CREATED' })
  expect(ask(read)).toMatchObject({ strategy: 'repeat', answer: 'CREATED' })
  expect(ask({ call: 'confirmOrder', order: 'o1' }).strategy).toBe('exact')
  expect(ask(read)).toMatchObject({ strategy: 'exact', answer: 'CONFIRMED' })
  expect(ask(read)).toMatchObject({ strategy: 'repeat', answer: 'CONFIRMED' })
})

test('a subject that reads less often than recorded gets the reply of the current entity version', () => {
  const { ask, matcher } = createHarness(orderLifecycle)
  ask({ call: 'confirmOrder', order: 'o1' })
  expect(ask({ call: 'getOrder', order: 'o1' })).toMatchObject({
    strategy: 'exact',
    answer: 'CONFIRMED',
  })
  ask({ call: 'setOrderPreparing', order: 'o1' })
  expect(matcher.unused()).toEqual(['r1', 'r5'])
})

test('handovers count for the entity version: reads before and after an event get different replies', () => {
  const { ask, matcher, exchanges } = createHarness([
    { call: 'getOrder', order: 'o1', answer: 'CREATED' },
    { call: 'receiveOrderEvent', order: 'o1', events: ['e1-cancelled'], pushed: true },
    { call: 'getOrder', order: 'o1', answer: 'CANCELLED' },
  ])
  ask({ call: 'getOrder', order: 'o1' })
  expect(ask({ call: 'getOrder', order: 'o1' })).toMatchObject({
    strategy: 'repeat',
    answer: 'CREATED',
  })
  matcher.sent(exchanges[1]!, 5)
  expect(ask({ call: 'getOrder', order: 'o1' })).toMatchObject({
    strategy: 'exact',
    answer: 'CANCELLED',
  })
})

test('a call that skipped a recorded one is answered by a later exchange, with an explanation', () => {
  const { ask } = createHarness(orderLifecycle)
  const skipped = ask({ call: 'setOrderPreparing', order: 'o1' })
  expect(skipped.strategy).toBe('ahead')
  expect(skipped.explanation?.candidates[0]?.because).toBe(
    'it comes later, after changes that were not made yet',
  )
})

test('a different body is matched as `body`, with the rule that would accept it', () => {
  const { ask } = createHarness([{ call: 'confirmOrder', order: 'o1', body: 'a', status: 202 }])
  const found = ask({ call: 'confirmOrder', order: 'o1', body: 'b' })
  expect(found.strategy).toBe('body')
  expect(found.explanation?.candidates[0]?.because).toBe('/body was "a" and is "b"')
  expect(found.explanation?.help).toContain('"at": "$.body"')
})

test('of several candidates the one with the same body is matched', () => {
  const { ask } = createHarness([
    { call: 'sendOrderTracking', order: 'o1', body: 'here', answer: '1' },
    { call: 'getOrder', order: 'o2' },
  ])
  const two = createHarness([
    { call: 'getOrder', order: 'o1', body: 'first', answer: '1' },
    { call: 'getOrder', order: 'o1', body: 'second', answer: '2' },
  ])
  expect(ask({ call: 'sendOrderTracking', order: 'o1', body: 'here' }).strategy).toBe('exact')
  expect(two.ask({ call: 'getOrder', order: 'o1', body: 'second' })).toMatchObject({
    strategy: 'exact',
    answer: '2',
  })
})

test('an unknown identifier is bound to that of an unused recorded call', () => {
  const known: Record<string, string> = {}
  const { ask } = createHarness(orderLifecycle, { binding: names(known) })
  // From then on it is reported by its recorded identifier.
  expect(ask({ call: 'getOrder', order: 'n1' })).toMatchObject({
    strategy: 'bound',
    answer: 'CREATED',
    renamed: { orderId: 'o1' },
  })
  expect(known).toEqual({ o1: 'n1' })
  expect(ask({ call: 'confirmOrder', order: 'n1' }).strategy).toBe('exact')
  expect(ask({ call: 'getOrder', order: 'n2' }).strategy).toBe('miss')
})

test('a miss is explained with the nearest candidates and what would help', () => {
  const { ask, matcher } = createHarness(orderLifecycle)
  const other = ask({ call: 'getOrder', order: 'o2' })
  expect(other.strategy).toBe('miss')
  expect(other.explanation?.candidates).toHaveLength(3)
  expect(other.explanation?.candidates[0]?.because).toBe(
    'it is about orderId o1, and this one about orderId o2',
  )
  expect(ask({ call: 'dispatchOrder', order: 'o1' }).explanation?.help).toContain(
    'the recording has no dispatchOrder',
  )
  expect(matcher.counts()).toEqual({ miss: 2 })
})

test('a failed attempt is matched after the successful reply, unless failures are reproduced', () => {
  const specs: readonly CallSpec[] = [
    { call: 'confirmOrder', order: 'o1', status: 503, answer: 'no' },
    { call: 'confirmOrder', order: 'o1', status: 202, answer: 'yes' },
  ]
  const confirm = { call: 'confirmOrder', order: 'o1' } as const
  expect(createHarness(specs, {}).ask(confirm).answer).not.toBe('no')
  const faithful = createHarness(specs, { faithfulFailures: true })
  expect([faithful.ask(confirm).answer, faithful.ask(confirm).answer]).toEqual(['no', 'yes'])
})

const polled: readonly CallSpec[] = [
  { call: 'pollingEvents', status: 204 },
  { call: 'pollingEvents', events: ['e1-created'], answer: 'created' },
  { call: 'confirmOrder', order: 'o1', status: 202 },
  { call: 'pollingEvents', events: ['e1-confirmed'], answer: 'confirmed', causes: ['r3'] },
]

test('a batch is released when its causes have happened, at any number of polls', () => {
  const { ask, matcher } = createHarness(polled)
  const poll = { call: 'pollingEvents' } as const
  expect(ask(poll)).toMatchObject({ strategy: 'exact', answer: 'created' })
  expect(ask(poll)).toMatchObject({ strategy: 'repeat', idle: true, id: 'r1' })
  ask({ call: 'confirmOrder', order: 'o1' })
  expect(ask(poll)).toMatchObject({ strategy: 'exact', answer: 'confirmed' })
  expect(ask(poll).idle).toBe(true)
  expect(matcher.unused()).toEqual([])
})

test('without `asap` a batch waits for its recorded delay, divided by the speed', () => {
  const { ask } = createHarness(polled, { speed: 2 })
  const poll = { call: 'pollingEvents' } as const
  expect(ask(poll, 900).idle).toBe(true)
  expect(ask(poll, 1000).answer).toBe('created')
  ask({ call: 'confirmOrder', order: 'o1' }, 5000)
  expect(ask(poll, 5400).idle).toBe(true)
  expect(ask(poll, 5500).answer).toBe('confirmed')
})

test('batches of one order keep their sequence, those of other orders do not wait', () => {
  const { ask } = createHarness([
    { call: 'getOrder', order: 'o1', answer: 'read' },
    { call: 'pollingEvents', events: ['e1-a'], answer: 'a1', causes: ['r1'] },
    { call: 'pollingEvents', events: ['e1-b'], answer: 'b1' },
    { call: 'pollingEvents', events: ['e2-a'], answer: 'a2' },
  ])
  const poll = { call: 'pollingEvents' } as const
  expect(ask(poll).answer).toBe('a2')
  expect(ask(poll).idle).toBe(true)
  ask({ call: 'getOrder', order: 'o1' })
  expect([ask(poll).answer, ask(poll).answer]).toEqual(['a1', 'b1'])
})

test('a batch about several orders is split, and each part is released after its own causes', () => {
  const batch = [{ eventId: 'e1-confirmed' }, { eventId: 'e2-confirmed' }]
  const { ask, matcher } = createHarness(
    [
      { call: 'confirmOrder', order: 'o1', status: 202 },
      { call: 'confirmOrder', order: 'o2', status: 202 },
      {
        call: 'pollingEvents',
        events: ['e1-confirmed', 'e2-confirmed'],
        answer: JSON.stringify(batch),
        causes: ['r1', 'r2'],
      },
    ],
    {
      newsIn: ({ eventIds = [] }) =>
        eventIds.map((id) => ({ id, about: entities({ eventIds: [id] } as unknown as Exchange) })),
    },
  )
  const poll = { call: 'pollingEvents' } as const
  expect(ask(poll).idle).toBe(true)
  ask({ call: 'confirmOrder', order: 'o2' })
  expect(ask(poll)).toMatchObject({ strategy: 'exact', answer: JSON.stringify(batch.slice(1)) })
  expect(ask(poll).idle).toBe(true)
  expect(matcher.unusedCount()).toBe(2)
  ask({ call: 'confirmOrder', order: 'o1' })
  expect(ask(poll).answer).toBe(JSON.stringify(batch.slice(0, 1)))
  expect(matcher.unused()).toEqual([])
})

test('acknowledgments are matched by their events, in any grouping', () => {
  const acknowledged = (...ids: readonly string[]): CallSpec => ({
    call: 'acknowledgeEvents',
    body: JSON.stringify(ids.map((id) => ({ id }))),
    status: 202,
  })
  const { ask, matcher } = createHarness([
    { call: 'pollingEvents', events: ['e1-a', 'e2-a', 'e1-b', 'e2-b'], answer: 'all' },
    acknowledged('e1-a', 'e2-a'),
    acknowledged('e1-b'),
  ])
  expect(ask(acknowledged('e1-a', 'e1-b')).strategy).toBe('exact')
  expect(matcher.unused()).toEqual(['r1', 'r2'])
  expect(ask(acknowledged('e2-a')).strategy).toBe('exact')
  expect(ask(acknowledged('e2-a')).strategy).toBe('repeat')
  expect(ask(acknowledged('e2-b')).strategy).toBe('body')
  expect(ask(acknowledged('e9-a')).strategy).toBe('miss')
  expect(matcher.unused()).toEqual(['r1'])
})

test('the suggested rule is valid in a rule file, for any place of the difference', () => {
  const difference = (where: string): Difference => ({
    side: 'request',
    where,
    kind: 'value',
    recorded: 'a',
    live: 'b',
    rule: { at: '$', compare: { as: 'equal' }, from: 'default', reason: 'it must be equal' },
    accepted: false,
  })
  for (const [where, at] of [
    ['/headers/content-type', '$.headers["content-type"]'],
    ['/body/items/3/price', '$.body.items[*].price'],
    ['/body/a~1b', '$.body["a/b"]'],
  ] as const) {
    const { ask } = createHarness([{ call: 'confirmOrder', order: 'o1', body: 'a' }], {
      compare: () => [difference(where)],
    })
    const help = ask({ call: 'confirmOrder', order: 'o1', body: 'b' }).explanation?.help ?? ''
    const rule = JSON.parse(help.slice(help.indexOf('{'))) as { at: string }
    expect(rule.at).toBe(at)
    expect(
      parseUserRules(JSON.stringify({ version: 1, rules: [{ ...rule, reason: 'r' }] })).ok,
    ).toBe(true)
  }
})

test('a batch caused by a message with thousands of attempts waits for none that cannot happen', () => {
  const tries = 20_000
  const specs = Array.from({ length: tries }, (_, index): CallSpec => ({
    call: 'receiveOrderEvent',
    order: 'o1',
    status: 503,
    ...(index === 0 ? {} : { causes: [`r${index}`] }),
  }))
  const poll: CallSpec = {
    call: 'pollingEvents',
    events: ['e1-created'],
    answer: '[{"eventId":"e1-created"}]',
    causes: [`r${tries}`],
  }
  const { ask } = createHarness([...specs, poll], { happens: () => false })
  expect(ask({ call: 'pollingEvents' }).answer).toContain('e1-created')
})
