/**
 * Commands on an account: lock, unlock and close it (IND-TRA-02 to 04), cancel an item, transfer items to another
 * account. Each takes effect synchronously, and the reply shows it (IND-RUL-08).
 */
import { compact } from '../../base/compact.ts'
import {
  type DiningAccountMove,
  diningAccountStep,
  diningAccountTargets,
  accountEventOfTrigger,
} from '../../protocol/indoor/lifecycle.ts'
import { accountSums, fromCents, toCents } from '../../protocol/indoor/totals.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { isoOf } from '../instant.ts'
import { type Refusal, refuse } from '../refusal.ts'
import {
  accountLabel,
  checkAccountTrigger,
  invalidAccountState,
  onAccount,
  onAccountAllowing,
} from './account-trigger-check.ts'
import { withAccountEvent } from './account-events.ts'
import { reduceLine } from './account-facts.ts'
import type { AccountLine, DiningAccountRecord } from './world.ts'

/** The fact of a status change, and its event. */
function statusChangeFacts(
  account: DiningAccountRecord,
  { trigger, reason, requestedBy }: CommandOf<'account.move'>,
  context: DecisionContext,
  forced: boolean,
): readonly Fact[] {
  const { accountId, status: from } = account
  const payload = compact({ reason, requestedBy })
  return withAccountEvent(
    {
      kind: 'account.moved',
      accountId,
      trigger,
      from,
      to: diningAccountTargets[trigger],
      ...compact({ reason }),
      ...(forced ? { forced: true as const } : {}),
    },
    accountEventOfTrigger(trigger),
    account,
    { ...context, details: Object.keys(payload).length === 0 ? {} : { payload } },
  )
}

/** Why payments do not allow closing yet; undefined when they cover the account or do not have to (IND-TRA-04). */
function unpaidMessage(
  account: DiningAccountRecord,
  discountCents: number,
  { settings }: DecisionContext,
): string | undefined {
  if (settings.conduct.indoor.courtesy || account.courtesy) return undefined
  const total = account.discountCents + discountCents
  const { due } = accountSums({ ...account, discountCents: total })
  return due === 0 ? undefined : `${accountLabel(account)} has ${fromCents(due)} due`
}

/**
 * The account is in the target status already: no effect (IND-RUL-04); what an unlock does then is configurable
 * (IND-PRM-06).
 */
function alreadyApplied(
  account: DiningAccountRecord,
  trigger: DiningAccountMove,
  context: DecisionContext,
): Decision {
  const { unlockInUse } = context.settings.conduct.indoor
  if (trigger !== 'unlock' || unlockInUse === 202) return ok([])
  return refuse(
    'INVALID_ACCOUNT_STATE',
    `${accountLabel(account)} is ${account.status}: it is not locked`,
    unlockInUse,
  )
}

function findItem(account: DiningAccountRecord, itemId: string): Result<AccountLine, Refusal> {
  const item = account.items.find((each) => each.itemId === itemId)
  return item
    ? ok(item)
    : err({ code: 'NOT_FOUND', message: `${accountLabel(account)} has no item ${itemId}` })
}

/** Why this quantity exceeds the item; undefined when it does not. */
const excessMessage = (item: AccountLine, quantity: number | undefined): string | undefined =>
  quantity !== undefined && quantity > item.quantity
    ? `quantity is ${quantity}: of item ${item.itemId} only ${item.quantity} are left`
    : undefined

/** The lines to transfer, and the remainders of lines that are split. */
interface LineSplit {
  readonly leaving: readonly AccountLine[]
  readonly staying: readonly AccountLine[]
}

/**
 * Splits the account's lines into those to transfer and the remainders. The transferred part of a split line gets a
 * new id.
 */
function splitLines(
  account: DiningAccountRecord,
  { whole, items }: CommandOf<'account.transfer'>['transfer'],
  context: DecisionContext,
): Result<LineSplit, Refusal> {
  if (whole)
    return ok({ leaving: account.items.filter(({ status }) => status === 'ACTIVE'), staying: [] })
  const leaving: AccountLine[] = []
  const staying: AccountLine[] = []
  for (const { itemId, quantity } of items) {
    const found = findItem(account, itemId)
    if (!found.ok) return found
    const item = found.value
    if (item.status !== 'ACTIVE')
      return refuse('CONFLICT', `item ${itemId} of ${accountLabel(account)} is ${item.status}`)
    const excess = excessMessage(item, quantity)
    if (excess !== undefined) return refuse('UNPROCESSABLE', excess)
    if (quantity === undefined || quantity === item.quantity) leaving.push(item)
    else {
      const rest = reduceLine(item, quantity)
      staying.push(rest)
      const id = context.chance('indoor.items').uuid()
      leaving.push({ ...item, itemId: id, quantity, cents: item.cents - rest.cents })
    }
  }
  return ok({ leaving, staying })
}

