/**
 * The places of a delivery. The documents show no fields of merchant, pickup and dropoff beyond address and contact
 * (LOG-UND-01), so any shape is accepted and kept, and the fields that we need are read under every name in the public
 * documents (fields.md, L3 to L5).
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

const AnyShape = z.looseObject({})

/** A place as we write it: the default shape of LOG-UND-01, with the public standard's address (fields.md, L3). */
export const DeliveryPlace = looseObject(() => ({
  id: z.string().optional(),
  name: z.string().optional(),
  address: AnyShape,
  contact: AnyShape,
}))
export type DeliveryPlace = z.infer<typeof DeliveryPlace>

export interface GeoPosition {
  readonly latitude: number
  readonly longitude: number
}

export interface DeliveryPlaces {
  readonly merchant: DeliveryPlace
  readonly pickup: DeliveryPlace
  readonly dropoff: DeliveryPlace
}

type Shape = Readonly<Record<string, unknown>>

const isShape = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shapeOf = (value: unknown): Shape | undefined => (isShape(value) ? value : undefined)

export const nonEmptyString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The first of these fields that is present. */
const firstOf = (shape: Shape, names: readonly string[]): unknown =>
  names.map((name) => shape[name]).find((value) => value !== undefined && value !== null)

/** A place from an object with an address, or from a bare address. */
function placeOf(value: unknown, contact: Shape): DeliveryPlace {
  const shape = shapeOf(value) ?? {}
  const own = shapeOf(shape['contact']) ?? contact
  const address = shapeOf(shape['address'])
  if (address) return { ...shape, address, contact: own }
  const { contact: _contact, ...rest } = shape
  return { address: rest, contact: own }
}

/** Name and phone of a contact, from any known shape. */
function contactOf(name: unknown, phone: unknown): Shape {
  const number = nonEmptyString(phone) ?? nonEmptyString(shapeOf(phone)?.['number'])
  const contactName = nonEmptyString(name)
  return compact({ name: contactName, phone: number })
}

/** The three places of a request, normalised to the documents' names, each with address and contact (LOG-FLD-04). */
export function readDeliveryPlaces(body: Shape): DeliveryPlaces {
  const merchant = shapeOf(body['merchant']) ?? {}
  const customer = shapeOf(body['customer']) ?? {}
  const id = nonEmptyString(merchant['id']) ?? nonEmptyString(body['merchantId'])
  const name = nonEmptyString(merchant['name'])
  const store = contactOf(name ?? id, merchant['phone'])
  const pickup = placeOf(firstOf(body, ['pickup', 'origin', 'pickupAddress']), store)
  const guest = contactOf(
    customer['name'] ?? body['customerName'],
    customer['phone'] ?? body['customerPhone'],
  )
  const dropoff = placeOf(firstOf(body, ['dropoff', 'destination', 'deliveryAddress']), guest)
  return {
    merchant: {
      ...merchant,
      ...compact({ id }),
      address: shapeOf(merchant['address']) ?? pickup.address,
      contact: shapeOf(merchant['contact']) ?? store,
    },
    pickup,
    dropoff,
  }
}

const inRange = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= max

/** The coordinates of a place; undefined when missing or out of range. */
export function positionOf({ address }: DeliveryPlace): GeoPosition | undefined {
  const shape = shapeOf(address['coordinates']) ?? address
  const latitude = firstOf(shape, ['latitude', 'lat'])
  const longitude = firstOf(shape, ['longitude', 'lng', 'lon'])
  return inRange(latitude, 90) && inRange(longitude, 180) ? { latitude, longitude } : undefined
}

const normalised = (text: string): string => text.trim().toLowerCase()

/** Whether a place is in an area: a city, a neighbourhood, or a prefix of the postal code. */
export function isInArea({ address }: DeliveryPlace, area: string): boolean {
  const wanted = normalised(area)
  if (wanted === '') return false
  const postal = nonEmptyString(address['postalCode'])?.replaceAll(/\D/g, '') ?? ''
  const names = ['city', 'neighborhood', 'district'].map((field) => nonEmptyString(address[field]))
  return (
    names.some((name) => name !== undefined && normalised(name) === wanted) ||
    (/^\d/.test(wanted) && postal.startsWith(wanted.replaceAll(/\D/g, '')))
  )
}
