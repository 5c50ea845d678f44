/** What every partner requires of requests of Logistics, in the names of the public standard. */
import { problemReasons } from '../logistics/bodies.ts'
import { readDeliveryEventName, statusChangedEvent } from '../logistics/events.ts'
import { deliveryStatuses } from '../logistics/status.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { dateTime, type Expectation, oneOf, text } from './expectation.ts'
import {
  type PartnerRequirement,
  type RequirementCondition,
  requirementsOf,
} from './requirement.ts'

const addressFields = ['street', 'city', 'state', 'country', 'postalCode'] as const

const deliveryEventName: Expectation = {
  says: 'an event of a delivery, such as ACCEPTED or delivery.status_changed',
  fits: (value) =>
    typeof value === 'string' &&
    (value === statusChangedEvent || readDeliveryEventName(value) !== undefined),
  schema: text.schema,
}

const problemActions = ['RETURN_TO_STORE', 'DELIVER_PRODUCT', 'CANCEL_DELIVERY'] as const

const cancellationReasons = [
  'CONSUMER_CANCELLATION_REQUESTED',
  'NO_SHOW',
  'PROBLEM_AT_MERCHANT',
  'HIGH_ACCEPTANCE_TIME',
  'INCORRECT_ORDER_OR_PRODUCT_PICKUP',
  'PROBLEM_RESOLUTION',
  'DISCOMBINE_ORDER',
  'OTHER',
] as const

const withOrigin: RequirementCondition = {
  says: 'with origin',
  holds: ({ origin }) => origin !== undefined,
}

/** The earlier edition's body: it has a reason, and not the later edition's code. */
const reasonWithout = (code: string): RequirementCondition => ({
  says: `with reason and without ${code}`,
  holds: (body) => body[code] === undefined && body['reason'] !== undefined,
})

const withoutReason: RequirementCondition = {
  says: 'without reason',
  holds: ({ reason }) => reason === undefined,
}

const withoutNestedEvent: RequirementCondition = {
  says: 'without an object event',
  holds: ({ event }) => !isUnknownRecord(event),
}

export const logisticsRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf(
    {
      operations: ['checkDeliveryAvailability', 'createDelivery'],
      clauses: ['LOG-UND-01', 'LOG-UND-02', 'LOG-UND-05'],
      source: 'L3',
    },
    [
      ...addressFields.map((field) => ({ at: `origin.${field}`, expects: text })),
      ...addressFields.map((field) => ({ at: `destination.${field}`, expects: text })),
    ],
  ),
  ...requirementsOf({ operations: ['createDelivery'], clauses: ['LOG-UND-05'], source: 'L4' }, [
    { at: 'customer.name', expects: text, optional: true, when: withOrigin },
    { at: 'customer.phone', expects: text, optional: true, when: withOrigin },
  ]),
  ...requirementsOf(
    {
      operations: ['reportDeliveryProblem'],
      clauses: ['LOG-OPS-07', 'LOG-UND-05'],
      source: 'L7',
    },
    [
      { at: 'problemCode', expects: text, when: withoutReason },
      {
        at: 'reason',
        expects: oneOf('a reason', problemReasons),
        when: reasonWithout('problemCode'),
      },
      {
        at: 'action',
        expects: oneOf('an action', problemActions),
        when: reasonWithout('problemCode'),
      },
    ],
  ),
  ...requirementsOf(
    { operations: ['cancelDelivery'], clauses: ['LOG-OPS-08', 'LOG-UND-05'], source: 'L8' },
    [
      { at: 'cancellationCode', expects: text, when: withoutReason },
      {
        at: 'reason',
        expects: oneOf('a reason', cancellationReasons),
        when: reasonWithout('cancellationCode'),
      },
    ],
  ),
  ...requirementsOf(
    { operations: ['receiveDeliveryEvent'], clauses: ['LOG-UND-06'], source: 'L10, L11' },
    [
      { at: 'event.type', expects: deliveryEventName },
      { at: 'event.datetime', expects: dateTime },
      {
        at: 'eventType',
        expects: deliveryEventName,
        when: withoutNestedEvent,
      },
      {
        at: 'occurredAt',
        expects: dateTime,
        when: withoutNestedEvent,
      },
      { at: 'status', expects: oneOf('a status of a delivery', deliveryStatuses), optional: true },
    ],
  ),
]
