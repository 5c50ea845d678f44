/** What a session says of the life of an order at its Ordering Application, with the near misses of each. */
import { describe, expect, test } from 'vitest'
import { judged, type Message } from '../../../../../test/support/judged-messages.ts'
import { plainOrder } from '../../../../../test/support/plain-order.ts'

const said = (...messages: readonly Message[]) =>
  judged({ service: 'ordering-application', partner: 'software-service' }, /^ORD/, messages)

const orderId = 'o1'
const fault = 'reset on req'

const read = (status: string, more: object = {}, message: Partial<Message> = {}): Message => ({
  operation: 'getOrder',
  orderId,
  reply: { ...plainOrder(orderId, 'TAKEOUT'), lastEvent: undefined, status, ...more },
  ...message,
})
const delivery = { ...plainOrder(orderId, 'DELIVERY'), lastEvent: undefined }
const readDelivery = (status: string): Message => read(status, { ...delivery, status })
const call = (operation: Message['operation'], message: Partial<Message> = {}): Message => ({
  operation,
  orderId,
  status: 202,
  request: {},
  ...message,
})
const eventOf = (eventType: string, eventId = eventType) => ({
  eventId,
  eventType,
  orderId,
  createdAt: '2026-10-01T00:00:00Z',
  orderURL: 'http://service/v2/orders/o1',
})
const event = (
  eventType: string,
  message: Partial<Message> = {},
  eventId = eventType,
): Message => ({
  operation: 'receiveOrderEvent',
  by: 'service',
  status: 204,
  request: eventOf(eventType, eventId),
  ...message,
})

describe('an order that goes as the documents have it', () => {
  test('nothing is said of a whole life, with repeats, lost events and late ones', () => {
    expect(
      said(
        event('CREATED'),
        event('CREATED'),
        read('CREATED'),
        call('confirmOrder'),
        event('CONFIRMED'),
        read('CONFIRMED'),
        call('confirmOrder'),
        read('CONFIRMED'),
        call('setOrderPreparing'),
        read('PREPARING', {}, { after: 20 }),
        call('setOrderReadyForPickup'),
        read('READY'),
        event('READY_FOR_PICKUP', { after: 30 }),
        call('setOrderDelivered'),
        read('DELIVERED'),
        event('DELIVERED'),
        read('CONCLUDED', {}, { after: 60 }),
        event('CONCLUDED'),
      ),
    ).toEqual([])
  })

  test('nothing is said of a session that begins in the middle', () => {
    expect(
      said(
        read('READY'),
        event('CREATED'),
        call('setOrderDelivered'),
        read('READY', {}, { after: 60 }),
      ),
    ).toEqual([])
  })
})

describe('[ORD-STA-01] statuses', () => {
  test('each clause tells of its own change', () => {
    expect(said(read('READY'), read('CONFIRMED'))).toEqual([
      'ORD-STA-01: it moved a TAKEOUT order from READY to CONFIRMED.',
    ])
    expect(said(read('CANCELLED'), read('CONFIRMED'))).toEqual([
      'ORD-TRA-11: it moved a TAKEOUT order from CANCELLED to CONFIRMED.',
    ])
    expect(said(read('DELIVERED'), read('CANCELLED'))).toEqual([
      'ORD-TRA-09: it moved a TAKEOUT order from DELIVERED to CANCELLED.',
    ])
    expect(said(read('IN_DELIVERY'))).toEqual([
      'ORD-TRA-06: it shows a TAKEOUT order as IN_DELIVERY.',
    ])
    expect(said(readDelivery('IN_DELIVERY'))).toEqual([])
  })

  test('reads at the same time, and one that a fault has touched, say nothing of an order', () => {
    expect(said(read('READY', {}, { tookMs: 5000 }), read('CONFIRMED'))).toEqual([])
    expect(said(read('READY'), read('CONFIRMED', {}, { fault }))).toEqual([])
  })
})

