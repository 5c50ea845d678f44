/** Moves of a delivery: every lifecycle trigger and courier step; invalid ones are marked and forced. */
import type { DeliveryRecord } from '../engine/logistics/delivery.ts'
import { shipmentCalls } from '../engine/logistics/commands.ts'
import type { ShipmentRecord } from '../engine/logistics/shipment.ts'
import type { LogisticsConduct } from '../protocol/logistics/conduct.ts'
import {
  deliveryStep,
  type DeliveryTrigger,
  type MovingTrigger,
  deliveryTargets,
} from '../protocol/logistics/lifecycle.ts'
import type { Role } from '../protocol/role.ts'
import type { Move } from '../session-api/entities.ts'
import { courierSteps } from '../protocol/logistics/status.ts'
import { forcedIf } from './entity-view.ts'

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
