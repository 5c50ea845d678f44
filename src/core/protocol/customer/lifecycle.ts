/**
 * Status lifecycle of a customer (CUS-STA-01). The documents name three statuses and no transitions; these rows are our
 * default (CUS-UND-03): an order activates, the other triggers are decisions of a side. A move without a row is refused.
 */
import { lifecycle, type Transition } from '../lifecycle.ts'
import type { CustomerStatus } from './customer.ts'

export const customerTriggers = ['order', 'activate', 'deactivate'] as const
export type CustomerTrigger = (typeof customerTriggers)[number]

export interface CustomerTransition extends Transition<CustomerTrigger, CustomerStatus> {
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

/** The effect of a trigger on a customer in this status. */
export const customerStep = lifecycle(customerLifecycle, { targets: customerTriggerTarget }).step
