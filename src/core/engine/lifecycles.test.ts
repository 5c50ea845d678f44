/**
 * Every lifecycle, cell by cell, against the tables printed in the protocol: the result of each trigger in each state,
 * for each profile. A cell is the next state, `=` where the trigger is already applied, `<` where it is passed, `-`
 * where it is refused.
 */
import { describe, expect, test } from 'vitest'
import { customerStatuses } from '../protocol/customer/customer.ts'
import {
  customerLifecycle,
  customerStep,
  customerTriggers,
} from '../protocol/customer/lifecycle.ts'
import {
  diningAccountLifecycle,
  diningAccountStates,
  diningAccountStep,
  diningAccountTriggers,
} from '../protocol/indoor/lifecycle.ts'
import { LogisticsConduct } from '../protocol/logistics/conduct.ts'
import {
  deliveryLifecycle,
  deliveryStep,
  deliveryTriggers,
} from '../protocol/logistics/lifecycle.ts'
import * as loyalty from '../protocol/loyalty/account-lifecycle.ts'
import {
  couponLifecycle,
  couponStatuses,
  couponStep,
  couponTriggers,
} from '../protocol/loyalty/coupon.ts'
import { orderLifecycle, orderTriggers, orderStep } from '../protocol/orders/lifecycle.ts'
import { OrderStatus, type OrderType } from '../protocol/orders/order.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { transcript } from '../../../test/support/transcript.ts'
import { deliveryStatuses } from '../protocol/logistics/status.ts'

interface Lifecycle {
  readonly name: string
  readonly states: readonly string[]
  readonly triggers: readonly string[]
  /** The cell of a state and a trigger, computed by the code. */
  readonly cell: (state: never, trigger: never) => string
  /** Target states of the rows. */
  readonly targets: readonly string[]
  /** One row per state, one column per trigger, as printed in the protocol. */
  readonly printed: string
}

type Step =
  | { readonly kind: 'moves'; readonly row: { readonly to: string } }
  | { readonly kind: 'applied' | 'passed' | 'refused' }

const cellTexts = { applied: '=', passed: '<', refused: '-' } as const
const cellOf = (found: Step): string =>
  found.kind === 'moves' ? found.row.to : cellTexts[found.kind]
const target = (row: { readonly to: string } | undefined): string => row?.to ?? '-'

const order = (profile: OrderType, printed: string): Lifecycle => ({
  name: `order, ${profile}`,
  states: OrderStatus.options,
  triggers: orderTriggers,
  cell: (state, trigger) => cellOf(orderStep(state, trigger, profile)),
  targets: orderLifecycle.map(({ to }) => to),
  printed,
})

/** Neither profile has a delivery; their IN_DELIVERY rows are reached by force. */
const withoutDelivery = `
  CONFIRMED -         -     - - -         CANCELLED -
  =         PREPARING READY - - -         CANCELLED -
  <         =         READY - - -         CANCELLED -
  <         <         =     - - DELIVERED CANCELLED -
  <         <         <     = = DELIVERED CANCELLED -
  <         <         <     - - =         -         CONCLUDED
  -         -         -     - - -         =         CONCLUDED
  <         <         <     - - <         -         =`

/** An order line of two burgers: one of them is cancelled, or the rest. */
function itemCell(state: string, trigger: string): string {
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
  const before = status()
  session.given(cancel(trigger === 'one' ? 1 : 2))
  return status() === before ? '-' : status()
}

const conduct = LogisticsConduct.parse({})