export const accountDecisions: Decisions<
  CommandOf<'account.move' | 'account.cancel-item' | 'account.transfer'>
> = {
  'account.move': onAccount((account, command, context) => {
    const { accountId, trigger, force, reason } = command
    const step = diningAccountStep(account.status, trigger)
    if (step.kind === 'applied') return alreadyApplied(account, trigger, context)
    const cents = toCents(command.discount ?? 0)
    const unpaid = trigger === 'close' ? unpaidMessage(account, cents, context) : undefined
    if (step.kind === 'refused' && !force) return invalidAccountState(account, trigger, context)
    if (unpaid !== undefined && !force) return refuse('INSUFFICIENT_PAYMENT', unpaid)
    const hasDiscount = trigger === 'close' && cents > 0
    const isForced = step.kind === 'refused' || unpaid !== undefined
    return ok([
      ...(hasDiscount
        ? [{ kind: 'account.discounted', accountId, cents, ...compact({ reason }) } as const]
        : []),
      ...statusChangeFacts(account, command, context, isForced),
    ])
  }),

  'account.cancel-item': onAccountAllowing('cancel-item', (account, command, context) => {
    const { accountId, itemId, reason } = command
    const item = findItem(account, itemId)
    if (!item.ok) return item
    if (item.value.status === 'CANCELLED') return ok([])
    const excess = excessMessage(item.value, command.quantity)
    if (excess !== undefined) return refuse('UNPROCESSABLE', excess)
    const quantity = command.quantity ?? item.value.quantity
    const { orderId } = item.value
    return ok(
      withAccountEvent(
        {
          kind: 'account.item-cancelled',
          accountId,
          orderId,
          item: reduceLine(item.value, quantity),
          quantity,
          ...compact({ reason }),
        },
        'ACCOUNT_ITEM_CANCELLED',
        account,
        {
          ...context,
          details: { orderId, payload: { itemId, quantity, ...compact({ reason }) } },
        },
      ),
    )
  }),

  'account.transfer': onAccountAllowing('transfer', (account, command, context) => {
    const { accountId, targetAccountId, reason, transfer: instruction } = command
    const other = checkAccountTrigger(targetAccountId, 'transfer', context)
    if (!other.ok) return other
    const target = other.value
    if (accountId === targetAccountId)
      return refuse(
        'UNPROCESSABLE',
        `targetAccountId: ${accountLabel(account)} is the source itself`,
      )
    if (account.merchantId !== target.merchantId)
      return refuse(
        'UNPROCESSABLE',
        `targetAccountId: ${accountLabel(target)} is of another merchant`,
      )
    const split = splitLines(account, instruction, context)
    if (!split.ok) return split
    const { leaving, staying } = split.value
    if (leaving.length === 0 && account.charges.length === 0) return ok([])
    const remainingIds = new Set(staying.map(({ itemId }) => itemId))
    const payload = {
      items: leaving.map(({ itemId, name, quantity }) => ({ itemId, name, quantity })),
      sourceAccountId: accountId,
      targetAccountId,
      ...compact({ reason }),
    }
    const details = { ...context, details: { payload } }
    const itemIds = leaving.map(({ itemId }) => itemId).filter((id) => !remainingIds.has(id))
    return ok([
      ...withAccountEvent(
        {
          kind: 'account.items-left',
          accountId,
          targetAccountId,
          itemIds,
          lessened: staying,
          whole: instruction.whole,
          ...compact({ reason }),
        },
        'ACCOUNT_ITEM_REMOVED',
        account,
        details,
      ),
      ...withAccountEvent(
        {
          kind: 'account.items-arrived',
          accountId: targetAccountId,
          sourceAccountId: accountId,
          items: leaving,
          orders: instruction.whole ? account.orders : [],
          charges: instruction.whole ? account.charges : [],
          wantsDocument: account.wantsDocument ?? false,
          transferredAt: isoOf(context.now),
        },
        'ACCOUNT_ITEM_ADDED',
        target,
        details,
      ),
    ])
  }),
}
