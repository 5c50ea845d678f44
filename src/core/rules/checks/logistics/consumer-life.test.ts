/** What a session says of a consumer that acts on a delivery before its status was shown, with the near misses. */
import { describe, expect, test } from 'vitest'
import {
  deliveryCall as call,
  deliveryEvent as event,
  deliveryRead as read,
  orderId,
} from '../../../../../test/support/delivery-messages.ts'
import { judged, type Message } from '../../../../../test/support/judged-messages.ts'

const fault = 'delay on req'
const said = (...messages: readonly Message[]) =>
  judged({ service: 'ordering-application', partner: 'delivery-platform' }, /^LOG-CON-03/, messages)

const create = call('createDelivery', {
  params: {},
  request: { orderId, merchant: {}, pickup: {}, dropoff: {} },
})
const impossible = { error: { code: 'INVALID_TRANSITION', message: 'no', retryable: false } }
const collects = call('setDeliveryCollected', { status: 422, reply: impossible })
const delivers = call('setDeliveryDelivered', { status: 422, reply: impossible })

const early = (operation: string, status: string, code = 422) =>
  `advice LOG-CON-03: it calls ${operation} before an event or a read has shown the delivery as ${status}, and is refused with ${code}.`
const earlyCollected = [early('setDeliveryCollected', 'ASSIGNED')]
const earlyDelivered = [early('setDeliveryDelivered', 'IN_TRANSIT')]

describe('[LOG-CON-03] a call that our platform refuses since the delivery has not come so far', () => {
  test.each<[string, readonly Message[], readonly string[]]>([
    [
      'directly after the 202 of the creation',
      [create, collects, event('ASSIGNED')],
      earlyCollected,
    ],
    [
      'after PENDING was shown',
      [create, event('PENDING'), collects, read('PENDING')],
      earlyCollected,
    ],
    [
      'once, with what follows from it',
      [create, collects, delivers, event('ASSIGNED')],
      earlyCollected,
    ],
    [
      'delivered in ASSIGNED',
      [create, event('ASSIGNED'), delivers, event('IN_TRANSIT')],
      earlyDelivered,
    ],
    [
      'with 409',
      [create, { ...collects, status: 409 }, read('PENDING')],
      [early('setDeliveryCollected', 'ASSIGNED', 409)],
    ],
    [
      'after an event of another delivery',
      [
        create,
        event('ASSIGNED', { orderId: 'o2', request: { orderId: 'o2', status: 'ASSIGNED' } }),
        collects,
        read('PENDING'),
      ],
      earlyCollected,
    ],
    [
      'tried again after that',
      [create, collects, read('PENDING'), collects, read('PENDING')],
      earlyCollected,
    ],
  ])('%s', (_, messages, problems) => {
    expect(said(...messages)).toEqual(problems)
  })
})

describe('[LOG-CON-03] nothing is said', () => {
  test.each<[string, readonly Message[]]>([
    [
      'of calls in the status that an event has shown',
      [create, event('ASSIGNED'), collects, read('ASSIGNED')],
    ],
    [
      'of calls in the status that a read has shown',
      [create, read('ASSIGNED'), collects, read('ASSIGNED')],
    ],
    [
      'of an event that was answered with 500',
      [create, event('ASSIGNED', { status: 500 }), collects, read('ASSIGNED')],
    ],
    [
      'of a status before that comes again',
      [create, event('ASSIGNED'), event('PENDING'), collects, read('ASSIGNED')],
    ],
    [
      'of an event that is on its way',
      [create, event('ASSIGNED', { tookMs: 2000 }), collects, read('ASSIGNED')],
    ],
    ['of a delivery that was cancelled just then', [create, collects, event('CANCELLED')]],
    [
      'of a delivery that was collected just then',
      [create, event('ASSIGNED'), delivers, event('DELIVERED')],
    ],
    ['of a delivery of which nothing more is heard', [create, collects]],
    [
      'of another reason',
      [
        create,
        { ...collects, reply: { error: { code: 'IDEMPOTENCY_CONFLICT' } } },
        read('PENDING'),
      ],
    ],
    ['of an answer without a reason', [create, { ...collects, reply: undefined }, read('PENDING')]],
    ['of calls that are taken', [create, { ...collects, status: 202, reply: {} }, read('PENDING')]],
    [
      'of a delivery that is not there',
      [
        create,
        { ...collects, status: 404, reply: { error: { code: 'NOT_FOUND' } } },
        read('PENDING'),
      ],
    ],
    ['of a creation that was refused', [{ ...create, status: 400 }, collects, read('PENDING')]],
    ['of a creation without an answer', [{ ...create, status: 0 }, collects, read('PENDING')]],
    ['of a creation that the session has not had', [collects, read('PENDING')]],
    ['of a call that a fault has touched', [create, { ...collects, fault }, read('PENDING')]],
    [
      'of a call that is tried again after a fault',
      [create, { ...collects, status: 503, reply: undefined, fault }, collects, read('PENDING')],
    ],
    [
      'of an event that a fault has touched',
      [create, event('ASSIGNED', { fault }), collects, read('PENDING')],
    ],
    [
      'of an order that its store has dispatched',
      [create, call('dispatchOrder', { by: 'partner' }), collects, event('ASSIGNED')],
    ],
    [
      'of reports of a problem',
      [create, { ...collects, operation: 'reportDeliveryProblem' }, read('PENDING')],
    ],
    [
      'of food that is ready too late',
      [
        create,
        event('IN_TRANSIT'),
        { ...collects, operation: 'setDeliveryReadyForPickup' },
        read('IN_TRANSIT'),
      ],
    ],
    [
      'of a whole life',
      [
        create,
        event('ASSIGNED'),
        call('setDeliveryCollected'),
        read('IN_TRANSIT'),
        call('setDeliveryDelivered'),
        read('DELIVERED'),
        delivers,
        read('DELIVERED'),
      ],
    ],
  ])('%s', (_, messages) => {
    expect(said(...messages)).toEqual([])
  })

  test('of a Software Service, whose own staff sees the courier', () => {
    const parties = { service: 'software-service', partner: 'delivery-platform' } as const
    expect(judged(parties, /^LOG-CON-03/, [create, collects, event('ASSIGNED')])).toEqual([])
  })
})
