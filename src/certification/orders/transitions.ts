/** Checks of the order lifecycle: ORD-TRA. */
import type { OperationId } from '../../protocol/catalogue.ts'
import { defineChecks, type Look } from '../check.ts'
import { ignoredRequest, wrongCall } from '../defect.ts'
import { sighting } from '../look.ts'
import { statusOf } from './host-orders.ts'

/** After an accepted call in a status, the order reaches another one. */
const callLeadsTo = (operation: OperationId, from: string, to: string): Look =>
  function* look(trace) {
    const ofLife = trace.at('order-life')
    for (const call of trace.at(`order-life/${operation}`)) {
      const { orderId } = call.exchange
      const reads = ofLife.filter(
        (each) => each.operation === 'getOrder' && each.exchange.orderId === orderId,
      )
      const before = reads.findLast(({ exchange }) => exchange.seq < call.exchange.seq)
      if (!before || statusOf(before) !== from) continue
      const after = reads.filter(({ exchange }) => exchange.seq > call.exchange.seq)
      const reached = after.find((read) => statusOf(read) === to)
      const last = reached ?? after.at(-1)
      yield sighting(
        [before, call, ...(last ? [last] : [])],
        reached
          ? undefined
          : `after ${operation} in ${from} the order is ${last ? String(statusOf(last)) : 'not readable'}, not ${to}`,
      )
    }
  }

const progressCalls = [
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
] as const

export const orderTransitionChecks = defineChecks([
  {
    clauses: ['ORD-TRA-02'],
    roles: ['ordering-application'],
    procedures: ['order-life'],
    look: callLeadsTo('confirmOrder', 'CREATED', 'CONFIRMED'),
    remedy: 'Set the order to CONFIRMED after its confirmation, and emit CONFIRMED.',
    defect: ignoredRequest('answers confirm with 202 and does nothing', 'confirmOrder'),
  },
  {
    clauses: ['ORD-TRA-02'],
    roles: ['software-service'],
    procedures: ['served-orders'],
    look: function* look(trace) {
      const progress = trace.calls(...progressCalls)
      for (const orderId of new Set(progress.map(({ exchange }) => exchange.orderId))) {
        const [first] = progress.filter(({ exchange }) => exchange.orderId === orderId)
        if (first)
          yield sighting(
            [first],
            first.operation === 'confirmOrder'
              ? undefined
              : `its first call about the order is ${first.operation}, not confirmOrder`,
          )
      }
    },
    remedy: 'Confirm an order before any other call about its progress.',
    defect: wrongCall('prepares its orders in place of confirming them', 'confirmOrder', (call) => {
      call.url = call.url.replace(/confirm$/, 'preparing')
    }),
  },
])
