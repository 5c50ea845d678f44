/** Which reads of an order are judged by their lastEvent: those behind which its events were still handed over. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { createTrace } from '../trace.ts'
import { orderFieldChecks } from './host-fields.ts'

const service = { role: 'ordering-application', party: 'subject' } as const
const store = { role: 'software-service', party: 'sparring' } as const

type Message = (seq: number) => Exchange

const at =
  (startedAt: number, operation: Exchange['operation'], more: object): Message =>
  (seq) => {
    const { operation: _operation, ...sample } = sampleExchange(seq)
    return {
      ...sample,
      ...(operation ? { operation } : {}),
      orderId: 'o1',
      from: store,
      to: service,
      startedAt,
      tookMs: 1,
      ...more,
    }
  }

const reply = (body: unknown, status = 200) => ({ status, headers: [], body: JSON.stringify(body) })
const event = (eventType: string) => ({ eventId: eventType, eventType, orderId: 'o1' })

const read = (ms: number, lastEvent: string): Message =>
  at(ms, 'getOrder', {
    reply: reply({
      id: 'o1',
      status: 'DELIVERED',
      lastEvent,
      fulfillment: { orderType: 'TAKEOUT' },
    }),
  })
const poll = (ms: number, ...types: readonly string[]): Message =>
  at(ms, 'pollingEvents', { reply: reply(types.map(event)) })
const failedPoll = (ms: number): Message =>
  at(ms, 'pollingEvents', { reply: reply('unavailable', 503) })
const push = (ms: number, type: string): Message =>
  at(ms, 'receiveOrderEvent', {
    from: service,
    to: store,
    request: {
      method: 'POST',
      url: 'http://ss.test/webhooks/orders',
      headers: [],
      body: JSON.stringify(event(type)),
    },
    reply: reply('', 204),
  })

/** The problems of the check. */
function problemsOf(messages: readonly Message[]): readonly string[] {
  const exchanges = messages.map((message, index) => message(index + 1))
  const trace = createTrace({
    role: 'ordering-application',
    speaks: 'v2',
    capabilities: ['orders'],
    exchanges,
    steps: Object.fromEntries(
      exchanges.flatMap(({ seq, operation }) =>
        operation === 'getOrder' ? [[seq, 'order-life/read']] : [],
      ),
    ),
    notes: [],
    skipped: {},
  })
  const check = orderFieldChecks.find(({ clauses }) => clauses.includes('ORD-FLD-03'))
  return [...(check?.assertion(trace) ?? [])].flatMap(({ problem }) => problem ?? [])
}

const unknown = ['its lastEvent is "CONCLUDED", which is no event of the order']

test.each([
  ['is polled later', [poll(0, 'DELIVERED'), read(10, 'CONCLUDED'), poll(20, 'CONCLUDED')], []],
  ['is not in a poll long after it', [read(10, 'CONCLUDED'), poll(2000)], unknown],
  ['is pushed later', [push(0, 'DELIVERED'), read(10, 'CONCLUDED'), push(20, 'CONCLUDED')], []],
  [
    'is not pushed, and the time went on',
    [push(0, 'DELIVERED'), read(10, 'CONCLUDED'), read(2000, 'DELIVERED')],
    unknown,
  ],
] as const)('[ORD-FLD-03] the event that a read shows %s', (_, messages, problems) => {
  expect(problemsOf(messages)).toEqual(problems)
})

test.each([
  ['nothing came behind it', [poll(0, 'DELIVERED'), read(10, 'CONCLUDED')]],
  ['a poll came at once', [read(10, 'CONCLUDED'), poll(20)]],
  ['the later poll failed', [read(10, 'CONCLUDED'), failedPoll(2000)]],
  ['webhooks had no time', [push(0, 'DELIVERED'), read(10, 'CONCLUDED'), push(20, 'OTHER')]],
] as const)('[ORD-FLD-03] a read is not judged by an unknown event where %s', (_, messages) => {
  expect(problemsOf(messages)).toEqual([])
})
