/**
 * Commands of a Logistics consumer: ask for availability, create the delivery, report that the food is ready, track it,
 * and cancel it (LOG-CON-01 to 05).
 */
import { isFinalDeliveryStatus } from '../../protocol/logistics/lifecycle.ts'
import { type DeliveryUpdate, readDeliveryEvent } from '../../protocol/logistics/read.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { Command } from '../command.ts'
import { type Decision, type DecisionContext, type Decisions, decisionsOn } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { ShipmentCall, ShipmentCommand } from './commands.ts'
import { isPlatformDecided, mayCallPlatform } from './platforms.ts'
import {
  availabilityRequestBody,
  creationRequestBody,
  shipmentCallIntent,
  operationOfShipmentCall,
  shipmentCallBody,
} from './requests.ts'
import {
  maxUnchangedReadings,
  newShipmentStatus,
  type ShipmentEnd,
  type ShipmentRecord,
  shipmentKey,
} from './shipment.ts'

/** Maximum number of commands that wait for the cancel of one delivery. */
const maxDeferred = 5

const findShipment = (
  { role, orderId }: Pick<ShipmentRecord, 'role' | 'orderId'>,
  { world }: DecisionContext,
): ShipmentRecord | undefined => world.logistics.shipments.get(shipmentKey(role, orderId))

const onShipment = decisionsOn(
  (command: Pick<ShipmentRecord, 'role' | 'orderId'>, context): Result<ShipmentRecord, Refusal> => {
    const shipment = findShipment(command, context)
    return shipment
      ? ok(shipment)
      : refuse('NOT_FOUND', `the ${command.role} has no delivery of the order ${command.orderId}`)
  },
)

const shipmentEndOfStatus: Readonly<Partial<Record<DeliveryStatus, ShipmentEnd>>> = {
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
}

/** The fact of the shipment's end, if the update brings a final status. */
export function shipmentEndFacts(
  shipment: ShipmentRecord | undefined,
  news: DeliveryUpdate,
): readonly Fact[] {
  const status = shipment && newShipmentStatus(shipment, news)
  const ended = status && shipmentEndOfStatus[status]
  if (!shipment || !ended) return []
  const { role, orderId, after } = shipment
  return [{ kind: 'shipment.ended', role, orderId, ended, after }]
}

/** A call about an open delivery. */
function callPlatform(
  shipment: ShipmentRecord,
  name: ShipmentCall,
  context: DecisionContext,
  body: unknown = shipmentCallBody(name, context.settings.conduct.logistics, context.now),
): Decision {
  const { role, orderId, phase, platform = 0 } = shipment
  if (phase !== 'open')
    return refuse('CONFLICT', `the delivery of the order ${orderId} is not open: ${phase}`)
  if (!mayCallPlatform(role, platform, context))
    return refuse('CONFLICT', 'the Delivery Platform is not called before its manifest is valid')
  return ok([
    { kind: 'shipment.called', role, orderId, call: name },
    callPlacedFact(
      shipmentCallIntent(shipment, platform, operationOfShipmentCall[name], body),
      context,
    ),
  ])
}

/**
 * Cancels the delivery in any phase: before creation it is withdrawn, during creation it is cancelled afterwards; a
 * refused cancel is not retried (LOG-RUL-02).
 */
export function cancelShipment(
  shipment: ShipmentRecord,
  after: Command | undefined,
  context: DecisionContext,
  body?: unknown,
): Decision {
  const { role, orderId, phase } = shipment
  if (phase === 'over') return ok([])
  if (phase === 'waiting' || phase === 'asking')
    return ok([
      { kind: 'shipment.ended', role, orderId, ended: 'withdrawn', after: after ? [after] : [] },
    ])
  if (shipment.cancel === 'refused')
    return refuse(
      'CONFLICT',
      `the delivery of the order ${orderId} was refused its cancel: support has to look into it`,
    )
  if (after && shipment.after.length >= maxDeferred)
    return refuse('CONFLICT', `too much waits for the delivery of the order ${orderId} already`)
  const wanted: Fact = {
    kind: 'shipment.cancel-wanted',
    role,
    orderId,
    ...(after ? { after } : {}),
  }
  const isInFlight = shipment.cancel === 'asked' || shipment.cancel === 'accepted'
  if (phase === 'creating' || isInFlight) return ok([wanted])
  const called = callPlatform(shipment, 'cancel', context, body)
  return called.ok ? ok([wanted, ...called.value]) : called
}

