/** Logistics over real sockets, between two of our own roles. */
import { expect, test } from 'vitest'
import { openSession } from '../session/open-session.ts'

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
