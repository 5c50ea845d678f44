/**
 * Turns replies to Logistics calls into facts at the consumer: a 202 is only a receipt (LOG-CON-03), and after a
 * rejection the next platform is asked.
 */
import { compact } from '../../compact.ts'
import { readAvailability, readDelivery } from '../../protocol/logistics/read.ts'
import { nonEmptyString } from '../../protocol/logistics/place.ts'
import {
  type OutgoingCall,
  type CallOutcome,
  outcomeText,
  isSuccess,
  willRetry,
} from '../calls/call.ts'
import { type AnswerReader, type AnswerReaders, callPlacedFact } from '../calls/place-call.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { shipmentEndFacts } from './shipment-commands.ts'
import { shipmentCallOf, shipmentCallIntent, operationOfShipmentCall } from './requests.ts'
import { type ShipmentRecord, type ShipmentPhase, shipmentKey } from './shipment.ts'

const failureReason = (outcome: CallOutcome): string =>
  outcome.kind === 'failed' ? outcome.message : `answered ${outcomeText(outcome)}`

/** The shipment that a call was about, if it is still in one of these phases. */
function shipmentIn(
  { from, params }: OutgoingCall,
  phases: readonly ShipmentPhase[],
  { world }: DecisionContext,
): ShipmentRecord | undefined {
  if (from !== 'ordering-application' && from !== 'software-service') return undefined
  const shipment = world.logistics.shipments.get(shipmentKey(from, params?.['orderId'] ?? ''))
  return shipment && phases.includes(shipment.phase) ? shipment : undefined
}

const declinedFact = ({ role, orderId, platform = 0 }: ShipmentRecord, because: string): Fact => ({
  kind: 'shipment.declined',
  role,
  orderId,
  platform,
  because,
})

const readAvailabilityAnswer: AnswerReader = (call, outcome, context) => {
  const shipment = shipmentIn(call, ['asking'], context)
  if (!shipment || willRetry(call, outcome)) return []
  const { role, orderId, platform = 0 } = shipment
  if (outcome.kind === 'failed' || !isSuccess(outcome))
    return [declinedFact(shipment, failureReason(outcome))]
  const { available, reason, ...quote } = readAvailability(outcome.body)
  return available
    ? [{ kind: 'shipment.quoted', role, orderId, platform, ...quote }]
    : [declinedFact(shipment, reason ?? 'it is not available')]
}

const createdFact = ({ role, orderId }: ShipmentRecord, body: unknown): Fact => {
  const shape = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const deliveryId = nonEmptyString(shape['deliveryId']) ?? nonEmptyString(shape['id'])
  return {
    kind: 'shipment.created',
    role,
    orderId,
    ...compact({ deliveryId }),
  }
}

/** A creation without a reply may have arrived: the delivery is read before another platform is asked. */
const readCreationAnswer: AnswerReader = (call, outcome, context) => {
  const shipment = shipmentIn(call, ['creating'], context)
  if (!shipment || willRetry(call, outcome)) return []
  const { role, orderId } = shipment
  if (outcome.kind === 'failed')
    return [
      { kind: 'shipment.doubted', role, orderId },
      callPlacedFact(shipmentCallIntent(shipment, shipment.platform, 'getDelivery'), context),
    ]
  return isSuccess(outcome)
    ? [createdFact(shipment, outcome.body)]
    : [declinedFact(shipment, failureReason(outcome))]
}

const readDeliveryAnswer: AnswerReader = (call, outcome, context) => {
  const shipment = shipmentIn(call, ['creating', 'open'], context)
  if (!shipment || willRetry(call, outcome)) return []
  const { role, orderId, phase } = shipment
  const news =
    outcome.kind === 'answered' && isSuccess(outcome) ? readDelivery(outcome.body) : undefined
  if (news) {
    const createdFacts = phase === 'creating' ? [createdFact(shipment, news)] : []
    return [
      ...createdFacts,
      { kind: 'shipment.read', role, orderId, news },
      ...shipmentEndFacts(shipment, news),
    ]
  }
  if (phase === 'creating') return [declinedFact(shipment, failureReason(outcome))]
  const because = isSuccess(outcome)
    ? 'its answer says nothing of a status'
    : failureReason(outcome)
  return [{ kind: 'shipment.refused', role, orderId, call: 'read', because }]
}

/**
 * 202 is only a receipt. A refused cancel releases the commands that waited for it, and is not retried (LOG-RUL-02).
 */
const readCallAnswer: AnswerReader = (call, outcome, context) => {
  const shipment = shipmentIn(call, ['open'], context)
  const name = shipmentCallOf(call.operation)
  if (!shipment || !name || willRetry(call, outcome)) return []
  const { role, orderId, after } = shipment
  const revived = shipment.stuck ? { revived: true as const } : {}
  if (isSuccess(outcome))
    return [{ kind: 'shipment.accepted', role, orderId, call: name, ...revived }]
  const refusedFact = {
    kind: 'shipment.refused',
    role,
    orderId,
    call: name,
    because: failureReason(outcome),
  } as const
  return [name === 'cancel' ? { ...refusedFact, after } : refusedFact]
}

export const logisticsAnswers: AnswerReaders = {
  checkDeliveryAvailability: readAvailabilityAnswer,
  createDelivery: readCreationAnswer,
  getDelivery: readDeliveryAnswer,
  ...Object.fromEntries(
    Object.values(operationOfShipmentCall).map((operation) => [operation, readCallAnswer]),
  ),
}
