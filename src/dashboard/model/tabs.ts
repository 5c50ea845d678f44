/** Tabs of pane 3: orders, and each other entity kind. */
import { entityKinds, type EntityKind } from '../../session-api/session-api.ts'

export type Tab = 'order' | EntityKind

export const tabs: readonly Tab[] = ['order', ...entityKinds]

/** Title of a tab, in plural and singular. */
export const tabNames: Readonly<Record<Tab, readonly [many: string, one: string]>> = {
  order: ['Orders', 'Order'],
  account: ['Accounts', 'Account'],
  delivery: ['Deliveries', 'Delivery'],
  customer: ['Customers', 'Customer'],
  lead: ['Leads', 'Lead'],
  review: ['Reviews', 'Review'],
  'loyalty-account': ['Loyalty', 'Loyalty account'],
  coupon: ['Coupons', 'Coupon'],
}
