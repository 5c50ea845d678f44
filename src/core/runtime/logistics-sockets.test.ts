/** Logistics over real sockets: a scripted consumer, and two of our own roles. */
import { expect, test } from 'vitest'
import { deliveryRequest } from '../../../test/support/logistics-wire.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openSession } from '../session/open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

test('a consumer creates a delivery, follows it by GET, and gets its events by webhook', async () => {
  await using receiver = await openReceiver()
  await using session = await openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    only: ['delivery-platform'],
    conduct: { manifest: 'trust' },
    subject: { role: 'software-service', url: receiver.url },
  })
  await session.advance(0)
  const base = session.urls.get('delivery-platform') ?? ''
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const { send, token: grant } = createHostClient({ fetch, base })
  const token = await grant('logistics.read logistics.write')
  const created = await send('POST', '/logistics/delivery', {
    token,
    headers: { 'x-request-id': 'r1' },
    body: deliveryRequest('o'),
  })
  expect(created.status).toBe(202)
  expect(created.headers.get('x-request-id')).toBe('r1')
  await send('POST', '/logistics/delivery/o/ready-for-pickup', { token })
  await session.advance(60_000)
  const read = await send('GET', '/logistics/delivery/o', { token })
  expect(read.json).toMatchObject({ orderId: 'o', status: 'DELIVERED' })
  const heard = receiver.received.map(({ path, text }) => ({ path, ...JSON.parse(text) }))
  expect(heard.at(-1)).toMatchObject({
    path: '/webhooks/delivery',
    orderId: 'o',
    status: 'DELIVERED',
  })
})

test('our own Ordering Application has its order delivered by our own platform, over the wire', async () => {
  await using session = await openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    only: ['ordering-application', 'delivery-platform'],
    capabilities: { indoor: false, customer: false },
  })
  const made = await session.createOrder({ type: 'DELIVERY' })
  const orderId = made.ok ? made.value.orderId : ''
  await session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
  await session.submit({ kind: 'order.apply', orderId, trigger: 'ready-for-pickup' })
  await session.settle()
  const { traffic } = await session.look({ traffic: { limit: 200, orderId } })
  const calls = traffic.flatMap(({ operation, from, status }) =>
    operation === 'receiveDeliveryEvent' ? [] : [`${from} ${operation} ${status}`],
  )
  expect(calls).toEqual([
    'ordering-application checkDeliveryAvailability 200',
    'ordering-application createDelivery 202',
    'ordering-application setDeliveryReadyForPickup 202',
  ])
  const events = traffic.filter(({ operation }) => operation === 'receiveDeliveryEvent')
  expect(events).toHaveLength(7)
  for (const { status, from } of events) expect(`${from} ${status}`).toBe('delivery-platform 204')
  const { entity } = await session.look({ entity: { kind: 'delivery', id: orderId } })
  expect(entity?.row.status).toBe('DELIVERED')
  // The order has the status that its own calls led to.
  expect((await session.look({ orderId })).order?.row.status).toBe('READY')
})
