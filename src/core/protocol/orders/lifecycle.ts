/**
 * State machine of an order: the transition table of the protocol (document 2, States and transitions; ORD-TRA-01 to 11).
 * A transition that is not in the table is refused.
 */
import { lifecycle, type LifecycleStep, type Transition } from '../lifecycle.ts'
import type { ProtocolGeneration } from '../dialects/settings.ts'
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

type OrderRow = readonly [
  from: OrderStatus,
  trigger: OrderTrigger,
  to: OrderStatus,
  emits: OrderEventType,
  clause: string,
  ...profiles: OrderType[],
]

const rows: readonly OrderRow[] = [
  ['CREATED', 'confirm', 'CONFIRMED', 'CONFIRMED', 'ORD-TRA-02'],
  ['CONFIRMED', 'preparing', 'PREPARING', 'PREPARING', 'ORD-TRA-03'],
  ['PREPARING', 'ready-for-pickup', 'READY', 'READY_FOR_PICKUP', 'ORD-TRA-04'],
  ['CONFIRMED', 'ready-for-pickup', 'READY', 'READY_FOR_PICKUP', 'ORD-TRA-05'],
  ['READY', 'dispatch', 'IN_DELIVERY', 'DISPATCHED', 'ORD-TRA-06', 'DELIVERY'],
  ['READY', 'collect', 'IN_DELIVERY', 'ORDER_COLLECTED', 'ORD-TEN-03', 'DELIVERY'],
  ['READY', 'delivered', 'DELIVERED', 'DELIVERED', 'ORD-TRA-07'],
  ['IN_DELIVERY', 'delivered', 'DELIVERED', 'DELIVERED', 'ORD-TRA-08'],
  ...cancellable.map((from) => [from, 'cancel', 'CANCELLED', 'CANCELLED', 'ORD-TRA-09'] as const),
  ['DELIVERED', 'conclude', 'CONCLUDED', 'CONCLUDED', 'ORD-TRA-10'],
  ['CANCELLED', 'conclude', 'CONCLUDED', 'CONCLUDED', 'ORD-TRA-11'],
]

/** Rows that V1 has besides: a merchant may leave out the calls between (fields.md, 4.3). */
const rowsOfV1: readonly OrderRow[] = [
  ['CONFIRMED', 'dispatch', 'IN_DELIVERY', 'DISPATCHED', 'ORD-TRA-06', 'DELIVERY'],
  ['PREPARING', 'dispatch', 'IN_DELIVERY', 'DISPATCHED', 'ORD-TRA-06', 'DELIVERY'],
  ['CONFIRMED', 'delivered', 'DELIVERED', 'DELIVERED', 'ORD-TRA-07'],
  ['PREPARING', 'delivered', 'DELIVERED', 'DELIVERED', 'ORD-TRA-07'],
]

const transitionsIn = (table: readonly OrderRow[]): readonly OrderTransition[] =>
  table.map(([from, trigger, to, emits, clause, ...profiles]) => ({
    from,
    trigger,
    to,
    emits,
    clause,
    ...(profiles.length > 0 ? { profiles } : {}),
  }))

const lifecycleWith = (transitions: readonly OrderTransition[]) => ({
  transitions,
  ...lifecycle(transitions, {
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
  }),
})

export const orderLifecycle = transitionsIn(rows)

/** The lifecycles: that of the documents, and that of V1 partners, who keep no state machine. */
export const orderLifecycles = {
  strict: lifecycleWith(orderLifecycle),
  free: lifecycleWith(transitionsIn([...rows, ...rowsOfV1])),
}

interface LifecycleChoice {
  readonly speaks: ProtocolGeneration
  readonly v1: { readonly lifecycle: keyof typeof orderLifecycles }
}

/** Which of them is in force. */
export const lifecycleNameIn = ({ speaks, v1 }: LifecycleChoice): keyof typeof orderLifecycles =>
  speaks === 'v1' ? v1.lifecycle : 'strict'

/** Without the rows by which a DELIVERY order is delivered before it is dispatched. */
const afterDispatch = ({ transitions }: { readonly transitions: readonly OrderTransition[] }) =>
  lifecycleWith(
    transitions.map((row) =>
      row.trigger === 'delivered' && row.from !== 'IN_DELIVERY'
        ? { ...row, profiles: ['TAKEOUT', 'INDOOR'] }
        : row,
    ),
  )

const dispatchedLifecycles = {
  strict: afterDispatch(orderLifecycles.strict),
  free: afterDispatch(orderLifecycles.free),
}

/** The lifecycle in force: all that asks what an order may do asks this. */
export const orderLifecycleIn = (
  conduct: LifecycleChoice & { readonly deliveredNeedsDispatch: boolean },
) =>
  (conduct.deliveredNeedsDispatch ? dispatchedLifecycles : orderLifecycles)[
    lifecycleNameIn(conduct)
  ]

/** Applied: answered 202 (ORD-RUL-01). Passed: a choice of `conduct` (ORD-UND-05). Refused: ORD-UND-04. */
export type OrderStep = LifecycleStep<OrderTransition>
