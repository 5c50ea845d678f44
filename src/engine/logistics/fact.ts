/** What has happened in Logistics: `delivery.…` at its host, `shipment.…` at its client. */
import type { ProblemEntry } from '../../protocol/logistics/bodies.ts'
import type { DeliveryTrigger, MovingTrigger } from '../../protocol/logistics/lifecycle.ts'
import type { DeliveryNews } from '../../protocol/logistics/read.ts'
import type { ReadManifest } from '../../protocol/discovery/read.ts'
import type { Role } from '../../protocol/role.ts'
import type { Command } from '../command.ts'
import type { Courier, Creation, Leg, Quote } from './delivery.ts'
import type { ConsumerRole, Demand, ShipmentCall, ShipmentEnd } from './shipment.ts'
import type { CourierStep, DeliveryStatus } from '../../protocol/logistics/status.ts'

export type DeliveryFact =
  /** Couriers came to work. */
  | { readonly kind: 'delivery.enlisted'; readonly couriers: readonly Courier[] }
  /** Somebody asked whether a way can be delivered, and was told. */
  | { readonly kind: 'delivery.quoted'; readonly quote: Quote; readonly orderId?: string }
  /** A delivery came to be. */
  | ({ readonly kind: 'delivery.created'; readonly orderId: string } & Creation)
  /** A call was accepted for later. */
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
      readonly courier?: Courier
      readonly leg?: Leg
      readonly because?: string
      /** Against the lifecycle, by somebody's hand. */
      readonly forced?: true
    }
  /** Something planned or accepted came to nothing: the delivery had moved on meanwhile. */
  | {
      readonly kind: 'delivery.lapsed'
      readonly orderId: string
      readonly trigger: DeliveryTrigger | CourierStep
      readonly status: DeliveryStatus
    }
  /** The platform was told that the food is ready; the status stays. */
  | { readonly kind: 'delivery.ready'; readonly orderId: string; readonly deliveryId: string }
  /** The courier got somewhere; the status stays. */
  | {
      readonly kind: 'delivery.progressed'
      readonly orderId: string
      readonly deliveryId: string
      readonly step: CourierStep
    }
  /** The courier waits for the food. */
  | {
      readonly kind: 'delivery.waited'
      readonly orderId: string
      readonly deliveryId: string
      readonly left: number
    }
  /** An incident was reported: an entry more. */
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
  /** A consumer wants to have an order delivered. */
  | (OfShipment & {
      readonly kind: 'shipment.demanded'
      readonly demand: Demand
      readonly platforms: readonly number[]
    })
  /** No platform may be called yet. */
  | (OfShipment & { readonly kind: 'shipment.waits' })
  /** A platform is asked whether it delivers. */
  | (OfShipment & {
      readonly kind: 'shipment.asked'
      readonly platform: number
      readonly untried: readonly number[]
    })
  /** It does, for this price. */
  | (OfShipment & {
      readonly kind: 'shipment.quoted'
      readonly platform: number
      readonly amount?: number
      readonly currency?: string
      readonly eta?: string
    })
  /** It does not, or would not: the next platform is asked. */
  | (OfShipment & {
      readonly kind: 'shipment.declined'
      readonly platform: number
      readonly because: string
    })
  /** The delivery is being created. */
  | (OfShipment & { readonly kind: 'shipment.ordered'; readonly platform: number })
  /** Nobody knows whether the creation arrived: the platform is asked for the delivery. */
  | (OfShipment & { readonly kind: 'shipment.doubted' })
  /** The platform took the creation: a receipt, and no status yet (LOG-CON-03). */
  | (OfShipment & { readonly kind: 'shipment.created'; readonly deliveryId?: string })
  /** The food is ready, and the platform is to know it. */
  | (OfShipment & { readonly kind: 'shipment.food-ready' })
  /** A call about the delivery is under way. */
  | (OfShipment & { readonly kind: 'shipment.called'; readonly call: ShipmentCall })
  /** The platform took the call: the rest is for later. */
  | (OfShipment & {
      readonly kind: 'shipment.accepted'
      readonly call: ShipmentCall
      /** It had been given up; now it is followed again. */
      readonly revived?: true
    })
  /** The platform would not have it; a cancel that is refused is for people to look into (LOG-RUL-02). */
  | (OfShipment & {
      readonly kind: 'shipment.refused'
      readonly call: ShipmentCall | 'read'
      readonly because: string
      /** What waited for it may go on. */
      readonly after?: readonly Command[]
    })
  /** The delivery is to be cancelled, and this waits for it. */
  | (OfShipment & { readonly kind: 'shipment.cancel-wanted'; readonly after?: Command })
  /** An event of the platform came. */
  | (OfShipment & {
      readonly kind: 'shipment.heard'
      readonly eventId: string
      readonly eventType: string
      readonly news: DeliveryNews
    })
  /** An event came that was here before. */
  | (OfShipment & { readonly kind: 'shipment.heard-again'; readonly eventId: string })
  /** It was heard of meanwhile: no reading was needed. */
  | (OfShipment & { readonly kind: 'shipment.followed' })
  /** The delivery was read. */
  | (OfShipment & { readonly kind: 'shipment.read'; readonly news: DeliveryNews })
  /** The shipment is over. */
  | (OfShipment & {
      readonly kind: 'shipment.ended'
      readonly ended: ShipmentEnd
      readonly after: readonly Command[]
    })
  /** The consumer has waited long enough for news. */
  | (OfShipment & { readonly kind: 'shipment.stuck'; readonly after: readonly Command[] })

/** What a consumer learns of the platforms that it can turn to beside the usual one. */
export type PlatformFact =
  /** A further platform's manifest is valid: it may be asked. */
  | {
      readonly kind: 'shipment.platform-accepted'
      readonly role: Role
      readonly platform: number
      readonly manifest: ReadManifest
      readonly attempt: number
    }
  /** A further platform's manifest is missing or will not do. */
  | {
      readonly kind: 'shipment.platform-rejected'
      readonly role: Role
      readonly platform: number
      readonly because: string
      readonly attempt: number
    }

export type LogisticsFact = DeliveryFact | ShipmentFact | PlatformFact
