/** Parsing delivery messages of other parties under every known field name. */
import { describe, expect, test } from 'vitest'
import {
  deliveryEventName,
  deliveryEventNames,
  deliveryEventTypes,
  statusChangedEvent,
} from './events.ts'
import { isInArea, positionOf, readDeliveryPlaces } from './place.ts'
import {
  problemCode,
  readAvailability,
  readDelivery,
  readDeliveryEvent,
  reportedRecoverable,
} from './read.ts'

describe('[LOG-UND-01] places', () => {
  const address = { street: 'Rua A', city: 'São Paulo' }

  test('places under the documents’ names are kept unchanged, with unknown fields', () => {
    const place = { address, contact: { name: 'Ana', shoeSize: 38 }, floor: 3 }
    const { pickup, dropoff, merchant } = readDeliveryPlaces({
      merchant: { id: 'm', address, contact: { name: 'Loja' }, stars: 5 },
      pickup: place,
      dropoff: place,
    })
    expect(pickup).toEqual(place)
    expect(dropoff).toEqual(place)
    expect(merchant).toEqual({ id: 'm', address, contact: { name: 'Loja' }, stars: 5 })
  })

  test('places under the public standard’s names are normalised to the same three places, each with address and contact', () => {
    const places = readDeliveryPlaces({
      merchantId: 'm',
      origin: address,
      destination: { ...address, street: 'Rua B' },
      customer: { name: 'Ana', phone: '+5511' },
    })
    expect(places).toEqual({
      merchant: { id: 'm', address, contact: { name: 'm' } },
      pickup: { address, contact: { name: 'm' } },
      dropoff: {
        address: { ...address, street: 'Rua B' },
        contact: { name: 'Ana', phone: '+5511' },
      },
    })
  })

  test('the earlier edition’s names and phones as objects are accepted', () => {
    const { dropoff } = readDeliveryPlaces({
      deliveryAddress: { ...address, latitude: -23.5, longitude: -46.6 },
      customerName: 'Ana',
      customerPhone: { number: '+5511' },
    })
    expect(dropoff.contact).toEqual({ name: 'Ana', phone: '+5511' })
    expect(positionOf(dropoff)).toEqual({ latitude: -23.5, longitude: -46.6 })
  })

  test.each([
    [{ coordinates: { latitude: -23, longitude: -46 } }, true],
    [{ coordinates: { lat: -23, lng: -46 } }, true],
    [{ coordinates: { latitude: '-23', longitude: '-46' } }, false],
    [{ coordinates: { latitude: 91, longitude: 0 } }, false],
    [{ coordinates: { latitude: Number.NaN, longitude: 0 } }, false],
    [{ coordinates: null, latitude: 1, longitude: 2 }, true],
    [{}, false],
  ])('coordinates of %j', (shape, there) => {
    expect(positionOf({ address: shape, contact: {} }) !== undefined).toBe(there)
  })

  test('an area is a city, a neighbourhood, or a prefix of the postal code', () => {
    const place = {
      address: { city: 'São Paulo', neighborhood: 'Moema', postalCode: '04521-010' },
      contact: {},
    }
    expect(['são paulo', ' MOEMA ', '045', '04521-0'].every((area) => isInArea(place, area))).toBe(
      true,
    )
    expect(['Santos', '046', '', 'Moe'].some((area) => isInArea(place, area))).toBe(false)
  })
})

