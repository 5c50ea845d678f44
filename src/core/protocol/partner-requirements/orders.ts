/** What every partner requires of requests of Orders, V1's included. */
import { isUnknownRecord } from '../unknown-record.ts'
import { merchantCancellationCodes } from '../orders/cancellation.ts'
import { trackedProblems, trackedVehicles, trackingEventTypes } from '../orders/tracking.ts'
import {
  dateTime,
  entries,
  jsonObject,
  oneOf,
  text,
  url,
  uuid,
  wholeNumberFrom,
} from './expectation.ts'
import {
  type PartnerRequirement,
  type RequiredPart,
  may,
  must,
  requirementsOf,
} from './requirement.ts'

/** The list of an acknowledgment of any shape. */
const acknowledgedList: RequiredPart = {
  of: (body) =>
    isUnknownRecord(body)
      ? [{ path: ['eventIds'], value: body['eventIds'] }]
      : [{ path: [], value: body }],
  members: ['eventIds', ''],
}

const tracking = 'deliveryTrackingInfo'

export const ordersRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf('O16', ['ORD-OPS-02', 'ORD-UND-09'], [], { within: acknowledgedList })(
    must('', entries('ids of events that a poll returned', 1, 1000), {
      operations: ['acknowledgeEvents'],
    }),
    must('', entries('events that a poll returned', 1, 2000), {
      operations: ['acknowledgeEventsV1'],
    }),
  ),
  ...requirementsOf(
    'O19',
    ['ORD-OPS-05', 'ORD-UND-08'],
    ['confirmOrder'],
  )(must('', jsonObject), may('estimatedPreparationTimeMinutes', wholeNumberFrom(0))),
  ...requirementsOf(
    'O19',
    ['ORD-OPS-07', 'ORD-UND-08'],
    ['setOrderReadyForPickup'],
  )(must('', jsonObject), may('pickupCode', text)),
  ...requirementsOf('O22', [], ['requestCancellation'])(
    must('reason', text, { clauses: ['ORD-BOD-01'] }),
    must('code', oneOf('a cancellation code', merchantCancellationCodes), {
      clauses: ['ORD-BOD-02'],
    }),
    must('mode', oneOf('a mode', ['AUTO', 'MANUAL']), { clauses: ['ORD-BOD-03'] }),
  ),
  ...requirementsOf('O22', ['ORD-BOD-04'], ['cancelOrderItem'])(
    must('reason', text),
    must('code', oneOf('a cancellation code', merchantCancellationCodes)),
    must('mode', oneOf('a mode', ['AUTO', 'MANUAL'])),
  ),
  ...requirementsOf(
    'O20',
    ['ORD-UND-07'],
    ['sendOrderTracking', 'sendOrderTrackingV1'],
  )(
    must(tracking, jsonObject),
    // V1 refuses a tracking update that an order does not ask for.
    must('fulfillment.orderType', oneOf('an order that is delivered', ['DELIVERY']), {
      operations: ['sendOrderTracking'],
      of: 'order',
      clauses: ['ORD-UND-07', 'ORD-EVT-08'],
    }),
  ),
  ...requirementsOf(
    'O20',
    ['ORD-UND-07'],
    ['sendOrderTracking', 'sendOrderTrackingV1', 'dispatchOrderV1'],
  )(
    must(`${tracking}.event.type`, oneOf('a step', trackingEventTypes)),
    must(`${tracking}.event.datetime`, dateTime),
    must(`${tracking}.problem.reason`, oneOf('a problem', trackedProblems)),
    must(`${tracking}.problem.datetime`, dateTime),
    must(`${tracking}.vehicle.type.*`, oneOf('a vehicle', trackedVehicles)),
    may(`${tracking}.eta.pickupEtaDatetime`, dateTime),
    may(`${tracking}.eta.deliveryEtaDatetime`, dateTime),
    may(`${tracking}.eta.maxDeliveryTime`, dateTime),
    may(`${tracking}.deliveryPerson.pictureURL`, url),
    may(`${tracking}.externalTrackingURL`, url),
  ),
  ...requirementsOf('O12', ['ORD-UND-02'], ['receiveOrderEvent', 'receiveOrderEventV1'])(
    must('createdAt', dateTime),
    may('orderURL', url, { operations: ['receiveOrderEvent'] }),
    must('orderURL', url, { operations: ['receiveOrderEventV1'] }),
    may('sourceAppId', uuid),
    may('metadata', jsonObject),
  ),
]