describe('calls in a status that two reads show', () => {
  test('[ORD-OPS-05] a call that is possible is taken', () => {
    const refused = call('confirmOrder', { status: 409 })
    expect(said(read('CREATED'), refused, read('CREATED'))).toEqual([
      'ORD-OPS-05: it answered confirmOrder for a TAKEOUT order in CREATED with 409, not 202.',
    ])
    expect(said(read('CREATED'), refused, read('CANCELLED'))).toEqual([])
    expect(said(read('CREATED'), { ...refused, fault }, read('CREATED'))).toEqual([])
  })

  test('[ORD-RUL-01] a repeat is taken', () => {
    const refused = call('confirmOrder', { status: 422 })
    expect(said(read('CONFIRMED'), refused, read('CONFIRMED'))).toEqual([
      'ORD-RUL-01: it answered confirmOrder for a TAKEOUT order in CONFIRMED with 422, which it has reached already.',
    ])
    // The order may have passed CONFIRMED before the call.
    expect(said(read('CONFIRMED'), refused, read('READY'))).toEqual([])
  })

  test('[ORD-UND-04] what is not possible moves nothing, and is advice where it is taken', () => {
    expect(
      said(readDelivery('CREATED'), call('dispatchOrder'), readDelivery('IN_DELIVERY')),
    ).toEqual([
      'advice ORD-UND-04: with dispatchOrder for a DELIVERY order in CREATED the order became IN_DELIVERY.',
    ])
    expect(said(read('CREATED'), call('setOrderDelivered'), read('CREATED'))).toEqual([
      'advice ORD-UND-04: it answered setOrderDelivered for a TAKEOUT order in CREATED with 202, not 409 or 422.',
    ])
    expect(
      said(read('CREATED'), call('setOrderDelivered', { status: 409 }), read('CREATED')),
    ).toEqual([])
  })
})

