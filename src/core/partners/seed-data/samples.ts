/**
 * Named orders that are not nice: each row changes a generated order in one way, and the rest stays as it was made up.
 * Sums and payments are computed anew (apply-sample.ts). No module is loaded: command lines complete the names.
 */
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import type { ItemOption, OrderItem } from '../../protocol/orders/items.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import type { Price } from '../../protocol/orders/price.ts'

/** What a row computes with; amounts in the integer units of price.ts. */
export interface SampleTools {
  readonly chance: Chance
  readonly now: Instant
  readonly iso: (instant: Instant) => string
  readonly price: (units: number) => Price
  readonly units: (decimal: number) => number
  readonly percentOf: (units: number, percent: number) => number
}

type Method = Order['payments']['methods'][number]

export interface SamplePayment extends Pick<Method, 'type' | 'method'> {
  readonly brand?: Method['brand']
  /** So many percent of the amount; the last one pays the rest. */
  readonly percent?: number
  /** Cash is handed over exactly, or in notes. */
  readonly hands?: 'exact' | 'notes'
}

export interface OrderSample {
  readonly summary: string
  /** The types of orders that can be so; each when absent. */
  readonly types?: readonly OrderType[]
  readonly change?: (order: Order, tools: SampleTools) => Partial<Order>
  readonly pays?: readonly SamplePayment[]
  /** What becomes of it in V1, where it cannot be said. */
  readonly inV1?: string
  /** No document has it so, for this reason: what it shows is advice. */
  readonly outside?: string
  /** Changes what no schema allows, when all sums are computed. */
  readonly spoil?: (order: Order) => Readonly<Record<string, unknown>>
}

interface ItemParts extends Partial<Omit<OrderItem, 'pricing' | 'options'>> {
  /** Price of one, as a decimal. */
  readonly each: number
  readonly options?: readonly ItemOption[]
}

/** The first item of an order as another one; its totals are computed later. */
function itemLike(order: Order, { each, options, ...parts }: ItemParts, tools: SampleTools) {
  const { id, name, externalCode, itemOfferId } = order.items[0] ?? { id: 'item', name: 'Item' }
  const price = tools.price(tools.units(each))
  return {
    id,
    name,
    ...(externalCode === undefined ? {} : { externalCode }),
    ...(itemOfferId === undefined ? {} : { itemOfferId }),
    quantity: 1,
    ...parts,
    pricing: { unitPrice: price, totalPrice: price },
    ...(options ? { options: [...options] } : {}),
  } satisfies OrderItem
}

/** The order with these items alone. */
const itemsOf =
  (...all: readonly ItemParts[]) =>
  (order: Order, tools: SampleTools): Partial<Order> => ({
    items: all.map((parts, index) => ({
      ...itemLike(order, parts, tools),
      ...(index === 0 ? {} : { id: tools.chance.uuid() }),
    })),
  })

/** The order with one more item. */
const furtherItem = (parts: ItemParts) => (order: Order, tools: SampleTools) => ({
  items: [...order.items, { ...itemLike(order, parts, tools), id: tools.chance.uuid() }],
})

/** An option with its price, and one inside of it for each further pair. */
function optionOf(
  [[name, each] = ['', 0], ...inner]: readonly (readonly [name: string, each: number])[],
  tools: SampleTools,
): ItemOption {
  const price = tools.price(tools.units(each))
  return {
    id: tools.chance.uuid(),
    name,
    quantity: 1,
    pricing: { unitPrice: price, totalPrice: price },
    ...(inner.length > 0 ? { options: [optionOf(inner, tools)] } : {}),
  }
}

/** One item of one price, and its options. */
const itemWithOptions =
  (name: string, each: number, ...options: readonly Parameters<typeof optionOf>[0][]) =>
  (order: Order, tools: SampleTools): Partial<Order> =>
    itemsOf({ name, each, options: options.map((one) => optionOf(one, tools)) })(order, tools)

const halves = (one: number, other: number) =>
  itemWithOptions('Pizza, dois sabores', 0, [['1/2 Calabresa', one]], [['1/2 Portuguesa', other]])

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const quarterMs = 15 * minuteMs

