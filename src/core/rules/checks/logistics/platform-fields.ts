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
  allTests,
  isBoolean,
  isDateTime,
  isNumber,
  isObject,
  isOneOf,
  isText,
  optional,
  replyIs,
  required,
  observation,
  valuesAt,
  where,
  type ValueTest,
} from '../assertion.ts'
import { sentDeliveryEvents, readsByOrder } from './delivery-assertions.ts'

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
      assertion: every(each(deliveries, replyIs(required('/id', isText))), function* (trace) {
        for (const reads of readsByOrder(trace).values()) {
          const ids = new Set(reads.map(({ reply }) => bodyValue(reply, '/id')))
          if (reads.length > 1)
            yield observation(
              reads.slice(0, 2),
              ids.size !== 1 && `the id of a delivery changes: ${[...ids].join(', ')}`,
            )
        }
      }),
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
        function* (trace) {
          const orderOf = new Map(
            deliveries(trace).map(({ reply, exchange }) => [
              bodyValue(reply, '/id'),
              exchange.orderId,
            ]),
          )
          for (const { observed, event } of sentDeliveryEvents(trace)) {
            const known = orderOf.get(event.deliveryId)
            yield observation(
              [observed],
              event.orderId === ''
                ? 'a delivery event has no orderId'
                : known !== undefined && known !== event.orderId
                  ? `an event of the delivery of the order ${known} has another orderId`
                  : undefined,
            )
          }
        },
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
      assertion: each(
        atSteps('delivery-lookups/availability'),
        allTests(hasStatus(200), replyIs(required('/available', isBoolean))),
      ),
      remedy: 'Answer POST /logistics/availability with 200 and available as true or false.',
    },
  },
)
