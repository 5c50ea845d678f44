/**
 * Every lifecycle: no row leads out of its table, and every state but the first is reachable. The cells of an item and of
 * a customer, against the tables printed in the protocol; those of the others are tested beside their lifecycles.
 */
import { expect, test } from 'vitest'
import { customerStatuses } from '../protocol/customer/customer.ts'
import {
  customerLifecycle,
  customerStep,
  customerTriggers,
} from '../protocol/customer/lifecycle.ts'
import { diningAccountLifecycle, diningAccountStates } from '../protocol/indoor/lifecycle.ts'
import { deliveryLifecycle } from '../protocol/logistics/lifecycle.ts'
import { loyaltyAccountStatuses } from '../protocol/loyalty/account.ts'
import { loyaltyAccountLifecycle } from '../protocol/loyalty/account-lifecycle.ts'
import { couponLifecycle, couponStatuses } from '../protocol/loyalty/coupon.ts'
import { orderLifecycle } from '../protocol/orders/lifecycle.ts'
import { OrderStatus } from '../protocol/orders/order.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { transcript } from '../../../test/support/transcript.ts'
import { deliveryStatuses } from '../protocol/logistics/status.ts'

interface Row {
  readonly to: string
}

test.each<[string, readonly string[], readonly Row[]]>([
  ['order', OrderStatus.options, orderLifecycle],
  ['account', diningAccountStates, diningAccountLifecycle],
  ['delivery', deliveryStatuses, deliveryLifecycle],
  ['customer', customerStatuses, customerLifecycle],
  ['loyalty account', ['NONE', ...loyaltyAccountStatuses], loyaltyAccountLifecycle],
  ['coupon', couponStatuses, couponLifecycle],
])('%s: no row leads out of the table, and every state but the first is reachable', (...table) => {
  const [, states, rows] = table
  const targets = new Set(rows.map(({ to }) => to))
  for (const to of targets) expect(states).toContain(to)
  for (const state of states.slice(1)) expect(targets).toContain(state)
})

/** The next state of an order line of two burgers, of which one is cancelled, or the rest; `-` where nothing changes. */
function itemCell(state: string, trigger: 'one' | 'all'): string {
  const cancel = (quantity: number) =>
    ({ kind: 'item.cancel', orderId: 'a', itemId: 'burger', cancellation: { quantity } }) as const
  const session = transcript().given(
    { kind: 'order.create', order: plainOrder('a') },
    { kind: 'order.apply', orderId: 'a', trigger: 'confirm' },
  )
  if (state !== 'ACTIVE') session.given(cancel(state === 'CANCELLED' ? 2 : 1))
  const status = (): string => {
    const items = session.engine.world.ordering.orders.get('a')?.order.items ?? []
    return items.find(({ id }) => id === 'burger')?.status ?? 'ACTIVE'
  }
  expect(status()).toBe(state)
  session.given(cancel(trigger === 'one' ? 1 : 2))
  return status() === state ? '-' : status()
}

test('an item is cancelled in parts or as a whole, and stays cancelled', () => {
  const cells = ['ACTIVE', 'PARTIALLY_CANCELLED', 'CANCELLED'].map((state) => [
    itemCell(state, 'one'),
    itemCell(state, 'all'),
  ])
  expect(cells).toEqual([
    ['PARTIALLY_CANCELLED', 'CANCELLED'],
    ['CANCELLED', 'CANCELLED'],
    ['-', '-'],
  ])
})

test('every status × trigger cell of a customer matches the table printed in the protocol', () => {
  const marks = { applied: '=', passed: '<', refused: '-' } as const
  const cells = customerStatuses.map((status) =>
    customerTriggers.map((trigger) => {
      const step = customerStep(status, trigger)
      return step.kind === 'moves' ? step.row.to : marks[step.kind]
    }),
  )
  expect(cells).toEqual([
    ['active', 'active', '-'],
    ['=', '=', 'inactive'],
    ['active', 'active', '='],
  ])
})