/** A window of half an hour, in which the order is wanted; texts are instants as they are written. */
function scheduled(order: Order, start: Instant, tools: SampleTools, startText?: string) {
  const end = tools.iso(start + 2 * quarterMs)
  const { delivery } = order.fulfillment
  return {
    timing: {
      orderTiming: 'SCHEDULED',
      schedule: {
        scheduledDateTimeStart: startText ?? tools.iso(start),
        scheduledDateTimeEnd: end,
      },
      preparationStartDateTime: tools.iso(start - 45 * minuteMs),
    },
    ...(delivery
      ? {
          fulfillment: {
            ...order.fulfillment,
            delivery: { ...delivery, estimatedDeliveryDateTime: end },
          },
        }
      : {}),
  } satisfies Partial<Order>
}

const scheduledIn =
  (ms: number) =>
  (order: Order, tools: SampleTools): Partial<Order> =>
    scheduled(order, Math.ceil((tools.now + ms) / quarterMs) * quarterMs, tools)

/** 02:30 on the second Sunday of March, which clocks of New York skip: they are at 03:30 then. */
function scheduledInGap(order: Order, tools: SampleTools): Partial<Order> {
  const gapOf = (year: number): Instant => {
    const first = Date.UTC(year, 2, 1)
    // 1970 began on a Thursday.
    const weekday = (first / dayMs + 4) % 7
    return first + (((7 - weekday) % 7) + 7) * dayMs + 7.5 * hourMs
  }
  const year = Number(tools.iso(tools.now).slice(0, 4))
  const start = gapOf(year) > tools.now + hourMs ? gapOf(year) : gapOf(year + 1)
  return scheduled(order, start, tools, `${tools.iso(start).slice(0, 10)}T02:30:00-05:00`)
}

type Sponsor = 'MARKETPLACE' | 'MERCHANT'

/** A coupon of 20 percent on the items, paid by these in percent of it. */
const coupon =
  (sponsors: Readonly<Partial<Record<Sponsor, number>>>) =>
  ({ total }: Order, { units, price, percentOf }: SampleTools): Partial<Order> => {
    const whole = percentOf(units(total.itemsPrice.value), 20)
    const names = Object.keys(sponsors) as Sponsor[]
    const [first] = names
    let rest = whole
    for (const name of names.slice(1)) rest -= percentOf(whole, sponsors[name] ?? 0)
    const sponsorshipValues = names.map((name) => ({
      name,
      amount: price(name === first ? rest : percentOf(whole, sponsors[name] ?? 0)),
      discountCode: 'BEMVINDO',
    }))
    return { discounts: [{ amount: price(whole), target: 'CART', sponsorshipValues }] }
  }

/** A text wherever somebody may type one: item, remarks, customer. */
const texts =
  (text: string) =>
  (order: Order): Partial<Order> => {
    const { customer, fulfillment, items } = order
    const { delivery } = fulfillment
    return {
      items: items.map((item, index) =>
        index === 0 ? { ...item, name: text, observations: text } : item,
      ),
      observations: text,
      ...(customer ? { customer: { ...customer, name: text } } : {}),
      ...(delivery
        ? { fulfillment: { ...fulfillment, delivery: { ...delivery, observations: text } } }
        : {}),
    }
  }

const accented = 'Açaí com maçã, café à São João'
const letters = 'Sem cebola, por favor; capriche no molho. '
const textOfLength = (length: number): string =>
  letters.repeat(Math.ceil(length / letters.length)).slice(0, length)

/** A number of 18 digits, each time another: more than a double holds, less than an integer of 64 bits. */
const bigId = ({ chance }: SampleTools): string =>
  `90${chance.between(10_000_000, 99_999_999)}${chance.between(10_000_000, 99_999_998) | 1}`

const written = (how: string, text: string): OrderSample => ({
  summary: `Names and remarks ${how}.`,
  change: texts(text),
})

const inApp: readonly OrderType[] = ['DELIVERY', 'TAKEOUT']
const withCustomer = ({ customer }: Order, change: object): Partial<Order> =>
  customer ? { customer: { ...customer, ...change } } : {}

const paidBy = (
  what: string,
  method: Method['method'],
  more: Partial<SamplePayment> = {},
): OrderSample => ({
  summary: `It is paid ${what}.`,
  pays: [{ type: 'PREPAID', method, ...more }],
})

