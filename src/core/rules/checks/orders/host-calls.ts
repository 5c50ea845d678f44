/** Checks of lifecycle calls to an Ordering Application: repeated, impossible and passed ones, and what 202 means. */
import { defineChecks, type Assertion } from '../check.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { OrderEventType } from '../../../protocol/orders/events.ts'
import type { OrderStatus } from '../../../protocol/orders/order.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import {
  answersOf,
  isAcceptedCall,
  atSteps,
  type Deviation,
  each,
  every,
  hasStatus,
  notice,
  observation,
  successful,
} from '../assertion.ts'
import { inSessions } from '../status-life.ts'
import type { Observed } from '../trace.ts'
import { impossibleOrderCalls, orderCallIsTaken, orderRepeatIsTaken } from './order-life.ts'
import {
  orderHost,
  distinctEvents,
  eachOrder,
  type HostedOrder,
  isAtOrPast,
  isTransition,
  orderPhrase,
  lifecycleCalls,
  readBefore,
  readsAfter,
  statusOf,
} from './hosted-orders.ts'

/** What each progression call leads to. */
const progressTargets: Readonly<
  Record<
    (typeof lifecycleCalls)[number],
    { readonly status: OrderStatus; readonly event: OrderEventType }
  >
> = {
  confirmOrder: { status: 'CONFIRMED', event: 'CONFIRMED' },
  setOrderPreparing: { status: 'PREPARING', event: 'PREPARING' },
  setOrderReadyForPickup: { status: 'READY', event: 'READY_FOR_PICKUP' },
  dispatchOrder: { status: 'IN_DELIVERY', event: 'DISPATCHED' },
  setOrderDelivered: { status: 'DELIVERED', event: 'DELIVERED' },
}

const targetOf = (operation: OperationId | undefined) => {
  const found = lifecycleCalls.find((call) => call === operation)
  return found && progressTargets[found]
}

/** A call at one of these steps, with what the order showed before and after it. */
const callsAt = (
  steps: readonly string[],
  judge: (found: {
    readonly history: HostedOrder
    readonly call: Observed
    readonly before: Observed
    readonly after: Observed
  }) => Deviation,
): Assertion =>
  eachOrder(function* (history) {
    for (const call of history.calls) {
      const before = readBefore(history, call)
      const [after] = readsAfter(history, call)
      if (!before || !after || !steps.some((step) => call.step?.startsWith(step))) continue
      yield observation([before, call, after], judge({ history, call, before, after }))
    }
  })

/** The target was reached before: the call is answered 202 and changes nothing. */
const repeatsDoNothing = callsAt(['order-life/repeat-'], ({ history, call, before, after }) => {
  const { operation, status } = call
  const target = targetOf(operation)
  if (!target || statusOf(before) !== target.status) return undefined
  // It may have been cancelled between the read and the call.
  if (statusOf(after) === 'CANCELLED') return undefined
  if (status !== 202)
    return `it answered ${operation} for ${orderPhrase(history)} that is ${target.status} already with ${status}, not 202`
  if (!isAtOrPast(statusOf(after), target.status, history.type))
    return `after a repeated ${operation} it moved ${orderPhrase(history)} from ${String(statusOf(before))} to ${String(statusOf(after))}`
  return distinctEvents(history, target.event).length > 1
    ? notice(`it emitted ${target.event} again after a repeated ${operation}`)
    : undefined
})

/** 202 says that the call is accepted: it is carried out later. */
const acceptedIsCarriedOut = eachOrder(function* (history) {
  for (const call of history.calls) {
    const target = targetOf(call.operation)
    const before = readBefore(history, call)
    if (!target || !before || !isAcceptedCall(call)) continue
    if (!isTransition(statusOf(before), target.status, history.type)) continue
    const after = readsAfter(history, call)
    const reached = after.some((read) => isAtOrPast(statusOf(read), target.status, history.type))
    yield observation(
      [call, ...after.slice(-1)],
      call.status !== 202
        ? `it answered ${call.operation} with ${call.status}, not 202`
        : reached || after.length === 0
          ? undefined
          : `it answered ${call.operation} with 202, and never carried it out`,
    )
  }
})

const isErrorBody = (value: unknown): boolean =>
  isUnknownRecord(value) && Object.keys(value).length > 0

