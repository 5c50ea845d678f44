/** Commands on one account: enroll, suspend, reactivate, adjust points, expire points. */
import { compact } from '../../compact.ts'
import { accountStep, type EnrolledMay } from '../../protocol/loyalty/account-lifecycle.ts'
import type { Program } from '../../protocol/loyalty/program.ts'
import { ok, unreachable } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import { refuse } from '../refusal.ts'
import { available } from './account-record.ts'
import type { LoyaltyCommand } from './command.ts'
import { accountIn, findAccount } from './find.ts'
import { activate, endOfPoints, type Ledger, openLedger, transactionOf } from './ledger.ts'
import type { AccountRecord } from './world.ts'

type AccountCommand = Extract<
  LoyaltyCommand,
  {
    kind:
      | 'loyalty.enroll'
      | 'loyalty.move-account'
      | 'loyalty.adjust'
      | 'loyalty.expire'
      | 'loyalty.age-lot'
  }
>
type Of<Kind extends AccountCommand['kind']> = Extract<AccountCommand, { kind: Kind }>

export const enrolledMay = ({ settings }: Context): EnrolledMay =>
  settings.conduct.loyalty.enrolledMay

export function decideAccount(command: AccountCommand, context: Context): Decision {
  if (command.kind === 'loyalty.enroll') return enroll(command, context)
  const found = findAccount(command.accountId, context.world)
  if (!found.ok) return found
  const account = found.value
  switch (command.kind) {
    case 'loyalty.move-account':
      return move(account, command)
    case 'loyalty.adjust':
      return adjust(account, command, context)
    case 'loyalty.expire':
      return expire(account, command, context)
    case 'loyalty.age-lot':
      return ageLot(account, command, context)
    default:
      return unreachable(command)
  }
}

function enroll({ customerId, programId }: Of<'loyalty.enroll'>, context: Context): Decision {
  const program = context.world.loyalty.host.programs.get(programId)
  if (!program) return refuse('NOT_FOUND', `there is no program ${programId}`)
  const account = accountIn(customerId, programId, context.world)
  if (account)
    return refuse('CONFLICT', `${customerId} has an account in ${programId}: ${account.id}`)
  const ledger = openLedger(context)
  enrolled(customerId, program, ledger)
  return ok(ledger.facts())
}

/** Creates and announces a new account; returns its id. */
export function enrolled(customerId: string, program: Program, ledger: Ledger): string {
  const accountId = ledger.context.chance('loyalty.ids').uuid()
  const { id: programId, merchantId } = program
  ledger.write({
    kind: 'loyalty.account-enrolled',
    account: {
      id: accountId,
      customerId,
      programId,
      ...compact({ merchantId }),
    },
  })
  const row = accountStep(undefined, 'enrollment')
  if (row?.emits) ledger.announce(row.emits, accountId, {})
  return accountId
}

function move(account: AccountRecord, { trigger, force }: Of<'loyalty.move-account'>): Decision {
  const { id: accountId, status } = account
  const row = accountStep(status, trigger)
  const to = row?.to ?? (trigger === 'suspension' ? 'SUSPENDED' : 'ACTIVE')
  if (!row && !force)
    return refuse(
      'INVALID_TRANSITION',
      `${trigger} is not possible for the loyalty account ${accountId} in ${status}`,
    )
  if (status === to) return ok([])
  return ok([
    {
      kind: 'loyalty.account-moved',
      accountId,
      trigger,
      from: status,
      to,
      ...(row ? {} : { forced: true as const }),
    },
  ])
}

function adjust(
  account: AccountRecord,
  { points, reason = 'by_hand' }: Of<'loyalty.adjust'>,
  context: Context,
): Decision {
  const { id, status } = account
  if (points === 0) return ok([])
  if (status === 'SUSPENDED')
    return refuse('LOYALTY_ACCOUNT_SUSPENDED', `the loyalty account ${id} is SUSPENDED`)
  if (-points > available(account))
    return refuse(
      'INSUFFICIENT_BALANCE',
      `${-points} points cannot be taken from ${id}: ${available(account)} are available`,
    )
  const ledger = openLedger(context)
  ledger.write({
    kind: 'loyalty.points-adjusted',
    accountId: id,
    transaction: transactionOf(
      { accountId: id, type: 'adjust', amount: points, metadata: { reason } },
      ledger,
    ),
    ...(points > 0 ? endOfPoints(context) : {}),
  })
  activate(id, ledger)
  ledger.announce('loyalty.points_accrued', id, { points, reason })
  return ok(ledger.facts())
}

/** Expires points by an expire transaction, and announces it (LOY-EVT-04). */
function expirePoints(
  accountId: string,
  points: number,
  lotId: string | undefined,
  ledger: Ledger,
): void {
  ledger.write({
    kind: 'loyalty.points-expired',
    accountId,
    transaction: transactionOf({ accountId, type: 'expire', amount: -points }, ledger),
    ...compact({ lotId }),
  })
  ledger.announce('loyalty.points_expired', accountId, { points })
}

function expire(account: AccountRecord, command: Of<'loyalty.expire'>, context: Context): Decision {
  const maxPoints = available(account)
  const points = command.points ?? maxPoints
  if (points > maxPoints || points === 0)
    return refuse(
      'INSUFFICIENT_BALANCE',
      `points of ${account.id} cannot expire: ${maxPoints} are available`,
    )
  const ledger = openLedger(context)
  expirePoints(account.id, points, undefined, ledger)
  return ok(ledger.facts())
}

/** Expires a lot or marks it as expiring soon; no-op if the lot is spent. Reserved points do not expire. */
function ageLot(
  account: AccountRecord,
  { lotId }: Of<'loyalty.age-lot'>,
  context: Context,
): Decision {
  const lot = account.lots.find(({ id }) => id === lotId)
  if (!lot) return ok([])
  const { id: accountId } = account
  const { expiresAt, left } = lot
  if (context.now < expiresAt)
    return ok(lot.soon ? [] : [{ kind: 'loyalty.points-expiring', accountId, lotId, expiresAt }])
  const points = Math.min(left, available(account))
  if (points === 0) return ok([{ kind: 'loyalty.lot-ended', accountId, lotId }])
  const ledger = openLedger(context)
  expirePoints(accountId, points, lotId, ledger)
  return ok(ledger.facts())
}
