/** What every partner requires of requests of Logistics, in the names of the public standard. */
import { problemReasons } from '../logistics/bodies.ts'
import { readDeliveryEventName, statusChangedEvent } from '../logistics/events.ts'
import { deliveryStatuses } from '../logistics/status.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { dateTime, type Expectation, oneOf, text } from './expectation.ts'
import {
  type PartnerRequirement,
  type RequirementCondition,
  mayHave,
  mustHave,
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
    'L3',
    ['LOG-UND-01', 'LOG-UND-02', 'LOG-UND-05'],
    ['checkDeliveryAvailability', 'createDelivery'],
  )(
    ...addressFields.map((field) => mustHave(`origin.${field}`, text)),
    ...addressFields.map((field) => mustHave(`destination.${field}`, text)),
  ),
  ...requirementsOf(
    'L4',
    ['LOG-UND-05'],
    ['createDelivery'],
  )(
    mayHave('customer.name', text, { when: withOrigin }),
    mayHave('customer.phone', text, { when: withOrigin }),
  ),
  ...requirementsOf('L7', ['LOG-OPS-07', 'LOG-UND-05'], ['reportDeliveryProblem'])(
    mustHave('problemCode', text, { when: withoutReason }),
    mustHave('reason', oneOf('a reason', problemReasons), { when: reasonWithout('problemCode') }),
    mustHave('action', oneOf('an action', problemActions), { when: reasonWithout('problemCode') }),
  ),
  ...requirementsOf(
    'L8',
    ['LOG-OPS-08', 'LOG-UND-05'],
    ['cancelDelivery'],
  )(
    mustHave('cancellationCode', text, { when: withoutReason }),
    mustHave('reason', oneOf('a reason', cancellationReasons), {
      when: reasonWithout('cancellationCode'),
    }),
  ),
  ...requirementsOf('L10, L11', ['LOG-UND-06'], ['receiveDeliveryEvent'])(
    mustHave('event.type', deliveryEventName),
    mustHave('event.datetime', dateTime),
    mustHave('eventType', deliveryEventName, { when: withoutNestedEvent }),
    mustHave('occurredAt', dateTime, { when: withoutNestedEvent }),
    mayHave('status', oneOf('a status of a delivery', deliveryStatuses)),
  ),
]
