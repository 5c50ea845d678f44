// @module-tag slow
import { beforeAll, describe, expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { isoOf } from '../../engine/instant.ts'
import { applicationIds } from '../../protocol/discovery/application-id.ts'
import type { OrderItem, ItemOption } from '../../protocol/orders/items.ts'
import { Order, orderTypes } from '../../protocol/orders/order.ts'
import { Price, toUnits } from '../../protocol/orders/price.ts'
import { sumProblems } from '../../protocol/orders/totals.ts'
import { generateOrder } from './orders.ts'
import { createPopulation } from './population.ts'
import type { SeedMerchant, Population } from './types.ts'
import { orderingPoints } from '../../protocol/orders/indoor-block.ts'

const now = 1_795_200_000_000
const orderCount = 2000

let population: Population
let orders: readonly Order[]
let items: readonly OrderItem[]
/** All options of all items, from all levels. */
let options: readonly ItemOption[]

const generateOrders = (source: Population, seed: number, count = orderCount): Order[] => {
  const chance = createChance(seed, 'orders')
  return Array.from({ length: count }, () => generateOrder({ population: source, chance, now }))
}

beforeAll(async () => {
  population = await createPopulation({ chance: createChance(42, 'population'), now })
  orders = generateOrders(population, 7)
  items = orders.flatMap((order) => order.items)
  options = items.flatMap((item) => allOptions(item.options))
})

const ordersOfType = (type: Order['fulfillment']['orderType']): Order[] =>
  orders.filter(({ fulfillment }) => fulfillment.orderType === type)

const merchantOf = (order: Order): SeedMerchant => population.merchantById.get(order.merchant.id)!

const allOptions = (level: readonly ItemOption[] = []): ItemOption[] =>
  level.flatMap((option) => [option, ...allOptions(option.options)])

const depth = (level: readonly ItemOption[] = []): number =>
  level.length === 0 ? 0 : 1 + Math.max(...level.map((option) => depth(option.options)))

/** All fields of a document at any depth, as [name, value]. */
function fields(value: unknown, found: [string, unknown][] = []): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, inner] of Object.entries(value)) {
    found.push([name, inner])
    fields(inner, found)
  }
  return found
}

const namesIn = (value: unknown): Set<string> => new Set(fields(value).map(([name]) => name))

/** The predicates that did not hold, or did not fail, at least ten times. */
const oneSided = <Value>(
  values: readonly Value[],
  questions: Readonly<Record<string, (value: Value) => unknown>>,
): string[] =>
  Object.entries(questions).flatMap(([question, ask]) => {
    const yes = values.filter((value) => Boolean(ask(value))).length
    return yes < 10 || values.length - yes < 10 ? [`${question}: ${yes} of ${values.length}`] : []
  })

const distinct = (values: readonly unknown[]): Set<unknown> => new Set(values)

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + toUnits(value), 0)

describe('determinism', () => {
  test('the same population, chance and instant give the same orders, byte for byte', async () => {
    const again = await createPopulation({ chance: createChance(42, 'population'), now })
    expect(JSON.stringify(generateOrders(again, 7))).toBe(JSON.stringify(orders))
  })

  test('another seed, instant or population gives other orders', async () => {
    const other = await createPopulation({ chance: createChance(43, 'population'), now })
    const first = JSON.stringify(orders[0])
    expect(JSON.stringify(generateOrders(population, 8, 1)[0])).not.toBe(first)
    expect(JSON.stringify(generateOrders(other, 7, 1)[0])).not.toBe(first)
    const later = generateOrder({
      population,
      chance: createChance(7, 'orders'),
      now: now + 60_000,
    })
    expect(later.createdAt).toBe(isoOf(now + 60_000))
    expect(later.items).toEqual(orders[0]!.items)
  })

  test('mutating an order affects neither the population nor other orders', () => {
    const before = JSON.stringify(generateOrders(population, 7, 50))
    for (const order of generateOrders(population, 7, 50)) {
      order.total.orderAmount.value = -1
      order.merchant.name = 'spoilt'
      for (const item of order.items) item.pricing.unitPrice.value = -1
      for (const option of allOptions(order.items[0]!.options)) option.name = 'spoilt'
      if (order.customer) order.customer.phone.number = 'spoilt'
      if (order.fulfillment.delivery?.address) order.fulfillment.delivery.address.city = 'spoilt'
    }
    expect(JSON.stringify(generateOrders(population, 7, 50))).toBe(before)
  })
})

