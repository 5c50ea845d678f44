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
import { type PartnerRequirement, type RequiredPart, requirementsOf } from './requirement.ts'

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
  ...requirementsOf(
    {
      operations: [],
      within: acknowledgedList,
      clauses: ['ORD-OPS-02', 'ORD-UND-09'],
      source: 'O16',
    },
    [
      {
        operations: ['acknowledgeEvents'],
        at: '',
        expects: entries('ids of events that a poll returned', 1, 1000),
      },
      {
        operations: ['acknowledgeEventsV1'],
        at: '',
        expects: entries('events that a poll returned', 1, 2000),
      },
    ],
  ),
  ...requirementsOf(
    { operations: ['confirmOrder'], clauses: ['ORD-OPS-05', 'ORD-UND-08'], source: 'O19' },
    [
      { at: '', expects: jsonObject },
      { at: 'estimatedPreparationTimeMinutes', expects: wholeNumberFrom(0), optional: true },
    ],
  ),
  ...requirementsOf(
    {
      operations: ['setOrderReadyForPickup'],
      clauses: ['ORD-OPS-07', 'ORD-UND-08'],
      source: 'O19',
    },
    [
      { at: '', expects: jsonObject },
      { at: 'pickupCode', expects: text, optional: true },
    ],
  ),
  ...requirementsOf({ operations: ['requestCancellation'], clauses: [], source: 'O22' }, [
    { at: 'reason', expects: text, clauses: ['ORD-BOD-01'] },
    {
      at: 'code',
      expects: oneOf('a cancellation code', merchantCancellationCodes),
      clauses: ['ORD-BOD-02'],
    },
    { at: 'mode', expects: oneOf('a mode', ['AUTO', 'MANUAL']), clauses: ['ORD-BOD-03'] },
  ]),
  ...requirementsOf({ operations: ['cancelOrderItem'], clauses: ['ORD-BOD-04'], source: 'O22' }, [
    { at: 'reason', expects: text },
    { at: 'code', expects: oneOf('a cancellation code', merchantCancellationCodes) },
    { at: 'mode', expects: oneOf('a mode', ['AUTO', 'MANUAL']) },
  ]),
  ...requirementsOf(
    {
      operations: ['sendOrderTracking', 'sendOrderTrackingV1'],
      clauses: ['ORD-UND-07'],
      source: 'O20',
    },
    [
      { at: tracking, expects: jsonObject },
      {
        // V1 refuses a tracking update that an order does not ask for.
        operations: ['sendOrderTracking'],
        of: 'order',
        at: 'fulfillment.orderType',
        expects: oneOf('an order that is delivered', ['DELIVERY']),
        clauses: ['ORD-UND-07', 'ORD-EVT-08'],
      },
    ],
  ),
  ...requirementsOf(
    {
      operations: ['sendOrderTracking', 'sendOrderTrackingV1', 'dispatchOrderV1'],
      clauses: ['ORD-UND-07'],
      source: 'O20',
    },
    [
      { at: `${tracking}.event.type`, expects: oneOf('a step', trackingEventTypes) },
      { at: `${tracking}.event.datetime`, expects: dateTime },
      { at: `${tracking}.problem.reason`, expects: oneOf('a problem', trackedProblems) },
      { at: `${tracking}.problem.datetime`, expects: dateTime },
      { at: `${tracking}.vehicle.type.*`, expects: oneOf('a vehicle', trackedVehicles) },
      { at: `${tracking}.eta.pickupEtaDatetime`, expects: dateTime, optional: true },
      { at: `${tracking}.eta.deliveryEtaDatetime`, expects: dateTime, optional: true },
      { at: `${tracking}.eta.maxDeliveryTime`, expects: dateTime, optional: true },
      { at: `${tracking}.deliveryPerson.pictureURL`, expects: url, optional: true },
      { at: `${tracking}.externalTrackingURL`, expects: url, optional: true },
    ],
  ),
  ...requirementsOf(
    {
      operations: ['receiveOrderEvent', 'receiveOrderEventV1'],
      clauses: ['ORD-UND-02'],
      source: 'O12',
    },
    [
      { at: 'createdAt', expects: dateTime },
      { operations: ['receiveOrderEvent'], at: 'orderURL', expects: url, optional: true },
      { operations: ['receiveOrderEventV1'], at: 'orderURL', expects: url },
      { at: 'sourceAppId', expects: uuid, optional: true },
      { at: 'metadata', expects: jsonObject, optional: true },
    ],
  ),
]
