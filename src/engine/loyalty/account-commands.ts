/** Commands on one account: enroll, suspend, reactivate, adjust points, expire points. */
import { compact } from '../../compact.ts'
import { loyaltyAccountStep, type EnrolledMay } from '../../protocol/loyalty/account-lifecycle.ts'
import type { Program } from '../../protocol/loyalty/program.ts'
import { ok, assertNever } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { refuse } from '../refusal.ts'
import { availablePoints } from './reduce-account.ts'
import type { LoyaltyCommand } from './command.ts'
import { accountInProgram, findLoyaltyAccount } from './find.ts'
import {
  activateAccount,
  pointsExpiry,
  type LoyaltyLedger,
  openLedger,
  createTransaction,
} from './ledger.ts'
import type { LoyaltyAccountRecord } from './world.ts'

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

export const enrolledMay = ({ settings }: DecisionContext): EnrolledMay =>
  settings.conduct.loyalty.enrolledMay

export function decideAccount(command: AccountCommand, context: DecisionContext): Decision {
  if (command.kind === 'loyalty.enroll') return enroll(command, context)
  const found = findLoyaltyAccount(command.accountId, context.world)
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
      return assertNever(command)
  }
}

function enroll(
  { customerId, programId }: Of<'loyalty.enroll'>,
  context: DecisionContext,
): Decision {
  const program = context.world.loyalty.host.programs.get(programId)
  if (!program) return refuse('NOT_FOUND', `there is no program ${programId}`)
  const account = accountInProgram(customerId, programId, context.world)
  if (account)
    return refuse('CONFLICT', `${customerId} has an account in ${programId}: ${account.id}`)
  const ledger = openLedger(context)
  enrollCustomer(customerId, program, ledger)
  return ok(ledger.facts())
}

/** Creates and announces a new account; returns its id. */
export function enrollCustomer(
  customerId: string,
  program: Program,
  ledger: LoyaltyLedger,
): string {
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
  const row = loyaltyAccountStep(undefined, 'enrollment')
  if (row?.emits) ledger.announce(row.emits, accountId, {})
  return accountId
}

function move(
  account: LoyaltyAccountRecord,
  { trigger, force }: Of<'loyalty.move-account'>,
): Decision {
  const { id: accountId, status } = account
  const row = loyaltyAccountStep(status, trigger)
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
  account: LoyaltyAccountRecord,
  { points, reason = 'by_hand' }: Of<'loyalty.adjust'>,
  context: DecisionContext,
): Decision {
  const { id, status } = account
  if (points === 0) return ok([])
  if (status === 'SUSPENDED')
    return refuse('LOYALTY_ACCOUNT_SUSPENDED', `the loyalty account ${id} is SUSPENDED`)
  if (-points > availablePoints(account))
    return refuse(
      'INSUFFICIENT_BALANCE',
      `${-points} points cannot be taken from ${id}: ${availablePoints(account)} are available`,
    )
  const ledger = openLedger(context)
  ledger.write({
    kind: 'loyalty.points-adjusted',
    accountId: id,
    transaction: createTransaction(
      { accountId: id, type: 'adjust', amount: points, metadata: { reason } },
      ledger,
    ),
    ...(points > 0 ? pointsExpiry(context) : {}),
  })
  activateAccount(id, ledger)
  ledger.announce('loyalty.points_accrued', id, { points, reason })
  return ok(ledger.facts())
}

/** Expires points by an expire transaction, and announces it (LOY-EVT-04). */
function expirePoints(
  accountId: string,
  points: number,
  lotId: string | undefined,
  ledger: LoyaltyLedger,
): void {
  ledger.write({
    kind: 'loyalty.points-expired',
    accountId,
    transaction: createTransaction({ accountId, type: 'expire', amount: -points }, ledger),
    ...compact({ lotId }),
  })
  ledger.announce('loyalty.points_expired', accountId, { points })
}

function expire(
  account: LoyaltyAccountRecord,
  command: Of<'loyalty.expire'>,
  context: DecisionContext,
): Decision {
  const maxPoints = availablePoints(account)
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
  account: LoyaltyAccountRecord,
  { lotId }: Of<'loyalty.age-lot'>,
  context: DecisionContext,
): Decision {
  const lot = account.lots.find(({ id }) => id === lotId)
  if (!lot) return ok([])
  const { id: accountId } = account
  const { expiresAt, left } = lot
  if (context.now < expiresAt)
    return ok(lot.soon ? [] : [{ kind: 'loyalty.points-expiring', accountId, lotId, expiresAt }])
  const points = Math.min(left, availablePoints(account))
  if (points === 0) return ok([{ kind: 'loyalty.lot-ended', accountId, lotId }])
  const ledger = openLedger(context)
  expirePoints(accountId, points, lotId, ledger)
  return ok(ledger.facts())
}