/** The status does not allow the call: it is refused, and changes nothing. */
const impossibleIsRefused = callsAt(
  [
    'order-misuse/dispatch-created',
    'order-misuse/dispatch-takeout',
    'order-cancellation/confirm-cancelled',
  ],
  ({ history, call, before, after }) => {
    const from = statusOf(before)
    const what = `${call.operation} for ${orderPhrase(history)} in ${String(from)}`
    if (statusOf(after) !== from && statusOf(after) !== 'CONCLUDED')
      return `with ${what} the order became ${String(statusOf(after))}`
    if (call.status !== 409 && call.status !== 422)
      return notice(`it answered ${what} with ${call.status}, not 409 or 422`)
    return isErrorBody(call.reply) ? undefined : notice(`it refused ${what} without an error body`)
  },
)

/** The order is past the target of the call. */
const passedDoesNotGoBack = callsAt(
  ['order-misuse/confirm-passed'],
  ({ history, call, before, after }) => {
    const what = `${call.operation} for ${orderPhrase(history)} in ${String(statusOf(before))}`
    if (statusOf(after) !== statusOf(before))
      return `with ${what} the order became ${String(statusOf(after))}`
    return [202, 409, 422].includes(call.status)
      ? undefined
      : notice(`it answered ${what} with ${call.status}, not 202, 409 or 422`)
  },
)

/** A lifecycle call where the order allows it. */
const answersWith = (operation: OperationId, from: readonly OrderStatus[]): Assertion =>
  eachOrder(function* (history) {
    for (const call of history.calls) {
      const before = readBefore(history, call)
      const status = before && statusOf(before)
      if (call.operation !== operation || !before || !from.some((one) => one === status)) continue
      if (operation === 'dispatchOrder' && history.type !== 'DELIVERY') continue
      // Whether delivered may skip IN_DELIVERY is not stated for every profile.
      const mayRefuse =
        operation === 'setOrderDelivered' && status === 'READY' && history.type === 'DELIVERY'
      const problem = `it answered ${operation} for ${orderPhrase(history)} in ${String(status)} with ${call.status}, not 202`
      yield observation(
        [before, call],
        call.status === 202 ? undefined : mayRefuse ? notice(problem) : problem,
      )
    }
  })

/** The same in a session: what is accepted is 202, and what two reads show to be possible is accepted. */
const inSession = (operation: OperationId): Assertion =>
  inSessions(
    every(each(successful(answersOf(operation)), hasStatus(202)), orderCallIsTaken(operation)),
  )

const progressRows = [
  ['ORD-OPS-05', 'confirmOrder', 'confirm', ['CREATED']],
  ['ORD-OPS-06', 'setOrderPreparing', 'preparing', ['CONFIRMED']],
  ['ORD-OPS-07', 'setOrderReadyForPickup', 'ready-for-pickup', ['CONFIRMED', 'PREPARING']],
  ['ORD-OPS-08', 'dispatchOrder', 'dispatch', ['READY']],
  ['ORD-OPS-09', 'setOrderDelivered', 'delivered', ['READY', 'IN_DELIVERY']],
] as const satisfies readonly (readonly [string, OperationId, string, readonly OrderStatus[]])[]

export const orderHostCallChecks = defineChecks(
  { ...orderHost, procedures: ['order-life'] },
  progressRows.map(([clause, operation, name, from]) => ({
    clauses: [clause] as const,
    procedures: ['order-life', 'unknown-order'],
    assertion:
      operation === 'confirmOrder'
        ? every(
            answersWith(operation, from),
            inSession(operation),
            each(atSteps(`unknown-order/${operation}`), hasStatus(404)),
          )
        : every(answersWith(operation, from), inSession(operation)),
    remedy: `Answer ${name} with 202 in ${from.join(' or ')}, and with 404 for an order that you do not know.`,
  })),
  {
    'ORD-RUL-01 MIG-ORD-05': {
      assertion: every(repeatsDoNothing, inSessions(orderRepeatIsTaken)),
      remedy: 'Answer a call whose target the order has reached already with 202, and do nothing.',
    },
    'ORD-RUL-02': {
      assertion: acceptedIsCarriedOut,
      remedy: 'Answer a progression call with 202 only if you carry it out, at once or later.',
    },
    'ORD-UND-04': {
      procedures: ['order-misuse', 'order-cancellation'],
      assertion: every(impossibleIsRefused, inSessions(impossibleOrderCalls)),
      remedy:
        'Refuse a call that the status or the profile does not allow with 409 and an error body, and leave the order as it is.',
    },
    'ORD-UND-05': {
      procedures: ['order-misuse'],
      assertion: passedDoesNotGoBack,
      remedy:
        'Answer a call whose target the order has passed with 202, 409 or 422, and leave the order as it is.',
    },
  },
)
