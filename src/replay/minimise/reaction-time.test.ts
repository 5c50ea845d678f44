/** How long a trial waits for a call of the service. */
import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { trialTimeoutMs } from './reaction-time.ts'

const us = { role: 'ordering-application', party: 'sparring' } as const
const service = { role: 'software-service', party: 'subject' } as const
const header = { _rec: {} } as never

const event = (seq: number, atMs: number, tookMs: number, orderId: string): RecordedExchange => ({
  ...sampleExchange(seq, {
    from: us,
    to: service,
    operation: 'receiveOrderEvent',
    orderId,
    eventIds: [`e-${orderId}`],
    startedAt: sampleT0 + atMs,
    tookMs,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/webhooks/orders',
      headers: [],
      body: JSON.stringify({ eventId: `e-${orderId}`, eventType: 'CREATED', orderId }),
    },
    reply: { status: 500, headers: [] },
  }),
  recordId: `r${seq}`,
})

const confirm = (seq: number, atMs: number, orderId: string): RecordedExchange => ({
  ...sampleExchange(seq, {
    from: service,
    to: us,
    operation: 'confirmOrder',
    orderId,
    params: { orderId },
    request: {
      method: 'POST',
      url: `http://127.0.0.1:7101/orders/${orderId}/confirm`,
      headers: [],
    },
    startedAt: sampleT0 + atMs,
    tookMs: 2,
    reply: { status: 409, headers: [] },
  }),
  recordId: `r${seq}`,
})

test('twice what the service took', () => {
  const exchanges = [event(1, 0, 10, 'order-one'), confirm(2, 2010, 'order-one')]
  expect(trialTimeoutMs({ header, exchanges })).toBe(4000)
})

test('a call that is made again for a repeated event of another order comes of that event', () => {
  const exchanges = [
    event(1, 0, 20, 'order-two'),
    event(2, 100, 50, 'order-one'),
    confirm(3, 110, 'order-two'),
    event(4, 30_000, 50, 'order-one'),
    confirm(5, 30_010, 'order-two'),
  ]
  expect(trialTimeoutMs({ header, exchanges })).toBe(1000)
})

test('one that is made late for the first time is waited for as long', () => {
  const exchanges = [
    event(1, 0, 20, 'order-two'),
    event(2, 6000, 50, 'order-one'),
    confirm(3, 6020, 'order-two'),
  ]
  expect(trialTimeoutMs({ header, exchanges })).toBe(12_000)
})

test('a service that was ended takes as long as the one in its place needed to come', () => {
  const fault = 'crash on call(receiveOrderEvent,o1,CREATED)'
  const crash = { ...event(1, 0, 5, 'a'), fault, reply: { status: 204, headers: [] } }
  // The first call was on its way when the process was ended.
  const exchanges = [crash, confirm(2, 20, 'a'), confirm(3, 3005, 'b')]
  expect(trialTimeoutMs({ header, exchanges })).toBe(2 * 3000)
})
