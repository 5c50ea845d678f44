import { compact } from '../../compact.ts'
import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { Difference } from '../difference/difference.ts'
import { readRules } from '../difference/user-rules.ts'
import type { Exchange } from '../exchange.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import { createLadder, type LadderOptions } from './matcher.ts'

/** Bodies are the same or they are not: how finely they are compared is somebody else's work. */
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
  // Events of these tests are called after their orders: e1-created.
  ...(eventIds ?? []).map((id) => `o${id.slice(1, 2)}`),
]

/** Names of the recording and of now: `o1` is called `n1` now, unless nobody knows yet. */
function names(known: Record<string, string>): LadderOptions['binding'] {
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

interface Told {
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

function call({ call: operation, order, body, answer, status = 200, ...more }: Told, seq = 1) {
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

function ladderOf(told: readonly Told[], options: Partial<LadderOptions> = {}) {
  const exchanges = told.map((each, index): RecordedExchange => ({
    ...call(each, index + 1),
    recordId: `r${index + 1}`,
  }))
  const causes = new Map(
    told.map(({ causes: of = [] }, index) => [
      `r${index + 1}`,
      of.map((id): Cause => ({ id, kind: 'followup', sure: 1 })),
    ]),
  )
  const ladder = createLadder({
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
  const ask = (live: Told, now = 0) => {
    const { rung, recorded, idle, explanation, renamed } = ladder.find(call(live), now, 0)
    const answer = recorded?.reply?.body
    return { rung, answer, idle, explanation, renamed, id: recorded?.recordId }
  }
  return { ladder, ask, exchanges }
}

const life: readonly Told[] = [
  { call: 'getOrder', order: 'o1', answer: 'CREATED' },
  { call: 'confirmOrder', order: 'o1', status: 202 },
  { call: 'getOrder', order: 'o1', answer: 'CONFIRMED' },
  { call: 'setOrderPreparing', order: 'o1', status: 202 },
  { call: 'getOrder', order: 'o1', answer: 'PREPARING' },
]

test('a read after a change gets the answer from after the change, however often it is made', () => {
  const { ask } = ladderOf(life)
  const read = { call: 'getOrder', order: 'o1' } as const
  expect(ask(read)).toMatchObject({ rung: 'exact', answer: 'CREATED' })
  expect(ask(read)).toMatchObject({ rung: 'repeat', answer: 'CREATED' })
  expect(ask({ call: 'confirmOrder', order: 'o1' }).rung).toBe('exact')
  expect(ask(read)).toMatchObject({ rung: 'exact', answer: 'CONFIRMED' })
  expect(ask(read)).toMatchObject({ rung: 'repeat', answer: 'CONFIRMED' })
})

test('a subject that reads less often than it did gets what is right for its point in the story', () => {
  const { ask, ladder } = ladderOf(life)
  ask({ call: 'confirmOrder', order: 'o1' })
  expect(ask({ call: 'getOrder', order: 'o1' })).toMatchObject({
    rung: 'exact',
    answer: 'CONFIRMED',
  })
  ask({ call: 'setOrderPreparing', order: 'o1' })
  expect(ladder.unused()).toEqual(['r1', 'r5'])
})

test('news that was handed over counts as well: a read before it and one after it differ', () => {
  const { ask, ladder, exchanges } = ladderOf([
    { call: 'getOrder', order: 'o1', answer: 'CREATED' },
    { call: 'receiveOrderEvent', order: 'o1', events: ['e1-cancelled'], pushed: true },
    { call: 'getOrder', order: 'o1', answer: 'CANCELLED' },
  ])
  ask({ call: 'getOrder', order: 'o1' })
  expect(ask({ call: 'getOrder', order: 'o1' })).toMatchObject({
    rung: 'repeat',
    answer: 'CREATED',
  })
  ladder.sent(exchanges[1]!, 5)
  expect(ask({ call: 'getOrder', order: 'o1' })).toMatchObject({
    rung: 'exact',
    answer: 'CANCELLED',
  })
})

test('a call that skipped another is answered from later on, and told why', () => {
  const { ask } = ladderOf(life)
  const skipped = ask({ call: 'setOrderPreparing', order: 'o1' })
  expect(skipped.rung).toBe('ahead')
  expect(skipped.explanation?.candidates[0]?.because).toBe(
    'it comes later, after changes that were not made yet',
  )
})

test('another body is another rung, with the rule that would accept it', () => {
  const { ask } = ladderOf([{ call: 'confirmOrder', order: 'o1', body: 'a', status: 202 }])
  const found = ask({ call: 'confirmOrder', order: 'o1', body: 'b' })
  expect(found.rung).toBe('body')
  expect(found.explanation?.candidates[0]?.because).toBe('/body was "a" and is "b"')
  expect(found.explanation?.help).toContain('"at": "$.body"')
})

test('of several that fit, the one with the same body answers', () => {
  const { ask } = ladderOf([
    { call: 'sendOrderTracking', order: 'o1', body: 'here', answer: '1' },
    { call: 'getOrder', order: 'o2' },
  ])
  const two = ladderOf([
    { call: 'getOrder', order: 'o1', body: 'first', answer: '1' },
    { call: 'getOrder', order: 'o1', body: 'second', answer: '2' },
  ])
  expect(ask({ call: 'sendOrderTracking', order: 'o1', body: 'here' }).rung).toBe('exact')
  expect(two.ask({ call: 'getOrder', order: 'o1', body: 'second' })).toMatchObject({
    rung: 'exact',
    answer: '2',
  })
})

test('a name that nobody knows is bound to the one that the recording still waits for', () => {
  const known: Record<string, string> = {}
  const { ask } = ladderOf(life, { binding: names(known) })
  // And from then on it is told by the name of the recording.
  expect(ask({ call: 'getOrder', order: 'n1' })).toMatchObject({
    rung: 'bound',
    answer: 'CREATED',
    renamed: { orderId: 'o1' },
  })
  expect(known).toEqual({ o1: 'n1' })
  expect(ask({ call: 'confirmOrder', order: 'n1' }).rung).toBe('exact')
  expect(ask({ call: 'getOrder', order: 'n2' }).rung).toBe('miss')
})

test('a miss names what came nearest, and what would help', () => {
  const { ask, ladder } = ladderOf(life)
  const other = ask({ call: 'getOrder', order: 'o2' })
  expect(other.rung).toBe('miss')
  expect(other.explanation?.candidates).toHaveLength(3)
  expect(other.explanation?.candidates[0]?.because).toBe(
    'it is about orderId o1, and this one about orderId o2',
  )
  expect(ask({ call: 'dispatchOrder', order: 'o1' }).explanation?.help).toContain(
    'the recording has no dispatchOrder',
  )
  expect(ladder.counts()).toEqual({ miss: 2 })
})

test('an attempt that failed does not stand before the good answer, unless it is wanted', () => {
  const told: readonly Told[] = [
    { call: 'confirmOrder', order: 'o1', status: 503, answer: 'no' },
    { call: 'confirmOrder', order: 'o1', status: 202, answer: 'yes' },
  ]
  const confirm = { call: 'confirmOrder', order: 'o1' } as const
  expect(ladderOf(told, {}).ask(confirm).answer).not.toBe('no')
  const faithful = ladderOf(told, { faithfulFailures: true })
  expect([faithful.ask(confirm).answer, faithful.ask(confirm).answer]).toEqual(['no', 'yes'])
})

const polled: readonly Told[] = [
  { call: 'pollingEvents', status: 204 },
  { call: 'pollingEvents', events: ['e1-created'], answer: 'created' },
  { call: 'confirmOrder', order: 'o1', status: 202 },
  { call: 'pollingEvents', events: ['e1-confirmed'], answer: 'confirmed', causes: ['r3'] },
]

test('a batch goes out when what it came of has happened, however often one polls', () => {
  const { ask, ladder } = ladderOf(polled)
  const poll = { call: 'pollingEvents' } as const
  expect(ask(poll)).toMatchObject({ rung: 'exact', answer: 'created' })
  expect(ask(poll)).toMatchObject({ rung: 'repeat', idle: true, id: 'r1' })
  ask({ call: 'confirmOrder', order: 'o1' })
  expect(ask(poll)).toMatchObject({ rung: 'exact', answer: 'confirmed' })
  expect(ask(poll).idle).toBe(true)
  expect(ladder.unused()).toEqual([])
})

test('with time, a batch takes as long as it took, at the speed that was asked for', () => {
  const { ask } = ladderOf(polled, { speed: 2 })
  const poll = { call: 'pollingEvents' } as const
  expect(ask(poll, 900).idle).toBe(true)
  expect(ask(poll, 1000).answer).toBe('created')
  ask({ call: 'confirmOrder', order: 'o1' }, 5000)
  expect(ask(poll, 5400).idle).toBe(true)
  expect(ask(poll, 5500).answer).toBe('confirmed')
})

test('batches of one order keep their order, those of others do not wait for it', () => {
  const { ask } = ladderOf([
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

test('a batch about several orders goes out in parts, each when what it came of has happened', () => {
  const batch = [{ eventId: 'e1-confirmed' }, { eventId: 'e2-confirmed' }]
  const { ask, ladder } = ladderOf(
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
  expect(ask(poll)).toMatchObject({ rung: 'exact', answer: JSON.stringify(batch.slice(1)) })
  expect(ask(poll).idle).toBe(true)
  expect(ladder.left()).toBe(2)
  ask({ call: 'confirmOrder', order: 'o1' })
  expect(ask(poll).answer).toBe(JSON.stringify(batch.slice(0, 1)))
  expect(ladder.unused()).toEqual([])
})

test('an acknowledgment is known by its events, however many of them are in one', () => {
  const acknowledged = (...ids: readonly string[]): Told => ({
    call: 'acknowledgeEvents',
    body: JSON.stringify(ids.map((id) => ({ id }))),
    status: 202,
  })
  const { ask, ladder } = ladderOf([
    { call: 'pollingEvents', events: ['e1-a', 'e2-a', 'e1-b', 'e2-b'], answer: 'all' },
    acknowledged('e1-a', 'e2-a'),
    acknowledged('e1-b'),
  ])
  expect(ask(acknowledged('e1-a', 'e1-b')).rung).toBe('exact')
  expect(ladder.unused()).toEqual(['r1', 'r2'])
  expect(ask(acknowledged('e2-a')).rung).toBe('exact')
  expect(ask(acknowledged('e2-a')).rung).toBe('repeat')
  expect(ask(acknowledged('e2-b')).rung).toBe('body')
  expect(ask(acknowledged('e9-a')).rung).toBe('miss')
  expect(ladder.unused()).toEqual(['r1'])
})

test('the rule that would help is one that a file of rules takes, wherever the difference stands', () => {
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
    const { ask } = ladderOf([{ call: 'confirmOrder', order: 'o1', body: 'a' }], {
      compare: () => [difference(where)],
    })
    const help = ask({ call: 'confirmOrder', order: 'o1', body: 'b' }).explanation?.help ?? ''
    const rule = JSON.parse(help.slice(help.indexOf('{'))) as { at: string }
    expect(rule.at).toBe(at)
    expect(readRules(JSON.stringify({ version: 1, rules: [{ ...rule, reason: 'r' }] })).ok).toBe(
      true,
    )
  }
})

test('a batch that came of a message which was tried thousands of times waits for none that nobody sends', () => {
  const tries = 20_000
  const told = Array.from({ length: tries }, (_, index): Told => ({
    call: 'receiveOrderEvent',
    order: 'o1',
    status: 503,
    ...(index === 0 ? {} : { causes: [`r${index}`] }),
  }))
  const poll: Told = {
    call: 'pollingEvents',
    events: ['e1-created'],
    answer: '[{"eventId":"e1-created"}]',
    causes: [`r${tries}`],
  }
  const { ask } = ladderOf([...told, poll], { happens: () => false })
  expect(ask({ call: 'pollingEvents' }).answer).toContain('e1-created')
})