export const samples = {
  'scheduled-today': {
    summary: 'It is wanted in three hours.',
    types: inApp,
    change: scheduledIn(3 * hourMs),
  },
  'scheduled-next-week': {
    summary: 'It is wanted in a week, and nothing is to be cooked before.',
    types: inApp,
    change: scheduledIn(7 * dayMs),
  },
  'scheduled-in-dst-gap': {
    summary: 'It is wanted at 02:30 of a night in which the clocks go from 02:00 to 03:00.',
    types: inApp,
    change: scheduledInGap,
  },
  'cash-with-change': {
    summary: 'Cash at the door, and the customer needs change.',
    pays: [{ type: 'PENDING', method: 'CASH', hands: 'notes' }],
  },
  'cash-exact': {
    summary: 'Cash at the door, and the customer has it exactly.',
    pays: [{ type: 'PENDING', method: 'CASH', hands: 'exact' }],
  },
  'paid-by-credit': paidBy('by credit card in the app', 'CREDIT', { brand: 'MASTERCARD' }),
  'paid-by-debit': paidBy('by debit card in the app', 'DEBIT', { brand: 'ELO' }),
  'paid-by-meal-voucher': paidBy('by meal voucher', 'MEAL_VOUCHER', { brand: 'SODEXO' }),
  'paid-by-food-voucher': paidBy('by food voucher', 'FOOD_VOUCHER', { brand: 'TICKET' }),
  'paid-by-wallet': paidBy('by digital wallet', 'DIGITAL_WALLET'),
  'paid-by-pix': paidBy('by Pix', 'PIX'),
  'paid-by-credit-debit': paidBy('by a card that is credit or debit', 'CREDIT_DEBIT'),
  'paid-by-coupon': paidBy('by coupon, which is a payment here and no discount', 'COUPON'),
  'paid-by-redeem': paidBy('by points', 'REDEEM'),
  'paid-by-prepaid-redeem': paidBy('by a prepaid balance', 'PREPAID_REDEEM'),
  'paid-by-other': paidBy('by a method that has no name of its own', 'OTHER', { brand: 'OTHER' }),
  'paid-by-two': {
    summary: 'It is paid in the app by two methods, 40 and 60 percent.',
    pays: [
      { type: 'PREPAID', method: 'MEAL_VOUCHER', brand: 'VR_BENEFICIOS', percent: 40 },
      { type: 'PREPAID', method: 'PIX' },
    ],
  },
  prepaid: { summary: 'All of it is paid.', pays: [{ type: 'PREPAID', method: 'CREDIT' }] },
  pending: {
    summary: 'Nothing is paid: the card is presented when the food comes.',
    pays: [{ type: 'PENDING', method: 'DEBIT', brand: 'VISA' }],
  },
  'prepaid-and-pending': {
    summary: 'Half of it is paid, the other half is paid in cash when the food comes.',
    pays: [
      { type: 'PREPAID', method: 'PIX', percent: 50 },
      { type: 'PENDING', method: 'CASH', hands: 'notes' },
    ],
  },
  'coupon-of-platform': {
    summary: 'A coupon that the platform pays: the store is paid the whole price.',
    change: coupon({ MARKETPLACE: 100 }),
  },
  'coupon-of-merchant': {
    summary: 'A coupon that the store pays.',
    change: coupon({ MERCHANT: 100 }),
  },
  'coupon-shared': {
    summary: 'A coupon that platform and store share, 70 to 30.',
    change: coupon({ MARKETPLACE: 70, MERCHANT: 30 }),
  },
  'half-and-half-higher': {
    summary:
      'A pizza of two halves, each at half of the higher price; the item itself costs nothing.',
    change: halves(25, 25),
  },
  'half-and-half-average': {
    summary: 'A pizza of two halves, each at half of its own price, with half a cent in the sum.',
    change: halves(24.95, 22.425),
  },
  'item-without-code': {
    summary: 'No item has an externalCode.',
    change: ({ items }) => ({ items: items.map(({ externalCode: _code, ...item }) => item) }),
    inV1: 'V1 requires a code: the id of the offer or of the item is in its place',
  },
  'item-with-unknown-code': {
    summary: 'An item has an externalCode that is on no menu.',
    change: ({ items }) => ({
      items: items.map((item, index) =>
        index === 0 ? { ...item, externalCode: 'SKU-0000-NOT-ON-ANY-MENU' } : item,
      ),
    }),
  },
  'item-by-weight': {
    summary: 'An item by weight: 0.385 kg at 29.90, with fractions of a cent in its price.',
    change: itemsOf({ each: 29.9, quantity: 0.385, unit: 'KG' }),
  },
  'item-at-zero': {
    summary: 'One more item has the price 0.',
    change: furtherItem({ name: 'Sachê de molho', each: 0 }),
  },
  'free-item': {
    summary: 'One more item is free by a discount on it.',
    change(order, tools) {
      const { items } = furtherItem({ name: 'Sobremesa de brinde', each: 12.9 })(order, tools)
      const amount = tools.price(tools.units(12.9))
      const sponsorshipValues = [{ name: 'MERCHANT' as const, amount }]
      const targetId = items.at(-1)?.id ?? ''
      return { items, discounts: [{ amount, target: 'ITEM', targetId, sponsorshipValues }] }
    },
  },
  'discount-to-zero': {
    summary: 'A discount on everything: the amount is 0, and nothing is paid.',
    change({ total }, { units, price }) {
      const amount = price(units(total.itemsPrice.value) + units(total.otherFees.value))
      const sponsorshipValues = [{ name: 'MARKETPLACE' as const, amount }]
      return { discounts: [{ amount, target: 'CART', sponsorshipValues }] }
    },
  },
  'two-hundred-items': {
    summary: 'It has 200 items.',
    change: ({ items }, { chance }) => ({
      items: Array.from({ length: 200 }, (_, index) => ({
        ...(items[index % items.length] as OrderItem),
        id: chance.uuid(),
      })),
    }),
  },
  'options-five-deep': {
    summary: 'An option has options, five levels deep, each with a price of its own.',
    change: itemWithOptions('Combo da casa', 39.9, [
      ['Bebida', 8],
      ['Copo grande', 2],
      ['Com gelo', 0.5],
      ['Com limão', 0.25],
      ['Em rodelas', 0.1],
    ]),
    inV1: 'V1 has one level of options: they are flattened',
  },
  'text-of-300': written('of 300 characters', textOfLength(300)),
  'text-of-4000': written('of 4,000 characters', textOfLength(4000)),
  emoji: written('with emoji, each more than one unit of UTF-16', 'Feliz aniversário 🎂🍕🔥'),
  'emoji-joined': written(
    'with emoji that are joined of several: family, flag, skin tone',
    'Para a família 👨‍👩‍👧‍👦 🏳️‍🌈 🇧🇷 👋🏽',
  ),
  'right-to-left': written(
    'in Arabic and Hebrew, with a mark of direction',
    'بدون بصل، من فضلك \u200F\u200Eשניצל 2 x',
  ),
  'accents-composed': written(
    'whose accents are one character with their letter (NFC)',
    accented.normalize('NFC'),
  ),
  'accents-combining': written(
    'whose accents are characters of their own (NFD)',
    accented.normalize('NFD'),
  ),
  'line-breaks': written(
    'of several lines: \\n, \\r\\n, a tab and U+2028',
    'Sem cebola\nSem tomate\r\nTocar\to interfone\u2028Obrigado',
  ),
  'quotes-and-markup': {
    summary: 'Names and remarks with quotes, backslashes, markup and what looks like SQL.',
    change: texts(
      `"Zé's" <b>X-Burger</b> & 'fries' \\n {{name}} %s ${'$'}{a}'); DROP TABLE orders;--`,
    ),
  },
  'ids-beyond-2-53': {
    summary: 'Ids of order, items and customer are digits, more than a double holds.',
    change: (order, tools) => ({
      id: bigId(tools),
      items: order.items.map((item) => ({ ...item, id: bigId(tools) })),
      ...withCustomer(order, { id: bigId(tools) }),
    }),
  },
  'half-a-cent': { summary: 'An item costs 10.005.', change: itemsOf({ each: 10.005 }) },
  'float-sum': {
    summary: 'Two items cost 0.1 and 0.2: together 0.3, and in floats 0.30000000000000004.',
    change: itemsOf({ each: 0.1 }, { name: 'Guardanapo', each: 0.2 }),
  },
  'one-cent-of-rounding': {
    summary: 'Three times 1.115: 3.345, or 3.36 for who rounds each of them.',
    change: itemsOf({ each: 1.115, quantity: 3 }),
  },
  'tip-and-service-fee': {
    summary: 'It has a tip and a fee for service, of different receivers.',
    change({ otherFees = [] }, { units, price }) {
      const others = otherFees.filter(({ type }) => type !== 'TIP' && type !== 'SERVICE_FEE')
      const tip = { name: 'Gorjeta', type: 'TIP', receivedBy: 'LOGISTIC_SERVICES' } as const
      const fee = { name: 'Serviço', type: 'SERVICE_FEE', receivedBy: 'MARKETPLACE' } as const
      const further = [
        { ...tip, price: price(units(5)) },
        { ...fee, price: price(units(0.99)) },
      ]
      return { otherFees: [...others, ...further] }
    },
  },
  'customer-without-phone': {
    summary: 'The phone number of the customer is empty.',
    types: inApp,
    change: (order) => withCustomer(order, { phone: { number: '' } }),
  },
  'customer-without-name': {
    summary: 'The name of the customer is empty.',
    types: inApp,
    change: (order) => withCustomer(order, { name: '' }),
  },
  'no-customer': {
    summary: 'Nothing is known of the customer.',
    types: ['TAKEOUT', 'INDOOR'],
    change: () => ({ customer: undefined }),
  },
  'address-without-number': {
    summary: 'The address has a street without a house number.',
    types: ['DELIVERY'],
    change({ fulfillment }) {
      const { delivery } = fulfillment
      const address = { ...delivery?.address, street: 'Travessa da Paz', complement: 'casa azul' }
      return { fulfillment: { ...fulfillment, delivery: { ...delivery, address } } }
    },
    inV1: 'V1 requires a number: it is s/n',
  },
  'takeout-with-code': {
    summary: 'It is fetched by a code with a leading zero.',
    types: ['TAKEOUT'],
    change: ({ fulfillment }, { chance }) => ({
      fulfillment: {
        ...fulfillment,
        takeout: { pickupCode: String(chance.between(1, 999)).padStart(4, '0') },
      },
    }),
    inV1: 'V1 has no code for takeout',
  },
  'order-at-table': {
    summary: 'Guests at table 07 order, and pay there.',
    types: ['INDOOR'],
    change({ fulfillment }) {
      if (!fulfillment.indoor) return {}
      const { account: _account, fulfillment: _handoff, ...indoor } = fulfillment.indoor
      const place = { operationMode: 'TABLE', identifier: '07' } as const
      return { fulfillment: { ...fulfillment, indoor: { ...indoor, ...place } } }
    },
    pays: [{ type: 'PENDING', method: 'CREDIT', brand: 'VISA' }],
  },
  'unknown-payment-method': {
    summary: 'It is paid by CRYPTO, a method that no list has.',
    pays: [{ type: 'PREPAID', method: 'OTHER' }],
    outside:
      'the documents show no list of methods (ORD-UND-01), and the public standard lists twelve',
    spoil: ({ payments }) => ({
      payments: {
        ...payments,
        methods: payments.methods.map((each) => ({ ...each, method: 'CRYPTO' })),
      },
    }),
  },
  'null-members': {
    summary: 'What is absent is null: code, remarks, e-mail, discounts.',
    outside: 'no document lets a member be null (ORD-UND-01): what is absent is left out',
    spoil: ({ customer, items, ...order }) => ({
      items: items.map((item) => ({ ...item, externalCode: null, observations: null })),
      ...(customer ? { customer: { ...customer, email: null, documentNumber: null } } : {}),
      ...('discounts' in order ? {} : { discounts: null }),
      observations: null,
      extraInfo: null,
    }),
  },
  'local-times': {
    summary: 'It is wanted at 20:00, and the time has no offset.',
    types: inApp,
    change: scheduledIn(3 * hourMs),
    outside: 'a date-time is one of RFC 3339, which has an offset (ORD-UND-01)',
    spoil: ({ timing, createdAt }) => {
      const [start, end] = ['20:00:00', '20:30:00'].map((at) => `${createdAt.slice(0, 10)}T${at}`)
      const schedule = { scheduledDateTimeStart: start, scheduledDateTimeEnd: end }
      return { timing: { ...timing, schedule } }
    },
  },
} satisfies Readonly<Record<string, OrderSample>>

export type SampleName = keyof typeof samples
export const sampleNames = Object.keys(samples) as [SampleName, ...SampleName[]]
/** A row by its name. */
export const sampleNamed = (name: SampleName): OrderSample => samples[name]
