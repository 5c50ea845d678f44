/** False positives: delays of Sparring, wishes of persons and operator commands are no violation of the service. */
import { expect, test } from 'vitest'
import {
  type InProcessHarness,
  openHarness,
} from '../../../../../test/support/in-process-harness.ts'
import { cancelByOriginator } from '../../../../../test/support/invariant-cases.ts'
import type { Verdict } from '../verdict.ts'

async function verdictOf(harness: InProcessHarness, id: string): Promise<Verdict> {
  const verdict = (await harness.session.judge()).find((each) => each.id === id)
  if (!verdict) throw new Error(`there is no invariant ${id}`)
  return verdict
}

test('[ORD-RUL-02] CV-1 does not report an order while an accepted request has not taken effect', async () => {
  await using harness = await openHarness({
    session: {
      counterparts: {
        'ordering-application': { channel: 'polling', deliveries: false, processing: '200s' },
      },
    },
  })
  await harness.order('TAKEOUT')
  await harness.pass(190_000)
  expect(await verdictOf(harness, 'CV-1')).toMatchObject({ outcome: 'open', findings: [] })
  await harness.pass(800_000)
  expect((await verdictOf(harness, 'CV-1')).outcome).toBe('passed')
})

test('CV-3 does not count a delayed event as lost, and the fault window lasts until its handover', async () => {
  await using harness = await openHarness({
    defects: ['never-reconciles'],
    faults: [{ delay: { event: 'CONFIRMED', by: '300s', limit: 1 } }],
  })
  await harness.order('TAKEOUT')
  await harness.pass(250_000)
  expect((await verdictOf(harness, 'CV-3')).outcome).toBe('not-exercised')
  expect((await verdictOf(harness, 'CV-1')).outcome).toBe('open')
  await harness.pass(120_000)
  expect((await verdictOf(harness, 'CV-1')).outcome).toBe('passed')
})

test('[TRN-STA-10] CV-1 excuses the pause that Retry-After asks for', async () => {
  await using harness = await openHarness({
    faults: [
      { 'rate-limit': { operation: 'confirmOrder', after: 'CREATED', limit: 1, by: '300s' } },
    ],
  })
  await harness.order('TAKEOUT')
  await harness.pass(280_000)
  expect((await verdictOf(harness, 'CV-1')).outcome).toBe('open')
  await harness.pass(120_000)
  expect((await verdictOf(harness, 'CV-1')).outcome).toBe('passed')
})

test('[ORD-EVR-01] SE-3 allows progress of an order that only an event calls cancelled', async () => {
  await using harness = await openHarness({ pace: { thinkMs: 4000 } })
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(2000)
  const submitted = await harness.session.submit({
    kind: 'event.emit',
    orderId,
    eventType: 'CANCELLED',
    force: true,
  })
  expect(submitted.ok).toBe(true)
  await harness.pass(120_000)
  expect(await harness.status(orderId)).toBe('CONCLUDED')
  expect((await verdictOf(harness, 'SE-3')).outcome).toBe('not-exercised')
})

test('SE-8 restarts for an order that was forced back', async () => {
  await using harness = await openHarness()
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(4500)
  const status = await harness.status(orderId)
  expect(status).not.toBe('CREATED')
  const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
  expect((await harness.session.submit(back)).ok).toBe(true)
  await harness.pass(120_000)
  expect(await verdictOf(harness, 'SE-8')).toMatchObject({ outcome: 'passed', findings: [] })
})

test('[ORD-OPS-10] SE-5 allows an operator to cancel an order right after a failed call', async () => {
  const outcomes: string[] = []
  for (const isSaid of [true, false]) {
    await using harness = await openHarness({
      faults: [{ fail: { operation: 'confirmOrder', burst: 2 } }],
    })
    const orderId = await harness.order('TAKEOUT')
    await harness.pass(1800)
    if (isSaid) void harness.requestCancellation(orderId)
    else void harness.service.requestCancellation(orderId)
    await harness.pass(60_000)
    outcomes.push((await verdictOf(harness, 'SE-5')).outcome)
  }
  // The second is indistinguishable from a service that cancels by itself.
  expect(outcomes).toEqual(['passed', 'failed'])
})

test('[ORD-CAN-02] SE-3 excuses calls in flight when CANCELLED arrived', async () => {
  await using harness = await openHarness({ channel: 'webhook', pace: { thinkMs: 400 } })
  const orderId = await harness.order('TAKEOUT')
  let confirmed = false
  harness.session.onExchange(({ operation }) => {
    confirmed ||= operation === 'confirmOrder'
  })
  while (!confirmed) await harness.pass(5)
  await cancelByOriginator(harness, orderId)
  await harness.pass(60_000)
  expect(await verdictOf(harness, 'SE-3')).toMatchObject({ outcome: 'passed', premises: 1 })
})

test('[LOG-RUL-02] SE-4 accepts a refused cancellation of a delivery that can no longer be cancelled', async () => {
  await using harness = await openHarness({
    delivers: true,
    faults: [{ 'slow-effect': { trigger: 'preparing', by: '60s' } }],
  })
  const { session } = harness
  const orderId = await harness.order('DELIVERY')
  await harness.pass(8000)
  await session.submit({ kind: 'delivery.apply', orderId, trigger: 'collected', force: true })
  await cancelByOriginator(harness, orderId)
  await harness.pass(60_000)
  await harness.judgeAll()
  expect(await verdictOf(harness, 'SE-4')).toMatchObject({ outcome: 'passed', premises: 1 })
})

test('[ORD-OPS-03] SE-6 counts the status of a webhook before its reply', async () => {
  await using harness = await openHarness({
    channel: 'webhook',
    // It reads the status from the webhook and answers after all its calls.
    defects: ['trusts-webhook-status', 'webhook-waits-for-order'],
  })
  await harness.order('TAKEOUT')
  await harness.pass(60_000)
  expect(await verdictOf(harness, 'SE-6')).toMatchObject({ outcome: 'passed', findings: [] })
  expect((await verdictOf(harness, 'SE-7')).outcome).toBe('failed')
})

test('a finding under a fault that no correct partner produces is advice', async () => {
  await using harness = await openHarness({
    defects: ['cancels-on-conflict'],
    faults: [{ refuse: { operation: 'confirmOrder', limit: 1 } }],
  })
  await harness.order('TAKEOUT')
  await harness.pass(60_000)
  const { outcome, findings } = await verdictOf(harness, 'SE-5')
  expect(outcome).toBe('failed')
  expect(findings).toMatchObject([{ advice: true, slot: 'o1' }])
})
