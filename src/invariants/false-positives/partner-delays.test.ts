/** Whose turn it is: what waits for the host, for a person or for nobody at all is not the service’s to bring to its end. */
import { expect, test } from 'vitest'
import { anOrder } from '../../../test/support/an-order.ts'
import { openDuel } from '../../../test/support/in-process-harness.ts'
import { openWire, type Wire } from '../../../test/support/wire.ts'
import type { Verdict } from '../verdict.ts'

async function verdictOf(
  { session }: Pick<Wire, 'session'>,
  id: string,
): Promise<{ readonly outcome: Verdict['outcome']; readonly told: readonly string[] }> {
  const verdict = (await session.judge()).find((each) => each.id === id)
  if (!verdict) throw new Error(`there is no invariant ${id}`)
  return { outcome: verdict.outcome, told: verdict.findings.map(({ because }) => because) }
}

/** Polls and acknowledges for a while, and does nothing else. */
async function idle(wire: Wire, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await wire.pass(1000)
    await wire.drain()
  }
}

test('[ORD-STA-01] CV-1 an order that somebody took back long after it was delivered has its time again', async () => {
  await using duel = await openDuel()
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(180_000)
  expect(await duel.status(orderId)).toBe('CONCLUDED')
  const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
  expect((await duel.session.submit(back)).ok).toBe(true)
  await duel.pass(3000)
  expect((await verdictOf(duel, 'CV-1')).outcome).toBe('open')
})

test('[ORD-STA-01] CV-1 an order that was taken back from its end and whose news was lost is not the service’s to bring there again', async () => {
  await using duel = await openDuel()
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(180_000)
  expect(await duel.status(orderId)).toBe('CONCLUDED')
  const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
  duel.session.faults.add({ drop: { event: 'CONFIRMED', limit: 1 } })
  expect((await duel.session.submit(back)).ok).toBe(true)
  await duel.pass(600_000)
  expect(await duel.status(orderId)).toBe('CONFIRMED')
  expect((await verdictOf(duel, 'CV-1')).outcome).toBe('held')
})

test('[ORD-GEN-05] CV-1 a slow kitchen takes its time for each step, and one that stops is stuck', async () => {
  await using wire = await openWire()
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
    expect.stringMatching(/^o1 is still PREPARING, 130 s after it got there\./),
  ])
})