const lifecycles: readonly Lifecycle[] = [
  order(
    'DELIVERY',
    `
  CONFIRMED -         -     -           -           -         CANCELLED -
  =         PREPARING READY -           -           -         CANCELLED -
  <         =         READY -           -           -         CANCELLED -
  <         <         =     IN_DELIVERY IN_DELIVERY DELIVERED CANCELLED -
  <         <         <     =           =           DELIVERED CANCELLED -
  <         <         <     <           <           =         -         CONCLUDED
  -         -         -     -           -           -         =         CONCLUDED
  <         <         <     <           <           <         -         =`,
  ),
  order('TAKEOUT', withoutDelivery),
  order('INDOOR', withoutDelivery),
  {
    name: 'item',
    states: ['ACTIVE', 'PARTIALLY_CANCELLED', 'CANCELLED'],
    triggers: ['one', 'all'],
    cell: itemCell,
    targets: ['PARTIALLY_CANCELLED', 'CANCELLED'],
    printed: `
  PARTIALLY_CANCELLED CANCELLED
  CANCELLED           CANCELLED
  -                   -`,
  },
  {
    name: 'account',
    states: diningAccountStates,
    triggers: diningAccountTriggers,
    cell: (state, trigger) => cellOf(diningAccountStep(state, trigger)),
    targets: diningAccountLifecycle.map(({ to }) => to),
    printed: `
  IN_USE -      -      -      -          -          -          -          -          -      -      -          -
  -      IN_USE IN_USE IN_USE IN_USE     IN_USE     IN_USE     IN_USE     IN_PAYMENT =      -      IN_USE     IN_USE
  -      -      -      -      IN_PAYMENT IN_PAYMENT IN_PAYMENT IN_PAYMENT =          IN_USE CLOSED IN_PAYMENT IN_PAYMENT
  -      -      -      -      -          -          -          -          -          -      =      CLOSED     CLOSED`,
  },
  {
    name: 'delivery',
    states: deliveryStatuses,
    triggers: deliveryTriggers,
    cell: (state, trigger) => cellOf(deliveryStep(state, trigger, conduct)),
    targets: deliveryLifecycle.map(({ to }) => to),
    printed: `
  ASSIGNED PENDING  -          -          -         CANCELLED -
  =        ASSIGNED IN_TRANSIT -          -         CANCELLED -
  <        <        =          IN_TRANSIT DELIVERED -         FAILED
  <        <        <          -          =         -         -
  -        -        -          -          -         =         -
  -        -        -          -          -         -         =`,
  },
  {
    name: 'customer',
    states: customerStatuses,
    triggers: customerTriggers,
    cell: (state, trigger) => cellOf(customerStep(state, trigger)),
    targets: customerLifecycle.map(({ to }) => to),
    printed: `
  active active -
  =      =      inactive
  active active =`,
  },
  {
    name: 'loyalty account',
    states: ['NONE', 'ENROLLED', 'ACTIVE', 'SUSPENDED'],
    triggers: loyalty.loyaltyAccountTriggers,
    cell: (state, trigger) =>
      target(loyalty.loyaltyAccountStep(state === 'NONE' ? undefined : state, trigger)),
    targets: loyalty.loyaltyAccountLifecycle.map(({ to }) => to),
    printed: `
  ENROLLED -      -         -
  -        ACTIVE -         -
  -        -      SUSPENDED -
  -        -      -         ACTIVE`,
  },
  {
    name: 'coupon',
    states: couponStatuses,
    triggers: couponTriggers,
    cell: (state, trigger) => target(couponStep(state, trigger)),
    targets: couponLifecycle.map(({ to }) => to),
    printed: `
  applied used -         expired cancelled
  -       used available expired cancelled
  -       -    -         -       -
  -       -    -         -       -
  -       -    -         -       -`,
  },
]

describe.each(lifecycles)('$name', ({ states, triggers, cell, targets, printed }) => {
  const rows = printed
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

  test('every cell matches the table printed in the protocol', () => {
    expect(rows).toHaveLength(states.length)
    for (const [index, state] of states.entries()) {
      const cells = triggers.map((trigger) => cell(state as never, trigger as never))
      expect([state, ...cells]).toEqual([state, ...(rows[index] ?? [])])
    }
  })

  test('no row leads out of the table, and every state but the first is reachable', () => {
    for (const to of targets) expect(states).toContain(to)
    for (const state of states.slice(1)) expect(targets).toContain(state)
  })
})
