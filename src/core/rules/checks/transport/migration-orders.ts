/** Checks of what V2 changed against V1 in Orders: MIG-ORD. */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  absent,
  answersOf,
  atSteps,
  bodyValue,
  each,
  every,
  hasStatus,
  replyIs,
  observation,
  successful,
  where,
} from '../assertion.ts'
import { noCallTo, nestedObjectsIn, noEventOf } from './migration-assertions.ts'

/** Events that end a request to cancel. */
export const cancellationOutcomes: readonly string[] = [
  'CANCELLATION_REQUEST_ACCEPTED',
  'CANCELLATION_REQUEST_DENIED',
  'CANCELLED',
]

/** Each accepted request has one of the outcomes of V2. */
const requestsHaveOutcome: Assertion = function* (trace) {
  const waited = new Set(trace.notes('waited-for-outcome').map(({ text }) => text))
  for (const request of trace.at('cancellation-request/request')) {
    const { orderId, seq } = request.exchange
    if (request.status !== 202 || orderId === undefined || !waited.has(orderId)) continue
    const outcome = trace
      .emitted()
      .find(
        (event) =>
          event.orderId === orderId &&
          event.observed.exchange.seq > seq &&
          cancellationOutcomes.includes(event.eventType ?? ''),
      )
    yield observation(
      [request, ...(outcome ? [outcome.observed] : [])],
      !outcome && 'it gives no outcome to an accepted request to cancel',
    )
  }
}

const readOrders = successful(answersOf('getOrder'))

interface OrderField {
  readonly clause: string
  readonly test: (order: unknown) => string | undefined
  readonly remedy: string
}

const orderField = ({ clause, test, remedy }: OrderField): Check => ({
  clauses: [clause],
  roles: ['ordering-application'],
  needs: ['orders'],
  procedures: ['activity'],
  assertion: each(readOrders, replyIs(test)),
  remedy,
})

export const orderMigrationChecks = defineChecks({}, [
  {
    clauses: ['MIG-ORD-01'],
    roles: ['ordering-application'],
    needs: ['orders'],
    procedures: ['activity'],
    assertion: noEventOf('ORDER_CANCELLATION_REQUEST'),
    remedy: 'Cancel with the event CANCELLED alone; V2 has no handshake before it.',
  },
  {
    clauses: ['MIG-ORD-01'],
    roles: ['software-service'],
    needs: ['orders'],
    procedures: ['activity'],
    assertion: noCallTo(
      /\/(acceptCancellation|denyCancellation)$/,
      'the handshake of a cancellation',
    ),
    remedy: 'Take CANCELLED as final; V2 has no acceptCancellation and no denyCancellation.',
  },
  {
    clauses: ['MIG-ORD-02'],
    roles: ['ordering-application'],
    needs: ['orders'],
    procedures: ['cancellation-request'],
    assertion: requestsHaveOutcome,
    remedy:
      'Answer each request to cancel by CANCELLATION_REQUEST_ACCEPTED and CANCELLED, or by CANCELLATION_REQUEST_DENIED.',
  },
  {
    clauses: ['MIG-ORD-03'],
    roles: ['ordering-application'],
    needs: ['orders'],
    procedures: ['introduction', 'activity'],
    assertion: every(noEventOf('PICKED_UP'), noPickedUpDeclared()),
    remedy: 'Do not emit or declare PICKED_UP, which V2 has not.',
  },
  {
    clauses: ['MIG-ORD-03'],
    roles: ['software-service'],
    needs: ['orders'],
    procedures: ['introduction', 'activity'],
    assertion: every(noCallTo(/\/(pickedUp|picked-up)$/, 'pickedUp'), noPickedUpDeclared()),
    remedy: 'Do not call pickedUp and do not declare PICKED_UP, which V2 has not.',
  },
  {
    clauses: ['MIG-ORD-05'],
    roles: ['ordering-application'],
    needs: ['orders'],
    procedures: ['repeats'],
    assertion: each(atSteps('repeats/repeat-confirmOrder'), hasStatus(202)),
    remedy: 'Answer a repeated confirm with 202.',
  },
  orderField({
    clause: 'MIG-ORD-07',
    test: absent('/type'),
    remedy: 'Write the type of an order into fulfillment.orderType, not into its root.',
  }),
  orderField({
    clause: 'MIG-ORD-08',
    test: (order) =>
      nestedObjectsIn(order).some((one) => 'subtotalPrice' in one)
        ? 'subtotalPrice is present'
        : undefined,
    remedy: 'Write prices below pricing, without subtotalPrice.',
  }),
  orderField({
    clause: 'MIG-ORD-09',
    test: (order) =>
      bodyValue(order, '/fulfillment/orderType') === 'DELIVERY' &&
      !isUnknownRecord(bodyValue(order, '/customer'))
        ? '/customer is missing in a DELIVERY order'
        : undefined,
    remedy: 'Write the customer into every DELIVERY order.',
  }),
])

function noPickedUpDeclared(): Assertion {
  return each(
    where(answersOf('getManifest'), ({ status }) => status === 200),
    ({ exchange }) =>
      /"PICKED_UP"|"sendPickedUp"/.test(exchange.reply?.body ?? '') &&
      'its manifest names PICKED_UP',
  )
}
