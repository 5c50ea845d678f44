/** The commands of Logistics: `delivery.…` at the host, `shipment.…` at its client. */
import type { MovingTrigger } from '../../protocol/logistics/lifecycle.ts'
import type { AvailabilityRequest, DeliveryEvent } from '../../protocol/logistics/bodies.ts'
import type { Role } from '../../protocol/role.ts'
import type { DeliveryCourier, DeliveryRequest } from './delivery.ts'
import type { ConsumerRole, ShipmentDemand, ShipmentCall } from './shipment.ts'
import type { CourierStep } from '../../protocol/logistics/status.ts'

/** The triggers that a consumer can request by a call. */
export type CalledTrigger = Extract<MovingTrigger, 'collected' | 'delivered' | 'cancel'>

export interface ReportedProblem {
  readonly code: string
  readonly description?: string
  /** Whether the delivery can still be completed; absent when not reported. */
  readonly recoverable?: boolean
}

export type DeliveryCommand =
  /** Adds couriers to the Delivery Platform's fleet. */
  | { readonly kind: 'delivery.enlist'; readonly couriers: readonly DeliveryCourier[] }
  /** Asks for availability, price and duration of a delivery. */
  | { readonly kind: 'delivery.quote'; readonly request: AvailabilityRequest }
  /** Creates the delivery of an order. */
  | { readonly kind: 'delivery.create'; readonly wish: DeliveryRequest; readonly consumer: Role }
  /** A progress call: accepted now and applied later, if the lifecycle allows it. */
  | {
      readonly kind: 'delivery.request'
      readonly orderId: string
      readonly trigger: CalledTrigger
      /** The caller's reason. */
      readonly because?: string
    }
  /** Applies an accepted call; also how the platform moves its own deliveries. */
  | {
      readonly kind: 'delivery.apply'
      readonly orderId: string
      readonly trigger: MovingTrigger
      /** The delivery's id, as an order may have had an earlier delivery. */
      readonly deliveryId?: string
      /** The reason code, included in the event. */
      readonly because?: string
      /** The platform rejects the delivery altogether. */
      readonly rejects?: true
      /** Skips the check against the lifecycle. */
      readonly force?: true
    }
  /** Reports to the platform that the food is ready. */
  | { readonly kind: 'delivery.ready'; readonly orderId: string; readonly force?: true }
  /** The courier reaches a step of the route. */
  | {
      readonly kind: 'delivery.progress'
      readonly orderId: string
      readonly step: CourierStep
      readonly deliveryId?: string
      readonly force?: true
    }
  /** The courier checks whether the food is ready; after the last check the order is collected anyway. */
  | {
      readonly kind: 'delivery.wait'
      readonly orderId: string
      readonly deliveryId: string
      /** Remaining checks. */
      readonly left: number
    }
  /** Reports an incident. */
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
  /** A consumer wants an order delivered by one of these platforms, in order of preference. */
  | (OfShipment & {
      readonly kind: 'shipment.demand'
      readonly demand: ShipmentDemand
      readonly platforms: readonly number[]
    })
  /** The consumer asks the next platform for availability. */
  | (OfShipment & { readonly kind: 'shipment.ask' })
  /** The consumer creates the delivery at the platform that is available. */
  | (OfShipment & {
      readonly kind: 'shipment.create'
      /** Repeats the call although the delivery is created already. */
      readonly again?: true
    })
  /** The food is ready, to be reported to the platform. */
  | (OfShipment & { readonly kind: 'shipment.food-ready' })
  /** The consumer makes a call about the delivery. */
  | (OfShipment & {
      readonly kind: 'shipment.call'
      readonly call: ShipmentCall
      readonly body?: unknown
    })
  /** The consumer cancels the delivery. */
  | (OfShipment & { readonly kind: 'shipment.cancel' })
  /** A webhook delivered a platform's event to the consumer. */
  | {
      readonly kind: 'shipment.notify'
      readonly role: ConsumerRole
      readonly event: DeliveryEvent
    }
  /** The consumer reads the delivery, unless it changed since this was scheduled. */
  | (OfShipment & { readonly kind: 'shipment.read'; readonly round: number })

export type LogisticsCommand = DeliveryCommand | ShipmentCommand
