/** Checks of the fields of a delivery and of a quote: LOG-FLD. */
import { deliveryStatuses } from '../../../protocol/logistics/status.ts'
import { defineChecks, type Assertion, type Rows, rowsOf } from '../check.ts'
import {
  answersOf,
  atSteps,
  body,
  bodyValue,
  each,
  every,
  hasStatus,
  isBoolean,
  isDateTime,
  isNumber,
  isObject,
  isOneOf,
  isText,
  optional,
  replyIs,
  required,
  valuesAt,
  where,
  type ValueTest,
} from '../assertion.ts'
import { eventsNameTheOrder, idStays } from './delivery-life.ts'

const platform = {
  roles: ['delivery-platform'],
  needs: ['logistics'],
  procedures: ['delivery-life'],
} as const

const deliveries = where(answersOf('getDelivery'), ({ status }) => status === 200)

/** A member, its test, and whether every delivery has it; one that has it, or must have it, is an occasion. */
type Field = readonly [name: string, test: ValueTest, presence?: 'required']

const fieldAssertion = ([name, test, presence]: Field): Assertion =>
  each(
    where(deliveries, ({ reply }) => !!presence || valuesAt(reply, `/${name}`).length > 0),
    replyIs(test),
  )

const isUrl: ValueTest = (value) =>
  typeof value === 'string' && URL.canParse(value) ? undefined : 'it is not a URL'

const fields: Rows<Field> = {
  'LOG-FLD-03': [
    ['status', required('/status', isOneOf(...deliveryStatuses)), 'required'],
    'Return status as PENDING, ASSIGNED, IN_TRANSIT, DELIVERED, CANCELLED or FAILED.',
  ],
  'LOG-FLD-05': [
    ['courier', optional('/courier', isObject)],
    'Return courier as an object, or leave it out.',
  ],
  'LOG-FLD-06': [
    ['price', body(required('/price/amount', isNumber), required('/price/currency', isText))],
    'Return price as an object with amount and currency, or leave it out.',
  ],
  'LOG-FLD-07': [
    ['eta', optional('/eta', isDateTime)],
    'Return eta as a date and a time of ISO 8601, or leave it out.',
  ],
  'LOG-FLD-08': [
    ['trackingUrl', optional('/trackingUrl', isUrl)],
    'Return trackingUrl as a URL, or leave it out.',
  ],
}

export const platformFieldChecks = defineChecks(
  platform,
  {
    'LOG-FLD-01': {
      assertion: every(each(deliveries, replyIs(required('/id', isText))), idStays),
      remedy: 'Return id with every delivery: a text that stays the same.',
    },
    'LOG-FLD-02 LOG-EVT-03': {
      assertion: every(
        each(
          where(deliveries, ({ exchange }) => exchange.orderId !== undefined),
          ({ reply, exchange }) =>
            bodyValue(reply, '/orderId') !== exchange.orderId &&
            `the delivery of the order ${exchange.orderId} has another orderId, or none`,
        ),
        eventsNameTheOrder,
      ),
      remedy: 'Return the orderId of the creation with every delivery, and in every event of it.',
    },
  },
  rowsOf(fields, fieldAssertion),
  {
    'LOG-FLD-04': {
      assertion: each(
        deliveries,
        replyIs(
          body(
            required('/merchant', isObject),
            required('/pickup', isObject),
            required('/dropoff', isObject),
          ),
        ),
      ),
      remedy: 'Return merchant, pickup and dropoff as objects with every delivery.',
    },
    'LOG-FLD-09 LOG-OPS-01': {
      procedures: ['delivery-lookups'],
      assertion: every(
        each(
          where(answersOf('checkDeliveryAvailability'), ({ status }) => status === 200),
          replyIs(required('/available', isBoolean)),
        ),
        each(atSteps('delivery-lookups/availability'), hasStatus(200)),
      ),
      remedy: 'Answer POST /logistics/availability with 200 and available as true or false.',
    },
  },
)
