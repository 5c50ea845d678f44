/** Checks of what an Ordering Application serves, and what it does not call: ORD-GEN, ORD-FLO, ORD-OPS. */
import { defineChecks, type Assertion } from '../check.ts'
import { Order } from '../../../protocol/orders/order.ts'
import {
  advisory,
  isAcceptedCall,
  atSteps,
  body,
  bodyValue,
  each,
  every,
  fits,
  hasStatus,
  isObject,
  isText,
  notice,
  replyIs,
  required,
  observation,
} from '../assertion.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import type { Observed } from '../trace.ts'
import { inSessions } from '../status-life.ts'
import { namedOrdersAreShown } from './order-life.ts'
import { neverCalls } from './host-assertions.ts'
import {
  orderHost,
  eachOrder,
  orderEventsOf,
  lifecycleCalls,
  shownOrders,
  statusOf,
} from './hosted-orders.ts'

const lifecyclePath =
  /\/orders\/[^/]+\/(confirm|preparing|ready-for-pickup|dispatch|delivered|requestCancellation)$/

/** The operations that it hosts are there. */
const hostsItsOperations: Assertion = function* (trace) {
  for (const operation of ['getOrder', ...lifecycleCalls] as const) {
    const calls = trace.answers(operation).filter(({ step }) => step?.startsWith('order-life/'))
    if (calls.length === 0) continue
    const good = calls.find(isAcceptedCall)
    yield observation(
      [good ?? calls[0]].flatMap((call) => call ?? []),
      !good && `it does not serve ${operation}`,
    )
  }
  const events = orderEventsOf(trace)
  if (trace.at('order-life').length > 0)
    yield observation(
      events.slice(0, 3).map(({ observed }) => observed),
      events.length === 0 && 'it emitted no event',
    )
}

/** The totals of an order add up, where they are in the form of the documents. */
function totalsDoNotAddUp({ reply }: Observed): string | undefined {
  const total = isUnknownRecord(reply) ? reply['total'] : undefined
  if (!isUnknownRecord(total)) return undefined
  const values = ['itemsPrice', 'otherFees', 'discount', 'orderAmount'].map((name) => {
    const price = total[name]
    return isUnknownRecord(price) ? price['value'] : undefined
  })
  const [items, fees, discount, amount] = values
  if (
    typeof items !== 'number' ||
    typeof fees !== 'number' ||
    typeof discount !== 'number' ||
    typeof amount !== 'number' ||
    Math.abs(items + fees - discount - amount) < 0.005
  )
    return undefined
  return `the totals of its order do not add up: ${items} + ${fees} - ${discount} is not ${amount}`
}

export const orderHostOperationChecks = defineChecks(
  { ...orderHost, procedures: ['order-life'] },
  {
    'ORD-GEN-03': {
      assertion: each(atSteps('order-life/post-order'), ({ status }) =>
        status >= 200 && status < 300
          ? 'it created an order by POST /orders, which the protocol does not have'
          : status === 404 || status === 405 || status === 401 || status === 403
            ? undefined
            : notice(
                `it answered POST /orders with ${status}, not 404: it seems to have the operation`,
              ),
      ),
      remedy:
        'Serve no POST /orders: orders begin at the Ordering Application, and CREATED announces them.',
    },
    'ORD-GEN-04': {
      assertion: hostsItsOperations,
      remedy:
        'Serve polling, GET /orders/{orderId} and the progression operations, and emit events.',
    },
    'ORD-GEN-07': {
      assertion: neverCalls(
        lifecyclePath,
        'it calls a lifecycle operation at the Software Service',
      ),
      remedy: 'Host the lifecycle operations, and call none of them.',
    },
    'ORD-FLO-01': {
      assertion: every(
        each(atSteps('order-life/read-new'), hasStatus(200)),
        inSessions(namedOrdersAreShown(true)),
      ),
      remedy: 'Make an order readable before you emit CREATED.',
    },
    'ORD-OPS-04': {
      procedures: ['order-life', 'unknown-order'],
      assertion: every(
        each(atSteps('order-life/read-new'), hasStatus(200)),
        each(
          atSteps('order-life/read-new'),
          replyIs(
            body(
              isObject,
              required('/id', isText),
              required('/status', isText),
              required('/fulfillment', isObject),
            ),
          ),
        ),
        each(atSteps('order-life/read-new'), ({ reply, status }) => {
          const problem = status === 200 ? fits(() => Order)(reply) : undefined
          return problem === undefined
            ? undefined
            : notice(`its order differs from the shape that partners publish: ${problem}`)
        }),
        each(atSteps('unknown-order/read'), hasStatus(404)),
        inSessions(namedOrdersAreShown(false)),
        inSessions(each(shownOrders, advisory(totalsDoNotAddUp))),
      ),
      remedy:
        'Answer GET /orders/{orderId} with 200 and the whole order, and with 404 for an id that no order has.',
    },
    'ORD-EVR-02': {
      procedures: ['order-misuse'],
      assertion: eachOrder(function* ({ reads }, trace) {
        for (const sent of trace.at('order-misuse/send-event')) {
          const after = reads.find(
            (read) =>
              read.step === 'order-misuse/read-misused' && read.exchange.seq > sent.exchange.seq,
          )
          if (after && bodyValue(sent.request, '/orderId') === after.exchange.orderId)
            yield observation(
              [sent, after],
              statusOf(after) === 'CONFIRMED' &&
                'it took an event that was sent to it for a command, and confirmed the order',
            )
        }
      }),
      remedy: 'Move orders by lifecycle calls, and never by an event that is sent to you.',
    },
  },
)
