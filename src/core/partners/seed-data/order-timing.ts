/** Random timing of an order: instant, on demand (INDOOR), or scheduled for a window later in the day. */
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { drawOptional } from './draw.ts'
import { deliveryDistance, type OrderContext } from './order-context.ts'

const minuteMs = 60_000
const quarterHour = 15 * minuteMs

const priorities = ['PRIORITY1', 'PRIORITY2', 'PRIORITY3', 'PRIORITY4', 'PRIORITY5'] as const

export interface DrawnTiming {
  readonly timing: Order['timing']
  /** Estimated time of delivery. */
  readonly arrival: Instant
}

export function drawTiming(context: OrderContext): DrawnTiming {
  const { chance, now, type, merchant } = context
  const [min, max] = merchant.preparation
  const preparationMs = chance.between(min, max) * minuteMs
  // Ten minutes plus three per kilometre.
  const deliveryMs =
    type === 'DELIVERY' ? Math.round((10 + 0.3 * deliveryDistance(context)) * minuteMs) : 0
  const priority = drawOptional(chance, 4, () => ({ orderPriority: chance.pick(priorities) }))
  if (type !== 'INDOOR' && chance.oneIn(8)) {
    const start = Math.ceil((now + chance.between(90, 360) * minuteMs) / quarterHour) * quarterHour
    const end = start + chance.between(1, 2) * quarterHour
    return {
      timing: {
        orderTiming: 'SCHEDULED',
        schedule: { scheduledDateTimeStart: isoOf(start), scheduledDateTimeEnd: isoOf(end) },
        preparationStartDateTime: isoOf(start - preparationMs - deliveryMs),
        ...priority,
      },
      arrival: end,
    }
  }
  return {
    timing: {
      orderTiming: type === 'INDOOR' && chance.oneIn(3) ? 'ONDEMAND' : 'INSTANT',
      ...drawOptional(chance, 4, () => ({ preparationStartDateTime: isoOf(now + 2 * minuteMs) })),
      ...priority,
    },
    arrival: now + preparationMs + deliveryMs,
  }
}
