/**
 * Table of the events of Customer, with the entity of each (document 1, Events; CUS-EVT-03 to 10, REV-EVT-01). Events are
 * business facts, not commands (CUS-EVT-01).
 */
export const customerEventTypes = [
  'customer.created',
  'customer.updated',
  'customer.opted_in',
  'customer.opted_out',
  'lead.created',
  'order.created',
  'order.completed',
  'order.canceled',
  'review.created',
] as const
export type CustomerEventType = (typeof customerEventTypes)[number]

export const entityTypes = ['customer', 'order', 'lead', 'review'] as const
export type EntityType = (typeof entityTypes)[number]

export interface CustomerEventRow {
  readonly entity: EntityType
  readonly clause: string
}

export const customerEvents: Readonly<Record<CustomerEventType, CustomerEventRow>> = {
  'customer.created': { entity: 'customer', clause: 'CUS-EVT-03' },
  'customer.updated': { entity: 'customer', clause: 'CUS-EVT-04' },
  'customer.opted_in': { entity: 'customer', clause: 'CUS-EVT-05' },
  'customer.opted_out': { entity: 'customer', clause: 'CUS-EVT-06' },
  'lead.created': { entity: 'lead', clause: 'CUS-EVT-07' },
  'order.created': { entity: 'order', clause: 'CUS-EVT-08' },
  'order.completed': { entity: 'order', clause: 'CUS-EVT-09' },
  'order.canceled': { entity: 'order', clause: 'CUS-EVT-10' },
  'review.created': { entity: 'review', clause: 'REV-EVT-01' },
}

/** Aliases that partners in the field send; we never send them (fields.md, section 3, 18). */
const aliases: ReadonlyMap<string, CustomerEventType> = new Map([
  ['order.cancelled', 'order.canceled'],
  ['order.delivered', 'order.completed'],
])

/** The event type of a name or alias; undefined for an unknown name. */
export const customerEventTypeOf = (name: string): CustomerEventType | undefined =>
  Object.hasOwn(customerEvents, name) ? (name as CustomerEventType) : aliases.get(name)
