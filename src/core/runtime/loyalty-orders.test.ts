/** From orders that the CRM learns of over the wire to points: pushed orders and events, single and repeated. */
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { sampleProgram } from '../../../test/support/loyalty-transcript.ts'
import { type LoyaltyWire, openLoyaltyWire } from '../../../test/support/loyalty-wire.ts'

interface Account {
  readonly id: string
  readonly summary: { readonly pointsAvailable: number; readonly pointsPending: number }
}

const customerId = 'customer-1'
const later = 60_000

const programs = [
  ...sampleProgram.programs,
  { id: 'card', name: 'Cartão', merchantId: 'merchant-1' },
  { id: 'elsewhere', name: 'Outro', merchantId: 'merchant-2' },
]

const openWire = (): Promise<LoyaltyWire> =>
  openLoyaltyWire({
    conduct: {
      customer: { enforceLimits: false },
      loyalty: { ...sampleProgram, programs, enrollment: 'first-order' },
    },
  })

async function points(wire: LoyaltyWire, id = customerId) {
  await wire.pass(later)
  const { items } = await wire.read<{ items: Account[] }>(`/customers/${id}/loyalty-accounts`)
  return items.map(({ summary }) => [summary.pointsAvailable, summary.pointsPending])
}

const push = async (wire: LoyaltyWire, order: unknown): Promise<void> => {
  const { status } = await wire.send('POST', '/v1/customer/orders:ingest', { body: { order } })
  expect(status).toBe(202)
}

let count = 0
const tell = async (
  wire: LoyaltyWire,
  eventType: string,
  payload: Record<string, unknown>,
): Promise<void> => {
  const eventId = `event-${++count}`
  const occurredAt = `2026-01-05T15:00:${String(count % 60).padStart(2, '0')}.000Z`
  const { status } = await wire.send('POST', '/v1/customer/events', {
    body: { event: { eventId, eventType, entityType: 'order', occurredAt, payload } },
  })
  expect(status).toBe(202)
}

test('[LOY-EVR-01, LOY-EVR-02] order events count alike, each once, and a cancelled order earns nothing', async () => {
  await using wire = await openWire()
  for (const [orderId, end] of [
    ['a', 'order.completed'],
    ['b', 'order.canceled'],
  ] as const) {
    const payload = { orderId, customerId }
    await tell(wire, 'order.created', payload)
    await wire.pass(later)
    for (let times = 0; times < 2; times++) await tell(wire, end, payload)
  }
  // No store is named, so only the program without a store counts; and no customer record was sent.
  expect(await points(wire)).toEqual([[50, 0]])
  expect(wire.types()).toEqual([
    'account_linked',
    'points_pending',
    'points_accrued',
    'points_pending',
    'points_pending',
  ])
})

test('an event does not name the order’s customer: it counts when the order itself arrives', async () => {
  await using wire = await openWire()
  await tell(wire, 'order.created', { orderId: 'o' })
  expect(await points(wire)).toEqual([])
  await push(wire, plainOrder('o'))
  expect(await points(wire)).toEqual([
    [0, 50],
    [0, 50],
  ])
  await tell(wire, 'order.completed', { orderId: 'o' })
  expect(await points(wire)).toEqual([
    [50, 0],
    [50, 0],
  ])
})

test('[LOY-EVT-07, LOY-EVR-02] an order with a coupon’s code has it applied, and releases it when it is cancelled', async () => {
  await using wire = await openWire()
  await push(wire, plainOrder('first'))
  await wire.pass(later)
  const { items } = await wire.read<{ items: Account[] }>(
    `/customers/${customerId}/loyalty-accounts`,
  )
  await wire.tell({
    kind: 'loyalty.grant-coupon',
    accountId: items[0]!.id,
    type: 'discount',
    value: 4,
  })
  const coupon = async () =>
    (await wire.read<{ items: { code: string; status: string }[] }>('/loyalty/coupons')).items[0]!
  const { code: discountCode } = await coupon()
  const order = plainOrder('second')
  const [discount] = order.discounts!
  const [sponsor] = discount!.sponsorshipValues
  const discounts = [{ ...discount!, sponsorshipValues: [{ ...sponsor!, discountCode }] }]
  await push(wire, { ...order, discounts })
  await wire.pass(later)
  expect(await coupon()).toMatchObject({ status: 'applied', relatedOrderId: 'second' })
  await tell(wire, 'order.canceled', { orderId: 'second', customerId })
  await wire.pass(later)
  expect(await coupon()).toMatchObject({ status: 'available' })
  expect(wire.types().slice(-4)).toEqual([
    'coupon_applied',
    'points_pending',
    'points_pending',
    'coupon_cancelled',
  ])
})

test('two ids of one known customer lead to one balance', async () => {
  await using wire = await openWire()
  const { customer } = plainOrder('x')
  await push(wire, { ...plainOrder('a'), status: 'DELIVERED' })
  await wire.pass(later)
  // The same phone under another id of the application: the CRM recognises one customer.
  const again = {
    ...plainOrder('b'),
    status: 'DELIVERED',
    customer: { ...customer!, id: 'customer-2' },
  }
  await push(wire, again)
  expect(await points(wire)).toEqual([
    [100, 0],
    [100, 0],
  ])
  expect(await points(wire, 'customer-2')).toEqual([
    [100, 0],
    [100, 0],
  ])
})
