/** Checks of what a role may do with orders and points: CUS-GEN-07, CUS-GEN-11, CUS-GEN-12, CUS-TEN-02, LOY-GEN-01. */
import { operation as operationRow } from '../../../protocol/catalogue.ts'
import { Order } from '../../../protocol/orders/order.ts'
import { pushOperations } from '../../../engine/customer/partner.ts'
import { defineChecks } from '../check.ts'
import { every, fits, observation } from '../assertion.ts'
import { ofTrace, perMessage } from '../live.ts'
import type { Observed } from '../trace.ts'
import { loyaltyEventsOf, sharedRecords, notesOf } from './records.ts'
import { ofCrm, ofCustomer } from './assertions.ts'

/** What moves orders, accounts and deliveries, which is none of a CRM's business. */
const isOperational = ({ operation, exchange }: Observed): boolean => {
  if (operation === undefined || exchange.request.method === 'GET') return false
  const { capability } = operationRow(operation)
  return capability === 'orders' || capability === 'indoor' || capability === 'logistics'
}

/** It makes no such call; each order announced to it is an occasion. */
const movesNoOrders = perMessage(function* (trace) {
  for (const push of trace.answers(...Object.values(pushOperations.order)))
    if (push.status === 202) yield observation([push], undefined)
  for (const call of trace.calls().filter(isOperational))
    yield observation([call], `it calls ${call.operation ?? ''}, which moves an order`)
})

const orderProblem = fits(() => Order)

const ordersHaveShape = perMessage(function* (trace) {
  for (const { observed, record } of sharedRecords(trace, 'order')) {
    const problem = orderProblem(record)
    yield observation(
      [observed],
      problem !== undefined && `an order in relationship context is wrong: ${problem}`,
    )
  }
})

const noPostOrders = perMessage(function* (trace) {
  for (const call of trace.calls()) {
    const { method } = call.exchange.request
    const isPostOrders = method === 'POST' && call.url.pathname.endsWith('/orders')
    if (isPostOrders) yield observation([call], 'it calls POST /orders, which Orders does not have')
    else if (call.url.pathname.includes('/orders')) yield observation([call], undefined)
  }
})

export const roleChecks = defineChecks(
  { ...ofCrm, procedures: ['related-ingest'] },
  {
    'CUS-GEN-07': {
      ...ofCustomer,
      procedures: ['customer-orders', 'related-ingest'],
      assertion: every(
        ordersHaveShape,
        ofTrace((trace) => (trace.role === 'crm' ? movesNoOrders(trace) : [])),
      ),
      remedy:
        'Send and return orders in relationship context in the shape of Orders, and only use them for that.',
    },
    'CUS-GEN-11 CUS-GEN-12': {
      assertion: movesNoOrders,
      remedy: 'Leave the status of orders to those who prepare and deliver them.',
    },
    'CUS-TEN-02': {
      roles: ['software-service'],
      needs: ['orders'],
      procedures: ['served-orders'],
      assertion: noPostOrders,
      remedy: 'Do not create orders with POST /orders: Orders has no such operation.',
    },
  },
  {
    'CUS-TEN-02': {
      procedures: ['customer-pulls'],
      assertion: noPostOrders,
      remedy: 'Query orders with GET; only your own base of Customer has POST /orders.',
    },
    'LOY-GEN-01': {
      procedures: ['loyalty-accrual'],
      assertion: function* (trace) {
        const reads = trace
          .at('loyalty-accrual')
          .filter(
            ({ operation, status }) => operation?.includes('Loyalty') === true && status === 200,
          )
        const events = loyaltyEventsOf(trace)
        if (reads.length > 0 && notesOf(trace, ['loyalty-accrual'], 'order-completed').length > 0)
          yield observation(
            [...reads.slice(0, 2), ...events.slice(0, 2).map(({ observed }) => observed)],
            events.length === 0 && 'it moves points and emits no loyalty event',
          )
      },
      remedy: 'Serve the Loyalty operations that you declare, and emit events on each movement.',
    },
  },
)
