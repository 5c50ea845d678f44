import { expect, test } from 'vitest'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import {
  transcript,
  type Transcript,
  type TranscriptOptions,
} from '../../../../test/support/transcript.ts'
import { orderEvents } from '../../protocol/orders/events.ts'
import {
  orderTriggers,
  type OrderTrigger,
  progressionTriggers,
  orderLifecycles,
} from '../../protocol/orders/lifecycle.ts'
import {
  orderStatuses,
  type OrderStatus,
  orderTypes,
  type OrderType,
} from '../../protocol/orders/order.ts'
import type { Command } from '../command.ts'

const { step: orderStep, transitionsFrom: legalOrderTransitions } = orderLifecycles.strict

const request = (trigger: (typeof progressionTriggers)[number]): Command => ({
  kind: 'order.request',
  orderId: 'a',
  trigger,
})
const apply = (
  trigger: OrderTrigger,
  more: { readonly force?: true; readonly quiet?: true } = {},
): Command => ({ kind: 'order.apply', orderId: 'a', trigger, ...more })

/** The triggers that lead to each status; by force where the profile does not have it. */
const triggersTo: Readonly<Record<OrderStatus, readonly OrderTrigger[]>> = {
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
  const session = transcript(options).given({
    kind: 'order.create',
    order: plainOrder('a', profile),
  })
  for (const trigger of triggersTo[status]) session.given(apply(trigger, { force: true }))
  expect(session.engine.world.ordering.orders.get('a')?.status).toBe(status)
  return session
}

const cells = orderTypes.flatMap((profile) =>
  orderStatuses.flatMap((status) =>
    orderTriggers.map((trigger) => [profile, status, trigger] as const),
  ),
)

test('every status × trigger × profile cell, applied: a lifecycle row moves and emits, anything else lapses', () => {
  expect(cells).toHaveLength(3 * 8 * 8)
  for (const [profile, status, trigger] of cells) {
    const session = orderIn(status, profile)
    const next = orderStep(status, trigger, profile)
    const lines = session.when(apply(trigger))
    const name = `${profile} ${status} ${trigger}`
    if (next.kind === 'moves') {
      const { to, emits } = next.row
      expect([name, ...lines]).toEqual([name, `${status} > ${to}`, `${emits} emitted`])
      expect(orderEvents[emits].projects).toBe(to)
    } else {
      expect([name, ...lines]).toEqual([name, `${trigger} had no effect in ${status}`])
      expect(session.engine.world.ordering.orders.get('a')?.status).toBe(status)
    }
  }
})

test('every status × call × profile cell, requested: accepted for later, no effect, or refused', () => {
  for (const [profile, status, trigger] of cells) {
    if (trigger === 'cancel' || trigger === 'conclude' || trigger === 'collect') continue
    const session = orderIn(status, profile)
    const { kind } = orderStep(status, trigger, profile)
    const lines = session.when(request(trigger))
    const name = `${profile} ${status} ${trigger}`
    const calls = legalOrderTransitions(status, profile)
      .filter((row) => row.trigger !== 'collect' && row.trigger !== 'conclude')
      .map((row) => (row.trigger === 'cancel' ? 'requestCancellation' : row.trigger))
    const possible =
      calls.length > 0 ? `possible now: ${calls.join(', ')}` : 'none is possible any more'
    const expected = {
      moves: [`${trigger} accepted for later`],
      applied: [],
      passed: [],
      refused: [
        `INVALID_TRANSITION: ${trigger} is not possible for the ${profile} order a in ${status}: the lifecycle has no such transition; ${possible}`,
      ],
    }[kind]
    expect([name, ...lines]).toEqual([name, ...expected])
    expect(session.engine.world.ordering.orders.get('a')?.status).toBe(status)
  }
})

test('[ORD-TRA-07] a refusal of delivered without a dispatch does not name delivered as possible', () => {
  const session = orderIn('READY', 'DELIVERY', { conduct: { deliveredNeedsDispatch: true } })
  expect(session.when(request('delivered'))).toEqual([
    'INVALID_TRANSITION: delivered is not possible for the DELIVERY order a in READY: the lifecycle has no such transition; possible now: dispatch, requestCancellation',
  ])
})

test('a second order with the same id is refused', () => {
  const session = orderIn('CREATED')
  expect(session.when({ kind: 'order.create', order: plainOrder('a') })).toEqual([
    'CONFLICT: there is an order a already; leave its id out, and the new one gets a fresh id',
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

test('of two calls accepted for one transition the second lapses', () => {
  const session = orderIn('CREATED').given(request('confirm'), request('confirm'))
  expect(session.when(apply('confirm'))).toEqual(['CREATED > CONFIRMED', 'CONFIRMED emitted'])
  expect(session.when(apply('confirm'))).toEqual(['confirm had no effect in CONFIRMED'])
})

test('by force an order moves without a lifecycle row, and the fact is marked as forced', () => {
  const session = orderIn('CREATED')
  expect(session.when(apply('delivered', { force: true }))).toEqual([
    'CREATED > DELIVERED (forced)',
    'DELIVERED emitted',
  ])
})

test('force does not change a valid transition', () => {
  expect(orderIn('CREATED').when(apply('confirm', { force: true }))).toEqual([
    'CREATED > CONFIRMED',
    'CONFIRMED emitted',
  ])
})

test('a quiet transition omits its event only where the profile does not require it', () => {
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

test('a cancelled order has passed no other status: it cannot be confirmed afterwards', () => {
  const session = orderIn('CANCELLED').given(apply('conclude'))
  for (const trigger of progressionTriggers)
    expect(session.when(request(trigger))).toEqual([
      `INVALID_TRANSITION: ${trigger} is not possible for the DELIVERY order a in CONCLUDED: the lifecycle has no such transition; none is possible any more`,
    ])
})

test('an event that the session declares unsupported is not emitted, and lastEvent stays', () => {
  const session = orderIn('CONFIRMED', 'DELIVERY', {
    conduct: { unsupportedEvents: ['PREPARING'] },
  })
  expect(session.when(apply('preparing'))).toEqual(['CONFIRMED > PREPARING'])
  expect(session.engine.world.ordering.orders.get('a')?.lastEvent).toBe('CONFIRMED')
})