test('[ORD-CAN-06] CV-1 whoever waited long for an answer to its wish to cancel goes on when it is denied', async () => {
  // It leaves the answer to somebody else.
  await using wire = await openWire({
    counterparts: { 'ordering-application': { temperament: 'forgetful' } },
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
  expect((await verdictOf(wire, 'CV-1')).outcome).toBe('broken')
})

test('[ORD-RUL-02] CV-13 while one order fails, what we take long over is not held against the others', async () => {
  for (const takesLong of [true, false]) {
    await using wire = await openWire({
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
    // Whose minute it was between two calls makes all the difference.
    expect((await verdictOf(wire, 'CV-13')).outcome).toBe(takesLong ? 'held' : 'broken')
  }
})

const logistics = { indoor: false, customer: false, reviews: false, loyalty: false } as const

/** A confirmed DELIVERY order at a session with a platform, and how one calls that. */
async function confirmed(wire: Wire) {
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
  openWire({
    capabilities: logistics,
    counterparts: { 'ordering-application': { channel: 'polling', deliveries: false } },
  })

test('[LOG-CON-04] SE-4 a delivery that somebody else asked for is not the service’s to cancel', async () => {
  await using wire = await openShop()
  const { orderId, wish } = await confirmed(wire)
  const byHand = { kind: 'delivery.create', wish, consumer: 'ordering-application' } as const
  expect((await wire.session.submit(byHand)).ok).toBe(true)
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await idle(wire, 130)
  expect(await verdictOf(wire, 'SE-4')).toEqual({ outcome: 'untested', told: [] })
})

test('[LOG-CON-04] SE-4 when a cancellation is taken back, the delivery may go on as well', async () => {
  for (const isTakenBack of [true, false]) {
    await using wire = await openShop()
    const { orderId, create } = await confirmed(wire)
    expect((await create()).status).toBe(202)
    await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    await wire.pass(100)
    const back = { kind: 'order.apply', orderId, trigger: 'confirm', force: true } as const
    if (isTakenBack) expect((await wire.session.submit(back)).ok).toBe(true)
    await idle(wire, 130)
    expect((await verdictOf(wire, 'SE-4')).outcome).toBe(isTakenBack ? 'held' : 'broken')
  }
})

test('[LOG-CON-04] SE-4 a delivery that is asked for after its cancelled order was closed must not stand either', async () => {
  await using wire = await openShop()
  const { orderId, create } = await confirmed(wire)
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await idle(wire, 40)
  expect((await wire.read(orderId)).status).toBe('CONCLUDED')
  expect((await create()).status).toBe(202)
  await idle(wire, 125)
  expect((await verdictOf(wire, 'SE-4')).outcome).toBe('broken')
})

test('[LOG-CON-03] SE-10 whoever hears of the delivery by a webhook may dispatch before answering it', async () => {
  for (const isTold of [true, false]) {
    let answering: (() => Promise<unknown>) | undefined
    await using wire = await openWire({
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
    expect((await verdictOf(wire, 'SE-10')).outcome).toBe(isTold ? 'held' : 'broken')
  }
})

test('[ORD-FLO-03, AUT-MER-01] AK-4 an order of a merchant that is not the service’s own is acknowledged, and need not be read', async () => {
  await using wire = await openWire()
  const order = anOrder('o-foreign', 'TAKEOUT', { merchant: { id: 'somebody-else' } })
  expect((await wire.session.createOrder({ order })).ok).toBe(true)
  await idle(wire, 130)
  expect(await verdictOf(wire, 'AK-4')).toEqual({ outcome: 'untested', told: [] })
})

test('[ORD-OPS-03, AUT-MER-01] WH-1 nor need one whose webhook was answered', async () => {
  await using wire = await openWire({
    subject: { webhooks: { orders: '/webhooks/orders' } },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    conduct: { manifest: 'trust', webhookAccess: 'signature' },
    handler: () => Promise.resolve(new Response(null, { status: 204 })),
  })
  const order = anOrder('o-foreign', 'TAKEOUT', { merchant: { id: 'somebody-else' } })
  expect((await wire.session.createOrder({ order })).ok).toBe(true)
  await wire.pass(130_000)
  expect(await verdictOf(wire, 'WH-1')).toEqual({ outcome: 'untested', told: [] })
  // One of its own is another matter.
  await wire.create({ type: 'TAKEOUT' })
  await wire.pass(130_000)
  expect((await verdictOf(wire, 'WH-1')).outcome).toBe('broken')
})

test('[MIG-VER-01] CV-2, CV-9 whoever speaks V1 reads orders and takes them on under other names', async () => {
  await using wire = await openWire({ dialect: 'v1', capabilities: {} })
  const polled = async (): Promise<void> => {
    const answer = await wire.send('GET', '/v1/events:polling')
    if (answer.status === 204) return
    const events = answer.json as readonly { readonly eventId: string }[]
    const body = events.map(({ eventId, ...more }) => ({ id: eventId, ...more }))
    expect((await wire.send('POST', '/v1/events/acknowledgment', { body })).status).toBe(202)
  }
  // Both begin at the same instant, so one of them is not newer than what came before it.
  const orderIds = [await wire.create({ type: 'TAKEOUT' }), await wire.create({ type: 'TAKEOUT' })]
  await polled()
  for (const orderId of orderIds)
    expect((await wire.send('GET', `/v1/orders/${orderId}`)).status).toBe(200)
  for (let second = 0; second < 130; second++) {
    await wire.pass(1000)
    await polled()
  }
  expect(await verdictOf(wire, 'CV-2')).toEqual({ outcome: 'held', told: [] })
  expect(await verdictOf(wire, 'CV-9')).toEqual({ outcome: 'held', told: [] })
})

test('[ORD-EVR-01] CV-6 an order whose cancellation was taken back, and that was delivered and closed, was delivered', async () => {
  let status = 'DELIVERED'
  await using wire = await openWire({
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
  expect(await verdictOf(wire, 'CV-6')).toEqual({ outcome: 'held', told: [] })
  status = 'CANCELLED'
  expect((await verdictOf(wire, 'CV-6')).outcome).toBe('broken')
})

test('[ORD-OPS-04] CV-6 a service that was asked in the middle of things had no time yet to see how they ended', async () => {
  await using wire = await openWire({
    subject: { probe: '/probe/orders/{orderId}' },
    handler: () => Promise.resolve(Response.json({ status: 'CREATED' })),
  })
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.drain()
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(1000)
  await wire.session.judge()
  await idle(wire, 10)
  const broken = () => wire.session.verdicts().some(({ id }) => id === 'CV-6')
  await wire.pass(120_000)
  expect(broken()).toBe(false)
  await wire.session.judge()
  expect(broken()).toBe(true)
})
