/**
 * How the Software Service keeps its dining accounts: an INDOOR order that it has read comes to an account, what Orders
 * cancels is cancelled there, an order that a locked account would not take is given back, and fiscal documents are
 * issued when they are due. It reacts to facts of its own slice only.
 */
import type { Chance } from '../engine/chance.ts'
import type { Context } from '../engine/decision.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import { isBehind } from '../engine/indoor/mirror.ts'
import type { Planned } from '../engine/agenda/item.ts'
import type { InvoiceMoment } from '../protocol/indoor/fiscal.ts'
import { draw, plan } from './habit.ts'
import { type HouseTemperament, houseTemperaments } from './indoor-temperament.ts'
import type { TemperamentName } from './temperament.ts'

const stream = 'indoor-host'

/** What an order that was read means for accounts; the Software Service has processed it when it has read it. */
function afterReading(orderId: string, { world, settings }: Context): readonly Planned[] {
  const { host } = world.indoor
  const ticket = world.store.tickets.get(orderId)
  const order = ticket?.order
  if (!order || ticket.profile !== 'INDOOR') return []
  const booked = host.orders.get(orderId)
  if (booked)
    return settings.conduct.indoor.mirrorItemCancel && isBehind(order, ticket.status, booked)
      ? [plan({ kind: 'account.mirror', orderId }, 0)]
      : []
  // What was given back and is to be served all the same may find the account open by now.
  const isGivenBack = host.rejected.has(orderId) && !ticket.denied
  const isGone = ticket.status === 'CANCELLED' || ticket.status === 'CONCLUDED'
  return isGivenBack || isGone ? [] : [plan({ kind: 'account.book', orderId }, 0)]
}

/** The orders whose items an account has: each may have waited for the lock to go. */
function afterUnlocking(accountId: string, { world, settings }: Context): readonly Planned[] {
  if (!settings.conduct.indoor.mirrorItemCancel) return []
  const { accounts, orders } = world.indoor.host
  const ids = new Set(accounts.get(accountId)?.items.map(({ orderId }) => orderId))
  return [...ids].flatMap((orderId) => {
    const ticket = world.store.tickets.get(orderId)
    const booked = orders.get(orderId)
    return ticket?.order && booked && isBehind(ticket.order, ticket.status, booked)
      ? [plan({ kind: 'account.mirror', orderId }, 0)]
      : []
  })
}

/** The locked account would not take it, and an order cannot be answered: it is asked to be cancelled (IND-UND-06). */
function giveBack(
  { orderId }: Extract<Fact, { kind: 'account.order-rejected' }>,
  { settings }: Context,
): readonly Planned[] {
  if (settings.conduct.indoor.lockedOrder === 'ignore') return []
  const request = {
    reason: 'a conta está em pagamento',
    code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
    mode: 'AUTO',
  } as const
  return [plan({ kind: 'ticket.cancel', orderId, request }, 0)]
}

/** The house issues by itself where it is the issuer and an order asks for a document, at the moment it declares. */
function whenDue(
  accountId: string,
  moment: InvoiceMoment,
  { world, settings }: Context,
): readonly Planned[] {
  const { invoiceIssuer, invoiceIssueMoment } = settings.conduct.indoor
  const wanted = world.indoor.host.accounts.get(accountId)?.wantsDocument
  return wanted && invoiceIssuer === 'pos' && invoiceIssueMoment === moment
    ? [plan({ kind: 'account.request-fiscal', accountId, own: true }, 0)]
    : []
}

/** The outcome of an issuance, some time after it was asked for (IND-RUL-06). */
function issuance(
  { accountId, documentId }: Extract<Fact, { kind: 'account.fiscal-requested' }>,
  house: HouseTemperament,
  { settings, chance }: Context,
): readonly Planned[] {
  const { fiscalDelay, fiscalOutcome } = settings.conduct.indoor
  const after = draw(house.fiscal, chance(stream))
  const fails = chance(stream).oneIn(house.fiscalErrorOneIn)
  const outcome = fiscalOutcome ?? (fails ? 'error' : 'issued')
  return [
    plan({ kind: 'account.conclude-fiscal', accountId, documentId, outcome }, fiscalDelay ?? after),
  ]
}

/** How it hands its account events over. */
export function accountHandover(temperament: TemperamentName): {
  readonly delayMs: (chance: Chance) => number
  readonly repeatsOneIn: number
} {
  const { handover, repeatsOneIn } = houseTemperaments[temperament]
  return { delayMs: (chance) => draw(handover, chance), repeatsOneIn }
}

export const indoorHost = (temperament: TemperamentName): Reactor => {
  const house = houseTemperaments[temperament]
  return (fact, context) => {
    switch (fact.kind) {
      case 'ticket.read':
        return afterReading(fact.orderId, context)
      case 'account.order-rejected':
        return giveBack(fact, context)
      case 'account.opened':
      case 'account.items-added':
      case 'account.items-arrived':
        return whenDue(fact.accountId, 'item_addition', context)
      case 'account.paid':
        return whenDue(fact.accountId, 'payment', context)
      case 'account.moved':
        if (fact.to === 'CLOSED') return whenDue(fact.accountId, 'account_closing', context)
        return fact.to === 'IN_USE' ? afterUnlocking(fact.accountId, context) : []
      case 'account.fiscal-requested':
        return issuance(fact, house, context)
      default:
        return []
    }
  }
}
