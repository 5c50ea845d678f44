/**
 * Named orders that are not nice: each row changes a generated order in one way, and the rest stays as it was made up.
 * Sums and payments are computed anew (apply-sample.ts). No library is loaded: command lines complete the names.
 */
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { OrderItem } from '../../protocol/orders/items.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import type { UnknownRecord } from '../../protocol/unknown-record.ts'

export interface SampleContext {
  readonly chance: Chance
  readonly now: Instant
}

type Method = Order['payments']['methods'][number]

export interface SamplePayment extends Pick<Method, 'type' | 'method'> {
  readonly brand?: Method['brand']
  /** So many percent of the amount; the last one pays the rest. */
  readonly percent?: number
  /** Cash is handed over in notes. */
  readonly needsChange?: true
}

type Change = (order: Order, context: SampleContext) => OrderChange
interface OrderChange extends Partial<Omit<Order, 'items'>> {
  readonly items?: readonly UnknownRecord[]
}

export interface OrderSample {
  readonly summary: string
  /** The types of orders that can be so; each when absent. */
  readonly types?: readonly OrderType[]
  /** The fields that differ; items are completed. */
  readonly change?: Change
  readonly pays?: readonly SamplePayment[]
  /** What becomes of it in V1, where it cannot be said. */
  readonly inV1?: string
  /** No document has it so, for this reason: what it shows is advice. */
  readonly outside?: string
  /** Changes what no schema allows, when all sums are computed. */
  readonly spoil?: (order: Order) => UnknownRecord
}

const price = (value: number) => ({ unitPrice: { value } })
const money = ({ total }: Order, value: number) => ({
  value,
  currency: total.orderAmount.currency,
})

/** The order with these items alone; the first has the codes of the one that it had. */
const itemsOf =
  (first: UnknownRecord, ...others: readonly UnknownRecord[]): Change =>
  ({ items: [item] }) => {
    const { pricing: _pricing, options: _options, unit: _unit, ...codes } = item as OrderItem
    return { items: [{ ...codes, quantity: 1, ...first }, ...others] }
  }

/** An option with its price, and one inside of it for each further pair. */
const option = ([[name, value] = ['', 0], ...inner]: readonly (readonly [
  name: string,
  price: number,
])[]): UnknownRecord => ({
  name,
  pricing: price(value),
  ...(inner.length > 0 ? { options: [option(inner)] } : {}),
})

const halves = (one: number, other: number): Change =>
  itemsOf({
    name: 'Pizza, dois sabores',
    pricing: price(0),
    options: [option([['1/2 Calabresa', one]]), option([['1/2 Portuguesa', other]])],
  })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const quarterMs = 15 * minuteMs

const inBrazil = (at: Instant): string => isoOf(at - 3 * hourMs).replace('Z', '-03:00')

/** A window of half an hour, in which the order is wanted. */
function scheduled(
  order: Order,
  start: Instant,
  startText = isoOf(start),
  write = isoOf,
): OrderChange {
  const end = isoOf(start + 2 * quarterMs)
  return {
    timing: {
      orderTiming: 'SCHEDULED',
      schedule: { scheduledDateTimeStart: startText, scheduledDateTimeEnd: end },
      preparationStartDateTime: write(start - 3 * quarterMs),
    },
    ...withDelivery(order, { estimatedDeliveryDateTime: end }),
  }
}

const scheduledIn =
  (ms: number, write = isoOf): Change =>
  (order, { now }) => {
    const start = Math.ceil((now + ms) / quarterMs) * quarterMs
    return scheduled(order, start, write(start), write)
  }

/** 02:30 on the second Sunday of March, which clocks of New York skip: they are at 03:30 then. */
const scheduledInGap: Change = (order, { now }) => {
  let day = Math.floor(now / dayMs) + 1
  // 1970 began on a Thursday.
  const isGap = (): boolean =>
    (day + 4) % 7 === 0 && /-03-(?:0[89]|1[0-4])T/.test(isoOf(day * dayMs))
  while (!isGap()) day++
  const date = isoOf(day * dayMs).slice(0, 10)
  return scheduled(order, day * dayMs + 7.5 * hourMs, `${date}T02:30:00-05:00`)
}

