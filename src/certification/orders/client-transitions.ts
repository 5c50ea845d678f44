/** Checks of the order lifecycle with a Software Service: ORD-TRA. */
import { defineChecks } from '../check.ts'
import { wrongCall } from '../defect.ts'
import { sighting } from '../look.ts'

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
