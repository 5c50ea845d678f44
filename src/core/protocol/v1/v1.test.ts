/** Mapping between V1 and V2: events, flags and order documents. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { generateOrder } from '../../partners/seed-data/orders.ts'
import { createPopulation } from '../../partners/seed-data/population.ts'
import { Conduct } from '../conduct.ts'
import { orderEventTypes } from '../orders/events.ts'
import { Order, orderTypes } from '../orders/order.ts'
import { toUnits } from '../orders/price.ts'
import {
  furtherStatus,
  v1EventTypeFor,
  parseV1EventType,
  v1EventTypes,
  v1StatusOfEvent,
} from './events.ts'
import { v1FlagsOf } from './flags.ts'
import { fromV1Order } from './from-v1.ts'
import { V1Order } from './order.ts'
import { toV1Order } from './to-v1.ts'
import type { Population } from '../../partners/seed-data/types.ts'

const { v1 } = Conduct.parse({})
const now = Date.parse('2026-01-05T12:00:00Z')
let population: Population
beforeAll(async () => {
  population = await createPopulation({ chance: createChance(7, 'population'), now })
})

/** Generated orders of every profile. */
const orders = (): readonly Order[] => {
  const chance = createChance(7, 'orders')
  return Array.from({ length: 150 }, (_, index) =>
    generateOrder({ population, chance, now, type: orderTypes[index % 3] ?? 'DELIVERY' }),
  )
}

describe('events', () => {
  test('[MIG-ORD-01, MIG-ORD-02, MIG-ORD-03] V1 has fifteen event types: four that V2 dropped, and none that V2 added', () => {
    expect(v1EventTypes).toHaveLength(15)
    const lost = v1EventTypes.filter(
      (type) => !(orderEventTypes as readonly string[]).includes(type),
    )
    expect([...lost].sort()).toEqual([
      'CANCELLED_DENIED',
      'ORDER_CANCELLATION_REQUEST',
      'PICKED_UP',
      'PICKUP_AREA_ASSIGNED',
    ])
    const flags = v1FlagsOf('DELIVERY', v1)
    const unsaid = orderEventTypes.filter(
      (type) => v1EventTypeFor(type, 'DELIVERY', flags) === undefined,
    )
    expect(unsaid).toEqual([
      'PICKUP_ONGOING',
      'RIDER_ARRIVED_AT_STORE',
      'ORDER_COLLECTED',
      'DELIVERY_ONGOING',
      'ARRIVED_AT_CUSTOMER',
      'CANCELLATION_REQUEST_ACCEPTED',
      'ITEM_CANCELLED',
    ])
  })

  test('V2 DELIVERED maps to DELIVERED or PICKED_UP by profile and flags, or to no V1 event', () => {
    const said = (profile: Order['fulfillment']['orderType'], more = {}) =>
      v1EventTypeFor('DELIVERED', profile, v1FlagsOf(profile, { ...v1, ...more }))
    expect(said('DELIVERY')).toBe('DELIVERED')
    expect(said('TAKEOUT')).toBe('PICKED_UP')
    expect(said('INDOOR')).toBeUndefined()
    const silent = {
      sends: { preparing: false, delivered: false, pickedUp: false, tracking: false },
    }
    expect(said('DELIVERY', silent)).toBeUndefined()
    expect(said('TAKEOUT', silent)).toBeUndefined()
    expect(said('DELIVERY', { deliveredBy: 'MARKETPLACE' })).toBe('DELIVERED')
  })

  test('CANCELLATION_DENIED is accepted as an alias of CANCELLED_DENIED', () => {
    expect(parseV1EventType('CANCELLATION_DENIED')).toBe('CANCELLED_DENIED')
    expect(parseV1EventType('CANCELLED_DENIED')).toBe('CANCELLED_DENIED')
    expect(parseV1EventType('constructor')).toBeUndefined()
    expect(parseV1EventType('ITEM_CANCELLED')).toBeUndefined()
  })

  test('[MIG-ORD-04] the status of an order is derived from its events: the furthest one counts', () => {
    expect(v1StatusOfEvent('READY_FOR_PICKUP')).toBe('READY')
    expect(v1StatusOfEvent('PICKED_UP')).toBe('DELIVERED')
    for (const informs of ['ORDER_CANCELLATION_REQUEST', 'CANCELLED_DENIED', 'nonsense', undefined])
      expect(v1StatusOfEvent(informs)).toBeUndefined()
    expect(furtherStatus('READY', 'CONFIRMED')).toBe('READY')
    expect(furtherStatus('CONFIRMED', 'CANCELLED')).toBe('CANCELLED')
    expect(furtherStatus('CONCLUDED', 'CANCELLED')).toBe('CONCLUDED')
    expect(furtherStatus(undefined, 'CREATED')).toBe('CREATED')
    expect(furtherStatus(undefined, undefined)).toBeUndefined()
  })
})

describe('flags', () => {
  test('[MIG-ORD-10, MIG-ORD-11] are false where they do not apply: no delivery report when the marketplace delivers', () => {
    expect(v1FlagsOf('DELIVERY', v1)).toEqual({
      sendPreparing: true,
      sendDelivered: true,
      sendPickedUp: false,
      sendTracking: true,
      deliveredBy: 'MERCHANT',
    })
    expect(v1FlagsOf('TAKEOUT', v1)).toMatchObject({ sendDelivered: false, sendPickedUp: true })
    expect(v1FlagsOf('INDOOR', v1)).toMatchObject({ sendDelivered: false, sendPickedUp: false })
    expect(v1FlagsOf('DELIVERY', { ...v1, deliveredBy: 'MARKETPLACE' })).toMatchObject({
      sendDelivered: false,
      sendTracking: false,
      deliveredBy: 'MARKETPLACE',
    })
  })
})

