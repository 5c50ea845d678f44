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
  mayHave,
  mustHave,
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
    mustHave('', entries('ids of events that a poll returned', 1, 1000), {
      operations: ['acknowledgeEvents'],
    }),
    mustHave('', entries('events that a poll returned', 1, 2000), {
      operations: ['acknowledgeEventsV1'],
    }),
  ),
  ...requirementsOf(
    'O19',
    ['ORD-OPS-05', 'ORD-UND-08'],
    ['confirmOrder'],
  )(mustHave('', jsonObject), mayHave('estimatedPreparationTimeMinutes', wholeNumberFrom(0))),
  ...requirementsOf(
    'O19',
    ['ORD-OPS-07', 'ORD-UND-08'],
    ['setOrderReadyForPickup'],
  )(mustHave('', jsonObject), mayHave('pickupCode', text)),
  ...requirementsOf('O22', [], ['requestCancellation'])(
    mustHave('reason', text, { clauses: ['ORD-BOD-01'] }),
    mustHave('code', oneOf('a cancellation code', merchantCancellationCodes), {
      clauses: ['ORD-BOD-02'],
    }),
    mustHave('mode', oneOf('a mode', ['AUTO', 'MANUAL']), { clauses: ['ORD-BOD-03'] }),
  ),
  ...requirementsOf('O22', ['ORD-BOD-04'], ['cancelOrderItem'])(
    mustHave('reason', text),
    mustHave('code', oneOf('a cancellation code', merchantCancellationCodes)),
    mustHave('mode', oneOf('a mode', ['AUTO', 'MANUAL'])),
  ),
  ...requirementsOf(
    'O20',
    ['ORD-UND-07'],
    ['sendOrderTracking', 'sendOrderTrackingV1'],
  )(
    mustHave(tracking, jsonObject),
    // V1 refuses a tracking update that an order does not ask for.
    mustHave('fulfillment.orderType', oneOf('an order that is delivered', ['DELIVERY']), {
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
    mustHave(`${tracking}.event.type`, oneOf('a step', trackingEventTypes)),
    mustHave(`${tracking}.event.datetime`, dateTime),
    mustHave(`${tracking}.problem.reason`, oneOf('a problem', trackedProblems)),
    mustHave(`${tracking}.problem.datetime`, dateTime),
    mustHave(`${tracking}.vehicle.type.*`, oneOf('a vehicle', trackedVehicles)),
    mayHave(`${tracking}.eta.pickupEtaDatetime`, dateTime),
    mayHave(`${tracking}.eta.deliveryEtaDatetime`, dateTime),
    mayHave(`${tracking}.eta.maxDeliveryTime`, dateTime),
    mayHave(`${tracking}.deliveryPerson.pictureURL`, url),
    mayHave(`${tracking}.externalTrackingURL`, url),
  ),
  ...requirementsOf('O12', ['ORD-UND-02'], ['receiveOrderEvent', 'receiveOrderEventV1'])(
    mustHave('createdAt', dateTime),
    mayHave('orderURL', url, { operations: ['receiveOrderEvent'] }),
    mustHave('orderURL', url, { operations: ['receiveOrderEventV1'] }),
    mayHave('sourceAppId', uuid),
    mayHave('metadata', jsonObject),
  ),
]
