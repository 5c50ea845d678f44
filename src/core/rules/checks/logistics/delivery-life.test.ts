/** What a session says of the life of a delivery at its platform, with the near misses of each. */
import { describe, expect, test } from 'vitest'
import { judged, type Message } from '../../../../../test/support/judged-messages.ts'

const said = (...messages: readonly Message[]) =>
  judged({ service: 'delivery-platform', partner: 'ordering-application' }, /^LOG/, messages)

const orderId = 'o1'
const place = { address: {} }

const read = (status: string, more: object = {}, message: Partial<Message> = {}): Message => ({
  operation: 'getDelivery',
  orderId,
  reply: { id: 'd1', orderId, status, merchant: {}, pickup: place, dropoff: place, ...more },
  ...message,
})
const call = (operation: Message['operation'], message: Partial<Message> = {}): Message => ({
  operation,
  orderId,
  status: 202,
  request: { orderId },
  ...message,
})
const create = call('createDelivery', { params: {} })
const event = (status: string, message: Partial<Message> = {}): Message => ({
  operation: 'receiveDeliveryEvent',
  by: 'service',
  status: 204,
  request: {
    eventId: status,
    eventType: 'delivery.status_changed',
    orderId,
    deliveryId: 'd1',
    status,
  },
  ...message,
})
const fault = 'reset on req'

describe('a delivery that goes as the documents have it', () => {
  test('nothing is said of a whole life, with repeats, refusals and late events', () => {
    expect(
      said(
        create,
        read('PENDING'),
        create,
        read('PENDING'),
        call('setDeliveryDelivered', { status: 422, reply: { error: { code: 'X' } } }),
        read('PENDING'),
        read('ASSIGNED'),
        event('ASSIGNED'),
        call('setDeliveryReadyForPickup'),
        read('ASSIGNED'),
        call('setDeliveryCollected'),
        read('IN_TRANSIT'),
        event('ASSIGNED'),
        call('reportDeliveryProblem'),
        read('IN_TRANSIT', { problems: [{ code: 'A' }] }, { after: 12 }),
        call('cancelDelivery', { status: 422, reply: { error: { code: 'X' } } }),
        read('IN_TRANSIT', { problems: [{ code: 'A' }] }),
        call('setDeliveryDelivered'),
        read('DELIVERED', { problems: [{ code: 'A' }] }),
        call('setDeliveryDelivered'),
        read('DELIVERED', { problems: [{ code: 'A' }] }),
        event('DELIVERED'),
        read('DELIVERED', {}, { after: 60 }),
      ),
    ).toEqual([])
  })

  test('[LOG-UND-04] a creation after the end may make another delivery', () => {
    expect(
      said(
        create,
        read('CANCELLED'),
        create,
        read('PENDING', { id: 'd2' }),
        read('ASSIGNED', { id: 'd2' }),
      ),
    ).toEqual([])
  })
})

describe('[LOG-STA-01] statuses', () => {
  test('one that no row explains is told', () => {
    expect(said(read('IN_TRANSIT'), read('ASSIGNED'))).toEqual([
      'LOG-STA-01: a delivery went from IN_TRANSIT to ASSIGNED, which no row of the lifecycle does.',
    ])
  })

  test('[LOG-TRA-07] of FAILED another clause tells', () => {
    expect(said(read('FAILED'), read('IN_TRANSIT'))).toEqual([
      'LOG-TRA-07: a delivery that has FAILED became IN_TRANSIT.',
    ])
  })

  test('[LOG-TEN-01] a cancel in IN_TRANSIT is advice', () => {
    expect(said(read('IN_TRANSIT'), read('CANCELLED'))).toEqual([
      'advice LOG-STA-01: a delivery went from IN_TRANSIT to CANCELLED, which no row of the lifecycle does.',
    ])
  })

  test('two reads at the same time may have been answered in either order', () => {
    expect(said(read('IN_TRANSIT', {}, { tookMs: 5000 }), read('ASSIGNED'))).toEqual([])
  })

  test('a read that a fault has touched says nothing', () => {
    expect(said(read('IN_TRANSIT'), read('ASSIGNED', {}, { fault }))).toEqual([])
  })

  test('an event that a later read contradicts, and one that cannot follow', () => {
    expect(said(event('DELIVERED'), read('ASSIGNED', {}, { after: 11 }))).toEqual([
      'LOG-STA-01: an event says that a delivery is DELIVERED, and a later read shows ASSIGNED.',
    ])
    expect(said(read('DELIVERED'), event('CANCELLED'))).toEqual([
      'LOG-STA-01: an event says that a delivery is CANCELLED, and the read before it has shown DELIVERED.',
    ])
    // It shows a little later.
    expect(said(event('DELIVERED'), read('ASSIGNED'))).toEqual([])
  })

  test('food that is ready after it was collected is advice', () => {
    expect(said(create, read('IN_TRANSIT'), call('setDeliveryReadyForPickup'))).toEqual([
      'advice LOG-STA-01: it shows a delivery as collected before its food was reported ready.',
    ])
    expect(
      said(
        create,
        call('setDeliveryReadyForPickup'),
        read('IN_TRANSIT'),
        call('setDeliveryReadyForPickup'),
      ),
    ).toEqual([])
  })
})

