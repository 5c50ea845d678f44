// @module-tag slow
/** Comparison of two recordings: other identifiers make no difference, a single change makes one. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type RepeatedRunOptions, recordRepeatedRun } from '../../../test/support/repeated-run.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { isSoak } from '../../../test/support/soak.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { differingStandings } from '../minimise/failure-signature.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import { createRuleBook } from './protocol-rules.ts'
import { compareRecordings, comparedUnits } from './compare-recordings.ts'

const book = createRuleBook()
const compare = (a: readonly RecordedExchange[], b: readonly RecordedExchange[]) =>
  compareRecordings({ exchanges: a }, { exchanges: b }, book)

const summary = ({ standing, recorded, live, differences }: ReplayedExchange): string =>
  [
    standing,
    (recorded ?? live)?.operation,
    ...differences.flatMap(({ accepted, side, where, kind, recorded: then, live: now }) =>
      accepted ? [] : [`${side}${where} ${kind} ${JSON.stringify(then)} ${JSON.stringify(now)}`],
    ),
  ].join(' ')

const alarms = (a: readonly RecordedExchange[], b: readonly RecordedExchange[]) =>
  compare(a, b)
    .exchanges.filter(({ standing }) => differingStandings.has(standing))
    .map(summary)

const evenings: readonly (readonly [string, RepeatedRunOptions])[] = [
  ['polling', {}],
  ['webhook', { channel: 'webhook' }],
  ['both channels', { channel: 'both' }],
  ['deliveries that the service asks for', { delivers: true }],
  ['deliveries, and webhooks', { delivers: true, channel: 'webhook' }],
  [
    'a cancellation that the service asks for',
    { also: (harness, [id = '']) => harness.requestCancellation(id) },
  ],
]

describe('two runs of one evening with different seeds have no differences', () => {
  test.each(evenings)('%s', async (_, evening) => {
    const first = await recordRepeatedRun(1, evening)
    for (const seed of isSoak ? [2, 3, 4, 5, 6] : [2]) {
      const again = await recordRepeatedRun(seed, evening)
      expect(alarms(first, again)).toEqual([])
      // Guards against an empty comparison.
      const { exchanges, map } = compare(first, again)
      expect(exchanges.filter(({ recorded, live }) => recorded && live).length).toBeGreaterThan(30)
      expect(map.filter(({ kind }) => kind === 'order')).toHaveLength(3)
    }
  })
})

describe('a single change is reported as that change', () => {
  let recorded: readonly RecordedExchange[] = []
  let live: readonly RecordedExchange[] = []
  beforeAll(async () => {
    recorded = await recordRepeatedRun(1)
    live = await recordRepeatedRun(2)
  })

  const without = (gone: RecordedExchange | undefined) => live.filter((each) => each !== gone)
  const changed = (one: RecordedExchange, change: Partial<RecordedExchange>) =>
    live.map((each) => (each === one ? { ...each, ...change } : each))

  test('a call that the service no longer makes is missing, and is the first divergence', () => {
    const calls = live.filter(({ operation }) => operation === 'setOrderPreparing')
    const { exchanges, first = -1 } = compare(recorded, without(calls[1]))
    expect(exchanges.map(summary).filter((each) => each.startsWith('missing'))).toEqual([
      'missing setOrderPreparing',
    ])
    expect(exchanges[first]).toMatchObject({
      standing: 'missing',
      recorded: { operation: 'setOrderPreparing' },
    })
  })

  test('a duplicate call is one extra exchange', () => {
    const call = live.find(({ operation }) => operation === 'confirmOrder')!
    const twice = [...live, { ...call, seq: live.length + 10, recordId: 'again' }]
    expect(alarms(recorded, twice)).toEqual(['extra confirmOrder'])
  })

  test('a reply with another status is reported with both statuses', () => {
    const call = live.find(({ operation }) => operation === 'dispatchOrder')!
    expect(alarms(recorded, changed(call, { reply: { status: 409, headers: [] } }))).toEqual([
      expect.stringContaining('changed dispatchOrder reply/status value 202 409'),
    ])
  })

  test('a lost event is missing, however polls batch events', () => {
    const poll = live.find(({ reply }) => reply?.body?.includes('READY_FOR_PICKUP'))!
    const events = JSON.parse(poll.reply!.body!) as { eventType: string }[]
    const rest = events.filter(({ eventType }) => eventType !== 'READY_FOR_PICKUP')
    const body = JSON.stringify(rest)
    expect(alarms(recorded, changed(poll, { reply: { ...poll.reply!, body } }))).toContain(
      'missing pollingEvents',
    )
  })

  test('events that came singly in one run and in one poll in the other are equal', () => {
    const together = live.flatMap((each) => {
      const events = each.reply?.body?.startsWith('[{"eventId"')
        ? (JSON.parse(each.reply.body) as unknown[])
        : []
      return events.length < 2
        ? [each]
        : events.map((event) => ({
            ...each,
            reply: { ...each.reply!, body: JSON.stringify([event]) },
          }))
    })
    expect(together.length).toBeGreaterThanOrEqual(live.length)
    expect(alarms(recorded, together)).toEqual([])
  })

  test('one live id for two recorded ids is reported', () => {
    const readings = live.filter(({ operation }) => operation === 'getOrder')
    const [one, other] = [
      readings[0]!,
      readings.find(({ orderId }) => orderId !== readings[0]!.orderId)!,
    ]
    const body = one.reply!.body!.replace(`"id":"${one.orderId}"`, `"id":"${other.orderId}"`)
    expect(alarms(recorded, changed(one, { reply: { ...one.reply!, body } }))).toEqual([
      expect.stringMatching(/^identity getOrder reply\/body\/id value/),
    ])
  })

  test('a recording compared with itself is the same in every exchange', () => {
    const { counts, leftOut, exchanges } = compare(recorded, recorded)
    expect(counts).toEqual({ same: exchanges.length })
    expect(leftOut.idle[0]).toBe(leftOut.idle[1])
    expect(leftOut.tokens[0]).toBeGreaterThan(0)
  })
})

describe('on small recordings', () => {
  const recorded = (seq: number, change: Partial<RecordedExchange>): RecordedExchange => ({
    ...sampleExchange(seq, change),
    recordId: `r${seq}`,
  })
  const partner = { role: 'ordering-application', party: 'partner' } as const
  const subject = { role: 'software-service', party: 'subject' } as const

  test('an order with a short id is matched wherever the id occurs', () => {
    const story = (order: string) =>
      [1, 2].map((seq) =>
        recorded(seq, {
          operation: 'confirmOrder',
          orderId: order,
          params: { orderId: order },
          request: { method: 'POST', url: `http://h.test/v2/orders/${order}/confirm`, headers: [] },
          reply: { status: 202 + seq, headers: [] },
        }),
      )
    const { exchanges, map } = compare(story('o-1041'), story('o-2077'))
    expect(exchanges.map(summary)).toEqual(['same confirmOrder', 'same confirmOrder'])
    expect(map).toEqual([{ kind: 'order', old: 'o-1041', new: 'o-2077' }])
  })

  test('a poll reply that is no list any more is reported', () => {
    const polled = (body: string) => [
      recorded(1, {
        operation: 'pollingEvents',
        request: { method: 'GET', url: 'http://h.test/v2/events:polling', headers: [] },
        reply: { status: 200, headers: [], body },
      }),
    ]
    expect(alarms(polled('{"events":[]}'), polled('{"error":"down"}'))).not.toEqual([])
  })

  test('an event without an id belongs to its own order, and gives no order to others', () => {
    const { orderId: _o, params: _p, ...bare } = sampleExchange(2)
    const units = comparedUnits(
      [
        recorded(1, {
          operation: 'receiveOrderEvent',
          from: partner,
          to: subject,
          orderId: 'o-1',
          request: {
            method: 'POST',
            url: 'http://s.test/hook',
            headers: [],
            body: '{"eventType":"CREATED","orderId":"o-1"}',
          },
        }),
        {
          ...bare,
          recordId: 'r2',
          operation: 'listMerchants',
          request: { method: 'GET', url: 'http://h.test/v1/merchants', headers: [] },
          reply: { status: 200, headers: [], body: '[]' },
        },
      ],
      book,
    ).units
    expect(units.map(({ entity }) => entity)).toEqual(['order:o-1', ''])
  })
})
