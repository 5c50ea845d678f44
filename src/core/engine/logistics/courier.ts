/** Assigns the courier of a delivery and plans the ride that starts with a change of status. */
import { compact } from '../../base/compact.ts'
import { positionOf } from '../../protocol/logistics/place.ts'
import type { DecisionContext } from '../decision.ts'
import type { DeliveryCourier, DeliveryRecord, Leg } from './delivery.ts'
import { rideMs } from './quote.ts'
import type { LogisticsWorld } from './world.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'
import { drawNearby, drawRoute, metresAlong } from './geometry.ts'

/** Assumed distance in metres of a courier from a store without coordinates. */
const assumedApproachMetres = 1000

/** A random courier among those with the lowest load; undefined when the fleet is empty. */
function pickCourier(
  { fleet, loads }: LogisticsWorld,
  { chance }: DecisionContext,
): DeliveryCourier | undefined {
  let minLoad = Number.POSITIVE_INFINITY
  let candidates: DeliveryCourier[] = []
  for (const courier of fleet.values()) {
    const load = loads.get(courier.id) ?? 0
    if (load > minLoad) continue
    if (load < minLoad) candidates = []
    minLoad = load
    candidates.push(courier)
  }
  return candidates.length === 0 ? undefined : chance('logistics.couriers').pick(candidates)
}

function rideToStore(
  record: DeliveryRecord,
  courier: DeliveryCourier | undefined,
  context: DecisionContext,
): Leg {
  const store = positionOf(record.pickup)
  const chance = context.chance('logistics.routes')
  const points = store ? drawRoute(drawNearby(store, chance), store, chance) : []
  return planRide(points, assumedApproachMetres, courier, context)
}

function rideToCustomer(
  record: DeliveryRecord,
  courier: DeliveryCourier | undefined,
  context: DecisionContext,
): Leg {
  const [from, to] = [positionOf(record.pickup), positionOf(record.dropoff)]
  const chance = context.chance('logistics.routes')
  const points = from && to ? drawRoute(from, to, chance) : []
  return planRide(points, record.quote.metres, courier, context)
}

function planRide(
  points: Leg['points'],
  assumedMetres: number,
  courier: DeliveryCourier | undefined,
  { settings, now }: DecisionContext,
): Leg {
  const { kmPerHour, pace } = settings.conduct.logistics
  const metres = points.length > 0 ? metresAlong(points) : assumedMetres
  return {
    points,
    startedAt: now,
    durationMs: rideMs(metres, courier?.kmPerHour ?? kmPerHour, pace),
  }
}

/** What a change to this status adds to the delivery: courier and ride to the store, or the ride to the customer. */
export function assignCourier(
  record: DeliveryRecord,
  to: DeliveryStatus,
  context: DecisionContext,
): { readonly courier?: DeliveryCourier; readonly leg?: Leg } {
  if (to === 'ASSIGNED') {
    const courier = pickCourier(context.world.logistics, context)
    return { ...compact({ courier }), leg: rideToStore(record, courier, context) }
  }
  return to === 'IN_TRANSIT' ? { leg: rideToCustomer(record, record.courier, context) } : {}
}
