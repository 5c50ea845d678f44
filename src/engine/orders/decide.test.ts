import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import {
  transcript,
  type Transcript,
  type TranscriptOptions,
} from '../../../test/support/transcript.ts'
import { orderEvents } from '../../protocol/orders/events.ts'
import {
  orderTriggers,
  type OrderTrigger,
  progressionTriggers,
  step,
} from '../../protocol/orders/lifecycle.ts'
import {
  orderStatuses,
  type OrderStatus,
  orderTypes,
  type OrderType,
} from '../../protocol/orders/order.ts'
import type { Command } from '../command.ts'

const request = (trigger: (typeof progressionTriggers)[number]): Command => ({
  kind: 'order.request',
  orderId: 'a',
  trigger,
})
const apply = (
  trigger: OrderTrigger,
  more: { readonly force?: true; readonly quiet?: true } = {},
): Command => ({ kind: 'order.apply', orderId: 'a', trigger, ...more })

/** How an order gets to each status; a profile that may not be there is put there by force. */
const ways: Readonly<Record<OrderStatus, readonly OrderTrigger[]>> = {
  CREATED: [],
  CONFIRMED: ['confirm'],
  PREPARING: ['confirm', 'preparing'],
  READY: ['confirm', 'ready-for-pickup'],
  IN_DELIVERY: ['confirm', 'ready-for-pickup', 'dispatch'],
  DELIVERED: ['confirm', 'ready-for-pickup', 'delivered'],
  CANCELLED: ['cancel'],
  CONCLUDED: ['confirm', 'ready-for-pickup', 'delivered', 'conclude'],
}

function orderIn(
  status: OrderStatus,
  profile: OrderType = 'DELIVERY',
  options: TranscriptOptions = {},
): Transcript {
  const told = transcript(options).given({ kind: 'order.create', order: plainOrder('a', profile) })
  for (const trigger of ways[status]) told.given(apply(trigger, { force: true }))
  expect(told.engine.world.ordering.orders.get('a')?.status).toBe(status)
  return told
}

const cells = orderTypes.flatMap((profile) =>
  orderStatuses.flatMap((status) =>
    orderTriggers.map((trigger) => [profile, status, trigger] as const),
  ),
)

test('every status × trigger × profile cell, applied: a row moves and announces, anything else lapses', () => {
  expect(cells).toHaveLength(3 * 8 * 8)
  for (const [profile, status, trigger] of cells) {
    const told = orderIn(status, profile)
    const next = step(status, trigger, profile)
    const lines = told.when(apply(trigger))
    const name = `${profile} ${status} ${trigger}`
    if (next.kind === 'moves') {
      const { to, emits } = next.row
      expect([name, ...lines]).toEqual([name, `${status} > ${to}`, `${emits} emitted`])
      expect(orderEvents[emits].projects).toBe(to)
    } else {
      expect([name, ...lines]).toEqual([name, `${trigger} came to nothing in ${status}`])
      expect(told.engine.world.ordering.orders.get('a')?.status).toBe(status)
    }
  }
})

test('every status × call × profile cell, asked for: accepted for later, nothing to do, or refused', () => {
  for (const [profile, status, trigger] of cells) {
    if (trigger === 'cancel' || trigger === 'conclude' || trigger === 'collect') continue
    const told = orderIn(status, profile)
    const { kind } = step(status, trigger, profile)
    const lines = told.when(request(trigger))
    const name = `${profile} ${status} ${trigger}`
    const expected = {
      moves: [`${trigger} accepted for later`],
      applied: [],
      passed: [],
      refused: [
        `INVALID_TRANSITION: ${trigger} is not possible for the ${profile} order a in ${status}: the lifecycle has no such transition`,
      ],
    }[kind]
    expect([name, ...lines]).toEqual([name, ...expected])
    expect(told.engine.world.ordering.orders.get('a')?.status).toBe(status)
  }
})

test('an order is made once: its id is taken', () => {
  const told = orderIn('CREATED')
  expect(told.when({ kind: 'order.create', order: plainOrder('a') })).toEqual([
    'CONFLICT: there is an order a already',
  ])
})

test.each([
  request('confirm'),
  apply('cancel'),
  { kind: 'order.track', orderId: 'a', update: {} },
  { kind: 'cancellation.request', orderId: 'a', request: {} },
  { kind: 'item.request-cancel', orderId: 'a', itemId: 'burger', cancellation: {} },
  { kind: 'event.emit', orderId: 'a', eventType: 'DELIVERY_ONGOING' },
] as const)('$kind needs an order that is there', (command) => {
  expect(transcript().when(command)).toEqual(['NOT_FOUND: there is no order a'])
})

test('two calls accepted for one move: the first moves, the second comes to nothing', () => {
  const told = orderIn('CREATED').given(request('confirm'), request('confirm'))
  expect(told.when(apply('confirm'))).toEqual(['CREATED > CONFIRMED', 'CONFIRMED emitted'])
  expect(told.when(apply('confirm'))).toEqual(['confirm came to nothing in CONFIRMED'])
})

test('by force an order moves where no row leads, and the journal says so', () => {
  const told = orderIn('CREATED')
  expect(told.when(apply('delivered', { force: true }))).toEqual([
    'CREATED > DELIVERED by force',
    'DELIVERED emitted',
  ])
})

test('force adds nothing to a lawful move', () => {
  expect(orderIn('CREATED').when(apply('confirm', { force: true }))).toEqual([
    'CREATED > CONFIRMED',
    'CONFIRMED emitted',
  ])
})

test('quietly, a move leaves out an event that its profile may do without, and no other', () => {
  const quietly = (profile: OrderType, from: OrderStatus, trigger: OrderTrigger) =>
    orderIn(from, profile).when(apply(trigger, { quiet: true }))
  expect(quietly('DELIVERY', 'CONFIRMED', 'preparing')).toEqual(['CONFIRMED > PREPARING'])
  expect(quietly('DELIVERY', 'CONFIRMED', 'ready-for-pickup')).toEqual(['CONFIRMED > READY'])
  expect(quietly('TAKEOUT', 'CONFIRMED', 'ready-for-pickup')).toEqual([
    'CONFIRMED > READY',
    'READY_FOR_PICKUP emitted',
  ])
  expect(quietly('INDOOR', 'READY', 'delivered')).toEqual(['READY > DELIVERED'])
  expect(quietly('DELIVERY', 'READY', 'delivered')).toEqual([
    'READY > DELIVERED',
    'DELIVERED emitted',
  ])
  expect(quietly('DELIVERY', 'CREATED', 'cancel')).toEqual([
    'CREATED > CANCELLED',
    'CANCELLED emitted',
  ])
})

test('an order that was cancelled has passed nothing but its end: it cannot be confirmed afterwards', () => {
  const told = orderIn('CANCELLED').given(apply('conclude'))
  for (const trigger of progressionTriggers)
    expect(told.when(request(trigger))).toEqual([
      `INVALID_TRANSITION: ${trigger} is not possible for the DELIVERY order a in CONCLUDED: the lifecycle has no such transition`,
    ])
})

test('an event that the session declares unsupported is not emitted, and lastEvent stays', () => {
  const told = orderIn('CONFIRMED', 'DELIVERY', { conduct: { unsupportedEvents: ['PREPARING'] } })
  expect(told.when(apply('preparing'))).toEqual(['CONFIRMED > PREPARING'])
  expect(told.engine.world.ordering.orders.get('a')?.lastEvent).toBe('CONFIRMED')
})
