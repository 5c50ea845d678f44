/**
 * State machine of an order: the transition table of the protocol (document 2, States and transitions; ORD-TRA-01 to 11).
 * A transition that is not in the table is refused.
 */
import type { OrderEventType } from './events.ts'
import type { OrderStatus, OrderType } from './order.ts'

export const orderTriggers = [
  'confirm',
  'preparing',
  'ready-for-pickup',
  'dispatch',
  'collect',
  'delivered',
  'cancel',
  'conclude',
] as const
export type OrderTrigger = (typeof orderTriggers)[number]

/** The triggers that the Software Service fires by an operation; the others belong to the Ordering Application. */
export const progressionTriggers = [
  'confirm',
  'preparing',
  'ready-for-pickup',
  'dispatch',
  'delivered',
] as const satisfies readonly OrderTrigger[]
export type ProgressionTrigger = (typeof progressionTriggers)[number]

export interface OrderTransition {
  readonly from: OrderStatus
  readonly trigger: OrderTrigger
  /** The profiles for which the row applies; all when absent. */
  readonly profiles?: readonly OrderType[]
  readonly to: OrderStatus
  readonly emits: OrderEventType
  readonly clause: string
}

const cancellable = ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY'] as const

export const orderLifecycle: readonly OrderTransition[] = [
  {
    from: 'CREATED',
    trigger: 'confirm',
    to: 'CONFIRMED',
    emits: 'CONFIRMED',
    clause: 'ORD-TRA-02',
  },
  {
    from: 'CONFIRMED',
    trigger: 'preparing',
    to: 'PREPARING',
    emits: 'PREPARING',
    clause: 'ORD-TRA-03',
  },
  {
    from: 'PREPARING',
    trigger: 'ready-for-pickup',
    to: 'READY',
    emits: 'READY_FOR_PICKUP',
    clause: 'ORD-TRA-04',
  },
  {
    from: 'CONFIRMED',
    trigger: 'ready-for-pickup',
    to: 'READY',
    emits: 'READY_FOR_PICKUP',
    clause: 'ORD-TRA-05',
  },
  {
    from: 'READY',
    trigger: 'dispatch',
    profiles: ['DELIVERY'],
    to: 'IN_DELIVERY',
    emits: 'DISPATCHED',
    clause: 'ORD-TRA-06',
  },
  {
    from: 'READY',
    trigger: 'collect',
    profiles: ['DELIVERY'],
    to: 'IN_DELIVERY',
    emits: 'ORDER_COLLECTED',
    clause: 'ORD-TEN-03',
  },
  {
    from: 'READY',
    trigger: 'delivered',
    to: 'DELIVERED',
    emits: 'DELIVERED',
    clause: 'ORD-TRA-07',
  },
  {
    from: 'IN_DELIVERY',
    trigger: 'delivered',
    to: 'DELIVERED',
    emits: 'DELIVERED',
    clause: 'ORD-TRA-08',
  },
  ...cancellable.map(
    (from) =>
      ({
        from,
        trigger: 'cancel',
        to: 'CANCELLED',
        emits: 'CANCELLED',
        clause: 'ORD-TRA-09',
      }) as const,
  ),
  {
    from: 'DELIVERED',
    trigger: 'conclude',
    to: 'CONCLUDED',
    emits: 'CONCLUDED',
    clause: 'ORD-TRA-10',
  },
  {
    from: 'CANCELLED',
    trigger: 'conclude',
    to: 'CONCLUDED',
    emits: 'CONCLUDED',
    clause: 'ORD-TRA-11',
  },
]

const targetOf: Record<OrderTrigger, OrderStatus> = {
  confirm: 'CONFIRMED',
  preparing: 'PREPARING',
  'ready-for-pickup': 'READY',
  dispatch: 'IN_DELIVERY',
  collect: 'IN_DELIVERY',
  delivered: 'DELIVERED',
  cancel: 'CANCELLED',
  conclude: 'CONCLUDED',
}

/** Statuses of an order without cancellation, in order: a status has passed all statuses before it. */
const statusOrder: readonly OrderStatus[] = [
  'CREATED',
  'CONFIRMED',
  'PREPARING',
  'READY',
  'IN_DELIVERY',
  'DELIVERED',
  'CONCLUDED',
]

export type OrderStep =
  | { readonly kind: 'moves'; readonly row: OrderTransition }
  /** The target status is reached already: answered 202 without effect (ORD-RUL-01). */
  | { readonly kind: 'applied' }
  /** The order is past the target status: the answer is a choice of `conduct` (ORD-UND-05). */
  | { readonly kind: 'passed' }
  /** Not in the table: refused (ORD-UND-04). */
  | { readonly kind: 'refused' }

/** The outcome of a trigger on an order of this profile in this status. */
export function orderStep(
  status: OrderStatus,
  trigger: OrderTrigger,
  profile: OrderType,
): OrderStep {
  const row = orderLifecycle.find(
    (candidate) =>
      candidate.from === status &&
      candidate.trigger === trigger &&
      (candidate.profiles === undefined || candidate.profiles.includes(profile)),
  )
  if (row) return { kind: 'moves', row }
  const target = targetOf[trigger]
  if (status === target) return { kind: 'applied' }
  const allowedProfile = orderLifecycle.some(
    ({ trigger: other, profiles }) =>
      other === trigger && (profiles === undefined || profiles.includes(profile)),
  )
  const passed =
    statusOrder.indexOf(target) < statusOrder.indexOf(status) && statusOrder.includes(target)
  return allowedProfile && passed ? { kind: 'passed' } : { kind: 'refused' }
}

const transitionsFrom = Map.groupBy(orderLifecycle, ({ from }) => from)

/** The transitions that are possible from this status. */
export const legalOrderTransitions = (
  status: OrderStatus,
  profile: OrderType,
): readonly OrderTransition[] =>
  (transitionsFrom.get(status) ?? []).filter(
    ({ profiles }) => profiles === undefined || profiles.includes(profile),
  )
