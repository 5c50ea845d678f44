/**
 * Status lifecycle of a customer (CUS-STA-01). The documents name three statuses and no transitions; these rows are our
 * default (CUS-UND-03): an order activates, the other triggers are decisions of a side. A move without a row is refused.
 */
import type { CustomerStatus } from './customer.ts'

export const customerTriggers = ['order', 'activate', 'deactivate'] as const
export type CustomerTrigger = (typeof customerTriggers)[number]

export interface CustomerTransition {
  readonly from: CustomerStatus
  readonly trigger: CustomerTrigger
  readonly to: CustomerStatus
  readonly emits: 'customer.updated'
  readonly clause: string
}

const row = (
  from: CustomerStatus,
  trigger: CustomerTrigger,
  to: CustomerStatus,
): CustomerTransition => ({ from, trigger, to, emits: 'customer.updated', clause: 'CUS-UND-03' })

export const customerLifecycle: readonly CustomerTransition[] = [
  row('lead', 'order', 'active'),
  row('inactive', 'order', 'active'),
  row('lead', 'activate', 'active'),
  row('inactive', 'activate', 'active'),
  row('active', 'deactivate', 'inactive'),
]

export const customerTriggerTarget: Readonly<Record<CustomerTrigger, CustomerStatus>> = {
  order: 'active',
  activate: 'active',
  deactivate: 'inactive',
}

export type CustomerStep =
  | { readonly kind: 'moves'; readonly row: CustomerTransition }
  /** The customer already has the target status. */
  | { readonly kind: 'applied' }
  /** The table has no such transition. */
  | { readonly kind: 'refused' }

/** The effect of a trigger on a customer in this status. */
export function customerStep(status: CustomerStatus, trigger: CustomerTrigger): CustomerStep {
  const found = customerLifecycle.find((each) => each.from === status && each.trigger === trigger)
  if (found) return { kind: 'moves', row: found }
  return customerTriggerTarget[trigger] === status ? { kind: 'applied' } : { kind: 'refused' }
}