describe('every order', () => {
  test('[ORD-UND-01] fits the order schema, without unknown root fields', () => {
    expect(orders.flatMap((order) => Order.safeParse(order).error?.issues ?? [])).toEqual([])
    const known = Object.keys(Order.shape)
    expect(known).toEqual(
      expect.arrayContaining([...distinct(orders.flatMap((o) => Object.keys(o)))]),
    )
    for (const { items: lines, total, payments } of orders) {
      expect(lines.length).toBeGreaterThanOrEqual(1)
      expect(payments.methods.length).toBeGreaterThanOrEqual(1)
      expect(total.orderAmount.value).toBeGreaterThan(0)
    }
  })

  test('omits absent fields instead of setting null or undefined', () => {
    expect(fields(orders).filter(([, value]) => value === undefined || value === null)).toEqual([])
  })

  test('is new: created now by the session’s application, without events', () => {
    expect(distinct(orders.map(({ id }) => id)).size).toBe(orderCount)
    expect(distinct(orders.map(({ status }) => status))).toEqual(new Set(['CREATED']))
    expect(distinct(orders.map(({ createdAt }) => createdAt))).toEqual(new Set([isoOf(now)]))
    const applicationId = applicationIds['ordering-application']
    expect(distinct(orders.map(({ sourceAppId }) => sourceAppId))).toEqual(new Set([applicationId]))
    expect(orders.filter(({ displayId }) => !/^\d{4}$/.test(displayId))).toEqual([])
    expect(namesIn(orders)).not.toContain('lastEvent')
    expect(namesIn(items)).not.toContain('status')
  })

  test('has correct sums', () => {
    expect(orders.flatMap(sumProblems)).toEqual([])
  })

  test('has optionsPrice equal to the sum over the whole option tree', () => {
    for (const { quantity, pricing } of options)
      expect(toUnits(pricing.totalPrice.value)).toBe(quantity * toUnits(pricing.unitPrice.value))
    for (const item of items) {
      const parts = allOptions(item.options).map(({ pricing }) => pricing.totalPrice.value)
      expect(toUnits(item.pricing.optionsPrice?.value ?? 0)).toBe(sum(parts))
    }
  })

  test('has payment methods that add up to prepaid and pending', () => {
    for (const { payments } of orders)
      for (const [type, field] of [
        ['PREPAID', 'prepaid'],
        ['PENDING', 'pending'],
      ] as const) {
        const own = payments.methods.filter((method) => method.type === type)
        expect(toUnits(payments[field])).toBe(sum(own.map(({ value }) => value)))
      }
  })

  test('has discounts equal to the sum of their sponsors, each above zero', () => {
    for (const { amount, sponsorshipValues } of orders.flatMap((order) => order.discounts ?? [])) {
      const parts = sponsorshipValues.map((sponsor) => sponsor.amount.value)
      expect(Math.min(...parts)).toBeGreaterThan(0)
      expect(sum(parts)).toBe(toUnits(amount.value))
    }
  })

  test('has discounts on existing targets of at least that price', () => {
    for (const order of orders)
      for (const { target, targetId, amount } of order.discounts ?? []) {
        const item = order.items.find(({ id }) => id === targetId)
        const fee = order.otherFees?.find(({ type }) => type === 'DELIVERY_FEE')
        expect(item !== undefined).toBe(target === 'ITEM')
        if (item) expect(amount.value).toBeLessThanOrEqual(item.pricing.totalPrice.value)
        if (target === 'DELIVERY_FEE') expect(amount.value).toBe(fee?.price.value)
      }
  })

  test('has whole cents in all amounts', () => {
    const money = new Set(['value', 'prepaid', 'pending', 'changeFor'])
    const amounts = fields(orders).filter(([name]) => money.has(name))
    expect(amounts.length).toBeGreaterThan(orderCount * 10)
    expect(amounts.filter(([, value]) => toUnits(Number(value)) % 100 !== 0)).toEqual([])
  })

  test('has changeFor for cash, and only for cash', () => {
    const methods = orders.flatMap(({ payments }) => payments.methods)
    for (const { method, value, changeFor } of methods)
      if (method === 'CASH') expect(changeFor).toBeGreaterThanOrEqual(value)
      else expect(changeFor).toBeUndefined()
  })

  test('has items with unique ids from its merchant’s menu, the first a main course', () => {
    expect(distinct(items.map(({ id }) => id)).size).toBe(items.length)
    for (const order of orders) {
      const { offers, mains } = merchantOf(order)
      for (const item of order.items) {
        const offer = offers.find(({ name }) => name === item.name)!
        expect(item.pricing.unitPrice.value).toBe(offer.cents / 100)
        expect(item.itemOfferId ?? offer.id).toBe(offer.id)
        expect(item.externalCode ?? offer.externalCode).toBe(offer.externalCode)
      }
      expect(mains.map(({ name }) => name)).toContain(order.items[0]!.name)
    }
  })

  test('chooses options within the minimum and maximum of each group', () => {
    for (const order of orders)
      for (const item of order.items) {
        const offer = merchantOf(order).offers.find(({ name }) => name === item.name)!
        for (const { min, max, offered } of offer.groups) {
          const ids = distinct(offered.map(({ id }) => id))
          const taken = (item.options ?? []).filter(({ id }) => ids.has(id)).length
          expect(taken).toBeGreaterThanOrEqual(min)
          expect(taken).toBeLessThanOrEqual(max)
        }
      }
  })
})

