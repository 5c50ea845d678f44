/**
 * The delivery lifecycle, as the protocol prints it (document 3, States and transitions; LOG-TRA-01 to 07). A trigger
 * without a row is refused. The delivery's status is independent of the order's.
 */
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

export interface DeliveryTransition {
  readonly from: DeliveryStatus
  readonly trigger: DeliveryTrigger
  readonly to: DeliveryStatus
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

export type DeliveryStep =
  | { readonly kind: 'moves'; readonly row: DeliveryTransition }
  /** The delivery is in the target status already: 202 without effect (LOG-RUL-05). */
  | { readonly kind: 'applied' }
  /** The delivery has passed the target: the reply is configurable in `conduct`, as for orders. */
  | { readonly kind: 'passed' }
  /** No row: refused (LOG-RUL-06). */
  | { readonly kind: 'refused' }

/** The status up to which a trigger makes sense: after collection, reporting the food as ready is too late. */
const lastUsefulStatus = (trigger: DeliveryTrigger): DeliveryStatus | undefined => {
  if (trigger === 'problem') return undefined
  return trigger === 'ready-for-pickup' ? 'ASSIGNED' : deliveryTargets[trigger]
}

/** The result of a trigger in this status. */
export function deliveryStep(
  status: DeliveryStatus,
  trigger: DeliveryTrigger,
  conduct: LogisticsConduct,
): DeliveryStep {
  const row = deliveryLifecycle.find(
    (each) => each.from === status && each.trigger === trigger && (each.when?.(conduct) ?? true),
  )
  if (row) return { kind: 'moves', row }
  const target = lastUsefulStatus(trigger)
  if (status === target) return { kind: 'applied' }
  const position = target === undefined ? -1 : deliveryProgression.indexOf(target)
  return position >= 0 && position < deliveryProgression.indexOf(status)
    ? { kind: 'passed' }
    : { kind: 'refused' }
}

/** The transitions that are possible from this status. */
export const legalDeliveryMoves = (
  status: DeliveryStatus,
  conduct: LogisticsConduct,
): readonly DeliveryTransition[] =>
  deliveryLifecycle.filter(({ from, when }) => from === status && (when?.(conduct) ?? true))