describe('events', () => {
  test('[ORD-EVF-01] what happens once has one event', () => {
    expect(said(event('CONFIRMED'), event('CONFIRMED', {}, 'again'))).toEqual([
      'ORD-EVF-01: its CONFIRMED event of one order came with different eventIds.',
    ])
    expect(said(event('ITEM_CANCELLED'), event('ITEM_CANCELLED', {}, 'another'))).toEqual([])
    // A repeated call may have had it emitted again.
    expect(
      said(
        call('confirmOrder'),
        event('CONFIRMED'),
        call('confirmOrder'),
        event('CONFIRMED', {}, 'again'),
      ),
    ).toEqual([])
  })

  test('[ORD-EVF-01] an id is of one event, however often and on whichever channel it comes', () => {
    const polled = (...reply: readonly object[]): Message => ({ operation: 'pollingEvents', reply })
    const ofOther = { ...eventOf('CREATED'), orderId: 'o2' }
    expect(said(event('CREATED'), polled(eventOf('CREATED')), event('CREATED'))).toEqual([])
    expect(said(event('CREATED'), event('CONFIRMED', { fault }, 'CREATED'))).toEqual([])
    expect(said(event('CREATED'), polled(ofOther))).toEqual([
      'ORD-EVF-01: its CREATED events of two orders have the same eventId.',
    ])
    expect(said(event('CREATED', {}, ''))).toEqual([
      'ORD-EVF-01: a CREATED event of it has no eventId.',
    ])
    // What came counts as emitted, and what has not come may be gone with an acknowledgment of the same id.
    expect(
      said(
        event('CREATED'),
        polled(eventOf('CONFIRMED', 'CREATED')),
        read('CREATED'),
        read('CONFIRMED'),
        read('PREPARING'),
        event('ITEM_CANCELLED', {}, 'other'),
        read('PREPARING', {}, { after: 130 }),
      ),
    ).toEqual(['ORD-EVF-01: its CREATED and CONFIRMED events have the same eventId.'])
  })

  test('[ORD-EVR-01] a read long after an event shows what it says', () => {
    const late = read('CREATED', {}, { after: 11 })
    expect(said(event('CONFIRMED'), late)).toEqual([
      'ORD-EVR-01: after CONFIRMED its GET shows a TAKEOUT order as CREATED.',
    ])
    expect(said(event('CONFIRMED'), read('CREATED'))).toEqual([])
    expect(said(event('CONFIRMED'), read('CANCELLED', {}, { after: 11 }))).toEqual([])
  })

  test('[ORD-FLO-01] an order that CREATED names can be read', () => {
    const missing: Message = { operation: 'getOrder', orderId, status: 404 }
    expect(said(event('CREATED'), missing)).toEqual([
      'ORD-FLO-01: it answered 404 to a read of an order that CREATED names.',
    ])
    expect(said(missing, event('CREATED'))).toEqual([])
    expect(said(event('CREATED'), { ...missing, fault })).toEqual([])
    expect(said(event('CREATED'), { ...missing, status: 429 })).toEqual([])
  })

  test('[ORD-EVT-02] a change has its event', () => {
    const news = event('CREATED', {}, 'of-another')
    expect(
      said(read('CREATED'), read('CONFIRMED'), news, read('CONFIRMED', {}, { after: 11 })),
    ).toEqual([
      'ORD-EVT-02: it emitted no CONFIRMED event of a TAKEOUT order that became CONFIRMED.',
    ])
    // Without any event since, the channel may be closed; with a fault, it may have been lost.
    expect(said(read('CREATED'), read('CONFIRMED'), read('CONFIRMED', {}, { after: 11 }))).toEqual(
      [],
    )
    expect(
      said(
        read('CREATED'),
        event('CONFIRMED', { fault }),
        read('CONFIRMED'),
        news,
        read('CONFIRMED', {}, { after: 11 }),
      ),
    ).toEqual([])
  })

  test('[ORD-EVR-07] the profile of an order forbids some, also when it is read later', () => {
    expect(said(event('DISPATCHED'), read('CREATED'))).toEqual([
      'ORD-EVR-07: it emitted DISPATCHED of a TAKEOUT order.',
    ])
    expect(said(event('DISPATCHED'), readDelivery('IN_DELIVERY'))).toEqual([])
  })

  test('[ORD-OPS-02] an event that was acknowledged stays away', () => {
    const poll: Message = { operation: 'pollingEvents', reply: [eventOf('CREATED')] }
    const acknowledge: Message = {
      operation: 'acknowledgeEvents',
      status: 202,
      request: [{ id: 'CREATED', eventId: 'CREATED' }],
    }
    expect(said(poll, acknowledge, poll)).toEqual([
      'ORD-OPS-02: it returned an event again that was acknowledged.',
    ])
    expect(said(poll, poll)).toEqual([])
    const other: Message = { ...poll, reply: [eventOf('CONFIRMED', 'CREATED')] }
    expect(said(poll, acknowledge, other)).toEqual([
      'ORD-EVF-01: its CREATED and CONFIRMED events have the same eventId.',
    ])
    expect(said(poll, { ...acknowledge, status: 503 }, poll)).toEqual([])
    expect(said(poll, { ...acknowledge, tookMs: 5000 }, poll)).toEqual([])
  })

  test('[ORD-FLD-03] lastEvent is of the status', () => {
    expect(said(read('CREATED', { lastEvent: 'DELIVERED' }))).toEqual([
      'ORD-FLD-03: its lastEvent is DELIVERED, and its status CREATED.',
    ])
    expect(said(read('READY', { lastEvent: 'CONFIRMED' }))).toEqual([])
  })

  test('[ORD-FLD-03] lastEvent is none that came before an event of long ago', () => {
    const later = (lastEvent: string, after = 20): readonly string[] =>
      said(
        event('CREATED'),
        event('CONFIRMED'),
        event('PREPARING'),
        read('PREPARING', { lastEvent }, { after }),
      )
    expect(later('CREATED')).toEqual(['ORD-FLD-03: its lastEvent is CREATED after CONFIRMED.'])
    expect(later('PREPARING')).toEqual([])
    // It tells of something beside the status; it came after the others; they have just come.
    expect(later('ITEM_CANCELLED')).toEqual([])
    expect(later('CREATED', 1)).toEqual([])
    expect(
      said(
        event('CONFIRMED'),
        event('CREATED'),
        read('CONFIRMED', { lastEvent: 'CREATED' }, { after: 20 }),
      ),
    ).toEqual([])
  })
})

test.each<[what: string, lost: Message, isKnown: boolean]>([
  ['an event', event('PREPARING', { fault }), false],
  ['an event that we refuse', event('PREPARING', { status: 503 }), false],
  ['a token', { operation: 'issueToken', by: 'service', status: 200, fault }, false],
  ['our manifest', { operation: 'getManifest', by: 'service', status: 500 }, false],
  ['a manifest that is not there', { operation: 'getManifest', by: 'service', status: 404 }, true],
  ['another call', { operation: 'createDelivery', by: 'service', status: 503 }, true],
])('[ORD-EVT-02] events may wait behind %s that was lost, for two minutes', (_, lost, isKnown) => {
  const silent = (after: number): readonly string[] =>
    said(
      read('CREATED'),
      lost,
      read('CREATED', {}, { after }),
      read('CONFIRMED'),
      event('READY_FOR_PICKUP', { after: 20 }, 'other'),
      read('CONFIRMED'),
    ).filter((line) => line.startsWith('ORD-EVT-02'))
  expect(silent(60)).toHaveLength(isKnown ? 1 : 0)
  expect(silent(121)).toHaveLength(1)
})

