/** What Logistics can be asked: `delivery.…` at its host, `shipment.…` at its client. */
import type { MovingTrigger } from '../../protocol/logistics/lifecycle.ts'
import type { AvailabilityRequest, DeliveryEvent } from '../../protocol/logistics/bodies.ts'
import type { Role } from '../../protocol/role.ts'
import type { Courier, DeliveryWish } from './delivery.ts'
import type { ConsumerRole, Demand, ShipmentCall } from './shipment.ts'
import type { CourierStep } from '../../protocol/logistics/status.ts'

/** The triggers that a consumer pulls by a call. */
export type CalledTrigger = Extract<MovingTrigger, 'collected' | 'delivered' | 'cancel'>

export interface ReportedProblem {
  readonly code: string
  readonly description?: string
  /** The delivery can be carried through all the same; nobody said when absent. */
  readonly recoverable?: boolean
}

export type DeliveryCommand =
  /** Couriers come to work at the Delivery Platform. */
  | { readonly kind: 'delivery.enlist'; readonly couriers: readonly Courier[] }
  /** Somebody asks whether a way can be delivered, for how much and how soon. */
  | { readonly kind: 'delivery.quote'; readonly request: AvailabilityRequest }
  /** Somebody wants an order delivered. */
  | { readonly kind: 'delivery.create'; readonly wish: DeliveryWish; readonly consumer: Role }
  /** A progress call: accepted for later when it is lawful. */
  | {
      readonly kind: 'delivery.request'
      readonly orderId: string
      readonly trigger: CalledTrigger
      /** The reason that the caller gives. */
      readonly because?: string
    }
  /** The later that a call was accepted for; also how the platform moves its own deliveries. */
  | {
      readonly kind: 'delivery.apply'
      readonly orderId: string
      readonly trigger: MovingTrigger
      /** The delivery that is meant, where an order may have had another one before. */
      readonly deliveryId?: string
      /** The reason: a code that the event tells. */
      readonly because?: string
      /** The platform would not take the delivery at all. */
      readonly rejects?: true
      /** Moves the delivery even where the lifecycle has no such row. */
      readonly force?: true
    }
  /** Somebody tells the platform that the food is ready. */
  | { readonly kind: 'delivery.ready'; readonly orderId: string; readonly force?: true }
  /** The courier gets somewhere. */
  | {
      readonly kind: 'delivery.progress'
      readonly orderId: string
      readonly step: CourierStep
      readonly deliveryId?: string
      readonly force?: true
    }
  /** The courier looks whether the food is ready; the last time, whatever there is is taken. */
  | {
      readonly kind: 'delivery.wait'
      readonly orderId: string
      readonly deliveryId: string
      /** The times that are left. */
      readonly left: number
    }
  /** Somebody reports an incident. */
  | {
      readonly kind: 'delivery.report'
      readonly orderId: string
      readonly problem: ReportedProblem
      readonly deliveryId?: string
      readonly force?: true
    }

interface OfShipment {
  readonly role: ConsumerRole
  readonly orderId: string
}

export type ShipmentCommand =
  /** A consumer wants an order delivered, by one of these platforms, the first one first. */
  | (OfShipment & {
      readonly kind: 'shipment.demand'
      readonly demand: Demand
      readonly platforms: readonly number[]
    })
  /** The consumer asks the next platform whether it delivers. */
  | (OfShipment & { readonly kind: 'shipment.ask' })
  /** The consumer creates the delivery at the platform that said yes. */
  | (OfShipment & {
      readonly kind: 'shipment.create'
      /** Once more, though it is created already. */
      readonly again?: true
    })
  /** The consumer knows that the food is ready. */
  | (OfShipment & { readonly kind: 'shipment.food-ready' })
  /** The consumer calls the platform about the delivery. */
  | (OfShipment & {
      readonly kind: 'shipment.call'
      readonly call: ShipmentCall
      readonly body?: unknown
    })
  /** The consumer cancels the delivery. */
  | (OfShipment & { readonly kind: 'shipment.cancel' })
  /** An event of the platform reached the consumer. */
  | {
      readonly kind: 'shipment.notify'
      readonly role: ConsumerRole
      readonly event: DeliveryEvent
    }
  /** The consumer reads the delivery, unless it has heard of it meanwhile. */
  | (OfShipment & { readonly kind: 'shipment.read'; readonly round: number })

export type LogisticsCommand = DeliveryCommand | ShipmentCommand
