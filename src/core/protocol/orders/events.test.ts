import { expect, test } from 'vitest'
import { isForbiddenForProfile, isOrderEventType, orderEvents, orderEventTypes } from './events.ts'
import { orderTypes } from './order.ts'

/** The event table of document 2: event, projected status, obligations for DELIVERY, TAKEOUT, INDOOR. */
const printed = `
  CREATED                       CREATED     MUST MUST     MUST
  CONFIRMED                     CONFIRMED   MUST MUST     MUST
  PREPARATION_REQUESTED         unchanged   MAY  MAY      not-listed
  PREPARING                     PREPARING   MAY  MAY      MAY
  READY_FOR_PICKUP              READY       MAY  MUST     MAY
  PICKUP_ONGOING                unchanged   MAY  MUST-NOT MUST-NOT
  RIDER_ARRIVED_AT_STORE        unchanged   MAY  MUST-NOT MUST-NOT
  DISPATCHED                    IN_DELIVERY MAY  MUST-NOT MUST-NOT
  ORDER_COLLECTED               IN_DELIVERY MAY  MUST-NOT MUST-NOT
  DELIVERY_ONGOING              unchanged   MAY  MUST-NOT MUST-NOT
  ARRIVED_AT_CUSTOMER           unchanged   MAY  MUST-NOT MUST-NOT
  DELIVERED                     DELIVERED   MUST MUST     MAY
  CANCELLATION_REQUESTED        unchanged   MAY  MAY      MAY
  CANCELLATION_REQUEST_ACCEPTED unchanged   MAY  MAY      MAY
  CANCELLATION_REQUEST_DENIED   unchanged   MAY  MAY      MAY
  CANCELLED                     CANCELLED   MUST MUST     MUST
  CONCLUDED                     CONCLUDED   MAY  MAY      MAY
  ITEM_CANCELLED                unchanged   MUST MUST     MUST`

test('the event table equals the one of document 2', () => {
  const ours = orderEventTypes.map((type) => {
    const { projects = 'unchanged', obligation } = orderEvents[type]
    return [type, projects, ...orderTypes.map((each) => obligation[each].replace(' ', '-'))]
  })
  expect(ours).toEqual(
    printed
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/\s+/)),
  )
})

test('exactly the six courier and route events are forbidden, for TAKEOUT and INDOOR', () => {
  const forbidden = orderTypes.map((profile) =>
    orderEventTypes.filter((type) => isForbiddenForProfile(type, profile)),
  )
  const courier = [
    'PICKUP_ONGOING',
    'RIDER_ARRIVED_AT_STORE',
    'DISPATCHED',
    'ORDER_COLLECTED',
    'DELIVERY_ONGOING',
    'ARRIVED_AT_CUSTOMER',
  ]
  expect(forbidden).toEqual([[], courier, courier])
})

test('PICKED_UP and the V1 cancellation handshake are no event types; names are case-sensitive', () => {
  for (const name of ['PICKED_UP', 'ORDER_CANCELLATION_REQUEST', 'confirmed', 'toString'])
    expect(isOrderEventType(name)).toBe(false)
  expect(isOrderEventType('CONFIRMED')).toBe(true)
})
