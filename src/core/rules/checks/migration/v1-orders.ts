/** Forms of V1 in orders: where an Ordering Application writes what, and which events it has. */
import { type Check, defineChecks, type Rows, rowsOf } from '../check.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import {
  answersOf,
  atSteps,
  bodyValue,
  type Deviation,
  each,
  hasStatus,
  type Selection,
  observation,
  successful,
  valuesAt,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { noEventOf } from '../transport/migration-assertions.ts'

const reads: Selection = successful(answersOf('getOrderV1'))

/** The members of V1 that an order has. */
const membersOfV1 =
  (pointers: readonly string[]) =>
  ({ reply }: Observed): Deviation => {
    const names = pointers.filter((pointer) => valuesAt(reply, pointer).length > 0)
    return names.length === 0
      ? undefined
      : `its orders have ${names.map((pointer) => pointer.slice(1).replaceAll('/', '.')).join(', ')}`
  }

/** JSON pointers of the members of V1, and where V2 has what they say. */
const orderForms: Rows<readonly string[]> = {
  'ORD-FLD-04 MIG-ORD-07': [['/type'], 'Write the type of an order into fulfillment.orderType.'],
  'ORD-FLD-05': [
    ['/delivery', '/takeout', '/indoor'],
    'Write delivery, takeout and indoor into fulfillment.',
  ],
  'ORD-FLD-07': [
    ['/orderTiming', '/schedule', '/preparationStartDateTime', '/orderPriority'],
    'Write orderTiming, schedule, preparationStartDateTime and orderPriority into timing.',
  ],
  'ORD-FLD-08': [
    ['/salesChannel', '/virtualBrand', '/category'],
    'Write salesChannel into context, and leave virtualBrand and category out.',
  ],
  'ORD-FLD-12': [
    ['/items/*/specialInstructions', '/items/*/options/*/specialInstructions'],
    'Write specialInstructions as observations.',
  ],
  'ORD-FLD-13 MIG-ORD-08': [
    ['unitPrice', 'originalPrice', 'optionsPrice', 'subtotalPrice', 'totalPrice'].map(
      (name) => `/items/*/${name}`,
    ),
    'Write the prices of an item into its pricing, without subtotalPrice.',
  ],
  'ORD-FLD-14': [
    ['unitPrice', 'originalPrice', 'subtotalPrice', 'totalPrice'].map(
      (name) => `/items/*/options/*/${name}`,
    ),
    'Write the prices of an option into its pricing.',
  ],
  'MIG-ORD-10': [
    ['/sendPreparing', '/sendDelivered', '/sendTracking'],
    'Declare operations in the manifest (setOrderPreparing, setOrderDelivered, sendOrderTracking) in place of flags in orders.',
  ],
  'MIG-ORD-11': [
    ['/sendPickedUp'],
    'Leave sendPickedUp out: V2 has no pickedUp, and a takeout ends by delivered.',
  ],
}

const has =
  (pointer: string, problem: string) =>
  ({ reply }: Observed): Deviation =>
    bodyValue(reply, pointer) === undefined ? problem : undefined

const isDelivery = ({ reply }: Observed): boolean =>
  bodyValue(reply, '/type') === 'DELIVERY' ||
  bodyValue(reply, '/fulfillment/orderType') === 'DELIVERY'

const hosted = {
  roles: ['ordering-application'],
  procedures: ['v1-hosted-orders'],
} as const satisfies Pick<Check, 'roles' | 'procedures'>

export const v1OrderForms = defineChecks(
  hosted,
  rowsOf(orderForms, (members) => each(reads, membersOfV1(members))),
  {
    'ORD-FLD-02 MIG-ORD-04': {
      assertion: each(reads, has('/status', 'its orders have no status')),
      remedy: 'Write the status of an order, as the source of truth, beside lastEvent.',
    },
    'ORD-FLD-06 MIG-ORD-09': {
      assertion: (trace) =>
        reads(trace)
          .filter(isDelivery)
          .map((read) =>
            observation(
              [read],
              !isUnknownRecord(bodyValue(read.reply, '/customer')) &&
                'its DELIVERY orders have no customer',
            ),
          ),
      remedy: 'Write the customer into every DELIVERY order.',
      // Our own counterpart of V1 writes it, too.
    },
    'MIG-ORD-01': {
      assertion: noEventOf('ORDER_CANCELLATION_REQUEST'),
      remedy: 'Cancel with the event CANCELLED alone: V2 does not ask the merchant first.',
    },
    'MIG-ORD-02': {
      assertion: function* (trace) {
        for (const request of trace.at('v1-hosted-orders/request')) {
          const { orderId, seq } = request.exchange
          if (request.status !== 202) continue
          const later = trace
            .emitted()
            .filter((event) => event.orderId === orderId && event.observed.exchange.seq > seq)
          const types = later.map(({ eventType }) => eventType)
          if (!types.includes('CANCELLED') && !types.includes('CANCELLATION_REQUEST_DENIED'))
            continue
          yield observation(
            [request, ...later.map(({ observed }) => observed)],
            types.includes('CANCELLED') &&
              !types.includes('CANCELLATION_REQUEST_ACCEPTED') &&
              'it cancels on request without CANCELLATION_REQUEST_ACCEPTED',
          )
        }
      },
      remedy: 'Emit CANCELLATION_REQUEST_ACCEPTED before the CANCELLED of a request.',
    },
    'MIG-ORD-03': {
      assertion: noEventOf('PICKED_UP'),
      remedy: 'Announce that a takeout was fetched by DELIVERED.',
    },
    'MIG-ORD-05': {
      assertion: each(atSteps('v1-hosted-orders/repeat'), hasStatus(202)),
      remedy: 'Answer a repeated confirm with 202.',
    },
  },
)
