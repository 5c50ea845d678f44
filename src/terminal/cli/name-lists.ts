/**
 * Lists of names, and bounds, for help and completion. They duplicate lists of the protocol's schemas, which are too slow to load for
 * a help text; the compiler holds them equal.
 */
import type { channelNames } from '../../core/session-api/configuration/schema.ts'
import type { maxReplicas } from '../../core/session-api/configuration/subject.ts'
import type { ThemeName } from '../dashboard/view/text/palette.ts'
import type { DialectName } from '../../core/protocol/dialects/catalogue.ts'
import type { OrderStatus, OrderType } from '../../core/protocol/orders/order.ts'
import type { PaymentMethodChoice } from '../../core/protocol/orders/payment-method-names.ts'
import type { ClockMode } from '../../core/session-api/session-api.ts'

const namesOf = <Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] =>
  Object.keys(names) as Name[]

export const themeChoices = namesOf<ThemeName>({
  auto: true,
  'cb-dark': true,
  'cb-light': true,
  mono: true,
  'high-contrast': true,
})

/** So many processes of a service at most. */
export const replicaLimit: typeof maxReplicas = 8

export const clockNames = namesOf<ClockMode>({ real: true, stepped: true, virtual: true })

export const channelChoices = namesOf<(typeof channelNames)[number]>({
  polling: true,
  webhook: true,
  both: true,
})

const dialectChoices = namesOf<DialectName>({
  'opendelivery-v2': true,
  v1: true,
  keeta: true,
  '99food': true,
  pedizap: true,
  loocal: true,
  foody: true,
  'cardapio-web': true,
  'delivery-direto': true,
  'push-hub': true,
  'edge-router': true,
  'ifood-pace': true,
  'uber-eats-pace': true,
  'deliveroo-pace': true,
})

/** The value of a flag that names a dialect. */
export const dialectChoice = {
  value: '<name|file>',
  summary:
    'protocol dialect of a partner (sparring list dialects), or your own in a file (default: as the specification says)',
  choices: dialectChoices,
  path: 'read',
} as const

export const orderTypeNames = namesOf<OrderType>({ DELIVERY: true, TAKEOUT: true, INDOOR: true })

/** As people type them; the protocol's own names are understood too. */
export const paymentNames: readonly string[] = namesOf<PaymentMethodChoice>({
  credit: true,
  debit: true,
  'meal-voucher': true,
  'food-voucher': true,
  'digital-wallet': true,
  pix: true,
  cash: true,
  'credit-debit': true,
  coupon: true,
  redeem: true,
  'prepaid-redeem': true,
  other: true,
})

export const statusNames = namesOf<OrderStatus>({
  CREATED: true,
  CONFIRMED: true,
  PREPARING: true,
  READY: true,
  IN_DELIVERY: true,
  DELIVERED: true,
  CANCELLED: true,
  CONCLUDED: true,
})