export const shipmentDecisions: Decisions<ShipmentCommand> = {
  'shipment.demand'(command, context) {
    const { role, orderId, demand, platforms } = command
    const known = findShipment(command, context)
    if (known && known.phase !== 'over') return ok([])
    return ok([{ kind: 'shipment.demanded', role, orderId, demand, platforms }])
  },

  /**
   * Asks the first untried platform that may be called for availability; none is called before its manifest is valid.
   */
  'shipment.ask': onShipment((shipment, _command, context) => {
    const { role, orderId, phase, untried, after } = shipment
    const { logistics } = context.settings.conduct
    if (phase !== 'waiting') return ok([])
    // Cancelled during a creation that failed: no other platform is asked.
    if (shipment.cancel)
      return ok([{ kind: 'shipment.ended', role, orderId, ended: 'withdrawn', after }])
    const platform = untried.find((each) => mayCallPlatform(role, each, context))
    if (platform !== undefined) {
      const body = availabilityRequestBody(shipment.demand, logistics)
      const others = untried.filter((each) => each !== platform)
      return ok([
        { kind: 'shipment.asked', role, orderId, platform, untried: others },
        callPlacedFact(
          shipmentCallIntent(shipment, platform, 'checkDeliveryAvailability', body),
          context,
        ),
      ])
    }
    return untried.every((each) => isPlatformDecided(role, each, context))
      ? ok([{ kind: 'shipment.ended', role, orderId, ended: 'no platform', after }])
      : ok([{ kind: 'shipment.waits', role, orderId }])
  }),

  /** Creates the delivery at the platform that is available; a repeated call is allowed (LOG-RUL-05). */
  'shipment.create': onShipment((shipment, { again }, context) => {
    const { role, orderId, phase, quote, platform } = shipment
    if (!quote || platform === undefined) return ok([])
    if (!mayCallPlatform(role, platform, context)) {
      const because = 'its manifest is no longer valid'
      return ok(
        phase === 'asking' ? [{ kind: 'shipment.declined', role, orderId, platform, because }] : [],
      )
    }
    const body = creationRequestBody(shipment.demand, context.settings.conduct.logistics)
    const creationCall = callPlacedFact(
      shipmentCallIntent(shipment, platform, 'createDelivery', body),
      context,
    )
    if (phase === 'asking')
      return ok([{ kind: 'shipment.ordered', role, orderId, platform }, creationCall])
    return ok(again && phase === 'open' ? [creationCall] : [])
  }),

  /** Reports once that the food is ready, as soon as the delivery is created (LOG-OPS-04). */
  'shipment.food-ready': onShipment((shipment, _command, context) => {
    const { role, orderId, phase, ready } = shipment
    if (phase === 'over' || ready === 'told') return ok([])
    if (phase === 'open') return callPlatform(shipment, 'ready-for-pickup', context)
    return ready === 'known' ? ok([]) : ok([{ kind: 'shipment.food-ready', role, orderId }])
  }),

  'shipment.call': onShipment((shipment, { call, body }, context) =>
    call === 'cancel'
      ? cancelShipment(shipment, undefined, context, body)
      : callPlatform(shipment, call, context, body),
  ),

  'shipment.cancel': onShipment((shipment, _command, context) =>
    cancelShipment(shipment, undefined, context),
  ),

  /** Stores an event, or recognises it as a duplicate: the platform may send it repeatedly. */
  'shipment.notify'({ role, event }, context) {
    const { orderId, eventId, eventType, ...news } = readDeliveryEvent(event)
    if (context.world.logistics.seen.has(`${role}/${eventId}`))
      return ok([{ kind: 'shipment.heard-again', role, orderId, eventId }])
    const shipment = findShipment({ role, orderId }, context)
    return ok([
      { kind: 'shipment.heard', role, orderId, eventId, eventType, news },
      ...shipmentEndFacts(shipment, news),
    ])
  },

  /** Reads the delivery, unless it is final or changed since the read was scheduled. */
  'shipment.read': onShipment((shipment, { round }, context) => {
    const { role, orderId, phase, status, platform = 0, after } = shipment
    if (phase !== 'open' || (status !== undefined && isFinalDeliveryStatus(status))) return ok([])
    const isStale = round !== undefined && shipment.round !== round
    if (isStale || !mayCallPlatform(role, platform, context))
      return ok([{ kind: 'shipment.followed', role, orderId }])
    if (shipment.quiet >= maxUnchangedReadings)
      return ok([{ kind: 'shipment.stuck', role, orderId, after }])
    return ok([callPlacedFact(shipmentCallIntent(shipment, platform, 'getDelivery'), context)])
  }),
}
