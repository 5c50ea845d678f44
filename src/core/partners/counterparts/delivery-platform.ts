/**
 * Autonomous behaviour of the Delivery Platform: fills its fleet, assigns couriers, applies accepted calls, and moves
 * couriers step by step. It reacts to facts of its own slice only, and every delivery ends.
 */
import { compact } from '../../base/compact.ts'
import { problemReasons } from '../../protocol/logistics/bodies.ts'
import { drawCouriers } from '../seed-data/couriers.ts'
import type { Chance } from '../../engine/chance.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { MovingTrigger } from '../../protocol/logistics/lifecycle.ts'
import type { DeliveryRecord, Leg } from '../../engine/logistics/delivery.ts'
import type { DeliveryFact } from '../../engine/logistics/delivery-facts.ts'
import { type PlatformBehaviour, platformBehaviours } from './delivery-behaviour.ts'
import { drawDuration, plan } from './planning.ts'
import type { BehaviourName } from './behaviour.ts'
import type { CourierStep } from '../../protocol/logistics/status.ts'

const stream = 'delivery-platform'

type DeliveryReference = Pick<
  Extract<DeliveryFact, { kind: 'delivery.ready' }>,
  'orderId' | 'deliveryId'
>
type Of<Kind extends DeliveryFact['kind']> = Extract<DeliveryFact, { kind: Kind }>

const apply = (
  { orderId, deliveryId }: DeliveryReference,
  trigger: MovingTrigger,
  afterMs: number,
  because?: string,
): PlannedCommand =>
  plan(
    {
      kind: 'delivery.apply',
      orderId,
      deliveryId,
      trigger,
      ...compact({ because }),
    },
    afterMs,
  )

const step = (
  { orderId, deliveryId }: DeliveryReference,
  name: CourierStep,
  afterMs: number,
): PlannedCommand => plan({ kind: 'delivery.progress', orderId, deliveryId, step: name }, afterMs)

/** Assigns a courier to a new delivery, or rejects it. */
function assignOrReject(
  { orderId, id }: Of<'delivery.created'>,
  behaviour: PlatformBehaviour,
  chance: Chance,
): readonly PlannedCommand[] {
  const reference = { orderId, deliveryId: id }
  const after = drawDuration(behaviour.assign, chance)
  if (!chance.oneIn(behaviour.rejectsOneIn)) return [apply(reference, 'assign', after)]
  return [
    plan(
      {
        kind: 'delivery.apply',
        orderId,
        deliveryId: id,
        trigger: 'cancel',
        because: 'NO_DELIVERYPERSON_AVAILABLE',
        rejects: true,
      },
      after,
    ),
  ]
}

/** A random problem during the ride; an unrecoverable one ends the delivery. */
function randomProblem(
  { orderId, deliveryId }: DeliveryReference,
  { durationMs }: Leg,
  behaviour: PlatformBehaviour,
  chance: Chance,
): readonly PlannedCommand[] {
  if (!chance.oneIn(behaviour.problemOneIn)) return []
  const recoverable = !chance.oneIn(behaviour.unrecoverableOneIn)
  const problem = { code: chance.pick(problemReasons), recoverable }
  return [
    plan(
      { kind: 'delivery.report', orderId, deliveryId, problem },
      Math.round((durationMs * 2) / 3),
    ),
  ]
}

/** Steps of the ride to the customer. A forgotten step does not delay the next one. */
function rideSteps(
  reference: DeliveryReference,
  leg: Leg,
  behaviour: PlatformBehaviour,
  chance: Chance,
): readonly PlannedCommand[] {
  const { durationMs } = leg
  const forgets = chance.oneIn(behaviour.forgetsStepOneIn)
  return [
    ...(forgets ? [] : [step(reference, 'half-way', Math.round(durationMs / 2))]),
    ...randomProblem(reference, leg, behaviour, chance),
    step(reference, 'at-customer', durationMs),
  ]
}

function afterMove(
  fact: Of<'delivery.moved'>,
  behaviour: PlatformBehaviour,
  chance: Chance,
): readonly PlannedCommand[] {
  const { to, leg } = fact
  if (to === 'ASSIGNED') return [step(fact, 'at-store', leg?.durationMs ?? 0)]
  return to === 'IN_TRANSIT' && leg ? rideSteps(fact, leg, behaviour, chance) : []
}

const wait = (
  { orderId, deliveryId }: DeliveryReference,
  left: number,
  afterMs: number,
): PlannedCommand => plan({ kind: 'delivery.wait', orderId, deliveryId, left }, afterMs)

/** The courier is at the store: collects food that is ready, else waits for it. */
function atStore(
  reference: DeliveryReference,
  { readyAt }: DeliveryRecord,
  { collect, courierWait }: PlatformBehaviour,
  chance: Chance,
): PlannedCommand {
  return readyAt === undefined
    ? wait(reference, courierWait.times, courierWait.every)
    : apply(reference, 'collected', drawDuration(collect, chance))
}

export const deliveryPlatform = (name: BehaviourName): Reactor => {
  const behaviour = platformBehaviours[name]
  const recordOf = (
    { orderId }: DeliveryReference,
    { world }: DecisionContext,
  ): DeliveryRecord | undefined => world.logistics.deliveries.get(orderId)
  return (fact, context) => {
    const chance = context.chance(stream)
    switch (fact.kind) {
      case 'session.opened': {
        const { size, vehicles } = behaviour.fleet
        const couriers = drawCouriers(context.chance('couriers'), size, vehicles)
        return [plan({ kind: 'delivery.enlist', couriers }, 0)]
      }
      case 'delivery.created':
        return assignOrReject(fact, behaviour, chance)
      case 'delivery.requested':
        return [apply(fact, fact.trigger, drawDuration(behaviour.processing, chance), fact.because)]
      case 'delivery.moved':
        return afterMove(fact, behaviour, chance)
      case 'delivery.progressed': {
        const record = recordOf(fact, context)
        if (!record || fact.step === 'half-way') return []
        return fact.step === 'at-store'
          ? [atStore(fact, record, behaviour, chance)]
          : [apply(fact, 'delivered', drawDuration(behaviour.door, chance))]
      }
      case 'delivery.waited':
        return [wait(fact, fact.left - 1, behaviour.courierWait.every)]
      case 'delivery.ready':
        // A courier who is not at the store yet collects on arrival.
        return recordOf(fact, context)?.step === 'at-store'
          ? [apply(fact, 'collected', drawDuration(behaviour.collect, chance))]
          : []
      case 'delivery.problem':
        return fact.problem.recoverable === false
          ? [apply(fact, 'fail', drawDuration(behaviour.giveUp, chance), fact.problem.code)]
          : []
      default:
        return []
    }
  }
}