type Sponsor = 'MARKETPLACE' | 'MERCHANT'

/** A coupon of 20 percent on the items, of which the second sponsor pays 30 percent. */
const coupon =
  (first: Sponsor, second?: Sponsor): Change =>
  (order) => {
    const cents = Math.floor(order.total.itemsPrice.value * 20)
    const part = second ? Math.floor(cents * 0.3) : 0
    const pays = (name: Sponsor, amount: number) => ({
      name,
      amount: money(order, amount / 100),
      discountCode: 'BEMVINDO',
    })
    const sponsorshipValues = [pays(first, cents - part), ...(second ? [pays(second, part)] : [])]
    return { discounts: [{ amount: money(order, cents / 100), target: 'CART', sponsorshipValues }] }
  }

/** A text wherever one may be typed: item, remarks, customer. */
const texts =
  (text: string): Change =>
  (order) => ({
    items: order.items.with(0, {
      ...(order.items[0] as OrderItem),
      name: text,
      observations: text,
    }),
    observations: text,
    ...withCustomer(order, { name: text }),
    ...withDelivery(order, { observations: text }),
  })

const accented = 'Açaí com maçã, café à São João'
const textOfLength = (length: number): string =>
  'Sem cebola, por favor; capriche no molho. '.repeat(length).slice(0, length)

/** A number of 18 digits, each time another: more than a double holds, less than an integer of 64 bits. */
const bigId = ({ chance }: SampleContext): string =>
  `90${chance.between(10_000_000, 99_999_999)}${chance.between(10_000_000, 99_999_998) | 1}`

const written = (how: string, text: string): OrderSample => ({
  summary: `Names and remarks ${how}.`,
  change: texts(text),
})

const inApp: readonly OrderType[] = ['DELIVERY', 'TAKEOUT']
const withDelivery = ({ fulfillment }: Order, change: object): OrderChange => {
  const { delivery } = fulfillment
  return delivery ? { fulfillment: { ...fulfillment, delivery: { ...delivery, ...change } } } : {}
}
const withCustomer = ({ customer }: Order, change: object): OrderChange =>
  customer ? { customer: { ...customer, ...change } } : {}

type Further = Omit<OrderSample, 'summary' | 'change'>
const odd = (summary: string, change: Change, further: Further = {}): OrderSample => ({
  summary,
  change,
  ...further,
})
const paid = (summary: string, ...pays: readonly SamplePayment[]): OrderSample => ({
  summary,
  pays,
})
const paying =
  (type: Method['type']) =>
  (method: Method['method'], more: Partial<SamplePayment> = {}): SamplePayment => ({
    type,
    method,
    ...more,
  })
const [prepaid, atDoor] = [paying('PREPAID'), paying('PENDING')]