describe('cancellations', () => {
  const request = call('requestCancellation')

  test('[ORD-TEN-02] a request has an outcome by the end of its order', () => {
    const story = [read('CONFIRMED'), request, event('READY_FOR_PICKUP'), read('READY')]
    expect(said(...story, read('DELIVERED', {}, { after: 20 }))).toEqual([
      'ORD-TEN-02: it accepted a request to cancel a TAKEOUT order, and emitted no ACCEPTED, DENIED or CANCELLED.',
    ])
    expect(said(...story, read('READY', {}, { after: 130 }))).toEqual([
      'advice ORD-TEN-02: it accepted a request to cancel a TAKEOUT order, and emitted no ACCEPTED, DENIED or CANCELLED within two minutes.',
    ])
    expect(
      said(...story, event('CANCELLATION_REQUEST_DENIED'), read('DELIVERED', {}, { after: 20 })),
    ).toEqual([])
    expect(said(...story, read('READY', {}, { after: 20 }))).toEqual([])
  })

  test('[ORD-CAN-05] a request that was granted cancels the order', () => {
    const granted = event('CANCELLATION_REQUEST_ACCEPTED')
    expect(said(request, granted, read('CONFIRMED', {}, { after: 11 }))).toEqual([
      'ORD-CAN-05: it emitted CANCELLATION_REQUEST_ACCEPTED of a TAKEOUT order, which GET shows as CONFIRMED.',
    ])
    expect(said(request, granted, read('CANCELLED', {}, { after: 11 }))).toEqual([])
  })
})

describe('items and totals', () => {
  const order = plainOrder(orderId, 'TAKEOUT')
  const [item] = order.items
  const price = (value: number) => ({ value, currency: 'BRL' })
  const total = (items: number, amount = items) => ({
    total: {
      itemsPrice: price(items),
      otherFees: price(0),
      discount: price(0),
      orderAmount: price(amount),
    },
  })
  const items = (...statuses: readonly (string | undefined)[]) => ({
    items: statuses.map((status, index) => ({
      ...item,
      id: `i${index}`,
      quantity: 1,
      status,
      pricing: {
        unitPrice: price(10),
        originalPrice: price(10),
        optionsPrice: price(0),
        totalPrice: price(10),
      },
    })),
  })
  const cancel = call('cancelOrderItem', { params: { itemId: 'i0' } })
  const before = read('CONFIRMED', { ...items(undefined, undefined), ...total(20) })

  test('[ORD-ITM-03] totals are less by an item that is shown as cancelled', () => {
    expect(
      said(before, cancel, read('CONFIRMED', { ...items('CANCELLED', undefined), ...total(20) })),
    ).toEqual([
      'ORD-ITM-03: it left the totals of an order as they were after the cancellation of an item.',
    ])
    expect(
      said(before, cancel, read('CONFIRMED', { ...items('CANCELLED', undefined), ...total(10) })),
    ).toEqual([])
    // It is not carried out yet.
    expect(said(before, cancel, before)).toEqual([])
  })

  test('[ORD-BOD-05] without a quantity the whole item is cancelled', () => {
    const partly = { ...items('PARTIALLY_CANCELLED', undefined), ...total(10) }
    expect(said(before, cancel, read('CONFIRMED', partly))).toEqual([
      'ORD-BOD-05: after a cancellation without quantity its item is "PARTIALLY_CANCELLED", not CANCELLED.',
    ])
  })

  test('[ORD-RUL-04] an order without items ends', () => {
    const empty = { ...items('CANCELLED', 'CANCELLED'), ...total(0) }
    expect(said(read('CONFIRMED', empty), read('CONFIRMED', empty, { after: 11 }))).toEqual([
      'ORD-RUL-04: it shows a TAKEOUT order whose items are all cancelled as CONFIRMED.',
    ])
    expect(said(read('CONFIRMED', empty), read('CANCELLED', empty, { after: 11 }))).toEqual([])
    expect(said(read('CONFIRMED', empty), read('CONFIRMED', empty))).toEqual([])
  })

  test('[ORD-OPS-04] totals that do not add up are advice', () => {
    expect(said(read('CONFIRMED', { ...items(undefined), ...total(20, 25) }))).toEqual([
      'advice ORD-OPS-04: the totals of its order do not add up: 20 + 0 - 0 is not 25.',
    ])
  })
})
