/**
 * Turns replies to Logistics calls into facts at the consumer: a 202 is only a receipt (LOG-CON-03), and after a
 * rejection the next platform is asked.
 */
import { compact } from '../../base/compact.ts'
import { readAvailability, readDelivery } from '../../protocol/logistics/read.ts'
import { nonEmptyString } from '../../protocol/logistics/place.ts'
import { answerReader } from '../calls/answer-reader.ts'
import type { OutgoingCall } from '../calls/call.ts'
import { type AnswerReader, type AnswerReaders, callPlacedFact } from '../calls/place-call.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type ShipmentCall, shipmentCalls } from './commands.ts'
import { shipmentEndFacts } from './shipment-commands.ts'
import { shipmentCallIntent, operationOfShipmentCall } from './requests.ts'
import { type ShipmentRecord, type ShipmentPhase, shipmentKey } from './shipment.ts'

/** The shipment that a call was about, if it is still in one of these phases. */
const shipmentIn =
  (...phases: readonly ShipmentPhase[]) =>
  ({ from, params }: OutgoingCall, { world }: DecisionContext): ShipmentRecord | undefined => {
    if (from !== 'ordering-application' && from !== 'software-service') return undefined
    const shipment = world.logistics.shipments.get(shipmentKey(from, params?.['orderId'] ?? ''))
    return shipment && phases.includes(shipment.phase) ? shipment : undefined
  }

const declinedFacts = (
  { role, orderId, platform = 0 }: Pick<ShipmentRecord, 'role' | 'orderId' | 'platform'>,
  because: string,
): readonly Fact[] => [{ kind: 'shipment.declined', role, orderId, platform, because }]

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

/**
 * 202 is only a receipt. A refused cancel releases the commands that waited for it, and is not retried (LOG-RUL-02).
 */
const readCallAnswer = (call: ShipmentCall): AnswerReader =>
  answerReader({
    subject: shipmentIn('open'),
    accepted({ role, orderId, stuck }) {
      const revived = stuck ? { revived: true as const } : {}
      return [{ kind: 'shipment.accepted', role, orderId, call, ...revived }]
    },
    refused({ role, orderId, after }, because) {
      const released = call === 'cancel' ? { after } : {}
      return [{ kind: 'shipment.refused', role, orderId, call, because, ...released }]
    },
  })

export const logisticsAnswers: AnswerReaders = {
  checkDeliveryAvailability: answerReader({
    subject: shipmentIn('asking'),
    accepted({ role, orderId, platform = 0 }, { body }) {
      const { available, reason, ...quote } = readAvailability(body)
      if (available === undefined) return 'it says neither whether it is available nor a price'
      return available
        ? [{ kind: 'shipment.quoted', role, orderId, platform, ...quote }]
        : declinedFacts({ role, orderId, platform }, reason ?? 'it is not available')
    },
    refused: declinedFacts,
  }),
  createDelivery: answerReader({
    subject: shipmentIn('creating'),
    accepted: (shipment, { body }) => [createdFact(shipment, body)],
    refused(shipment, because, context, outcome) {
      if (outcome.kind === 'answered') return declinedFacts(shipment, because)
      // A creation without a reply may have arrived: the delivery is read before another platform is asked.
      const { role, orderId, platform } = shipment
      return [
        { kind: 'shipment.doubted', role, orderId },
        callPlacedFact(shipmentCallIntent(shipment, platform, 'getDelivery'), context),
      ]
    },
  }),
  getDelivery: answerReader({
    subject: shipmentIn('creating', 'open'),
    accepted(shipment, outcome) {
      const { role, orderId, phase } = shipment
      const news = readDelivery(outcome.body)
      if (!news) return 'its answer says nothing of a status'
      return [
        ...(phase === 'creating' ? [createdFact(shipment, news)] : []),
        { kind: 'shipment.read', role, orderId, news },
        ...shipmentEndFacts(shipment, news),
      ]
    },
    refused(shipment, because) {
      const { role, orderId, phase, doubted } = shipment
      if (phase === 'open')
        return [{ kind: 'shipment.refused', role, orderId, call: 'read', because }]
      // Another read, of a scenario or a person, may have been answered before the creation was.
      return doubted ? declinedFacts(shipment, because) : []
    },
  }),
  ...Object.fromEntries(
    shipmentCalls.map((call) => [operationOfShipmentCall[call], readCallAnswer(call)]),
  ),
}
