/**
 * Payments, discounts and courtesy of an account. A payment needs no lock (IND-RUL-01) and changes no status;
 * concurrent payments cannot add up to more than the account's amount, unless the session accepts overpayment.
 */
import { compact } from '../../base/compact.ts'
import { accountSums } from '../../protocol/indoor/totals.ts'
import { fromCents, toCents } from '../../protocol/indoor/money.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decisions } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { refuse } from '../refusal.ts'
import { accountLabel, onAccountAllowing } from './account-trigger-check.ts'
import { withAccountEvent } from './account-events.ts'
import type { DiningAccountRecord, PaymentRecord } from './world.ts'

/**
 * The refusal message of a payment that exceeds what is due; undefined when it fits or the session accepts
 * overpayment.
 */
function excessMessage(
  account: DiningAccountRecord,
  cents: number,
  { settings }: DecisionContext,
): string | undefined {
  const { due } = accountSums(account)
  return cents <= due || settings.conduct.indoor.overpayment === 'accept'
    ? undefined
    : `${accountLabel(account)} has ${fromCents(due)} due: a payment of ${fromCents(cents)} is over it`
}

const paymentPayload = ({ cents, methodInfo }: PaymentRecord) => ({
  amount: fromCents(cents),
  method: methodInfo.method,
})

export const moneyDecisions: Decisions<
  CommandOf<'account.pay' | 'account.adjust-payment' | 'account.discount' | 'account.courtesy'>
> = {
  'account.pay': onAccountAllowing('pay', (account, { payment }, context) => {
    const { accountId } = account
    const { amount, items, ...rest } = payment
    const cents = toCents(amount)
    if (cents <= 0) return refuse('UNPROCESSABLE', `amount is ${amount}: a payment is above zero`)
    const unknownItem = items?.find((id) => !account.items.some(({ itemId }) => itemId === id))
    if (unknownItem !== undefined)
      return refuse('UNPROCESSABLE', `items: ${accountLabel(account)} has no item ${unknownItem}`)
    const excess = excessMessage(account, cents, context)
    if (excess !== undefined) return refuse('PAYMENT_EXCEEDS_DUE', excess)
    const record: PaymentRecord = {
      paymentId: context.chance('indoor.payments').uuid(),
      paidAt: isoOf(context.now),
      cents,
      ...rest,
      ...compact({ items }),
    }
    const details = { paymentId: record.paymentId, payload: paymentPayload(record) }
    return ok(
      withAccountEvent(
        { kind: 'account.paid', accountId, payment: record },
        'PAYMENT_CREATED',
        account,
        { ...context, details },
      ),
    )
  }),

  'account.adjust-payment': onAccountAllowing('adjust-payment', (account, command, context) => {
    const { accountId, paymentId, amount, reason } = command
    const before = account.payments.find((each) => each.paymentId === paymentId)
    if (!before) return refuse('NOT_FOUND', `${accountLabel(account)} has no payment ${paymentId}`)
    const cents = toCents(amount)
    if (cents < 0)
      return refuse('UNPROCESSABLE', `amount is ${amount}: a payment is not below zero`)
    const excess = excessMessage(account, cents - before.cents, context)
    if (excess !== undefined) return refuse('PAYMENT_EXCEEDS_DUE', excess)
    const payment = { ...before, cents }
    return ok(
      withAccountEvent(
        { kind: 'account.payment-adjusted', accountId, payment, ...compact({ reason }) },
        'PAYMENT_UPDATED',
        account,
        { ...context, details: { paymentId, payload: paymentPayload(payment) } },
      ),
    )
  }),

  /** A discount by the host: visible in the totals only, as the protocol has no event for it. */
  'account.discount': onAccountAllowing('discount', ({ accountId }, { amount, reason }) => {
    const cents = toCents(amount)
    return cents <= 0
      ? refuse('UNPROCESSABLE', `amount is ${amount}: a discount is above zero`)
      : ok([{ kind: 'account.discounted', accountId, cents, ...compact({ reason }) }])
  }),

  'account.courtesy': onAccountAllowing('courtesy', ({ accountId, courtesy }, { reason }) =>
    ok(courtesy ? [] : [{ kind: 'account.courtesy-granted', accountId, ...compact({ reason }) }]),
  ),
}
