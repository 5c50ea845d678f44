/**
 * Entity view of deliveries: rows, and one in detail with its moves. Source: our Delivery Platform; where the subject
 * plays that role, what the consumers of the deliveries know of them.
 */
import { compact } from '../compact.ts'
import type { DeliveryRecord } from '../engine/logistics/delivery.ts'
import { type ShipmentRecord, shipmentKey } from '../engine/logistics/shipment.ts'
import {
  minorToDecimal,
  deliveryView,
  deliveryEta,
  type DeliveryViewOptions,
} from '../engine/logistics/view.ts'
import { clockOf } from '../engine/instant.ts'
import type { World } from '../engine/world.ts'
import { deliveryProgression } from '../protocol/logistics/lifecycle.ts'
import { shortRoleName } from '../protocol/role.ts'
import { deliveryMovesOf, shipmentMovesOf } from './delivery-moves.ts'
import type { EntityView, ViewContext } from './entity-view.ts'
import type { EntityRow } from '../session-api/entities.ts'

const seenIn = ({ now, settings, base }: ViewContext): DeliveryViewOptions => {
  const url = base('delivery-platform')
  return { now, conduct: settings.conduct.logistics, ...compact({ base: url }) }
}

/** `BRL 8.15, 2.1 km, 15:04:12, at-store, 1 problem` */
function textOf(record: DeliveryRecord, seen: DeliveryViewOptions): string {
  const { quote, step, problems, readyAt, status, because } = record
  const eta = deliveryEta(record, seen)
  const count = problems.length
  return [
    `${quote.currency} ${minorToDecimal(quote.fee).toFixed(2)}`,
    `${(quote.metres / 1000).toFixed(1)} km`,
    ...(eta === undefined ? [] : [`ETA ${clockOf(eta).slice(0, 8)}`]),
    ...(step === undefined ? [] : [step]),
    ...(readyAt !== undefined && status === 'ASSIGNED' ? ['food ready'] : []),
    ...(because === undefined ? [] : [because]),
    ...(count === 0 ? [] : [`${count} problem${count === 1 ? '' : 's'}`]),
  ].join(', ')
}

function deliveryRow(record: DeliveryRecord, scene: ViewContext): EntityRow {
  const { orderId, status, courier, since, merchant } = record
  return {
    kind: 'delivery',
    id: orderId,
    label: courier?.name ?? 'no courier yet',
    status,
    text: textOf(record, seenIn(scene)),
    since,
    orderId,
    ...compact({ merchant: merchant.id }),
  }
}

function shipmentRow(shipment: ShipmentRecord): EntityRow {
  const { role, orderId, phase, status, platform, quote, eta, courier, ended, since } = shipment
  const { amount, currency = '' } = quote ?? {}
  const expected = eta ?? quote?.eta
  return {
    kind: 'delivery',
    id: shipmentKey(role, orderId),
    label: courier ?? `${shortRoleName[role]} to ${platform ? `platform ${platform}` : 'DP'}`,
    status: ended === 'no platform' ? 'NO_PLATFORM' : (status ?? phase.toUpperCase()),
    text: [
      ...(amount === undefined ? [] : [`${currency} ${amount.toFixed(2)}`]),
      ...(expected === undefined ? [] : [`ETA ${expected}`]),
      ...(shipment.stuck ? ['given up'] : []),
      ...(shipment.support ? ['support has to look into it'] : []),
      ...(ended === undefined ? [] : [ended]),
    ].join(', '),
    since,
    orderId,
    ...compact({ merchant: shipment.demand.merchant.id }),
  }
}

/** Whether our platform runs the delivery; then the platform's record is shown. */
const isHosted = ({ orderId, platform = 0 }: ShipmentRecord, { logistics }: World): boolean =>
  platform === 0 && logistics.deliveries.has(orderId)

export const deliveryEntities: EntityView = {
  *rows(world, scene) {
    for (const record of world.logistics.deliveries.values()) yield deliveryRow(record, scene)
    for (const shipment of world.logistics.shipments.values())
      if (!isHosted(shipment, world)) yield shipmentRow(shipment)
  },
  detail(id, world, scene) {
    const shipment = world.logistics.shipments.get(id)
    // A selected shipment continues as the delivery that was created for it.
    const hosted = shipment && isHosted(shipment, world) ? shipment.orderId : id
    const record = world.logistics.deliveries.get(hosted)
    if (record)
      return {
        row: deliveryRow(record, scene),
        statusHistory: record.way,
        regularStatuses: deliveryProgression,
        moves: deliveryMovesOf(record, scene.settings.conduct.logistics),
        document: deliveryView(record, seenIn(scene)),
      }
    return (
      shipment && {
        row: shipmentRow(shipment),
        statusHistory: shipment.way,
        regularStatuses: deliveryProgression,
        moves: shipmentMovesOf(shipment),
        document: shipment,
      }
    )
  },
}