export const samples = {
  'scheduled-today': odd('It is wanted in three hours.', scheduledIn(3 * hourMs), { types: inApp }),
  'scheduled-in-local-time': odd(
    'It is wanted in three hours, and its times are written at -03:00.',
    scheduledIn(3 * hourMs, inBrazil),
    { types: inApp },
  ),
  'scheduled-next-week': odd('It is wanted in a week.', scheduledIn(7 * dayMs), { types: inApp }),
  'scheduled-in-dst-gap': odd(
    'It is wanted at 02:30 of a night in which the clocks go from 02:00 to 03:00.',
    scheduledInGap,
    { types: inApp },
  ),
  'cash-with-change': paid('Cash, and change is needed.', atDoor('CASH', { needsChange: true })),
  'paid-by-credit': paid('By credit card in the app.', prepaid('CREDIT', { brand: 'MASTERCARD' })),
  'paid-by-debit': paid('By debit card in the app.', prepaid('DEBIT', { brand: 'ELO' })),
  'paid-by-meal-voucher': paid('By meal voucher.', prepaid('MEAL_VOUCHER', { brand: 'SODEXO' })),
  'paid-by-food-voucher': paid('By food voucher.', prepaid('FOOD_VOUCHER', { brand: 'TICKET' })),
  'paid-by-wallet': paid('By digital wallet.', prepaid('DIGITAL_WALLET')),
  'paid-by-pix': paid('By Pix.', prepaid('PIX')),
  'paid-by-credit-debit': paid('By a card that is credit or debit.', prepaid('CREDIT_DEBIT')),
  'paid-by-coupon': paid('By coupon, which is a payment here, no discount.', prepaid('COUPON')),
  'paid-by-redeem': paid('By points.', prepaid('REDEEM')),
  'paid-by-prepaid-redeem': paid('By a prepaid balance.', prepaid('PREPAID_REDEEM')),
  'paid-by-other': paid(
    'By a method without a name of its own.',
    prepaid('OTHER', { brand: 'OTHER' }),
  ),
  'paid-by-two': paid(
    'In the app by two methods, 40 and 60 percent.',
    prepaid('MEAL_VOUCHER', { brand: 'VR_BENEFICIOS', percent: 40 }),
    prepaid('PIX'),
  ),
  prepaid: paid('All of it is paid.', prepaid('CREDIT', { brand: 'VISA' })),
  pending: paid('A card is presented at the door.', atDoor('DEBIT', { brand: 'VISA' })),
  'prepaid-and-pending': paid(
    'Half of it is paid, the other half is paid in cash when the food comes.',
    prepaid('PIX', { percent: 50 }),
    atDoor('CASH', { needsChange: true }),
  ),
  'coupon-of-platform': odd('A coupon that the platform pays.', coupon('MARKETPLACE')),
  'coupon-of-merchant': odd('A coupon that the store pays.', coupon('MERCHANT')),
  'coupon-shared': odd('A coupon that both pay, 70 to 30.', coupon('MARKETPLACE', 'MERCHANT')),
  'half-and-half-higher': odd('A pizza of two halves, at the higher price.', halves(25, 25)),
  'half-and-half-average': odd('Two halves, each at its own price.', halves(24.95, 22.425)),
  'item-without-code': odd(
    'No item has an externalCode.',
    ({ items }) => ({ items: items.map(({ externalCode: _code, ...item }) => item) }),
    { inV1: 'V1 requires a code: the id of the offer or of the item is in its place' },
  ),
  'item-with-unknown-code': odd('An item has an externalCode that is on no menu.', ({ items }) => ({
    items: items.with(0, { ...(items[0] as OrderItem), externalCode: 'SKU-0000-NOT-ON-ANY-MENU' }),
  })),
  'item-by-weight': odd(
    'An item by weight: 0.385 kg at 29.90, with fractions of a cent in its price.',
    itemsOf({ quantity: 0.385, unit: 'KG', pricing: price(29.9) }),
  ),
  'item-at-zero': odd('One more item has the price 0.', ({ items }) => ({
    items: [...items, { name: 'Sachê de molho', pricing: price(0) }],
  })),
  'free-item': odd('One more item is free by a discount on it.', (order, { chance }) => {
    const targetId = chance.uuid()
    const amount = money(order, 12.9)
    const sponsorshipValues = [{ name: 'MERCHANT' as const, amount }]
    return {
      items: [...order.items, { id: targetId, name: 'Brinde', pricing: price(12.9) }],
      discounts: [{ amount, target: 'ITEM', targetId, sponsorshipValues }],
    }
  }),
  'discount-to-zero': odd(
    'A discount on everything: the amount is 0, and nothing is paid.',
    (order) => {
      const { itemsPrice, otherFees } = order.total
      const amount = money(order, Math.round((itemsPrice.value + otherFees.value) * 1e4) / 1e4)
      const sponsorshipValues = [{ name: 'MARKETPLACE' as const, amount }]
      return { discounts: [{ amount, target: 'CART', sponsorshipValues }] }
    },
  ),
  'two-hundred-items': odd('It has 200 items.', ({ items }, { chance }) => ({
    items: Array.from({ length: 200 }, (_, index) => ({
      ...items[index % items.length],
      id: chance.uuid(),
    })),
  })),
  'options-five-deep': odd(
    'An option has options, five levels deep, each with a price of its own.',
    itemsOf({
      name: 'Combo da casa',
      pricing: price(39.9),
      options: [
        option([
          ['Bebida', 8],
          ['Copo grande', 2],
          ['Com gelo', 0.5],
          ['Com limão', 0.25],
          ['Em rodelas', 0.1],
        ]),
      ],
    }),
    { inV1: 'V1 has one level of options: they are flattened' },
  ),
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
  'quotes-and-markup': written(
    'with quotes, backslashes, markup and what looks like SQL',
    `"Zé's" <b>X-Burger</b> & 'fries' \\n {{name}} %s $\{a}'); DROP TABLE orders;--`,
  ),
  'ids-beyond-2-53': odd(
    'Ids of order, items and customer are digits, more than a double holds.',
    (order, context) => ({
      id: bigId(context),
      items: order.items.map((item) => ({ ...item, id: bigId(context) })),
      ...withCustomer(order, { id: bigId(context) }),
    }),
  ),
  'half-a-cent': odd('An item costs 10.005.', itemsOf({ pricing: price(10.005) })),
  'float-sum': odd(
    'Two items cost 0.1 and 0.2: together 0.3, and in floats 0.30000000000000004.',
    itemsOf({ pricing: price(0.1) }, { name: 'Guardanapo', pricing: price(0.2) }),
  ),
  'one-cent-of-rounding': odd(
    'Three times 1.115: 3.345, or 3.36 for who rounds each of them.',
    itemsOf({ quantity: 3, pricing: price(1.115) }),
  ),
  'tip-and-service-fee': odd(
    'It has a tip and a fee for service, of different receivers.',
    (order) => {
      const others = order.otherFees?.filter(({ type }) => type !== 'TIP' && type !== 'SERVICE_FEE')
      const tip = { name: 'Gorjeta', type: 'TIP', receivedBy: 'LOGISTIC_SERVICES' } as const
      const fee = { name: 'Serviço', type: 'SERVICE_FEE', receivedBy: 'MARKETPLACE' } as const
      const further = [
        { ...tip, price: money(order, 5) },
        { ...fee, price: money(order, 0.99) },
      ]
      return { otherFees: [...(others ?? []), ...further] }
    },
  ),
  'customer-without-phone': odd(
    'The phone number of the customer is empty.',
    (order) => withCustomer(order, { phone: { number: '' } }),
    { types: inApp },
  ),
  'customer-without-name': odd(
    'The name of the customer is empty.',
    (order) => withCustomer(order, { name: '' }),
    { types: inApp },
  ),
  'no-customer': odd('Nothing is known of the customer.', () => ({ customer: undefined }), {
    types: ['TAKEOUT', 'INDOOR'],
  }),
  'address-without-number': odd(
    'The address has a street without a house number.',
    (order) => {
      const { address } = order.fulfillment.delivery ?? {}
      const street = { street: 'Travessa da Paz', complement: 'casa azul' }
      return withDelivery(order, { address: { ...address, ...street } })
    },
    { types: ['DELIVERY'], inV1: 'V1 requires a number: it is s/n' },
  ),
  'takeout-with-code': odd(
    'It is fetched by a code with a leading zero.',
    ({ fulfillment }, { chance }) => {
      const pickupCode = String(chance.between(1, 999)).padStart(4, '0')
      return { fulfillment: { ...fulfillment, takeout: { pickupCode } } }
    },
    { types: ['TAKEOUT'], inV1: 'V1 has no code for takeout' },
  ),
  'order-at-table': odd(
    'Guests at table 07 order, and pay there.',
    ({ fulfillment }) => {
      if (!fulfillment.indoor) return {}
      const { account: _account, fulfillment: _handoff, ...indoor } = fulfillment.indoor
      const place = { operationMode: 'TABLE', identifier: '07' } as const
      return { fulfillment: { ...fulfillment, indoor: { ...indoor, ...place } } }
    },
    { types: ['INDOOR'], pays: [atDoor('CREDIT', { brand: 'VISA' })] },
  ),
  'unknown-payment-method': {
    summary: 'It is paid by CRYPTO, a method that no list has.',
    pays: [prepaid('OTHER')],
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
