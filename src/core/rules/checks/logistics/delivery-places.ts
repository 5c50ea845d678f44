/** Whether two messages of Logistics are about the same two places, as far as both say where these are (LOG-UND-01). */
import { metresBetween } from '../../../engine/logistics/geometry.ts'
import {
  type DeliveryPlace,
  nonEmptyString,
  positionOf,
  readDeliveryPlaces,
} from '../../../protocol/logistics/place.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import type { Observed } from '../trace.ts'

/** The same place may be put on a map twice, and not quite alike. */
const nearbyMetres = 5000

/** A name without case, accents, spaces and punctuation: `Av. São João` is `avsaojoao`. */
const plain = (value: unknown): string | undefined =>
  nonEmptyString(value)
    ?.normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** Whether both have the same here; undefined where one of them does not say. */
function isSameIn({ address }: DeliveryPlace, other: DeliveryPlace, field: string) {
  const [one, another] = [plain(address[field]), plain(other.address[field])]
  return one && another ? one === another : undefined
}

function isNear(place: DeliveryPlace, other: DeliveryPlace): boolean | undefined {
  const [from, to] = [positionOf(place), positionOf(other)]
  return from && to ? metresBetween(from, to) < nearbyMetres : undefined
}

/** Another where more speaks against than for it; a street or a city alone may be written in several ways. */
function isSamePlace(place: DeliveryPlace, other: DeliveryPlace): boolean | undefined {
  const street = isSameIn(place, other, 'street')
  const where = [isSameIn(place, other, 'postalCode'), isNear(place, other)]
  const all = [...where, isSameIn(place, other, 'city'), street]
  const against = all.filter((same) => same === false).length
  if (where.includes(false) && against > 1 && against > all.filter(Boolean).length) return false
  return (street && isSameIn(place, other, 'number') !== false) || undefined
}

const placesOf = ({ request }: Observed) =>
  readDeliveryPlaces(isUnknownRecord(request) ? request : {})

/** Undefined where it is not certain. */
export function areSamePlaces(one: Observed, another: Observed): boolean | undefined {
  const [from, to] = [placesOf(one), placesOf(another)]
  const ends = [isSamePlace(from.pickup, to.pickup), isSamePlace(from.dropoff, to.dropoff)]
  return ends.includes(false) ? false : ends.every(Boolean) || undefined
}
