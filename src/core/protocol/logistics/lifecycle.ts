/**
 * The delivery lifecycle, as the protocol prints it (document 3, States and transitions; LOG-TRA-01 to 07). A trigger
 * without a row is refused. The delivery's status is independent of the order's.
 */
import { lifecycle, type Transition } from '../lifecycle.ts'
import type { LogisticsConduct } from './conduct.ts'
import { deliveryStatuses, type DeliveryStatus } from './status.ts'

export const deliveryTriggers = [
  'assign',
  'ready-for-pickup',
  'collected',
  'problem',
  'delivered',
  'cancel',
  'fail',
] as const
export type DeliveryTrigger = (typeof deliveryTriggers)[number]

/** The triggers that change the status; the other two leave it unchanged. */
export type MovingTrigger = Exclude<DeliveryTrigger, 'ready-for-pickup' | 'problem'>

export interface DeliveryTransition extends Transition<DeliveryTrigger, DeliveryStatus> {
  /** The row applies only if the session's configuration says so. */
  readonly when?: (conduct: LogisticsConduct) => boolean
  readonly clause: string
}

/** Problem reports may be accepted in other statuses; the documents show them in IN_TRANSIT only (LOG-OPS-07). */
const problemRows = deliveryStatuses.map((status): DeliveryTransition => ({
  from: status,
  trigger: 'problem',
  to: status,
  when: ({ problemStatuses }) => problemStatuses.includes(status),
  clause: 'LOG-RUL-03',
}))

export const deliveryLifecycle: readonly DeliveryTransition[] = [
  { from: 'PENDING', trigger: 'assign', to: 'ASSIGNED', clause: 'LOG-TRA-02' },
  { from: 'ASSIGNED', trigger: 'collected', to: 'IN_TRANSIT', clause: 'LOG-TRA-03' },
  { from: 'IN_TRANSIT', trigger: 'delivered', to: 'DELIVERED', clause: 'LOG-TRA-04' },
  { from: 'PENDING', trigger: 'cancel', to: 'CANCELLED', clause: 'LOG-TRA-05' },
  { from: 'ASSIGNED', trigger: 'cancel', to: 'CANCELLED', clause: 'LOG-TRA-06' },
  {
    from: 'IN_TRANSIT',
    trigger: 'cancel',
    to: 'CANCELLED',
    when: ({ cancelInTransit }) => cancelInTransit === 'cancel',
    clause: 'LOG-TEN-01',
  },
  {
    from: 'IN_TRANSIT',
    trigger: 'cancel',
    to: 'FAILED',
    when: ({ cancelInTransit }) => cancelInTransit === 'fail',
    clause: 'LOG-TEN-01',
  },
  { from: 'IN_TRANSIT', trigger: 'fail', to: 'FAILED', clause: 'LOG-TRA-07' },
  { from: 'PENDING', trigger: 'ready-for-pickup', to: 'PENDING', clause: 'LOG-OPS-04' },
  { from: 'ASSIGNED', trigger: 'ready-for-pickup', to: 'ASSIGNED', clause: 'LOG-OPS-04' },
  ...problemRows,
]

/** The target of each trigger, from any status. */
export const deliveryTargets: Readonly<Record<MovingTrigger, DeliveryStatus>> = {
  assign: 'ASSIGNED',
  collected: 'IN_TRANSIT',
  delivered: 'DELIVERED',
  cancel: 'CANCELLED',
  fail: 'FAILED',
}

/** The statuses of a delivery without problems, in order. */
export const deliveryProgression: readonly DeliveryStatus[] = [
  'PENDING',
  'ASSIGNED',
  'IN_TRANSIT',
  'DELIVERED',
]

/** DELIVERED, CANCELLED and FAILED are final (LOG-STA-01). */
export const isFinalDeliveryStatus = (status: DeliveryStatus): boolean =>
  status === 'DELIVERED' || status === 'CANCELLED' || status === 'FAILED'

export const isDeliveryStatus = (value: unknown): value is DeliveryStatus =>
  (deliveryStatuses as readonly unknown[]).includes(value)

const delivery = lifecycle(deliveryLifecycle, {
  // After collection, reporting the food as ready is too late.
  targets: { ...deliveryTargets, 'ready-for-pickup': 'ASSIGNED' },
  progression: deliveryProgression,
  applies: ({ when }, conduct: LogisticsConduct) => when?.(conduct) ?? true,
})

/**
 * The result of a trigger in this status. Applied: 202 (LOG-RUL-05). Passed: a choice of `conduct`, as for orders.
 * Refused: LOG-RUL-06.
 */
export const deliveryStep = delivery.step

/** The transitions that are possible from this status. */
export const legalDeliveryMoves = delivery.transitionsFrom
