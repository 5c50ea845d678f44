/** Repeated events as a session sees them. A message stands for one exchange, a second after the one before. */
import { expect, test } from 'vitest'
import { judged, type Message } from '../../../../../test/support/judged-messages.ts'

const said = (...messages: readonly Message[]): readonly string[] =>
  judged({ service: 'software-service', partner: 'ordering-application' }, /^ORD-EVR-03/, messages)

const order = { orderId: 'a' }
const webhook = (eventId: string, more: Partial<Message> = {}): Message => ({
  operation: 'receiveOrderEvent',
  ...order,
  status: 204,
  request: { eventId, eventType: 'CREATED', orderId: 'a' },
  ...more,
})
const call = (more: Partial<Message> = {}): Message => ({
  operation: 'confirmOrder',
  by: 'service',
  ...order,
  status: 202,
  ...more,
})
const read: Message = {
  operation: 'getOrder',
  by: 'service',
  ...order,
  reply: { status: 'CREATED' },
}
const poll: Message = {
  operation: 'pollingEvents',
  by: 'service',
  reply: [{ eventId: 'e1', eventType: 'CREATED', orderId: 'a' }],
}
const acknowledged: Message = {
  operation: 'acknowledgeEvents',
  by: 'service',
  status: 202,
  request: { eventIds: ['e1'] },
}

const again = [
  'ORD-EVR-03: it called confirmOrder again, since an event that it had taken came once more.',
]

test.each<readonly [string, readonly Message[]]>([
  ['by webhook', [webhook('e1'), read, call(), webhook('e1'), call()]],
  ['which is refused now', [webhook('e1'), call(), webhook('e1'), call({ status: 409 })]],
  ['by polling', [poll, acknowledged, call(), poll, call()]],
  ['on the other channel', [webhook('e1'), call(), poll, call()]],
  [
    'before the webhook is answered',
    [
      webhook('e1', { tookMs: 900 }),
      call({ after: 0.5 }),
      webhook('e1', { tookMs: 900 }),
      call({ after: 0.5 }),
    ],
  ],
  ['and only once for each call', [webhook('e1'), call(), webhook('e1'), call(), webhook('e1')]],
])('ORD-EVR-03 a repeated event brings about a call once more: %s', (_how, messages) => {
  expect(said(...messages)).toEqual(again)
})

test.each<readonly [string, readonly Message[]]>([
  ['nothing follows it', [webhook('e1'), call(), webhook('e1')]],
  ['it had not been taken', [webhook('e1', { status: 503 }), call(), webhook('e1'), call()]],
  ['it had not been acknowledged', [poll, call(), poll, call()]],
  ['another event came', [webhook('e1'), call(), webhook('e2'), call()]],
  ['the order was read again', [webhook('e1'), call(), webhook('e1'), read, call()]],
  ['the call had failed', [webhook('e1'), call({ status: 503 }), webhook('e1'), call()]],
  ['its answer was lost', [webhook('e1'), call({ fault: 'drop' }), webhook('e1'), call()]],
  [
    'another call follows',
    [webhook('e1'), call(), webhook('e1'), call({ operation: 'setOrderPreparing' })],
  ],
  ['it is of another order', [webhook('e1'), call(), webhook('e1'), call({ orderId: 'b' })]],
  ['the call comes much later', [webhook('e1'), call(), webhook('e1'), call({ after: 6 })]],
  [
    'the second call was under way',
    [webhook('e1'), call({ tookMs: 3000 }), call({ tookMs: 3000 }), webhook('e1')],
  ],
])('ORD-EVR-03 no mistake: %s', (_why, messages) => {
  expect(said(...messages)).toEqual([])
})