describe('our order as a V1 document', () => {
  test('[MIG-ORD-07, MIG-ORD-08] is valid V1 for every profile: type, blocks and prices at the root, no null', () => {
    for (const order of orders()) {
      const profile = order.fulfillment.orderType
      const said = toV1Order(order, v1FlagsOf(profile, v1), 'CREATED')
      const read = V1Order.safeParse(JSON.parse(JSON.stringify(said)))
      expect(read.error).toBeUndefined()
      expect(JSON.stringify(said)).not.toContain(':null')
      expect(said).toMatchObject({ type: profile, category: 'FOOD', lastEvent: 'CREATED' })
      for (const gone of ['fulfillment', 'timing', 'status', 'context', 'pricing'])
        expect(said).not.toHaveProperty(gone)
      const blocks = ['delivery', 'takeout', 'indoor'].filter((block) => block in said)
      expect(blocks).toEqual([profile.toLowerCase()])
      expect(said.items.map(({ index }) => index)).toEqual(order.items.map((_, index) => index + 1))
    }
  })

  test('keeps its sums: nested options are flattened, each with its own price', () => {
    let nested = 0
    for (const order of orders()) {
      const said = toV1Order(order, v1FlagsOf('TAKEOUT', v1), undefined)
      expect(said).not.toHaveProperty('lastEvent')
      expect(said.total).toEqual(order.total)
      for (const item of said.items) {
        const options = (item.options ?? []).reduce(
          (sum, { totalPrice }) => sum + toUnits(totalPrice.value),
          0,
        )
        expect(options).toBe(toUnits(item.optionsPrice?.value ?? 0))
      }
      nested += order.items.flatMap(({ options = [] }) => options).filter((o) => o.options).length
    }
    expect(nested).toBeGreaterThan(0)
  })

  test('an address is split into street and number where possible', () => {
    const [order] = orders()
    const at = (address: Readonly<Record<string, string>>) =>
      toV1Order(
        { ...order!, fulfillment: { orderType: 'DELIVERY', delivery: { address } } },
        v1FlagsOf('DELIVERY', v1),
        undefined,
      ).delivery?.deliveryAddress
    expect(at({ street: 'Rua Augusta, 1200', city: 'São Paulo', state: 'SP' })).toMatchObject({
      street: 'Rua Augusta',
      number: '1200',
      state: 'BR-SP',
      formattedAddress: 'Rua Augusta, 1200 - São Paulo - SP',
    })
    expect(at({ street: 'Praça da Sé', state: 'BR-SP' })).toMatchObject({
      street: 'Praça da Sé',
      number: 's/n',
      state: 'BR-SP',
    })
    expect(at({})).toMatchObject({ street: '', number: 's/n', coordinates: { latitude: 0 } })
  })
})

describe('a received V1 order', () => {
  test('[MIG-ORD-07] round trip: our order converted to V1 and back keeps ids, profile, items, totals and payments', () => {
    for (const order of orders()) {
      const flags = v1FlagsOf(order.fulfillment.orderType, v1)
      const sent = JSON.parse(JSON.stringify(toV1Order(order, flags, 'CONFIRMED'))) as unknown
      const read = fromV1Order(sent, (lastEvent) => v1StatusOfEvent(lastEvent) ?? 'CREATED')
      if (typeof read === 'string') throw new Error(read)
      expect(Order.safeParse(read.order).error).toBeUndefined()
      expect(read.flags).toEqual(flags)
      expect(read.lastEvent).toBe('CONFIRMED')
      const { id, displayId, total, payments, merchant } = order
      expect(read.order).toMatchObject({ id, displayId, total, payments, status: 'CONFIRMED' })
      expect(read.order.merchant.id).toBe(merchant.id)
      expect(read.order.fulfillment.orderType).toBe(order.fulfillment.orderType)
      expect(read.order.items.map(({ id: line, quantity }) => [line, quantity])).toEqual(
        order.items.map(({ id: line, quantity }) => [line, quantity]),
      )
    }
  })

  test('is parsed leniently: missing or invalid fields count as absent, only id and type are required', () => {
    const read = fromV1Order(
      {
        id: 'x',
        type: 'DELIVERY',
        createdAt: 'yesterday',
        total: 12,
        delivery: { deliveryAddress: { city: { name: 'São Paulo' } } },
        items: [{ id: 'i', name: 'x', quantity: 1 }, 'nonsense'],
      },
      () => 'CREATED',
    )
    if (typeof read === 'string') throw new Error(read)
    expect(Order.shape.fulfillment.safeParse(read.order.fulfillment).error).toBeUndefined()
    expect(read.order).toMatchObject({ id: 'x', displayId: 'x', items: [] })
    expect(read.flags).toMatchObject({ sendPreparing: false, deliveredBy: 'MERCHANT' })
    expect(fromV1Order({ type: 'DELIVERY' }, () => 'CREATED')).toContain('invalid at id')
    expect(fromV1Order({ id: 'x', type: 'DRONE' }, () => 'CREATED')).toContain('invalid at type')
    expect(fromV1Order(undefined, () => 'CREATED')).toContain('invalid at its root')
  })
})
