/**
 * Rules about progress calls: from a known status, after a read, never backwards, dispatch after the delivery exists.
 */
import {
  overtakeSlowRead,
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const poll = 'GET /events:polling  200'

const quietly =
  (type: 'DELIVERY' | 'TAKEOUT'): InvariantStory['play'] =>
  async (harness) => {
    await harness.order(type)
    await harness.pass(60_000)
  }

testInvariant({
  id: 'SE-6',
  clauses: 'ORD-RUL-02, ORD-TRA-06',
  when: 'when nothing goes wrong',
  story: { play: quietly('DELIVERY') },
  caught: {
    'acts-on-202': {
      because: says('o1 as being prepared at', 'last status shown', /the 202 to its \w+ only/),
      lines: [poll, 'POST /orders/…/confirm  202', 'POST /orders/…/preparing  '],
    },
    'dispatches-when-preparing': {
      because: says('dispatched o1 at', 'last status shown to it was PREPARING'),
      lines: ['POST /orders/…/preparing  202', poll, 'POST /orders/…/dispatch  409'],
    },
  },
})

testInvariant({
  id: 'SE-6',
  clauses: 'ORD-RUL-02, ORD-EVR-05',
  when: 'when an event comes that announces no status',
  story: {
    faults: [{ 'slow-effect': { trigger: 'confirm', by: '20s' } }],
    async play(harness) {
      const orderId = await harness.order('DELIVERY')
      await harness.pass(4000)
      const eventType = 'PREPARATION_REQUESTED'
      await harness.session.submit({ kind: 'event.emit', orderId, eventType })
      await harness.pass(60_000)
    },
  },
  caught: {
    'counts-events': {
      because: says('o1 as being prepared at', 'last status shown to it was CREATED'),
      lines: [poll, 'POST /orders/…/confirm  202', 'POST /orders/…/preparing  409'],
    },
  },
})

const unread = says('confirmed o1 at', 'without reading it first', 'only received CREATED')

testInvariant({
  id: 'SE-7',
  clauses: 'ORD-FLO-03',
  when: 'when an order is heard of by polling',
  story: { play: quietly('TAKEOUT') },
  caught: {
    'confirms-unread': { because: unread, lines: [poll, 'POST /orders/…/confirm  202'] },
    'trusts-event-status': { because: unread, lines: [poll, 'POST /orders/…/confirm  202'] },
  },
})

testInvariant({
  id: 'SE-7',
  clauses: 'ORD-FLO-03',
  when: 'when an order is heard of by webhook',
  story: { channel: 'webhook', play: quietly('TAKEOUT') },
  caught: {
    'trusts-webhook-status': {
      because: unread,
      lines: ['POST /webhooks/orders  204', 'POST /orders/…/confirm  202'],
    },
  },
})

testInvariant({
  id: 'SE-8',
  clauses: 'ORD-EVR-04',
  when: 'when CONFIRMED comes after everything else',
  story: {
    faults: [{ delay: { event: 'CONFIRMED', by: '40s' } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(90_000)
    },
  },
  caught: {
    'follows-events': {
      because: says('o1 as being prepared at 15:00:42', 'as delivered at 15:00:16'),
      lines: ['POST /orders/…/delivered  202', 'POST /orders/…/preparing  202'],
    },
  },
})

testInvariant({
  id: 'SE-8',
  clauses: 'ORD-EVR-01',
  when: 'when the answer to a reading comes long after it was asked for',
  story: {
    faults: [
      { 'slow-response': { operation: 'getOrder', nth: 3, by: '7s' } },
      { 'slow-response': { operation: 'getOrder', nth: 6, by: '4s' } },
      { 'slow-effect': { trigger: 'delivered', by: '30s' } },
    ],
    play: overtakeSlowRead,
  },
  caught: {
    'last-answer-wins': {
      because: says('o1 as ready at 15:00:13', 'as delivered at 15:00:09'),
      lines: ['POST /orders/…/delivered  202', 'POST /orders/…/ready-for-pickup  202'],
    },
  },
})

testInvariant({
  id: 'SE-8',
  clauses: 'ORD-EVR-01',
  when: 'when two orders are at different points of their lives',
  story: {
    async play(harness) {
      for (let number = 0; number < 4; number++) {
        await harness.order('TAKEOUT')
        await harness.pass(2600)
      }
      await harness.pass(60_000)
    },
  },
  caught: {
    'shares-the-current-order': {
      slot: 'o3',
      because: says('confirmed o3 at', 'as delivered at'),
      lines: ['POST /orders/…/delivered  202', 'POST /orders/…/confirm  202'],
    },
  },
})

testInvariant({
  id: 'SE-10',
  clauses: 'LOG-CON-03',
  when: 'when its delivery cannot be created',
  story: {
    delivers: true,
    faults: [{ fail: { operation: 'createDelivery' } }],
    play: quietly('DELIVERY'),
  },
  caught: {
    'dispatches-without-delivery': {
      because: says('dispatched o1 at', 'delivery request at', 'answered 503'),
      lines: ['POST /logistics/delivery  503', 'POST /orders/…/dispatch  202'],
    },
    'takes-failure-for-created': {
      because: says('dispatched o1 at', 'delivery request at', 'answered 503'),
      lines: ['POST /logistics/delivery  503', 'POST /orders/…/dispatch  202'],
    },
  },
})
