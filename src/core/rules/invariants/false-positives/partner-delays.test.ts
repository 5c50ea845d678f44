// @module-tag slow
/** False positives: orders that wait for the host, for a person or for nothing are not the service’s to complete. */
import { says } from '../../../../../test/support/says.ts'
import { expect, test } from 'vitest'
import { minimalOrder } from '../../../../../test/support/minimal-order.ts'
import { openHarness } from '../../../../../test/support/in-process-harness.ts'
import { openOrdersWire, type OrdersWire } from '../../../../../test/support/wire.ts'
import type { Verdict } from '../verdict.ts'

async function verdictOf(
  { session }: Pick<OrdersWire, 'session'>,
  id: string,
): Promise<{ readonly outcome: Verdict['outcome']; readonly told: readonly string[] }> {
  const verdict = (await session.judge()).find((each) => each.id === id)
  if (!verdict) throw new Error(`there is no invariant ${id}`)
  return { outcome: verdict.outcome, told: verdict.findings.map(({ because }) => because) }
}

/** Polls and acknowledges for a while, without other calls. */
async function idle(wire: OrdersWire, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await wire.pass(1000)
    await wire.drain()
  }
}

test('[ORD-STA-01] CV-1 restarts the deadline of an order that was reopened long after its delivery', async () => {
  await using harness = await openHarness()
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(180_000)
  expect(await harness.status(orderId)).toBe('CONCLUDED')
  const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
  expect((await harness.session.submit(back)).ok).toBe(true)
  await harness.pass(3000)
  expect((await verdictOf(harness, 'CV-1')).outcome).toBe('open')
})

test('[ORD-STA-01] CV-1 exempts a reopened order whose events were lost', async () => {
  await using harness = await openHarness()
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(180_000)
  expect(await harness.status(orderId)).toBe('CONCLUDED')
  const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
  harness.session.faults.add({ drop: { event: 'CONFIRMED', limit: 1 } })
  expect((await harness.session.submit(back)).ok).toBe(true)
  await harness.pass(600_000)
  expect(await harness.status(orderId)).toBe('CONFIRMED')
  expect((await verdictOf(harness, 'CV-1')).outcome).toBe('passed')
})

test('[ORD-GEN-05] CV-1 allows a slow order that moves, and reports one that stops', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.drain()
  await wire.read(orderId)
  for (const call of ['confirm', 'preparing']) {
    expect(await wire.ask(orderId, call)).toBe(202)
    await idle(wire, 70)
    await wire.read(orderId)
  }
  expect((await verdictOf(wire, 'CV-1')).outcome).toBe('open')
  await idle(wire, 60)
  expect((await verdictOf(wire, 'CV-1')).told).toEqual([
    expect.stringMatching(says('o1 is still PREPARING, 130 s after')),
  ])
})

test('[ORD-CAN-06] CV-1 restarts the deadline when a cancellation request is denied late', async () => {
  // The answer comes by an operator command.
  await using wire = await openOrdersWire({
    counterparts: { 'ordering-application': { behaviour: 'forgetful' } },
  })
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.drain()
  await wire.read(orderId)
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await idle(wire, 4)
  wire.session.asked(orderId)
  const wish = { reason: 'sem luz', code: 'SYSTEMIC_ISSUES', mode: 'MANUAL' }
  expect(await wire.ask(orderId, 'requestCancellation', wish)).toBe(202)
  await idle(wire, 200)
  const denial = { kind: 'cancellation.answer', orderId, answer: 'deny' } as const
  expect((await wire.session.submit(denial)).ok).toBe(true)
  await idle(wire, 3)
  expect((await verdictOf(wire, 'CV-1')).outcome).toBe('open')
  await idle(wire, 125)
  expect((await verdictOf(wire, 'CV-1')).outcome).toBe('failed')
})

test('[ORD-RUL-02] CV-13 does not count delays of Sparring while another order fails', async () => {
  for (const takesLong of [true, false]) {
    await using wire = await openOrdersWire({
      counterparts: {
        'ordering-application': { channel: 'polling', processing: takesLong ? '60s' : '100ms' },
      },
      faults: [{ fail: { operation: 'confirmOrder', order: 'o1' } }],
    })
    const failing = await wire.create({ type: 'TAKEOUT' })
    await wire.drain()
    await wire.read(failing)
    for (let each = 0; each < 4; each++) {
      expect(await wire.ask(failing, 'confirm')).toBe(503)
      await wire.pass(4000)
    }
    const other = await wire.create({ type: 'TAKEOUT' })
    await wire.drain()
    await wire.read(other)
    for (const call of ['confirm', 'preparing', 'ready-for-pickup', 'delivered']) {
      expect(await wire.ask(other, call)).toBe(202)
      await idle(wire, 61)
      await wire.ask(failing, 'confirm')
      await wire.read(other)
    }
    // Shows which side caused the delay between two calls.
    expect((await verdictOf(wire, 'CV-13')).outcome).toBe(takesLong ? 'passed' : 'failed')
  }
})

