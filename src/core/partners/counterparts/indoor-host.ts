/**
 * Autonomous behaviour of the Software Service as Indoor host: books INDOOR orders on accounts, copies cancellations
 * from Orders, asks to cancel orders that a locked account rejected, and issues fiscal documents when due. It reacts to
 * facts of its own slice only.
 */
import type { Chance } from '../../engine/chance.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import { hasUnmirroredCancellations } from '../../engine/indoor/cancellation-mirror.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { InvoiceMoment } from '../../protocol/indoor/fiscal.ts'
import { drawDuration, plan } from './planning.ts'
import { type HouseBehaviour, houseBehaviours } from './indoor-behaviour.ts'
import type { BehaviourName } from './behaviour.ts'

const stream = 'indoor-host'

/** Books an order that was read, or copies its cancellations if it is booked. */
function afterReading(
  orderId: string,
  { world, settings }: DecisionContext,
): readonly PlannedCommand[] {
  const { host } = world.indoor
  const ticket = world.store.tickets.get(orderId)
  const order = ticket?.order
  if (!order || ticket.profile !== 'INDOOR') return []
  const booked = host.orders.get(orderId)
  if (booked)
    return settings.conduct.indoor.mirrorItemCancel &&
      hasUnmirroredCancellations(order, ticket.status, booked)
      ? [plan({ kind: 'account.mirror', orderId }, 0)]
      : []
  // A rejected order whose cancellation was denied is booked again, as the account may be open by now.
  const isRejected = host.rejected.has(orderId) && !ticket.denied
  const isFinished = ticket.status === 'CANCELLED' || ticket.status === 'CONCLUDED'
  return isRejected || isFinished ? [] : [plan({ kind: 'account.book', orderId }, 0)]
}

/** Copies cancellations that had to wait for the unlock. */
function afterUnlocking(
  accountId: string,
  { world, settings }: DecisionContext,
): readonly PlannedCommand[] {
  if (!settings.conduct.indoor.mirrorItemCancel) return []
  const { accounts, orders } = world.indoor.host
  const ids = new Set(accounts.get(accountId)?.items.map(({ orderId }) => orderId))
  return [...ids].flatMap((orderId) => {
    const ticket = world.store.tickets.get(orderId)
    const booked = orders.get(orderId)
    return ticket?.order &&
      booked &&
      hasUnmirroredCancellations(ticket.order, ticket.status, booked)
      ? [plan({ kind: 'account.mirror', orderId }, 0)]
      : []
  })
}

/**
 * A locked account rejected the order; Orders has no refusal for that, so its cancellation is requested (IND-UND-06).
 */
function requestCancellation(
  { orderId }: Extract<Fact, { kind: 'account.order-rejected' }>,
  { settings }: DecisionContext,
): readonly PlannedCommand[] {
  if (settings.conduct.indoor.lockedOrder === 'ignore') return []
  const request = {
    reason: 'a conta está em pagamento',
    code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
    mode: 'AUTO',
  } as const
  return [plan({ kind: 'ticket.cancel', orderId, request }, 0)]
}

/**
 * The host requests a document itself where it is the issuer and an order asks for one, at the moment that it declares.
 */
function requestDocumentWhenDue(
  accountId: string,
  moment: InvoiceMoment,
  { world, settings }: DecisionContext,
): readonly PlannedCommand[] {
  const { invoiceIssuer, invoiceIssueMoment } = settings.conduct.indoor
  const wanted = world.indoor.host.accounts.get(accountId)?.wantsDocument
  return wanted && invoiceIssuer === 'pos' && invoiceIssueMoment === moment
    ? [plan({ kind: 'account.request-fiscal', accountId, own: true }, 0)]
    : []
}

/** Schedules the outcome of a request for a document (IND-RUL-06). */
function scheduleOutcome(
  { accountId, documentId }: Extract<Fact, { kind: 'account.fiscal-requested' }>,
  house: HouseBehaviour,
  { settings, chance }: DecisionContext,
): readonly PlannedCommand[] {
  const { fiscalDelay, fiscalOutcome } = settings.conduct.indoor
  const after = drawDuration(house.fiscal, chance(stream))
  const fails = chance(stream).oneIn(house.fiscalErrorOneIn)
  const outcome = fiscalOutcome ?? (fails ? 'error' : 'issued')
  return [
    plan({ kind: 'account.conclude-fiscal', accountId, documentId, outcome }, fiscalDelay ?? after),
  ]
}

/** Delay and repetition of account events at handover. */
export function accountEventHandover(behaviour: BehaviourName): {
  readonly delayMs: (chance: Chance) => number
  readonly repeatsOneIn: number
} {
  const { handover, repeatsOneIn } = houseBehaviours[behaviour]
  return { delayMs: (chance) => drawDuration(handover, chance), repeatsOneIn }
}

export const indoorHost = (behaviour: BehaviourName): Reactor => {
  const house = houseBehaviours[behaviour]
  return (fact, context) => {
    switch (fact.kind) {
      case 'ticket.read':
        return afterReading(fact.orderId, context)
      case 'account.order-rejected':
        return requestCancellation(fact, context)
      case 'account.opened':
      case 'account.items-added':
      case 'account.items-arrived':
        return requestDocumentWhenDue(fact.accountId, 'item_addition', context)
      case 'account.paid':
        return requestDocumentWhenDue(fact.accountId, 'payment', context)
      case 'account.moved':
        if (fact.to === 'CLOSED')
          return requestDocumentWhenDue(fact.accountId, 'account_closing', context)
        return fact.to === 'IN_USE' ? afterUnlocking(fact.accountId, context) : []
      case 'account.fiscal-requested':
        return scheduleOutcome(fact, house, context)
      default:
        return []
    }
  }
}
