/**
 * Hand-written deliveries: a quote by distance and load, one delivery per order, and a courier assigned after a delay, who
 * does not arrive during the measurement. Nobody receives events, so there are none.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { deliveryClockSpeed, courierPace } from './delivery-speeds.ts'
import {
  jsonReply,
  type HandReply,
  invalidPayloadReply,
  notFoundReply,
  serveByHand,
} from './hand-http.ts'
import { randomBetween, createDelayQueue } from './hand-queue.ts'
import {
  type HandCourier,
  assignLeastBusyCourier,
  haversineMetres,
  type RiderPosition,
  currentRidePosition,
  type CourierRide,
  rideDurationMs,
  createRideToStore,
} from './hand-couriers.ts'

const AnyShape = z.looseObject({})
const DateTime = z.iso.datetime({ offset: true })

const Availability = z.looseObject({
  pickup: AnyShape,
  dropoff: AnyShape,
  orderId: z.string().optional(),
  scheduledFor: DateTime.optional(),
})

const Creation = z.looseObject({
  orderId: z.string().min(1).max(200),
  orderDisplayId: z.string().optional(),
  merchant: AnyShape,
  pickup: AnyShape,
  dropoff: AnyShape,
  customer: AnyShape.optional(),
  scheduledPickupAt: DateTime.optional(),
  observations: z.string().optional(),
})

interface DeliveryPlace {
  readonly address: { readonly coordinates?: RiderPosition }
  readonly contact?: { readonly name?: string }
  readonly id?: string
  readonly name?: string
}

interface Quote {
  readonly metres: number
  readonly fee: number
  readonly durationMs: number
  readonly because?: string
}

interface Delivery {
  readonly id: string
  readonly orderId: string
  readonly merchant: DeliveryPlace
  readonly pickup: DeliveryPlace
  readonly dropoff: DeliveryPlace
  readonly quote: Quote
  readonly createdAt: number
  status: 'PENDING' | 'ASSIGNED'
  courier?: HandCourier
  ride?: CourierRide
}

const kmPerHour = 25
const maxKm = 20
const assumedMetres = 3000

const deliveries = new Map<string, Delivery>()
const later = createDelayQueue()
let base = ''

const iso = (instant: number): string => new Date(instant).toISOString()

function quoteFor(pickup: DeliveryPlace, dropoff: DeliveryPlace): Quote {
  const [from, to] = [pickup.address?.coordinates, dropoff.address?.coordinates]
  const metres = Math.round(from && to ? haversineMetres(from, to) : assumedMetres)
  const load = deliveries.size
  return {
    metres,
    fee: Math.round((500 + (150 * metres) / 1000) * (1 + Math.min(load, 100) / 100)),
    durationMs:
      rideDurationMs(metres, kmPerHour, courierPace) +
      Math.round((600_000 + load * 30_000) / courierPace),
    ...(metres > maxKm * 1000 ? { because: 'OUT_OF_COVERAGE' } : {}),
  }
}

function availability(body: unknown): HandReply {
  const parsed = Availability.safeParse(body)
  if (!parsed.success) return invalidPayloadReply()
  const { pickup, dropoff } = parsed.data as unknown as Pick<Delivery, 'pickup' | 'dropoff'>
  const { fee, durationMs, because } = quoteFor(pickup, dropoff)
  if (because !== undefined) return jsonReply(200, { available: false, unavailableReason: because })
  return jsonReply(200, {
    available: true,
    quoteId: randomUUID(),
    price: { amount: fee / 100, currency: 'BRL' },
    eta: iso(Date.now() + durationMs),
    deliveryFee: { value: fee, currency: 'BRL' },
    estimatedDeliveryMinutes: Math.max(1, Math.ceil(durationMs / 60_000)),
  })
}

/** The estimated time of delivery, as of now. */
function etaOf({ quote, createdAt, courier, ride }: Delivery): number {
  const now = Date.now()
  if (!ride) return Math.max(now, createdAt + quote.durationMs)
  const toCustomer = rideDurationMs(quote.metres, courier?.kmPerHour ?? kmPerHour, courierPace)
  return Math.max(now, ride.startedAt + ride.durationMs) + toCustomer
}

function assign(delivery: Delivery): void {
  if (delivery.status !== 'PENDING') return
  const courier = assignLeastBusyCourier()
  const store = delivery.pickup.address.coordinates
  delivery.status = 'ASSIGNED'
  delivery.courier = courier
  if (store) delivery.ride = createRideToStore(store, courier, courierPace)
}

/** Creates the delivery of this order, or returns the existing one. */
function create(body: unknown): HandReply {
  const parsed = Creation.safeParse(body)
  if (!parsed.success) return invalidPayloadReply()
  const { orderId } = parsed.data
  const before = deliveries.get(orderId)
  if (before) return jsonReply(202, { deliveryId: before.id })
  const places = parsed.data as unknown as Pick<Delivery, 'merchant' | 'pickup' | 'dropoff'>
  const { merchant, pickup, dropoff } = places
  const delivery: Delivery = {
    id: randomUUID(),
    orderId,
    merchant: { ...merchant, address: merchant.address ?? pickup.address },
    pickup,
    dropoff,
    quote: quoteFor(pickup, dropoff),
    createdAt: Date.now(),
    status: 'PENDING',
  }
  deliveries.set(orderId, delivery)
  const after = randomBetween(1000, 3000) / deliveryClockSpeed
  later.push({ at: Date.now() + after, run: () => assign(delivery) })
  return jsonReply(202, { deliveryId: delivery.id })
}

function courierView(delivery: Delivery, trackingUrl: string) {
  const { courier, ride, pickup, dropoff } = delivery
  if (!courier) return {}
  const position = ride && currentRidePosition(ride)
  const [store, home] = [pickup.address.coordinates, dropoff.address.coordinates]
  const tracking = position && {
    ...position,
    updatedAt: iso(Date.now()),
    ...(store ? { metresToPickup: Math.round(haversineMetres(store, position)) } : {}),
    ...(home ? { metresToDropoff: Math.round(haversineMetres(home, position)) } : {}),
  }
  const { name, phone, vehicle } = courier
  return {
    courier: {
      name,
      phone,
      vehicle,
      ...(tracking ? { tracking } : {}),
      vehicleType: vehicle,
      trackingUrl,
    },
  }
}

function get(path: string): HandReply {
  const orderId = path.startsWith('/logistics/delivery/') ? path.slice(20) : ''
  const delivery = deliveries.get(decodeURIComponent(orderId))
  if (!delivery) return notFoundReply('DELIVERY_NOT_FOUND')
  const { id, status, merchant, pickup, dropoff, quote } = delivery
  const eta = iso(etaOf(delivery))
  const trackingUrl = `${base}/logistics/delivery/${encodeURIComponent(delivery.orderId)}`
  return jsonReply(200, {
    id,
    orderId: delivery.orderId,
    status,
    merchant,
    pickup,
    dropoff,
    ...courierView(delivery, trackingUrl),
    price: { amount: quote.fee / 100, currency: 'BRL' },
    eta,
    trackingUrl,
    problems: [],
    deliveryId: id,
    estimatedDeliveryAt: eta,
  })
}

function post(path: string, _query: string, body: unknown): HandReply {
  if (path === '/logistics/availability') return availability(body)
  return path === '/logistics/delivery' ? create(body) : notFoundReply()
}

serveByHand({
  scope: 'logistics',
  get,
  post,
  delayQueue: later,
  onListening: (url) => (base = url),
})