const logistics = { indoor: false, customer: false, reviews: false, loyalty: false } as const

/** A confirmed DELIVERY order in a session with a delivery platform, and a function to call that platform. */
async function confirmed(wire: OrdersWire) {
  const platform = wire.session.urls.get('delivery-platform') ?? ''
  const request = new Request(`${platform}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=subject&client_secret=secret&scope=proto.logistics',
  })
  const asked = await wire.session.fetch(request)
  const { access_token: token } = (await asked.json()) as { readonly access_token: string }
  const orderId = await wire.create({ type: 'DELIVERY' })
  await wire.drain()
  await wire.read(orderId)
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(1000)
  await wire.drain()
  const order = await wire.read(orderId)
  const place = { address: { city: 'São Paulo' }, contact: { name: 'Ana', phone: '1' } }
  const wish = { orderId, merchant: place, pickup: place, dropoff: place }
  return {
    orderId,
    wish,
    create: () => {
      const merchant = { ...place, id: order.merchant.id }
      const body = { ...wish, merchant }
      return wire.send('POST', `${platform}/logistics/delivery`, { token, body })
    },
  }
}

const openShop = () =>
  openOrdersWire({
    capabilities: logistics,
    counterparts: { 'ordering-application': { channel: 'polling', deliveries: false } },
  })

test('[LOG-CON-04] SE-4 ignores a delivery that the service did not request', async () => {
  await using wire = await openShop()
  const { orderId, wish } = await confirmed(wire)
  const byHand = { kind: 'delivery.create', wish, consumer: 'ordering-application' } as const
  expect((await wire.session.submit(byHand)).ok).toBe(true)
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await idle(wire, 130)
  expect(await verdictOf(wire, 'SE-4')).toEqual({ outcome: 'not-exercised', told: [] })
})

test('[LOG-CON-04] SE-4 lets the delivery go on when the cancellation is reverted', async () => {
  for (const isTakenBack of [true, false]) {
    await using wire = await openShop()
    const { orderId, create } = await confirmed(wire)
    expect((await create()).status).toBe(202)
    await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    await wire.pass(100)
    const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
    if (isTakenBack) expect((await wire.session.submit(back)).ok).toBe(true)
    await idle(wire, 130)
    expect((await verdictOf(wire, 'SE-4')).outcome).toBe(isTakenBack ? 'passed' : 'failed')
  }
})

test('[LOG-CON-04] SE-4 reports a delivery requested after its cancelled order was concluded', async () => {
  await using wire = await openShop()
  const { orderId, create } = await confirmed(wire)
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await idle(wire, 40)
  expect((await wire.read(orderId)).status).toBe('CONCLUDED')
  expect((await create()).status).toBe(202)
  await idle(wire, 125)
  expect((await verdictOf(wire, 'SE-4')).outcome).toBe('failed')
})

test('[LOG-CON-03] SE-10 allows dispatch before the reply to the webhook that announces the delivery', async () => {
  for (const isTold of [true, false]) {
    let answering: (() => Promise<unknown>) | undefined
    await using wire = await openOrdersWire({
      capabilities: logistics,
      counterparts: { 'ordering-application': { channel: 'polling', deliveries: false } },
      subject: { webhooks: { delivery: '/webhooks/delivery' } },
      conduct: { manifest: 'trust', webhookAccess: 'signature' },
      async handler() {
        const act = answering
        answering = undefined
        await act?.()
        return new Response(null, { status: 204 })
      },
      // The delivery is made, and the service does not learn so from the answer.
      faults: [{ fail: { operation: 'createDelivery', effect: 'after', limit: 1 } }],
    })
    const { orderId, create } = await confirmed(wire)
    expect(await wire.ask(orderId, 'ready-for-pickup')).toBe(202)
    await wire.pass(1000)
    await wire.read(orderId)
    const dispatch = async () => expect(await wire.ask(orderId, 'dispatch')).toBe(202)
    if (isTold) answering = dispatch
    expect((await create()).status).toBe(503)
    if (!isTold) await dispatch()
    await wire.pass(5000)
    expect((await verdictOf(wire, 'SE-10')).outcome).toBe(isTold ? 'passed' : 'failed')
  }
})

test('[ORD-FLO-03, AUT-MER-01] AK-4 does not require reading an acknowledged order of a foreign merchant', async () => {
  await using wire = await openOrdersWire()
  const order = minimalOrder('o-foreign', 'TAKEOUT', { merchant: { id: 'somebody-else' } })
  expect((await wire.session.createOrder({ order })).ok).toBe(true)
  await idle(wire, 130)
  expect(await verdictOf(wire, 'AK-4')).toEqual({ outcome: 'not-exercised', told: [] })
})

test('[ORD-OPS-03, AUT-MER-01] WH-1 does not require reading an order of a foreign merchant whose webhook was answered', async () => {
  await using wire = await openOrdersWire({
    subject: { webhooks: { orders: '/webhooks/orders' } },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    conduct: { manifest: 'trust', webhookAccess: 'signature' },
    handler: () => Promise.resolve(new Response(null, { status: 204 })),
  })
  const order = minimalOrder('o-foreign', 'TAKEOUT', { merchant: { id: 'somebody-else' } })
  expect((await wire.session.createOrder({ order })).ok).toBe(true)
  await wire.pass(130_000)
  expect(await verdictOf(wire, 'WH-1')).toEqual({ outcome: 'not-exercised', told: [] })
  // An order of its own merchant must be read.
  await wire.create({ type: 'TAKEOUT' })
  await wire.pass(130_000)
  expect((await verdictOf(wire, 'WH-1')).outcome).toBe('failed')
})

test('[MIG-VER-01] CV-2, CV-9 accept the V1 operations for reads and progress', async () => {
  await using wire = await openOrdersWire({ dialect: 'v1', capabilities: {} })
  const polled = async (): Promise<void> => {
    const answer = await wire.send('GET', '/v1/events:polling')
    if (answer.status === 204) return
    const events = answer.json as readonly { readonly eventId: string }[]
    const body = events.map(({ eventId, ...more }) => ({ id: eventId, ...more }))
    expect((await wire.send('POST', '/v1/events/acknowledgment', { body })).status).toBe(202)
  }
  // Both start at the same instant, so one createdAt is not newer than the other.
  const orderIds = [await wire.create({ type: 'TAKEOUT' }), await wire.create({ type: 'TAKEOUT' })]
  await polled()
  for (const orderId of orderIds)
    expect((await wire.send('GET', `/v1/orders/${orderId}`)).status).toBe(200)
  for (let second = 0; second < 130; second++) {
    await wire.pass(1000)
    await polled()
  }
  expect(await verdictOf(wire, 'CV-2')).toEqual({ outcome: 'passed', told: [] })
  expect(await verdictOf(wire, 'CV-9')).toEqual({ outcome: 'passed', told: [] })
})

test('[ORD-EVR-01] CV-6 expects DELIVERED for a concluded order whose cancellation was reverted', async () => {
  let status = 'DELIVERED'
  await using wire = await openOrdersWire({
    subject: { probe: '/probe/orders/{orderId}' },
    handler: () => Promise.resolve(Response.json({ status })),
  })
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.drain()
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  const back = { kind: 'order.apply', orderId, trigger: 'delivered', force: true } as const
  expect((await wire.session.submit(back)).ok).toBe(true)
  await idle(wire, 200)
  expect((await wire.read(orderId)).status).toBe('CONCLUDED')
  expect(await verdictOf(wire, 'CV-6')).toEqual({ outcome: 'passed', told: [] })
  status = 'CANCELLED'
  expect((await verdictOf(wire, 'CV-6')).outcome).toBe('failed')
})

test('[ORD-OPS-04] CV-6 ignores a probe before the deadline', async () => {
  await using wire = await openOrdersWire({
    subject: { probe: '/probe/orders/{orderId}' },
    handler: () => Promise.resolve(Response.json({ status: 'CREATED' })),
  })
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.drain()
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(1000)
  await wire.session.judge()
  await idle(wire, 10)
  const hasFailed = () => wire.session.verdicts().some(({ id }) => id === 'CV-6')
  await wire.pass(120_000)
  expect(hasFailed()).toBe(false)
  await wire.session.judge()
  expect(hasFailed()).toBe(true)
})
