/** Checks of the order in which a consumer cancels a delivery and its order: LOG-CON-03 and LOG-CON-04. */
import { isFinalDeliveryStatus } from '../../../protocol/logistics/lifecycle.ts'
import { type Check, defineChecks } from '../check.ts'
import { endOf } from '../../../traffic/exchange.ts'
import { notice, observation } from '../assertion.ts'
import { about, cancellationOf, eachNotedOrder, reportsOf } from './consumer-assertions.ts'

const cancelled = { needs: ['logistics'], procedures: ['cancelled-delivery'] } as const

const waitsForEffect = eachNotedOrder('cancelled order', function* (orderId, trace) {
  const accepted = about(trace, orderId, 'cancelDelivery').find(({ status }) => status === 202)
  const reports = reportsOf(trace, orderId)
  if (!accepted) return
  const ended = cancellationOf(trace, orderId)
  // What it did before it cancelled the delivery does not follow from that.
  const acted = ended && ended.exchange.startedAt >= endOf(accepted.exchange) ? ended : undefined
  const shown = reports.find(
    ({ status, by }) => status === 'CANCELLED' && by.exchange.seq > accepted.exchange.seq,
  )
  yield observation(
    [accepted, ...(shown ? [shown.by] : []), ...(acted ? [acted] : [])],
    acted && (!shown || shown.at > acted.exchange.startedAt)
      ? 'it acts on the cancel of a delivery before an event or a read has shown it'
      : undefined,
  )
})

const cancelsDeliveryFirst = eachNotedOrder('cancelled order', function* (orderId, trace) {
  const acted = cancellationOf(trace, orderId)
  if (!acted) return
  const before = acted.exchange.seq
  const known = reportsOf(trace, orderId).findLast(({ by }) => by.exchange.seq < before)
  const [cancel] = about(trace, orderId, 'cancelDelivery')
  const isOpen = !known || !isFinalDeliveryStatus(known.status)
  if (cancel || isOpen)
    yield observation(
      [...(cancel ? [cancel] : []), acted],
      cancel && cancel.exchange.seq < before
        ? undefined
        : trace.role === 'software-service'
          ? notice(
              'it asks to cancel an order without a cancel of its open delivery before; the request may be denied, and the documents do not say that the delivery is to be cancelled all the same',
            )
          : 'it cancels an order without a cancel of its open delivery before',
    )
})

type Consumer = 'software-service' | 'ordering-application'

const checksOf = (role: Consumer): readonly Check[] => [
  {
    clauses: ['LOG-CON-03'],
    roles: [role],
    ...cancelled,
    level: 'SHOULD',
    assertion: waitsForEffect,
    remedy: 'Take 202 for a receipt, and wait for an event or a read that shows the new status.',
  },
  {
    clauses: ['LOG-CON-04'],
    roles: [role],
    ...cancelled,
    assertion: cancelsDeliveryFirst,
    remedy: 'Cancel the delivery before you cancel its order.',
  },
]

export const consumerCancellationChecks = defineChecks(
  {},
  checksOf('software-service'),
  checksOf('ordering-application'),
)
