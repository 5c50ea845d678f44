/**
 * The life of a delivery, as the protocol prints it (document 3, States and transitions; LOG-TRA-01 to 07). What stands
 * in no row is refused. A delivery has a status of its own: nothing here knows the status of an order.
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

/** The triggers that move a delivery; the other two leave it where it is. */
export type MovingTrigger = Exclude<DeliveryTrigger, 'ready-for-pickup' | 'problem'>

export interface DeliveryTransition {
  readonly from: DeliveryStatus
  readonly trigger: DeliveryTrigger
  readonly to: DeliveryStatus
  /** The row holds only where the session's conduct says so. */
  readonly when?: (conduct: LogisticsConduct) => boolean
  readonly clause: string
}

/** A report may also be taken in other statuses; the documents show it in IN_TRANSIT only (LOG-OPS-07). */
const reports = deliveryStatuses.map((status): DeliveryTransition => ({
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
  ...reports,
]

/** Where a trigger leads, whatever it starts from; a report leads nowhere. */
export const targetOf: Readonly<Record<MovingTrigger, DeliveryStatus>> = {
  assign: 'ASSIGNED',
  collected: 'IN_TRANSIT',
  delivered: 'DELIVERED',
  cancel: 'CANCELLED',
  fail: 'FAILED',
}

/** The way of a delivery that nothing goes wrong with, in order. */
export const deliveryWay: readonly DeliveryStatus[] = [
  'PENDING',
  'ASSIGNED',
  'IN_TRANSIT',
  'DELIVERED',
]

/** DELIVERED, CANCELLED and FAILED are final (LOG-STA-01). */
export const isFinal = (status: DeliveryStatus): boolean =>
  status === 'DELIVERED' || status === 'CANCELLED' || status === 'FAILED'

export const isDeliveryStatus = (value: unknown): value is DeliveryStatus =>
  (deliveryStatuses as readonly unknown[]).includes(value)

export type DeliveryStep =
  | { readonly kind: 'moves'; readonly row: DeliveryTransition }
  /** The target is applied already: 202 and nothing happens (LOG-RUL-05). */
  | { readonly kind: 'applied' }
  /** The delivery is past the target: a choice of `conduct`, as it is for orders. */
  | { readonly kind: 'passed' }
  /** In no row: refused (LOG-RUL-06). */
  | { readonly kind: 'refused' }

/** The status that a trigger is past of: a courier who has collected needs nobody to say that the food is ready. */
const passes = (trigger: DeliveryTrigger): DeliveryStatus | undefined => {
  if (trigger === 'problem') return undefined
  return trigger === 'ready-for-pickup' ? 'ASSIGNED' : targetOf[trigger]
}

/** What a trigger does to a delivery in this status. */
export function deliveryStep(
  status: DeliveryStatus,
  trigger: DeliveryTrigger,
  conduct: LogisticsConduct,
): DeliveryStep {
  const row = deliveryLifecycle.find(
    (each) => each.from === status && each.trigger === trigger && (each.when?.(conduct) ?? true),
  )
  if (row) return { kind: 'moves', row }
  const target = passes(trigger)
  if (status === target) return { kind: 'applied' }
  const place = target === undefined ? -1 : deliveryWay.indexOf(target)
  return place >= 0 && place < deliveryWay.indexOf(status)
    ? { kind: 'passed' }
    : { kind: 'refused' }
}

/** The moves that this delivery could make now. */
export const legalDeliveryMoves = (
  status: DeliveryStatus,
  conduct: LogisticsConduct,
): readonly DeliveryTransition[] =>
  deliveryLifecycle.filter(({ from, when }) => from === status && (when?.(conduct) ?? true))
