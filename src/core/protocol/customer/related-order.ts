/**
 * An order in customer context (CUS-GEN-07): the Orders shape, or the reduced record of the field (fields.md C11). It
 * never changes an operational order.
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { DateTime } from '../date-time.ts'
import { Order } from '../orders/order.ts'
import type { CustomerInput } from './customer.ts'
import { ExternalId, CustomerIdentifier } from './identifier.ts'
import { looseObject } from '../../base/lazy-object.ts'

/** Outcome of an order in customer context. */
export const orderOutcomes = ['created', 'completed', 'canceled'] as const
export type RelatedOrderOutcome = (typeof orderOutcomes)[number]

export const originChannels = [
  'own_app',
  'marketplace',
  'in_store',
  'qr_code',
  'kiosk',
  'delivery',
  'takeout',
  'other',
] as const

export const ReducedOrder = looseObject(() => ({
  /** The key by which an order is updated: without one, every repetition would be another order (CUS-GEN-07). */
  id: z.string().min(1).max(200),
  storeId: z.string().nullish(),
  originChannel: z.enum(originChannels).nullish(),
  customer: z
    .looseObject({
      identifier: CustomerIdentifier.nullish(),
      externalIds: z.array(ExternalId).max(100).nullish(),
    })
    .nullish(),
  totalAmount: z.number().nullish(),
  items: z
    .array(
      z.looseObject({
        sku: z.string().nullish(),
        name: z.string().nullish(),
        quantity: z.number().nullish(),
        unitPrice: z.number().nullish(),
      }),
    )
    .nullish(),
  createdAt: DateTime.nullish(),
  updatedAt: DateTime.nullish(),
}))
export type ReducedOrder = z.infer<typeof ReducedOrder>

/** Schema of either shape for the API documentation. */
export const DocumentedOrder = z.union([Order, ReducedOrder])

/** Fields of an order in the Orders shape that no reduced order has. */
const fullOrderFields = ['fulfillment', 'payments', 'displayId', 'timing', 'total'] as const

const hasFullOrderFields = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && fullOrderFields.some((field) => field in value)

/**
 * Picks the schema by the fields present, so that an incomplete order in the Orders shape is not read as a reduced one.
 */
export const RelatedOrder = z.unknown().transform((value, context) => {
  const schema = hasFullOrderFields(value) ? Order : ReducedOrder
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues)
    context.issues.push({ code: 'custom', input: value, path: [...path], message })
  return z.NEVER
})
export type RelatedOrder = z.infer<typeof RelatedOrder>

export const isFullOrder = (order: RelatedOrder): order is Order => hasFullOrderFields(order)

/** The outcome of an order by its own status. */
export function orderOutcomeOf(order: RelatedOrder): RelatedOrderOutcome {
  const { status } = order
  if (status === 'CANCELLED') return 'canceled'
  return status === 'DELIVERED' || status === 'CONCLUDED' ? 'completed' : 'created'
}

/** A phone number with an extension is shared (a platform's), so it identifies no customer. */
const personalPhone = ({ number, extension }: { number: string; extension?: string | undefined }) =>
  extension === undefined ? number : undefined

/** Identifiers of the customer of an order: document, phone, e-mail. */
export function orderCustomerIdentifiers(
  customer: NonNullable<Order['customer']>,
): Readonly<Record<'document' | 'phone' | 'email', string | undefined>> {
  const { documentNumber, phone, email } = customer
  return { document: documentNumber, phone: personalPhone(phone), email }
}

/** External id of an Ordering Application customer in other systems. */
export const applicationExternalId = (id: string): string => `app:${id}`

/** The customer of an order as ingest input; undefined if the order names none. */
export function customerOfOrder(order: RelatedOrder): CustomerInput | undefined {
  if (!isFullOrder(order)) {
    const { identifier, externalIds } = order.customer ?? {}
    return identifier || externalIds?.length ? { ...order.customer } : undefined
  }
  const { customer } = order
  if (!customer) return undefined
  const { document, phone, email } = orderCustomerIdentifiers(customer)
  const identifier = document
    ? ({ type: 'document', value: document } as const)
    : phone
      ? ({ type: 'phone', value: phone } as const)
      : email
        ? ({ type: 'email', value: email } as const)
        : ({ type: 'external_id', value: applicationExternalId(customer.id) } as const)
  return {
    id: customer.id,
    identifier,
    externalIds: [applicationExternalId(customer.id)],
    name: customer.name,
    contacts: {
      phone: customer.phone.number,
      ...compact({ email }),
    },
    ...compact({ document }),
    ...demographicsOf(customer),
  }
}

function demographicsOf({ birthDate, gender }: NonNullable<Order['customer']>) {
  const known = compact({ birthDate, gender })
  return Object.keys(known).length === 0 ? {} : { demographics: known }
}

/** Converts an order from the Orders shape to the reduced record. */
export function toReducedOrder(
  order: Order,
  identifier: CustomerIdentifier | undefined,
): ReducedOrder {
  const { customer } = order
  return {
    id: order.id,
    storeId: order.merchant.id,
    originChannel: 'own_app',
    ...(customer
      ? {
          customer: {
            ...compact({ identifier }),
            externalIds: [{ source: 'app', value: customer.id }],
          },
        }
      : {}),
    totalAmount: order.total.orderAmount.value,
    items: order.items.map(({ id, name, quantity, pricing, externalCode }) => ({
      sku: externalCode ?? id,
      name,
      quantity,
      unitPrice: pricing.unitPrice.value,
    })),
    metadata: { status: order.status },
    createdAt: order.createdAt,
  }
}
