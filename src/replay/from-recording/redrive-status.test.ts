/** Which calls that a service makes beyond its recording are differences. */
import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { DecidedOrder, PartnerDecisions } from '../../core/scenario/decision.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import { createRuleBook } from '../difference/protocol-rules.ts'
import { redriveStatuses } from './redrive-status.ts'

const paths: Partial<Record<OperationId, string>> = {
  confirmOrder: 'confirm',
  setOrderDelivered: 'delivered',
}

let seq = 0

/** A call of the service about an order at a second. */
function call(operation: OperationId, second: number, orderId: string) {
  const sample = sampleExchange(++seq, { operation, params: { orderId }, orderId })
  const url = `http://127.0.0.1:7101/v2/orders/${orderId}/${paths[operation]}`
  return {
    ...sample,
    recordId: `r${seq}`,
    startedAt: sampleT0 + second * 1000,
    request: { ...sample.request, method: 'POST', url },
    reply: { status: 202, headers: [] },
  }
}

const decidedOrder = (slot: string, orderId: string): DecidedOrder => ({
  slot,
  orderId,
  at: sampleT0,
  statusHistory: ['CREATED', 'CONFIRMED'],
  calls: [],
  acknowledged: true,
})

type Calls = readonly (readonly [OperationId, second: number, orderId: string])[]

function extraStandings(recorded: Calls, live: Calls) {
  const orders = [decidedOrder('o1', 'order-a'), decidedOrder('o2', 'order-b')]
  const decisions = { subject: 'software-service', orders } as unknown as PartnerDecisions
  const { exchanges } = redriveStatuses({
    decisions,
    recorded: recorded.map((each) => call(...each)),
    live: live.map((each) => call(...each)),
    slots: new Map(orders.map(({ slot, orderId }) => [slot, orderId])),
    rules: createRuleBook(),
  })
  return exchanges.filter((each) => !each.recorded).map(({ standing }) => standing)
}

const confirmed = ['confirmOrder', 1, 'order-a'] as const
const delivered = ['setOrderDelivered', 6, 'order-a'] as const

test.each<readonly [string, Calls, Calls, readonly string[]]>([
  [
    'the recording goes on with another order, and lacks the call',
    [confirmed, ['confirmOrder', 60, 'order-b']],
    [confirmed, delivered, ['confirmOrder', 60, 'order-b']],
    ['extra'],
  ],
  [
    'it would lack it too where the other order is not made now',
    [confirmed, ['confirmOrder', 60, 'order-b']],
    [confirmed, delivered],
    ['extra'],
  ],
  ['the recording ends before it', [confirmed], [confirmed, delivered], ['noise']],
  [
    'the recording ends about then',
    [confirmed, ['confirmOrder', 7, 'order-b']],
    [confirmed, ['confirmOrder', 5, 'order-b'], delivered],
    ['noise'],
  ],
  [
    'nothing of the order was the same, and the recording goes on',
    [['confirmOrder', 60, 'order-b']],
    [confirmed, ['confirmOrder', 60, 'order-b']],
    ['extra'],
  ],
])('%s', (_, recorded, live, expected) => {
  expect(extraStandings(recorded, live)).toEqual(expected)
})