describe('the fields that the protocol specifies', () => {
  test('[ORD-FLD-04] the profile is under fulfillment, not at the root', () => {
    expect(distinct(orders.map(({ fulfillment }) => fulfillment.orderType))).toEqual(
      new Set(orderTypes),
    )
    for (const order of orders) {
      expect(order).not.toHaveProperty('type')
      expect(order).not.toHaveProperty('orderType')
    }
  })

  test('[ORD-FLD-05] fulfillment has exactly the block of the profile', () => {
    for (const order of orders) {
      const { orderType, billingAddress: _, ...blocks } = order.fulfillment
      const own = orderType.toLowerCase()
      expect(Object.keys(blocks)).toEqual([own])
      expect(blocks[own]).toBeTypeOf('object')
      for (const name of ['delivery', 'takeout', 'indoor']) expect(order).not.toHaveProperty(name)
    }
  })

  test('[ORD-FLD-06] a DELIVERY order always has a customer; other orders may have none', () => {
    const known = { customer: (order: Order) => order.customer }
    expect(ordersOfType('DELIVERY').filter(({ customer }) => customer === undefined)).toEqual([])
    expect(oneSided(ordersOfType('TAKEOUT'), known)).toEqual([])
    expect(oneSided(ordersOfType('INDOOR'), known)).toEqual([])
    const customers = orders.flatMap(({ customer }) => customer ?? [])
    expect(
      oneSided(customers, {
        'birth date': ({ birthDate }) => birthDate,
        gender: ({ gender }) => gender,
        document: ({ documentNumber }) => documentNumber,
        'e-mail': ({ email }) => email,
        extension: ({ phone }) => phone.extension,
        'first order': ({ ordersCountOnMerchant }) => ordersCountOnMerchant === 0,
        'tenth order': ({ ordersCountOnMerchant }) => ordersCountOnMerchant >= 10,
      }),
    ).toEqual([])
  })

  test('[ORD-FLD-07] timing has its four fields, and a schedule if and only if it is SCHEDULED', () => {
    for (const { timing, ...root } of orders) {
      for (const name of ['orderTiming', 'schedule', 'preparationStartDateTime', 'orderPriority'])
        expect(root).not.toHaveProperty(name)
      expect(timing.schedule !== undefined).toBe(timing.orderTiming === 'SCHEDULED')
    }
    expect(distinct(orders.map(({ timing }) => timing.orderTiming))).toEqual(
      new Set(['INSTANT', 'SCHEDULED', 'ONDEMAND']),
    )
    const priorities = [1, 2, 3, 4, 5].map((number) => `PRIORITY${number}`)
    expect(distinct(orders.map(({ timing }) => timing.orderPriority))).toEqual(
      new Set([undefined, ...priorities]),
    )
    expect(
      oneSided(orders, {
        scheduled: ({ timing }) => timing.schedule,
        'start of preparation': ({ timing }) => timing.preparationStartDateTime,
      }),
    ).toEqual([])
  })

  test('a schedule is a window in the future with enough time to prepare', () => {
    for (const { timing } of orders.filter((order) => order.timing.schedule)) {
      const { scheduledDateTimeStart: start, scheduledDateTimeEnd: end } = timing.schedule!
      const moments = [isoOf(now), timing.preparationStartDateTime!, start, end]
      expect(moments.toSorted()).toEqual(moments)
      expect(distinct(moments).size).toBe(4)
    }
  })

  test('[ORD-FLD-08] salesChannel is an optional text under context', () => {
    expect(oneSided(orders, { channel: ({ context }) => context?.salesChannel })).toEqual([])
    const all = fields(orders).filter(([name]) => name === 'salesChannel')
    const inContext = orders.flatMap(({ context }) => (context ? fields(context) : []))
    expect(all.length).toBe(inContext.length)
    const channels = orders.flatMap(({ context }) => context?.salesChannel ?? [])
    expect(distinct(channels).size).toBeGreaterThan(4)
    expect(channels).toContain('WEB')
    expect(channels).not.toContain('')
  })

  test('[ORD-FLD-09] observations of the order differ from those of items and fulfillment', () => {
    expect(oneSided(orders, { notes: ({ observations }) => observations })).toEqual([])
    const onOrders = distinct(orders.flatMap(({ observations }) => observations ?? []))
    const onLines = items.flatMap(({ observations }) => observations ?? [])
    const onBlocks = orders.flatMap(
      ({ fulfillment: { delivery, takeout } }) => (delivery ?? takeout)?.observations ?? [],
    )
    expect(onBlocks.length).toBeGreaterThan(100)
    expect([...onLines, ...onBlocks].filter((note) => onOrders.has(note))).toEqual([])
  })

  test('[ORD-FLD-10] unavailabilityPreference is at order level, with either value or absent', () => {
    expect(distinct(orders.map((order) => order.unavailabilityPreference))).toEqual(
      new Set(['REMOVE_ITEM', 'CANCEL_ORDER', undefined]),
    )
    expect(namesIn(items)).not.toContain('unavailabilityPreference')
  })

  test('[ORD-FLD-11] itemOfferId of an item is optional', () => {
    expect(oneSided(items, { offer: ({ itemOfferId }) => itemOfferId })).toEqual([])
  })

  test('[ORD-FLD-12] notes of an item are under observations, not under an older name', () => {
    expect(oneSided(items, { notes: ({ observations }) => observations })).toEqual([])
    expect(namesIn(orders)).not.toContain('specialInstructions')
  })

  test('[ORD-FLD-13, ORD-FLD-14] items and options have their prices under pricing, without a subtotal', () => {
    for (const { pricing, ...rest } of [...items, ...options]) {
      expect(Object.keys(pricing)).toEqual(expect.arrayContaining(['unitPrice', 'totalPrice']))
      for (const name of ['unitPrice', 'optionsPrice', 'originalPrice', 'totalPrice'])
        expect(rest).not.toHaveProperty(name)
    }
    expect(namesIn(orders)).not.toContain('subtotalPrice')
    expect(oneSided(items, { former: ({ pricing }) => pricing.originalPrice })).toEqual([])
  })

  test('[ORD-FLD-15] defaultQuantity of an option is an integer', () => {
    expect(distinct(options.map(({ defaultQuantity }) => defaultQuantity))).toEqual(
      new Set([undefined, 0, 1, 2]),
    )
    const free = options.filter(({ defaultQuantity }) => (defaultQuantity ?? 0) > 0)
    expect(distinct(free.map(({ pricing }) => pricing.totalPrice.value))).toEqual(new Set([0]))
  })

  test('[ORD-FLD-16] options are nested two levels and deeper, with the same shape', () => {
    expect(distinct(items.map((item) => depth(item.options)))).toEqual(new Set([0, 1, 2, 3]))
    expect(oneSided(items, { nested: (item) => depth(item.options) >= 2 })).toEqual([])
    for (const option of options) {
      const names = ['id', 'name', 'optionGroupId', 'optionGroupName', 'quantity', 'pricing']
      expect(Object.keys(option)).toEqual(expect.arrayContaining(names))
    }
  })

  test('[ORD-FLD-17] every price has value and currency', () => {
    const priced =
      /^(price|amount|unitPrice|originalPrice|optionsPrice|totalPrice|itemsPrice|discount|orderAmount)$/
    const found = fields(orders).filter(([name]) => priced.test(name))
    expect(found.length).toBeGreaterThan(orderCount * 5)
    expect(found.filter(([, value]) => !Price.safeParse(value).success)).toEqual([])
    const currencies = fields(orders).filter(([name]) => name === 'currency')
    expect(distinct(currencies.map(([, value]) => value))).toEqual(new Set(['BRL']))
  })
})

