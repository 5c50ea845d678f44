/** Tabs of pane 3: orders, and each other entity kind. */
import { sessionEntityKinds, type SessionEntityKind } from '../../session-api/entities.ts'

export type Tab = 'order' | SessionEntityKind

export const tabs: readonly Tab[] = ['order', ...sessionEntityKinds]

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
