/**
 * State machine of an order: the transition table of the protocol (document 2, States and transitions; ORD-TRA-01 to 11).
 * A transition that is not in the table is refused.
 */
import { lifecycle, type LifecycleStep, type Transition } from '../lifecycle.ts'
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

export interface OrderTransition extends Transition<OrderTrigger, OrderStatus> {
  /** The profiles for which the row applies; all when absent. */
  readonly profiles?: readonly OrderType[]
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

const order = lifecycle(orderLifecycle, {
  /** Statuses of an order without cancellation. */
  progression: [
    'CREATED',
    'CONFIRMED',
    'PREPARING',
    'READY',
    'IN_DELIVERY',
    'DELIVERED',
    'CONCLUDED',
  ],
  applies: ({ profiles }, profile: OrderType) =>
    profiles === undefined || profiles.includes(profile),
})

/** Applied: answered 202 (ORD-RUL-01). Passed: a choice of `conduct` (ORD-UND-05). Refused: ORD-UND-04. */
export type OrderStep = LifecycleStep<OrderTransition>

/** The outcome of a trigger on an order of this profile in this status. */
export const orderStep = order.step

/** The transitions that are possible from this status. */
export const legalOrderTransitions = order.transitionsFrom
