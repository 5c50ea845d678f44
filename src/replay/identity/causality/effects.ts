/** Which events an accepted call may cause, by the lifecycles of the protocol. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import {
  type DiningAccountTrigger,
  accountEventOfTrigger,
} from '../../../core/protocol/indoor/lifecycle.ts'
import { deliveryEvents } from '../../../core/protocol/logistics/events.ts'
import { type MovingTrigger, deliveryTargets } from '../../../core/protocol/logistics/lifecycle.ts'
import { orderLifecycle, type OrderTrigger } from '../../../core/protocol/orders/lifecycle.ts'
import { v2OperationOf } from '../../../core/protocol/v1/operation-names.ts'
import { wordsOf } from '../../../core/protocol/translation/words.ts'
import { dialects } from '../../../core/protocol/dialects/catalogue.ts'

/** The names of an event on the wire: its own, and those that partners have for it in any dialect. */
function otherNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  for (const { conduct } of dialects)
    for (const { words } of Object.values(conduct.translations ?? {}))
      for (const [type, word] of Object.entries(words?.['eventType'] ?? {}))
        names.set(type, [...(names.get(type) ?? []), ...wordsOf(word)])
  return names
}

let known: ReadonlyMap<string, readonly string[]> | undefined

const eventNamesOnWire = (type: string): readonly string[] => [
  type,
  ...((known ??= otherNames()).get(type) ?? []),
]

const ofOrder = (...triggers: readonly OrderTrigger[]): readonly string[] =>
  orderLifecycle.filter(({ trigger }) => triggers.includes(trigger)).map(({ emits }) => emits)

const ofAccount = (...triggers: readonly DiningAccountTrigger[]): readonly string[] =>
  triggers.flatMap((trigger) => accountEventOfTrigger(trigger) ?? [])

/** Every event that announces the status to which a call leads, under each of its type names. */
function ofDelivery(trigger: MovingTrigger): readonly string[] {
  const target = deliveryTargets[trigger]
  return Object.entries(deliveryEvents)
    .filter(([, { status }]) => status === target)
    .flatMap(([type, { manifest }]) => (manifest === undefined ? [type] : [type, manifest]))
}

/** All steps of a delivery are effects of its creation, unless a later call is a closer cause. */
const allDeliveryEvents = Object.entries(deliveryEvents).flatMap(([type, { manifest }]) => [
  type,
  ...(manifest === undefined ? [] : [manifest]),
])
const statusChanged = ['delivery.status_changed'] as const
const ofCustomers = [
  'customer.created',
  'customer.updated',
  'customer.opted_in',
  'customer.opted_out',
]
const ofPoints = [
  'loyalty.account_linked',
  'loyalty.points_accrued',
  'loyalty.points_pending',
  'loyalty.points_redeemed',
  'loyalty.redemption_reversed',
]

const effects: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  confirmOrder: ofOrder('confirm'),
  setOrderPreparing: ofOrder('preparing'),
  setOrderReadyForPickup: ofOrder('ready-for-pickup'),
  dispatchOrder: ofOrder('dispatch', 'collect'),
  setOrderDelivered: ofOrder('delivered', 'conclude'),
  requestCancellation: [
    'CANCELLATION_REQUESTED',
    'CANCELLATION_REQUEST_ACCEPTED',
    'CANCELLATION_REQUEST_DENIED',
    ...ofOrder('cancel'),
  ],
  acceptCancellationV1: ofOrder('cancel'),
  denyCancellationV1: ['CANCELLATION_REQUEST_DENIED'],
  cancelOrderItem: ['ITEM_CANCELLED'],
  preCloseAccount: ofAccount('pre-close'),
  unlockAccount: ofAccount('unlock'),
  closeAccount: ofAccount('close'),
  cancelAccountItem: ofAccount('cancel-item'),
  transferAccountContent: [...ofAccount('transfer', 'add-items')],
  createPayment: ofAccount('pay'),
  requestFiscalDocument: ['FISCAL_ISSUED', 'FISCAL_ERROR'],
  createDelivery: [...allDeliveryEvents, ...statusChanged],
  setDeliveryReadyForPickup: [],
  setDeliveryCollected: [...ofDelivery('collected'), ...statusChanged],
  setDeliveryDelivered: [...ofDelivery('delivered'), ...statusChanged],
  reportDeliveryProblem: ['RETURNING_TO_MERCHANT', ...ofDelivery('fail'), ...statusChanged],
  cancelDelivery: [...ofDelivery('cancel'), ...ofDelivery('fail'), ...statusChanged],
  upsertCustomers: ofCustomers,
  ingestCustomer: ofCustomers,
  upsertLeads: ['lead.created'],
  ingestLead: ['lead.created'],
  upsertOrders: ['order.created', 'order.completed', 'order.canceled', ...ofPoints],
  ingestOrdersForCRM: ['order.created', 'order.completed', 'order.canceled', ...ofPoints],
  createReviews: ['review.created'],
  ingestReview: ['review.created'],
  receiveCustomerEvent: ofPoints,
  receiveCustomerEventByFlow: ofPoints,
  receiveCustomerEventByBinding: ofPoints,
  createLoyaltyRedemption: [
    'loyalty.points_redeemed',
    'loyalty.coupon_applied',
    'loyalty.redemption_reversed',
  ],
  useLoyaltyCoupon: ['loyalty.coupon_applied', 'loyalty.coupon_cancelled'],
}

const eventTypesByOperation = new Map<string, ReadonlySet<string>>(
  Object.entries(effects).map(([operation, types]) => [
    operation,
    new Set(types.flatMap(eventNamesOnWire)),
  ]),
)
const none: ReadonlySet<string> = new Set()

/** Types of the events that a call may cause, by any of their names on the wire. */
export const effectEventTypes = (operation: OperationId): ReadonlySet<string> =>
  eventTypesByOperation.get(operation) ??
  eventTypesByOperation.get(v2OperationOf(operation)) ??
  none
