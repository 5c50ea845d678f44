/**
 * Price and duration of a delivery: a pure function of distance and load, so that equal requests get equal quotes
 * (LOG-FLD-09, LOG-OPS-01).
 */
import { compact } from '../../base/compact.ts'
import type { LogisticsConduct } from '../../protocol/logistics/conduct.ts'
import { isInArea, type DeliveryPlaces, positionOf } from '../../protocol/logistics/place.ts'
import type { Quote } from './delivery.ts'
import { metresBetween } from './geometry.ts'

/** Assumed distance in metres where coordinates are missing. */
const assumedMetres = 3000

const hourMs = 3_600_000

/** The time in ms for this distance at this speed; `pace` divides it. */
export const rideMs = (metres: number, kmPerHour: number, pace: number): number =>
  Math.round(((metres / 1000 / kmPerHour) * hourMs) / pace)

function unavailableReason(
  { pickup, dropoff }: Pick<DeliveryPlaces, 'pickup' | 'dropoff'>,
  metres: number,
  load: number,
  conduct: LogisticsConduct,
): string | undefined {
  const outside = conduct.areasWithoutService.some(
    (area) => isInArea(pickup, area) || isInArea(dropoff, area),
  )
  if (outside || metres > conduct.mostKm * 1000) return 'OUT_OF_COVERAGE'
  return load >= conduct.mostOpen ? 'NO_DELIVERYPERSON_AVAILABLE' : undefined
}

export function quoteFor(
  places: Pick<DeliveryPlaces, 'pickup' | 'dropoff'>,
  load: number,
  conduct: LogisticsConduct,
): Omit<Quote, 'quoteId'> {
  const from = positionOf(places.pickup)
  const to = positionOf(places.dropoff)
  const metres = Math.round(from && to ? metresBetween(from, to) : assumedMetres)
  const because = unavailableReason(places, metres, load, conduct)
  const { baseFee, feePerKm, currency, kmPerHour, handling, loadTime, pace } = conduct
  // The surcharge under load: one percent for each open delivery, at most 100 percent.
  const surcharge = 1 + Math.min(load, 100) / 100
  return {
    available: because === undefined,
    metres,
    fee: Math.round((baseFee + (feePerKm * metres) / 1000) * surcharge),
    currency,
    durationMs: rideMs(metres, kmPerHour, pace) + Math.round((handling + load * loadTime) / pace),
    ...compact({ because }),
  }
}
