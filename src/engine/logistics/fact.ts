/** The facts of Logistics: `delivery.…` at the host, `shipment.…` at its client. */
import type { ProblemEntry } from '../../protocol/logistics/bodies.ts'
import type { DeliveryTrigger, MovingTrigger } from '../../protocol/logistics/lifecycle.ts'
import type { DeliveryUpdate } from '../../protocol/logistics/read.ts'
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import type { Role } from '../../protocol/role.ts'
import type { Command } from '../command.ts'
import type { DeliveryCourier, NewDelivery, Leg, Quote } from './delivery.ts'
import type { ConsumerRole, ShipmentDemand, ShipmentCall, ShipmentEnd } from './shipment.ts'
import type { CourierStep, DeliveryStatus } from '../../protocol/logistics/status.ts'

export type DeliveryFact =
  /** Couriers joined the fleet. */
  | { readonly kind: 'delivery.enlisted'; readonly couriers: readonly DeliveryCourier[] }
  /** A quote was given. */
  | { readonly kind: 'delivery.quoted'; readonly quote: Quote; readonly orderId?: string }
  /** A delivery was created. */
  | ({ readonly kind: 'delivery.created'; readonly orderId: string } & NewDelivery)
  /** A call was accepted, to be applied later. */
  | {
      readonly kind: 'delivery.requested'
      readonly orderId: string
      readonly deliveryId: string
      readonly trigger: MovingTrigger
      readonly because?: string
    }
  /** A delivery changed its status. */
  | {
      readonly kind: 'delivery.moved'
      readonly orderId: string
      readonly deliveryId: string
      readonly trigger: MovingTrigger
      readonly from: DeliveryStatus
      readonly to: DeliveryStatus
      readonly courier?: DeliveryCourier
      readonly leg?: Leg
      readonly because?: string
      /** Forced by an operator, against the lifecycle. */
      readonly forced?: true
    }
  /** A scheduled or accepted command had no effect, as the delivery had changed since. */
  | {
      readonly kind: 'delivery.lapsed'
      readonly orderId: string
      readonly trigger: DeliveryTrigger | CourierStep
      readonly status: DeliveryStatus
    }
  /** The food was reported ready; the status stays. */
  | { readonly kind: 'delivery.ready'; readonly orderId: string; readonly deliveryId: string }
  /** The courier reached a step; the status stays. */
  | {
      readonly kind: 'delivery.progressed'
      readonly orderId: string
      readonly deliveryId: string
      readonly step: CourierStep
    }
  /** The courier waits for the food; `left` counts the remaining checks. */
  | {
      readonly kind: 'delivery.waited'
      readonly orderId: string
      readonly deliveryId: string
      readonly left: number
    }
  /** An incident was reported and added to the problems. */
  | {
      readonly kind: 'delivery.problem'
      readonly orderId: string
      readonly deliveryId: string
      readonly problem: ProblemEntry
    }

interface OfShipment {
  readonly role: ConsumerRole
  readonly orderId: string
}

export type ShipmentFact =
  /** A consumer wants an order delivered. */
  | (OfShipment & {
      readonly kind: 'shipment.demanded'
      readonly demand: ShipmentDemand
      readonly platforms: readonly number[]
    })
  /** No platform may be called yet. */
  | (OfShipment & { readonly kind: 'shipment.waits' })
  /** A platform was asked for availability. */
  | (OfShipment & {
      readonly kind: 'shipment.asked'
      readonly platform: number
      readonly untried: readonly number[]
    })
  /** The platform is available, at this price. */
  | (OfShipment & {
      readonly kind: 'shipment.quoted'
      readonly platform: number
      readonly amount?: number
      readonly currency?: string
      readonly eta?: string
    })
  /** The platform is not available or rejected the creation: the next one is asked. */
  | (OfShipment & {
      readonly kind: 'shipment.declined'
      readonly platform: number
      readonly because: string
    })
  /** The creation call is in flight. */
  | (OfShipment & { readonly kind: 'shipment.ordered'; readonly platform: number })
  /** It is unknown whether the creation arrived: the delivery is read to find out. */
  | (OfShipment & { readonly kind: 'shipment.doubted' })
  /** The platform accepted the creation: a receipt, without a status yet (LOG-CON-03). */
  | (OfShipment & { readonly kind: 'shipment.created'; readonly deliveryId?: string })
  /** The food is ready, to be reported to the platform. */
  | (OfShipment & { readonly kind: 'shipment.food-ready' })
  /** A call about the delivery is in flight. */
  | (OfShipment & { readonly kind: 'shipment.called'; readonly call: ShipmentCall })
  /** The platform accepted the call; its effect comes later. */
  | (OfShipment & {
      readonly kind: 'shipment.accepted'
      readonly call: ShipmentCall
      /** The shipment was stuck; it is read again from now on. */
      readonly revived?: true
    })
  /** The platform refused the call; a refused cancel needs support (LOG-RUL-02). */
  | (OfShipment & {
      readonly kind: 'shipment.refused'
      readonly call: ShipmentCall | 'read'
      readonly because: string
      /** The commands that waited for the call and may proceed. */
      readonly after?: readonly Command[]
    })
  /** The delivery is to be cancelled; `after` waits for the outcome. */
  | (OfShipment & { readonly kind: 'shipment.cancel-wanted'; readonly after?: Command })
  /** A new event of the platform arrived. */
  | (OfShipment & {
      readonly kind: 'shipment.heard'
      readonly eventId: string
      readonly eventType: string
      readonly news: DeliveryUpdate
    })
  /** A duplicate event arrived. */
  | (OfShipment & { readonly kind: 'shipment.heard-again'; readonly eventId: string })
  /** A scheduled read was dropped, as the shipment had changed since or the platform may not be called. */
  | (OfShipment & { readonly kind: 'shipment.followed' })
  /** The delivery was read. */
  | (OfShipment & { readonly kind: 'shipment.read'; readonly news: DeliveryUpdate })
  /** The shipment is over. */
  | (OfShipment & {
      readonly kind: 'shipment.ended'
      readonly ended: ShipmentEnd
      readonly after: readonly Command[]
    })
  /** Too many reads showed no change: the shipment is no longer read. */
  | (OfShipment & { readonly kind: 'shipment.stuck'; readonly after: readonly Command[] })

/** What a consumer knows of the platforms beside its default one. */
export type PlatformFact =
  /** A further platform's manifest is valid: business calls may follow. */
  | {
      readonly kind: 'shipment.platform-accepted'
      readonly role: Role
      readonly platform: number
      readonly manifest: ParsedManifest
      readonly attempt: number
    }
  /** A further platform's manifest is missing or invalid. */
  | {
      readonly kind: 'shipment.platform-rejected'
      readonly role: Role
      readonly platform: number
      readonly because: string
      readonly attempt: number
    }

export type LogisticsFact = DeliveryFact | ShipmentFact | PlatformFact
