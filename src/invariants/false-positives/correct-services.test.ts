/** What looks like a mistake of the service and is none: our own delays, wishes of people, and what they do by hand. */
import { expect, test } from 'vitest'
import { type Duel, openDuel } from '../../../test/support/in-process-harness.ts'
import { cancel } from '../../../test/support/invariant-cases.ts'
import type { Verdict } from '../verdict.ts'

async function verdictOf(duel: Duel, id: string): Promise<Verdict> {
  const verdict = (await duel.session.judge()).find((each) => each.id === id)
  if (!verdict) throw new Error(`there is no invariant ${id}`)
  return verdict
}

test('[ORD-RUL-02] CV-1 an order is not stuck while we take our time with what we accepted', async () => {
  await using duel = await openDuel({
    session: {
      counterparts: {
        'ordering-application': { channel: 'polling', deliveries: false, processing: '200s' },
      },
    },
  })
  await duel.order('TAKEOUT')
  await duel.pass(190_000)
  expect(await verdictOf(duel, 'CV-1')).toMatchObject({ outcome: 'open', findings: [] })
  await duel.pass(800_000)
  expect((await verdictOf(duel, 'CV-1')).outcome).toBe('held')
})

test('CV-3 an event that we delay is not lost, and the weather is not calm before it has come', async () => {
  await using duel = await openDuel({
    defects: ['never-reconciles'],
    faults: [{ delay: { event: 'CONFIRMED', by: '300s', limit: 1 } }],
  })
  await duel.order('TAKEOUT')
  await duel.pass(250_000)
  expect((await verdictOf(duel, 'CV-3')).outcome).toBe('untested')
  expect((await verdictOf(duel, 'CV-1')).outcome).toBe('open')
  await duel.pass(120_000)
  expect((await verdictOf(duel, 'CV-1')).outcome).toBe('held')
})

test('[TRN-STA-10] CV-1 who was told to wait waits, and is not late', async () => {
  await using duel = await openDuel({
    faults: [
      { 'rate-limit': { operation: 'confirmOrder', after: 'CREATED', limit: 1, by: '300s' } },
    ],
  })
  await duel.order('TAKEOUT')
  await duel.pass(280_000)
  expect((await verdictOf(duel, 'CV-1')).outcome).toBe('open')
  await duel.pass(120_000)
  expect((await verdictOf(duel, 'CV-1')).outcome).toBe('held')
})

test('[ORD-EVR-01] SE-3 an order that is said to be cancelled and is not goes on', async () => {
  await using duel = await openDuel({ pace: { thinkMs: 4000 } })
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(2000)
  const told = await duel.session.submit({
    kind: 'event.emit',
    orderId,
    eventType: 'CANCELLED',
    force: true,
  })
  expect(told.ok).toBe(true)
  await duel.pass(120_000)
  expect(await duel.status(orderId)).toBe('CONCLUDED')
  expect((await verdictOf(duel, 'SE-3')).outcome).toBe('untested')
})

test('SE-8 an order that somebody forced back begins anew', async () => {
  await using duel = await openDuel()
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(4500)
  const status = await duel.status(orderId)
  expect(status).not.toBe('CREATED')
  const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
  expect((await duel.session.submit(back)).ok).toBe(true)
  await duel.pass(120_000)
  expect(await verdictOf(duel, 'SE-8')).toMatchObject({ outcome: 'held', findings: [] })
})

test('[ORD-OPS-10] SE-5 somebody may want an order cancelled right after a call has failed', async () => {
  const outcomes: string[] = []
  for (const isSaid of [true, false]) {
    await using duel = await openDuel({
      faults: [{ fail: { operation: 'confirmOrder', burst: 2 } }],
    })
    const orderId = await duel.order('TAKEOUT')
    await duel.pass(1800)
    if (isSaid) void duel.requestCancellation(orderId)
    else void duel.service.requestCancellation(orderId)
    await duel.pass(60_000)
    outcomes.push((await verdictOf(duel, 'SE-5')).outcome)
  }
  // Nobody can tell the second from a service that has the idea itself.
  expect(outcomes).toEqual(['held', 'broken'])
})

test('[ORD-CAN-02] SE-3 what was on its way when CANCELLED came is not held against the service', async () => {
  await using duel = await openDuel({ channel: 'webhook', pace: { thinkMs: 400 } })
  const orderId = await duel.order('TAKEOUT')
  let confirmed = false
  duel.session.onExchange(({ operation }) => {
    confirmed ||= operation === 'confirmOrder'
  })
  while (!confirmed) await duel.pass(5)
  await cancel(duel, orderId)
  await duel.pass(60_000)
  expect(await verdictOf(duel, 'SE-3')).toMatchObject({ outcome: 'held', premises: 1 })
})

test('[LOG-RUL-02] SE-4 a delivery that cannot be cancelled any more was asked for in vain', async () => {
  await using duel = await openDuel({
    delivers: true,
    faults: [{ 'slow-effect': { trigger: 'preparing', by: '60s' } }],
  })
  const { session } = duel
  const orderId = await duel.order('DELIVERY')
  await duel.pass(8000)
  await session.submit({ kind: 'delivery.apply', orderId, trigger: 'collected', force: true })
  await cancel(duel, orderId)
  await duel.pass(60_000)
  await duel.judged()
  expect(await verdictOf(duel, 'SE-4')).toMatchObject({ outcome: 'held', premises: 1 })
})

test('[ORD-OPS-03] SE-6 a webhook is known before it is answered', async () => {
  await using duel = await openDuel({
    channel: 'webhook',
    // It takes the status from the webhook, and answers it when all of that is done.
    defects: ['trusts-webhook-status', 'webhook-waits-for-order'],
  })
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
  expect(await verdictOf(duel, 'SE-6')).toMatchObject({ outcome: 'held', findings: [] })
  expect((await verdictOf(duel, 'SE-7')).outcome).toBe('broken')
})

test('what is found under a fault that no correct partner makes is advice', async () => {
  await using duel = await openDuel({
    defects: ['cancels-on-conflict'],
    faults: [{ refuse: { operation: 'confirmOrder', limit: 1 } }],
  })
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
  const { outcome, findings } = await verdictOf(duel, 'SE-5')
  expect(outcome).toBe('broken')
  expect(findings).toMatchObject([{ advice: true, slot: 'o1' }])
})