describe('the profiles', () => {
  test('are drawn 6:3:1 DELIVERY, TAKEOUT, INDOOR, unless one is requested', () => {
    expect(ordersOfType('DELIVERY').length).toBeGreaterThan(1100)
    expect(ordersOfType('TAKEOUT').length).toBeGreaterThan(500)
    expect(ordersOfType('INDOOR').length).toBeGreaterThan(150)
    const chance = createChance(1)
    for (const type of orderTypes)
      for (let round = 0; round < 30; round++)
        expect(generateOrder({ population, chance, now, type }).fulfillment.orderType).toBe(type)
  })

  test('a DELIVERY order goes to an address of its customer', () => {
    for (const { fulfillment, customer } of ordersOfType('DELIVERY')) {
      const { addresses } = population.customers.find(({ id }) => id === customer!.id)!
      const { street, coordinates, postalCode } = fulfillment.delivery!.address!
      const home = addresses.find((each) => `${each.street}, ${each.number}` === street)!
      expect(postalCode).toBe(home.postalCode)
      expect(coordinates).toEqual({ latitude: home.latitude, longitude: home.longitude })
    }
  })

  test('a DELIVERY order has a plausible estimated delivery time', () => {
    for (const { fulfillment, timing } of ordersOfType('DELIVERY')) {
      const { estimatedDeliveryDateTime } = fulfillment.delivery!
      const minutes = (Date.parse(estimatedDeliveryDateTime!) - now) / 60_000
      if (timing.schedule)
        expect(estimatedDeliveryDateTime).toBe(timing.schedule.scheduledDateTimeEnd)
      else expect(minutes).toBeLessThan(120)
      expect(minutes).toBeGreaterThan(15)
    }
  })

  test('a DELIVERY order mostly has a fee that grows with the distance', () => {
    const fees = ordersOfType('DELIVERY').flatMap(
      ({ otherFees }) => otherFees?.filter(({ type }) => type === 'DELIVERY_FEE') ?? [],
    )
    expect(fees.length / ordersOfType('DELIVERY').length).toBeGreaterThan(0.75)
    expect(fees.length).toBeLessThan(ordersOfType('DELIVERY').length - 100)
    const values = fees.map((fee) => fee.price.value)
    expect(Math.min(...values)).toBeGreaterThanOrEqual(3.99)
    expect(Math.max(...values)).toBeLessThanOrEqual(19.99)
    expect(distinct(values).size).toBeGreaterThan(30)
  })

  test('a TAKEOUT order has a pickup code and no delivery fees', () => {
    for (const { fulfillment, otherFees } of ordersOfType('TAKEOUT')) {
      expect(fulfillment.takeout!.pickupCode).toMatch(/^\d{4}$/)
      for (const { type } of otherFees ?? []) expect(type).toBe('SERVICE_FEE')
    }
  })

  describe('INDOOR', () => {
    const blocks = (): NonNullable<Order['fulfillment']['indoor']>[] => {
      const chance = createChance(11)
      return Array.from(
        { length: 1000 },
        () => generateOrder({ population, chance, now, type: 'INDOOR' }).fulfillment.indoor!,
      )
    }

    test('tables, tabs and counters have identifiers of their form', () => {
      const keys = blocks().map(({ operationMode, identifier }) => `${operationMode} ${identifier}`)
      const suits = /^(TABLE \d{1,2}|TAB \d{3}|COUNTER BALCAO-\d)$/
      expect(keys.filter((key) => !suits.test(key))).toEqual([])
      expect(distinct(keys.map((key) => key.split(' ')[0]))).toEqual(
        new Set(['TABLE', 'TAB', 'COUNTER']),
      )
      expect(distinct(keys).size).toBeGreaterThan(100)
    })

    test('all origin channels and both consumption types occur', () => {
      const all = blocks()
      expect(distinct(all.map(({ originChannel }) => originChannel.type))).toEqual(
        new Set(orderingPoints),
      )
      expect(distinct(all.map(({ consumptionType }) => consumptionType))).toEqual(
        new Set(['DINE_IN', 'TAKEAWAY']),
      )
    })

    test('tables have DISPATCH, counters CALL', () => {
      const handoffs = blocks().map(
        ({ operationMode: mode, fulfillment: handoff }) =>
          `${mode} ${handoff?.call?.type ?? handoff?.type}`,
      )
      expect(distinct(handoffs)).toEqual(
        new Set([
          'TABLE DISPATCH',
          'TABLE undefined',
          ...['DISPATCH', 'TICKET_NUMBER', 'PAGER', 'CALL_NAME', 'undefined'].map(
            (handoff) => `TAB ${handoff}`,
          ),
          ...['TICKET_NUMBER', 'PAGER', 'CALL_NAME', 'undefined'].map(
            (handoff) => `COUNTER ${handoff}`,
          ),
        ]),
      )
    })

    test('service, fiscal and notifications are present sometimes, account never', () => {
      const all = blocks()
      expect(
        oneSided(all, {
          handoff: ({ fulfillment }) => fulfillment,
          seat: ({ fulfillment }) => fulfillment?.dispatch?.seat,
          service: ({ service }) => service,
          waiter: ({ service }) => service?.waiterName,
          people: ({ service }) => service?.peopleCount,
          fiscal: ({ fiscal }) => fiscal,
          document: ({ fiscal }) => fiscal?.shouldIssueDocument,
          notifications: ({ notifications }) => notifications?.chatId,
        }),
      ).toEqual([])
      expect(namesIn(all)).not.toContain('account')
    })
  })
})

