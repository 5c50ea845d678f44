/**
 * Rules about progress calls: from a known status, after a read, never backwards, dispatch after the delivery exists.
 */
import {
  overtakeSlowRead,
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { expect, test } from 'vitest'
import { createScriptedJudge } from '../../../../../../test/support/scripted-judge.ts'
import type { OperationId } from '../../../../protocol/catalogue.ts'
import { says } from '../../../../../../test/support/says.ts'
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

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

testInvariants(`
  SE-6 [ORD-RUL-02, ORD-EVR-05] when an event comes that announces no status
    with { faults: [{ slow-effect: { trigger: confirm, by: 20s } }] }
    play order DELIVERY; 4000; emit o1 PREPARATION_REQUESTED; 60000
    counts-events: o1 as being prepared at … last status shown to it was CREATED
      => GET /events:polling  200; POST /orders/…/confirm  202; POST /orders/…/preparing  409

  SE-7 [ORD-FLO-03] when an order is heard of by polling
    play order TAKEOUT; 60000
    confirms-unread: confirmed o1 at … without reading it first … only received CREATED => GET /events:polling  200; POST /orders/…/confirm  202
    trusts-event-status: confirmed o1 at … without reading it first … only received CREATED => GET /events:polling  200; POST /orders/…/confirm  202

  SE-7 [ORD-FLO-03] when an order is heard of by webhook
    with { channel: webhook }
    play order TAKEOUT; 60000
    trusts-webhook-status: confirmed o1 at … without reading it first … only received CREATED => POST /webhooks/orders  204; POST /orders/…/confirm  202

  SE-8 [ORD-EVR-04] when CONFIRMED comes after everything else
    with { faults: [{ delay: { event: CONFIRMED, by: 40s } }] }
    play order TAKEOUT; 90000
    follows-events: o1 as being prepared at 15:00:42 … as delivered at 15:00:16 => POST /orders/…/delivered  202; POST /orders/…/preparing  202
`)

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

testInvariants(`
  SE-8 [ORD-EVR-01] when two orders are at different points of their lives
    play order TAKEOUT; 2600; order TAKEOUT; 2600; order TAKEOUT; 2600; order TAKEOUT; 2600; 60000
    shares-the-current-order o3: confirmed o3 at … as delivered at => POST /orders/…/delivered  202; POST /orders/…/confirm  202

  SE-10 [LOG-CON-03] when its delivery cannot be created
    with { delivers: true, faults: [{ fail: { operation: createDelivery } }] }
    play order DELIVERY; 60000
    dispatches-without-delivery: dispatched o1 at … delivery request at … answered 503 => POST /logistics/delivery  503; POST /orders/…/dispatch  202
    takes-failure-for-created: dispatched o1 at … delivery request at … answered 503 => POST /logistics/delivery  503; POST /orders/…/dispatch  202
`)

test.each<[clause: string, remedy: string, calls: readonly OperationId[]]>([
  ['ORD-RUL-02', 'a 202 only says', ['confirmOrder', 'setOrderPreparing']],
  ['ORD-TRA-02', 'setOrderPreparing when an event or a GET', ['setOrderPreparing']],
  ['ORD-TRA-06', 'dispatchOrder for DELIVERY orders only', ['dispatchOrder']],
  ['ORD-TRA-07', 'shown the order as READY', ['confirmOrder', 'setOrderDelivered']],
])('[%s] is named first, with its remedy: %s', (clause, remedy, calls) => {
  const scripted = createScriptedJudge({}).created('a')
  scripted.call({ operation: 'getOrder', order: 'a', answer: { id: 'a', status: 'CREATED' } })
  for (const operation of calls) scripted.call({ operation, order: 'a', status: 202 })
  const verdict = scripted.judge.verdicts().find(({ id }) => id === 'SE-6')
  expect(verdict).toMatchObject({ outcome: 'failed', remedy: expect.stringContaining(remedy) })
  expect(verdict?.clauses[0]).toBe(clause)
})