describe('[LOG-UND-06] events', () => {
  test('any object with an orderId is an event; its status is read under every known name', () => {
    expect(readDeliveryEvent({ orderId: 'o' })).toEqual({
      orderId: 'o',
      eventType: '',
      eventId: 'o////',
    })
    const statuses = [
      { orderId: 'o', event: { type: 'ORDER_PICKED', datetime: 't' } },
      { orderId: 'o', eventType: 'LOGISTICS_PICKED_UP' },
      { orderId: 'o', eventType: statusChangedEvent, status: 'IN_TRANSIT' },
      { orderId: 'o', type: 'delivery.collected' },
      { orderId: 'o', status: 'IN_TRANSIT' },
    ].map((body) => readDeliveryEvent(body).status)
    expect(new Set(statuses)).toEqual(new Set(['IN_TRANSIT']))
  })

  test('an event without an id is identified by its content and time', () => {
    const at = (datetime: string) =>
      readDeliveryEvent({ orderId: 'o', event: { type: 'ACCEPTED', datetime } }).eventId
    expect(at('1')).toBe(at('1'))
    expect(at('1')).not.toBe(at('2'))
    expect(readDeliveryEvent({ orderId: 'o', eventId: 'e' }).eventId).toBe('e')
  })

  test('unknown event names and statuses give no status', () => {
    for (const body of [
      { orderId: 'o', eventType: 'SUNSHINE', status: 'GONE' },
      { orderId: 'o', eventType: 'delivery.moved' },
    ])
      expect(readDeliveryEvent(body).status).toBeUndefined()
  })

  test('each vocabulary has its own event names', () => {
    expect(deliveryEventNames('status')).toEqual([statusChangedEvent])
    expect(deliveryEventNames('steps')).toEqual(deliveryEventTypes)
    expect(deliveryEventNames('manifest')).toEqual([
      'LOGISTICS_CREATED',
      'LOGISTICS_ASSIGNED',
      'LOGISTICS_CANCELLED',
      'LOGISTICS_PICKED_UP',
      'LOGISTICS_DELIVERED',
    ])
    expect(deliveryEventName('ARRIVED_AT_CUSTOMER', 'manifest')).toBeUndefined()
    expect(deliveryEventName('ARRIVED_AT_CUSTOMER', 'status')).toBeUndefined()
  })
})

describe('[LOG-UND-02] answers of other platforms', () => {
  test.each([
    [
      { available: true, price: { amount: 7.5, currency: 'BRL' }, eta: 'e' },
      { available: true, amount: 7.5, currency: 'BRL', eta: 'e' },
    ],
    [
      { available: true, deliveryFee: { value: 750, currency: 'BRL' } },
      { available: true, amount: 7.5, currency: 'BRL' },
    ],
    [
      { deliveryPrice: { price: { value: 7.5, currency: 'BRL' } } },
      { available: true, amount: 7.5, currency: 'BRL' },
    ],
    [
      { available: false, unavailableReason: 'OUT_OF_COVERAGE' },
      { available: false, reason: 'OUT_OF_COVERAGE' },
    ],
    [{}, {}],
    ['nonsense', {}],
    [undefined, {}],
  ])('availability reply %j', (body, read) => {
    expect(readAvailability(body)).toEqual(read)
  })

  test.each([
    [
      { id: 'd', status: 'ASSIGNED', courier: { name: 'Caio' } },
      { status: 'ASSIGNED', deliveryId: 'd', courier: 'Caio' },
    ],
    [
      { deliveryId: 'd', events: [{ type: 'PENDING' }, { type: 'ORDER_PICKED' }] },
      { status: 'IN_TRANSIT', deliveryId: 'd' },
    ],
    [{ status: 'LOST' }, undefined],
    [{ events: [] }, undefined],
    [null, undefined],
  ])('delivery reply %j', (body, read) => {
    expect(readDelivery(body)).toEqual(read)
  })

  test('a problem report has its code under one of several names, and may say whether the delivery is recoverable', () => {
    expect(problemCode({ code: 'A', reason: 'B' })).toBe('A')
    expect(problemCode({ type: 'ADDRESS_NOT_FOUND' })).toBe('ADDRESS_NOT_FOUND')
    expect(problemCode({})).toBeUndefined()
    expect(reportedRecoverable({})).toBeUndefined()
    expect(reportedRecoverable({ action: 'RETURN_TO_STORE' })).toBe(false)
    expect(reportedRecoverable({ action: 'DELIVER_PRODUCT' })).toBe(true)
    expect(reportedRecoverable({ recoverable: false, action: 'DELIVER_PRODUCT' })).toBe(false)
    expect(reportedRecoverable({ canFinishDeliver: false })).toBe(false)
  })
})