describe('calls in a status that two reads show', () => {
  test.each([
    ['LOG-OPS-05', 'setDeliveryCollected', 'ASSIGNED', 409],
    ['LOG-OPS-06', 'setDeliveryDelivered', 'IN_TRANSIT', 422],
    ['LOG-OPS-07', 'reportDeliveryProblem', 'IN_TRANSIT', 409],
    ['LOG-OPS-04', 'setDeliveryReadyForPickup', 'PENDING', 422],
    ['LOG-RUL-01', 'cancelDelivery', 'ASSIGNED', 422],
  ] as const)('[%s] %s in %s is taken', (clause, operation, status, refusal) => {
    expect(said(read(status), call(operation, { status: refusal }), read(status))).toEqual([
      `${clause}: it answered ${operation} in ${status} with ${refusal}.`,
    ])
    // The delivery may have moved before the call.
    expect(said(read(status), call(operation, { status: refusal }), read('DELIVERED'))).toEqual([])
    // Who calls, and how often, is another matter.
    expect(said(read(status), call(operation, { status: 429 }), read(status))).toEqual([])
    expect(said(read(status), call(operation, { status: refusal, fault }), read(status))).toEqual(
      [],
    )
  })

  test('[LOG-RUL-05] a repeat is taken, and makes nothing new', () => {
    expect(
      said(read('CANCELLED'), call('cancelDelivery', { status: 409 }), read('CANCELLED')),
    ).toEqual([
      'LOG-RUL-05: it answered cancelDelivery in CANCELLED with 409, which it has reached already.',
    ])
    expect(said(create, read('PENDING'), create, read('PENDING', { id: 'd2' }))).toEqual([
      'LOG-RUL-05: a repeated creation has made another delivery.',
    ])
  })

  test('[LOG-RUL-06] a call without a row is refused with 422', () => {
    expect(said(read('PENDING'), call('setDeliveryDelivered'), read('PENDING'))).toEqual([
      'LOG-RUL-06: it answered setDeliveryDelivered in PENDING with 202, not 422.',
    ])
    expect(
      said(read('FAILED'), call('setDeliveryDelivered', { status: 409 }), read('FAILED')),
    ).toEqual(['LOG-RUL-06: it answered setDeliveryDelivered in FAILED with 409, not 422.'])
    // Its own courier may have been there meanwhile.
    expect(said(read('PENDING'), call('setDeliveryDelivered'), read('DELIVERED'))).toEqual([
      'advice LOG-RUL-06: it answered setDeliveryDelivered in PENDING with 202, and is DELIVERED now.',
    ])
  })

  test('[LOG-OPS-05] what is accepted is 202', () => {
    expect(said(call('setDeliveryCollected', { status: 200 }))).toEqual([
      'LOG-OPS-05: it answered 200, not 202.',
    ])
  })

  test('[LOG-TEN-02] the orderId of the creation finds the delivery in every path', () => {
    expect(
      said(read('ASSIGNED'), call('setDeliveryCollected', { status: 404 }), read('ASSIGNED')),
    ).toEqual([
      'LOG-TEN-02: it answered 404 to setDeliveryCollected by the orderId of the creation.',
    ])
  })
})

describe('[LOG-RUL-04] problems', () => {
  const [a, b] = [{ code: 'A' }, { code: 'B' }]
  const report = (code: string) => call('reportDeliveryProblem', { request: { code } })

  test('one that takes the place of another is told', () => {
    expect(
      said(
        read('IN_TRANSIT', { problems: [a] }),
        report('B'),
        read('IN_TRANSIT', { problems: [b] }),
      ),
    ).toEqual(['LOG-RUL-04: it no longer shows an earlier problem of a delivery.'])
    expect(
      said(
        read('IN_TRANSIT'),
        report('A'),
        report('B'),
        read('IN_TRANSIT', { problems: [b] }, { after: 11 }),
      ),
    ).toEqual(['LOG-RUL-04: it shows 1 problems after 0 and 2 reports.'])
  })

  test('the newest may come first, and one that is tried again is one', () => {
    expect(
      said(
        read('IN_TRANSIT', { problems: [a] }),
        report('B'),
        report('B'),
        read('IN_TRANSIT', { problems: [b, a] }, { after: 11 }),
      ),
    ).toEqual([])
  })

  test('a platform that shows no history has none to lose', () => {
    expect(said(read('IN_TRANSIT'), report('A'), read('IN_TRANSIT', {}, { after: 11 }))).toEqual([])
  })

  test('[LOG-RUL-03] a report cancels nothing, and a failure that cannot be recovered is right', () => {
    expect(said(read('IN_TRANSIT'), report('A'), read('CANCELLED'))).toContain(
      'LOG-RUL-03: after a problem report in IN_TRANSIT the delivery is CANCELLED.',
    )
    expect(said(read('IN_TRANSIT'), report('A'), read('FAILED'))).toEqual([])
  })
})

