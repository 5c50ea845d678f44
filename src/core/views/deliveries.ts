/**
 * Entity view of deliveries: rows, and one in detail with its moves. Source: our Delivery Platform; where the subject
 * plays that role, what the consumers of the deliveries know of them.
 */
import { compact } from '../base/compact.ts'
import type { DeliveryRecord } from '../engine/logistics/delivery.ts'
import { shipmentCalls } from '../engine/logistics/commands.ts'
import { shipmentKey, type ShipmentRecord } from '../engine/logistics/shipment.ts'
import {
  deliveryEta,
  deliveryUrlsAt,
  deliveryView,
  type DeliveryViewOptions,
  minorToDecimal,
} from '../engine/logistics/view.ts'
import { clockOf } from '../engine/instant.ts'
import type { World } from '../engine/world.ts'
import {
  deliveryProgression,
  deliveryStep,
  deliveryTargets,
  type DeliveryTrigger,
  type MovingTrigger,
} from '../protocol/logistics/lifecycle.ts'
import { type Role, shortRoleName } from '../protocol/role.ts'
import { type EntityView, forcedIf, type ViewContext } from './entity-view.ts'
import type { EntityRow, Move } from '../session-api/entities.ts'
import type { LogisticsConduct } from '../protocol/logistics/conduct.ts'
import { courierSteps } from '../protocol/logistics/status.ts'
import { pluralise } from '../protocol/count-text.ts'

const viewOptions = ({ now, settings, base }: ViewContext): DeliveryViewOptions => {
  const url = base('delivery-platform')
  const urlOf = url === undefined ? undefined : deliveryUrlsAt(url, settings)
  return { now, conduct: settings.conduct.logistics, ...compact({ urlOf }) }
}

/** `BRL 8.15, 2.1 km, 15:04:12, at-store, 1 problem` */
function textOf(record: DeliveryRecord, options: DeliveryViewOptions): string {
  const { quote, step, problems, readyAt, status, because } = record
  const eta = deliveryEta(record, options)
  const count = problems.length
  return [
    `${quote.currency} ${minorToDecimal(quote.fee).toFixed(2)}`,
    `${(quote.metres / 1000).toFixed(1)} km`,
    ...(eta === undefined ? [] : [`ETA ${clockOf(eta).slice(0, 8)}`]),
    ...(step === undefined ? [] : [step]),
    ...(readyAt !== undefined && status === 'ASSIGNED' ? ['food ready'] : []),
    ...(because === undefined ? [] : [because]),
    ...(count === 0 ? [] : [pluralise(count, 'problem')]),
  ].join(', ')
}

function deliveryRow(record: DeliveryRecord, scene: ViewContext): EntityRow {
  const { orderId, status, courier, since, merchant } = record
  return {
    kind: 'delivery',
    id: orderId,
    label: courier?.name ?? 'no courier yet',
    status,
    text: textOf(record, viewOptions(scene)),
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
        document: deliveryView(record, viewOptions(scene)),
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

const moving: readonly MovingTrigger[] = ['assign', 'collected', 'delivered', 'cancel', 'fail']

/** Role of each trigger, as far as the protocol defines it; couriers belong to the platform. */
const roleByTrigger: Readonly<Record<DeliveryTrigger, Role>> = {
  assign: 'delivery-platform',
  'ready-for-pickup': 'ordering-application',
  collected: 'delivery-platform',
  problem: 'delivery-platform',
  delivered: 'delivery-platform',
  cancel: 'ordering-application',
  fail: 'delivery-platform',
}

export function deliveryMovesOf(
  { orderId, status, step, readyAt }: DeliveryRecord,
  conduct: LogisticsConduct,
): readonly Move[] {
  const outcome = (trigger: DeliveryTrigger) => deliveryStep(status, trigger, conduct)
  const refusal = (trigger: DeliveryTrigger): string | undefined =>
    outcome(trigger).kind === 'moves' ? undefined : `no ${trigger} from ${status}`
  const changes = moving.map((trigger): Move => {
    const found = outcome(trigger)
    return forcedIf(refusal(trigger), {
      trigger,
      to: found.kind === 'moves' ? found.row.to : deliveryTargets[trigger],
      by: roleByTrigger[trigger],
      command: { kind: 'delivery.apply', orderId, trigger },
    })
  })
  const reject = forcedIf(status === 'PENDING' ? undefined : `no reject from ${status}`, {
    trigger: 'reject',
    to: 'CANCELLED',
    by: 'delivery-platform',
    command: {
      kind: 'delivery.apply',
      orderId,
      trigger: 'cancel',
      because: 'NO_DELIVERYPERSON_AVAILABLE',
      rejects: true,
    },
  })
  const ready: Move = {
    ...forcedIf(refusal('ready-for-pickup'), {
      trigger: 'ready-for-pickup',
      to: status,
      by: roleByTrigger['ready-for-pickup'],
      command: { kind: 'delivery.ready', orderId },
    }),
    ...(readyAt === undefined ? {} : { invalid: 'the platform knows it already' }),
  }
  const incidents = [true, false].map((recoverable): Move =>
    forcedIf(refusal('problem'), {
      trigger: recoverable ? 'problem' : 'problem beyond recovery',
      to: recoverable ? status : 'FAILED',
      by: roleByTrigger.problem,
      command: {
        kind: 'delivery.report',
        orderId,
        problem: { code: recoverable ? 'NOBODY_TO_RECEIVE' : 'FRAUD_OR_THEFT', recoverable },
      },
    }),
  )
  const steps = courierSteps.map((name): Move => {
    const wanted = name === 'at-store' ? 'ASSIGNED' : 'IN_TRANSIT'
    const fits = status === wanted && step !== name && step !== 'at-customer'
    return forcedIf(
      fits ? undefined : `no courier ${name} in ${status}${step ? `, ${step}` : ''}`,
      {
        trigger: `courier ${name}`,
        to: status,
        by: 'delivery-platform',
        command: { kind: 'delivery.progress', orderId, step: name },
      },
    )
  })
  const all = [...changes, reject, ready, ...steps, ...incidents]
  return [...all.filter(({ invalid }) => !invalid), ...all.filter(({ invalid }) => invalid)]
}

/** Calls of the consumer on an existing delivery; the platform accepts or refuses them. */
export function shipmentMovesOf({
  role,
  orderId,
  phase,
  status,
  round,
}: ShipmentRecord): readonly Move[] {
  if (phase !== 'open') return []
  const move = (trigger: string, command: Move['command']): Move => ({
    trigger,
    to: status ?? 'open',
    by: role,
    command,
  })
  return [
    ...shipmentCalls.map((call) => move(call, { kind: 'shipment.call', role, orderId, call })),
    move('read', { kind: 'shipment.read', role, orderId, round }),
  ]
}