describe('variety', () => {
  test('every optional field is present in some orders and absent in others', () => {
    expect(
      oneSided(orders, {
        fees: ({ otherFees }) => otherFees,
        discounts: ({ discounts }) => discounts,
        'two discounts': ({ discounts }) => discounts?.[1],
        'shared discount': ({ discounts }) => discounts?.[0]?.sponsorshipValues[1],
        coupon: ({ discounts }) => discounts?.[0]?.sponsorshipValues[0]?.discountCode,
        'two payments': ({ payments }) => payments.methods[1],
        'half prepaid': ({ payments: { prepaid, pending } }) => prepaid > 0 && pending > 0,
        brand: ({ payments }) => payments.methods[0]?.brand,
        transaction: ({ payments }) => payments.methods[0]?.transaction,
        'tax invoice': ({ taxInvoice }) => taxInvoice,
        'extra info': ({ extraInfo }) => extraInfo,
        'billing address': ({ fulfillment }) => fulfillment.billingAddress,
      }),
    ).toEqual([])
  })

  test('every merchant gets orders, and regulars order more often', () => {
    expect(distinct(orders.map(({ merchant }) => merchant.id))).toEqual(
      new Set(population.merchantById.keys()),
    )
    const visits = Map.groupBy(orders, ({ customer }) => customer?.id)
    visits.delete(undefined)
    expect(visits.size).toBe(population.customers.length)
    const [max, fewest] = [Math.max, Math.min].map((pick) =>
      pick(...[...visits.values()].map(({ length }) => length)),
    )
    expect(max).toBeGreaterThan(3 * fewest!)
  })

  test('orders have one to four items, by piece and by weight', () => {
    expect(distinct(orders.map((order) => order.items.length))).toEqual(new Set([1, 2, 3, 4]))
    expect(distinct(items.map(({ unit }) => unit))).toEqual(new Set(['UN', 'KG', undefined]))
    for (const { unit, quantity } of items) expect(Number.isInteger(quantity)).toBe(unit !== 'KG')
    expect(
      oneSided(items, {
        code: ({ externalCode }) => externalCode,
        options: (item) => item.options,
        weighed: ({ unit }) => unit === 'KG',
        several: ({ quantity }) => quantity > 1,
      }),
    ).toEqual([])
    expect(oneSided(options, { several: ({ quantity }) => quantity > 1 })).toEqual([])
  })

  test('fees, discounts and payments vary', () => {
    const fees = orders.flatMap(({ otherFees }) => otherFees ?? [])
    const discounts = orders.flatMap((order) => order.discounts ?? [])
    const methods = orders.flatMap(({ payments }) => payments.methods)
    const sponsors = discounts.flatMap(({ sponsorshipValues }) => sponsorshipValues)
    expect(distinct(fees.map(({ type }) => type))).toEqual(
      new Set(['DELIVERY_FEE', 'SERVICE_FEE', 'TIP', 'MIN_ORDER_FEE']),
    )
    expect(distinct(fees.map(({ receivedBy }) => receivedBy))).toEqual(
      new Set(['MARKETPLACE', 'MERCHANT', 'LOGISTIC_SERVICES']),
    )
    expect(distinct(discounts.map(({ target }) => target))).toEqual(
      new Set(['CART', 'DELIVERY_FEE', 'ITEM']),
    )
    expect(distinct(sponsors.map(({ name }) => name))).toEqual(
      new Set(['MARKETPLACE', 'MERCHANT', 'CHAIN']),
    )
    expect(distinct(methods.map(({ method }) => method))).toEqual(
      new Set(['CREDIT', 'DEBIT', 'PIX', 'CASH', 'MEAL_VOUCHER', 'FOOD_VOUCHER', 'DIGITAL_WALLET']),
    )
  })
})

describe('options', () => {
  test('lines sets the number of items, even above the number of offers', () => {
    const chance = createChance(5)
    for (const lines of [1, 3, 12, 60]) {
      const order = generateOrder({ population, chance, now, lines })
      expect(order.items).toHaveLength(lines)
      expect(sumProblems(order)).toEqual([])
    }
    expect(generateOrder({ population, chance, now, lines: 0 }).items).toHaveLength(1)
  })

  test('merchantId sets the merchant; an unknown id throws an error that names it', () => {
    const chance = createChance(6)
    const { id, externalCode, name } = population.merchants[3]!
    const order = generateOrder({ population, chance, now, merchantId: id })
    expect(order.merchant).toEqual({ id, externalCode, name })
    expect(() => generateOrder({ population, chance, now, merchantId: 'm-0' })).toThrow(
      'cannot make an order for merchant m-0',
    )
  })
})
