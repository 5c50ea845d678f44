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
  /** Triggers without a lifecycle row are marked and forced. */
  const legality = (trigger: DeliveryTrigger): { invalid?: string; force?: true } =>
    outcome(trigger).kind === 'moves'
      ? {}
      : { invalid: `no ${trigger} from ${status}`, force: true }
  const forced = ({ force }: { force?: true }): { force?: true } => (force ? { force } : {})
  const marked = ({ invalid }: { invalid?: string }): { invalid?: string } =>
    invalid === undefined ? {} : { invalid }

  const changes = moving.map((trigger): Move => {
    const found = outcome(trigger)
    const verdict = legality(trigger)
    return {
      trigger,
      to: found.kind === 'moves' ? found.row.to : deliveryTargets[trigger],
      by: roleByTrigger[trigger],
      command: { kind: 'delivery.apply', orderId, trigger, ...forced(verdict) },
      ...marked(verdict),
    }
  })
  const reject: Move = {
    trigger: 'reject',
    to: 'CANCELLED',
    by: 'delivery-platform',
    command: {
      kind: 'delivery.apply',
      orderId,
      trigger: 'cancel',
      because: 'NO_DELIVERYPERSON_AVAILABLE',
      rejects: true,
      ...(status === 'PENDING' ? {} : { force: true }),
    },
    ...(status === 'PENDING' ? {} : { invalid: `no reject from ${status}` }),
  }
  const readyLegality = legality('ready-for-pickup')
  const ready: Move = {
    trigger: 'ready-for-pickup',
    to: status,
    by: roleByTrigger['ready-for-pickup'],
    command: { kind: 'delivery.ready', orderId, ...forced(readyLegality) },
    ...(readyAt === undefined
      ? marked(readyLegality)
      : { invalid: 'the platform knows it already' }),
  }
  const incidents = [true, false].map((recoverable): Move => {
    const verdict = legality('problem')
    return {
      trigger: recoverable ? 'problem' : 'problem beyond recovery',
      to: recoverable ? status : 'FAILED',
      by: roleByTrigger.problem,
      command: {
        kind: 'delivery.report',
        orderId,
        problem: { code: recoverable ? 'NOBODY_TO_RECEIVE' : 'FRAUD_OR_THEFT', recoverable },
        ...forced(verdict),
      },
      ...marked(verdict),
    }
  })
  const steps = courierSteps.map((name): Move => {
    const wanted = name === 'at-store' ? 'ASSIGNED' : 'IN_TRANSIT'
    const fits = status === wanted && step !== name && step !== 'at-customer'
    return {
      trigger: `courier ${name}`,
      to: status,
      by: 'delivery-platform',
      command: {
        kind: 'delivery.progress',
        orderId,
        step: name,
        ...(fits ? {} : { force: true }),
      },
      ...(fits ? {} : { invalid: `no courier ${name} in ${status}${step ? `, ${step}` : ''}` }),
    }
  })
  const all = [...changes, reject, ready, ...steps, ...incidents]
  return [...all.filter(({ invalid }) => !invalid), ...all.filter(({ invalid }) => invalid)]
}

/** Calls of the consumer on an existing delivery; the platform accepts or refuses them. */
export const shipmentMovesOf = ({
  role,
  orderId,
  phase,
  status,
  round,
}: ShipmentRecord): readonly Move[] =>
  phase === 'open'
    ? [
        ...shipmentCalls.map((call): Move => ({
          trigger: call,
          to: status ?? 'open',
          by: role,
          command: { kind: 'shipment.call', role, orderId, call },
        })),
        {
          trigger: 'read',
          to: status ?? 'open',
          by: role,
          command: { kind: 'shipment.read', role, orderId, round },
        },
      ]
    : []
