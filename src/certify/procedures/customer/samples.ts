/** Records and events that procedures send to a service: complete by the documents, and different with each call. */
import { compact } from '../../../core/base/compact.ts'
import { isoOf } from '../../../core/engine/instant.ts'
import { type CustomerEventType, customerEvents } from '../../../core/protocol/customer/events.ts'
import type { CustomerIdentifier } from '../../../core/protocol/customer/identifier.ts'
import type { OrderStatus } from '../../../core/protocol/orders/order.ts'
import type { ProcedureContext } from '../../judge/procedure.ts'

type Source = Pick<ProcedureContext, 'unknownId' | 'random' | 'now' | 'data'>

const customerFields = (id: string, phone: string, now: string) => ({
  id,
  identifier: { type: 'phone' as const, value: phone },
  externalIds: [`app:${id}`],
  name: 'Ana Souza',
  contacts: { email: `${id}@example.org`, phone },
  consent: { marketing: true, updatedAt: now },
  createdAt: now,
  updatedAt: now,
})
/** A customer with all fields of both shapes. */
export type SampleCustomer = ReturnType<typeof customerFields>

/** What orders, reviews and events say of a customer. */
export interface NamedCustomer {
  readonly id: string
  readonly identifier: CustomerIdentifier
  readonly externalIds: readonly string[]
  readonly name: string
  readonly contacts: { readonly email?: string | undefined; readonly phone?: string | undefined }
}

/** Digits of a telephone number that no other customer has. */
export const samplePhone = ({ random }: Source): string =>
  `+55119${String(10_000_000 + random(89_999_999))}`

export const sampleCustomer = (source: Source): SampleCustomer =>
  customerFields(source.unknownId(), samplePhone(source), isoOf(source.now()))

/** A lead, of a customer who is known already where one is passed. */
export const sampleLead = (source: Source, customerRef?: string) => {
  const id = source.unknownId()
  const now = isoOf(source.now())
  const contact = { type: 'email', value: `${id}@example.org` }
  return {
    id,
    source: 'site',
    status: 'new',
    name: 'Bia Lima',
    contact,
    createdAt: now,
    ...compact({ customerRef }),
  }
}

const brl = (value: number) => ({ value, currency: 'BRL' })

export interface SampleOrderOptions {
  readonly id: string
  readonly customer: NamedCustomer
  readonly status?: OrderStatus
  /** The code of a coupon that is used. */
  readonly coupon?: string | undefined
}

/** An order in the Orders shape, of one item. */
export const sampleOrder = (
  source: Source,
  { id, customer, status = 'CREATED', coupon }: SampleOrderOptions,
) => ({
  id,
  displayId: '1',
  createdAt: isoOf(source.now()),
  merchant: { id: source.data.merchants[0] ?? 'certification', name: 'Certification' },
  fulfillment: { orderType: 'TAKEOUT', takeout: { pickupCode: '7' } },
  status,
  customer: {
    id: customer.id,
    name: customer.name,
    phone: { number: customer.contacts.phone ?? samplePhone(source) },
    ...compact({ email: customer.contacts.email }),
    ordersCountOnMerchant: 0,
  },
  timing: { orderTiming: 'INSTANT' },
  items: [
    {
      id: 'x-burger',
      name: 'X-Burger',
      quantity: 1,
      pricing: { unitPrice: brl(40), totalPrice: brl(40) },
    },
  ],
  ...(coupon === undefined
    ? {}
    : {
        discounts: [
          {
            amount: brl(0),
            target: 'CART',
            sponsorshipValues: [{ name: 'MERCHANT', amount: brl(0), discountCode: coupon }],
          },
        ],
      }),
  total: { itemsPrice: brl(40), otherFees: brl(0), discount: brl(0), orderAmount: brl(40) },
  payments: { prepaid: 40, pending: 0, methods: [] },
})

export const sampleReview = (
  source: Source,
  orderId: string,
  { id, identifier }: Pick<NamedCustomer, 'id' | 'identifier'>,
) => ({
  id: source.unknownId(),
  orderId,
  customerId: id,
  customerIdentifier: identifier,
  rating: 5,
  ratings: [{ method: 'stars', value: 5, scaleMin: 1, scaleMax: 5, isOverall: true }],
  comment: 'Muito bom',
  createdAt: isoOf(source.now()),
})

export interface SampleEventOptions {
  readonly payload: Readonly<Record<string, unknown>>
  /** The instant; now when absent. */
  readonly at?: number
}

/** The body of an event, with an id under both names that partners use. */
export function sampleEvent(
  source: Source,
  eventType: CustomerEventType,
  { payload, at = source.now() }: SampleEventOptions,
) {
  const id = source.unknownId()
  const { entity: entityType } = customerEvents[eventType]
  return { event: { eventId: id, id, eventType, entityType, occurredAt: isoOf(at), payload } }
}

/** The payload of an event about a customer: everything that it is known by. */
export const customerPayload = (
  { id, identifier, externalIds }: Pick<NamedCustomer, 'id' | 'identifier' | 'externalIds'>,
  changedFields: readonly string[] = [],
) => ({ customerId: id, identifier, externalIds, changedFields })

export function sampleLoyaltyEvent(source: Source, customerId: string) {
  const id = source.unknownId()
  const programId = source.data.programs[0] ?? 'certification'
  const payload = { customerId, programId, points: 1 }
  const occurredAt = isoOf(source.now())
  return {
    event: {
      eventId: id,
      id,
      eventType: 'loyalty.points_pending',
      entityType: 'loyalty',
      occurredAt,
      customerId,
      payload,
    },
  }
}
