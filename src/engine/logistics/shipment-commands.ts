/**
 * Commands of a Logistics consumer: ask for availability, create the delivery, report that the food is ready, track it,
 * and cancel it (LOG-CON-01 to 05).
 */
import { isFinalDeliveryStatus } from '../../protocol/logistics/lifecycle.ts'
import { readDeliveryEvent } from '../../protocol/logistics/read.ts'
import { ok, assertNever } from '../../protocol/result.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { Command } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { refuse } from '../refusal.ts'
import type { ShipmentCommand } from './command.ts'
import { shipmentEndFacts } from './shipment-updates.ts'
import { isPlatformDecided, mayCallPlatform } from './platforms.ts'
import {
  availabilityRequestBody,
  creationRequestBody,
  shipmentCallIntent,
  operationOfShipmentCall,
  defaultCallBody,
} from './requests.ts'
import {
  maxUnchangedReadings,
  type ShipmentRecord,
  type ShipmentCall,
  shipmentKey,
} from './shipment.ts'

type Of<Kind extends ShipmentCommand['kind']> = Extract<ShipmentCommand, { kind: Kind }>

/** Maximum number of commands that wait for the cancel of one delivery. */
const maxDeferred = 5

export function decideShipment(command: ShipmentCommand, context: DecisionContext): Decision {
  switch (command.kind) {
    case 'shipment.demand':
      return startShipment(command, context)
    case 'shipment.notify':
      return storeEvent(command, context)
    case 'shipment.ask':
    case 'shipment.create':
    case 'shipment.food-ready':
    case 'shipment.call':
    case 'shipment.cancel':
    case 'shipment.read':
      return onShipment(command, context)
    default:
      return assertNever(command)
  }
}

export const findShipment = (
  { role, orderId }: Pick<ShipmentRecord, 'role' | 'orderId'>,
  { world }: DecisionContext,
): ShipmentRecord | undefined => world.logistics.shipments.get(shipmentKey(role, orderId))

function startShipment(command: Of<'shipment.demand'>, context: DecisionContext): Decision {
  const { role, orderId, demand: wanted, platforms } = command
  const known = findShipment(command, context)
  if (known && known.phase !== 'over') return ok([])
  return ok([{ kind: 'shipment.demanded', role, orderId, demand: wanted, platforms }])
}

function onShipment(
  command: Exclude<ShipmentCommand, Of<'shipment.demand' | 'shipment.notify'>>,
  context: DecisionContext,
): Decision {
  const shipment = findShipment(command, context)
  if (!shipment)
    return refuse(
      'NOT_FOUND',
      `the ${command.role} has no delivery of the order ${command.orderId}`,
    )
  switch (command.kind) {
    case 'shipment.ask':
      return askAvailability(shipment, context)
    case 'shipment.create':
      return createDelivery(command, shipment, context)
    case 'shipment.food-ready':
      return foodReady(shipment, context)
    case 'shipment.call':
      return command.call === 'cancel'
        ? cancelShipment(shipment, undefined, context, command.body)
        : callPlatform(shipment, command.call, context, command.body)
    case 'shipment.cancel':
      return cancelShipment(shipment, undefined, context)
    case 'shipment.read':
      return readDelivery(command, shipment, context)
    default:
      return assertNever(command)
  }
}

/** Asks the first untried platform that may be called for availability; none is called before its manifest is valid. */
function askAvailability(shipment: ShipmentRecord, context: DecisionContext): Decision {
  const { role, orderId, phase, untried, after } = shipment
  const { names } = context.settings.conduct.logistics
  if (phase !== 'waiting') return ok([])
  // Cancelled during a creation that failed: no other platform is asked.
  if (shipment.cancel)
    return ok([{ kind: 'shipment.ended', role, orderId, ended: 'withdrawn', after }])
  const platform = untried.find((each) => mayCallPlatform(role, each, context))
  if (platform !== undefined) {
    const body = availabilityRequestBody(shipment.demand, names)
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
}

/** Creates the delivery at the platform that is available; a repeated call is allowed (LOG-RUL-05). */
function createDelivery(
  { again }: Of<'shipment.create'>,
  shipment: ShipmentRecord,
  context: DecisionContext,
): Decision {
  const { role, orderId, phase, quote, platform } = shipment
  if (!quote || platform === undefined) return ok([])
  if (!mayCallPlatform(role, platform, context)) {
    const because = 'its manifest is no longer valid'
    return ok(
      phase === 'asking' ? [{ kind: 'shipment.declined', role, orderId, platform, because }] : [],
    )
  }
  const body = creationRequestBody(shipment.demand, context.settings.conduct.logistics.names)
  const creationCall = callPlacedFact(
    shipmentCallIntent(shipment, platform, 'createDelivery', body),
    context,
  )
  if (phase === 'asking')
    return ok([{ kind: 'shipment.ordered', role, orderId, platform }, creationCall])
  return ok(again && phase === 'open' ? [creationCall] : [])
}

/** A call about an open delivery. */
function callPlatform(
  shipment: ShipmentRecord,
  name: ShipmentCall,
  context: DecisionContext,
  body: unknown = defaultCallBody[name],
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

/** Reports once that the food is ready, as soon as the delivery is created (LOG-OPS-04). */
function foodReady(shipment: ShipmentRecord, context: DecisionContext): Decision {
  const { role, orderId, phase, ready } = shipment
  if (phase === 'over' || ready === 'told') return ok([])
  if (phase === 'open') return callPlatform(shipment, 'ready-for-pickup', context)
  return ready === 'known' ? ok([]) : ok([{ kind: 'shipment.food-ready', role, orderId }])
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

/** Stores an event, or recognises it as a duplicate: the platform may send it repeatedly. */
function storeEvent({ role, event }: Of<'shipment.notify'>, context: DecisionContext): Decision {
  const { orderId, eventId, eventType, ...news } = readDeliveryEvent(event)
  if (context.world.logistics.seen.has(`${role}/${eventId}`))
    return ok([{ kind: 'shipment.heard-again', role, orderId, eventId }])
  const shipment = findShipment({ role, orderId }, context)
  return ok([
    { kind: 'shipment.heard', role, orderId, eventId, eventType, news },
    ...shipmentEndFacts(shipment, news),
  ])
}

/** Reads the delivery, unless it is final or changed since the read was scheduled. */
function readDelivery(
  { round }: Of<'shipment.read'>,
  shipment: ShipmentRecord,
  context: DecisionContext,
): Decision {
  const { role, orderId, phase, platform = 0, after } = shipment
  if (phase !== 'open' || (shipment.status !== undefined && isFinalDeliveryStatus(shipment.status)))
    return ok([])
  if (shipment.round !== round || !mayCallPlatform(role, platform, context))
    return ok([{ kind: 'shipment.followed', role, orderId }])
  if (shipment.quiet >= maxUnchangedReadings)
    return ok([{ kind: 'shipment.stuck', role, orderId, after }])
  return ok([callPlacedFact(shipmentCallIntent(shipment, platform, 'getDelivery'), context)])
}