describe('names of a delivery', () => {
  test('[LOG-FLD-01] its id stays', () => {
    expect(said(read('PENDING'), read('ASSIGNED', { id: 'd2' }))).toEqual([
      'LOG-FLD-01: the id of a delivery changes: d1, d2.',
    ])
  })

  test('[LOG-EVT-03] events name the order', () => {
    expect(
      said(
        read('PENDING'),
        event('ASSIGNED', {
          request: { eventId: 'e', orderId: 'd1', deliveryId: 'd1', status: 'ASSIGNED' },
        }),
      ),
    ).toEqual(['LOG-FLD-02: an event of the delivery of the order o1 has another orderId.'])
    expect(said(event('ASSIGNED', { request: { eventId: 'e', deliveryId: 'd9' } }))).toEqual([
      'LOG-FLD-02: a delivery event has no orderId.',
    ])
  })

  test('[LOG-TRA-01] a creation that was accepted can be read', () => {
    const missing = { operation: 'getDelivery', orderId, status: 404 } as const
    expect(said(create, { ...missing, after: 11 })).toEqual([
      'LOG-TRA-01: it answered 404 to a read of a delivery that was created.',
    ])
    expect(said(create, missing)).toEqual([])
    expect(said(missing, { ...missing, after: 60 })).toEqual([])
  })

  test('[LOG-EVT-02] a platform in the mode pull sends no events', () => {
    const manifest = (trackingMode: string): Message => ({
      operation: 'getManifest',
      reply: {
        protocolVersion: '2.0',
        participantId: 'p',
        protocol: { supportedVersions: ['2.0'] },
        authentication: {
          supportedGrantTypes: ['client_credentials'],
          clientIdGeneration: ['by_app'],
        },
        capabilities: {
          logistics: {
            role: 'RECEIVER',
            trackingMode,
            baseUrl: 'http://p',
            operations: ['delivery'],
          },
        },
      },
    })
    expect(said(manifest('pull'), event('ASSIGNED'))).toEqual([
      'LOG-EVT-02: its manifest declares pull, and it sends delivery events.',
    ])
    expect(said(manifest('push'), event('ASSIGNED'))).toEqual([])
  })
})

describe('[LOG-STA-01] a delivery whose cancellation was accepted', () => {
  const cancel = call('cancelDelivery')

  test('is not delivered, as an event or a read shows', () => {
    const found = [
      /^LOG-STA-01.*it answered cancelDelivery in ASSIGNED with 202, and the delivery is DELIVERED/,
    ].map((each) => expect.stringMatching(each))
    expect(said(create, event('ASSIGNED'), cancel, event('DELIVERED'))).toEqual(found)
    expect(said(create, read('ASSIGNED'), cancel, read('DELIVERED'))).toEqual(found)
    expect(
      said(
        create,
        event('PENDING'),
        event('ASSIGNED'),
        cancel,
        event('IN_TRANSIT'),
        event('DELIVERED'),
        read('DELIVERED'),
      ),
    ).toEqual(found)
  })

  test('may end as CANCELLED or FAILED, late events of the time before may come, and another one may be made', () => {
    for (const end of ['CANCELLED', 'FAILED'])
      expect(said(create, event('ASSIGNED'), cancel, event('ASSIGNED'), event(end))).toEqual([])
    expect(
      said(
        create,
        event('ASSIGNED'),
        cancel,
        event('CANCELLED'),
        create,
        event('ASSIGNED'),
        event('DELIVERED'),
      ),
    ).toEqual([])
  })

  test('is delivered where the cancellation was refused, or its answer was lost by a fault', () => {
    const refused = call('cancelDelivery', { status: 422, reply: { error: { code: 'X' } } })
    expect(said(create, event('IN_TRANSIT'), refused, event('DELIVERED'))).toEqual([])
    expect(said(create, event('ASSIGNED'), { ...cancel, fault }, event('DELIVERED'))).toEqual([])
  })

  test('is a warning where it was on its way, or nothing was known of it', () => {
    expect(said(create, event('IN_TRANSIT'), cancel, event('DELIVERED'))).toEqual([
      expect.stringMatching(/cancelDelivery in IN_TRANSIT with 202/),
    ])
  })
})

test.each([
  ['as text', { available: 'true' }, ['/available: "true" is not true or false']],
  ['not at all', {}, ['/available is missing']],
  ['rightly', { available: false }, []],
])('[LOG-FLD-09] an answer to a question that has available %s', (_, reply, broken) => {
  expect(said(call('checkDeliveryAvailability', { status: 200, reply }))).toEqual(
    broken.map((each) => `LOG-FLD-09: the body of its reply is wrong: ${each}.`),
  )
})
