/** Commands on one account: enroll, suspend, reactivate, adjust points, expire points. */
import { compact } from '../../base/compact.ts'
import { loyaltyAccountStep, type EnrolledMay } from '../../protocol/loyalty/account-lifecycle.ts'
import type { Program } from '../../protocol/loyalty/program.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import { type DecisionContext, type Decisions, decisionsOn } from '../decision.ts'
import type { LoyaltyAccountRecord } from './world.ts'
import { refuse } from '../refusal.ts'
import { availablePoints } from './reduce-account.ts'
import { accountInProgram, findLoyaltyAccount } from './find.ts'
import {
  activateAccount,
  pointsExpiry,
  type LoyaltyLedger,
  openLedger,
  createTransaction,
} from './ledger.ts'

export const enrolledMay = ({ settings }: DecisionContext): EnrolledMay =>
  settings.conduct.loyalty.enrolledMay

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

/** Decisions about an account that is there. */
const onAccount = decisionsOn<Pick<CommandOf<'loyalty.adjust'>, 'accountId'>, LoyaltyAccountRecord>(
  ({ accountId }, { world }) => findLoyaltyAccount(accountId, world),
)

export const loyaltyAccountDecisions: Decisions<
  CommandOf<
    | 'loyalty.enroll'
    | 'loyalty.move-account'
    | 'loyalty.adjust'
    | 'loyalty.expire'
    | 'loyalty.age-lot'
  >
> = {
  'loyalty.enroll'({ customerId, programId }, context) {
    const program = context.world.loyalty.host.programs.get(programId)
    if (!program) return refuse('NOT_FOUND', `there is no program ${programId}`)
    const account = accountInProgram(customerId, programId, context.world)
    if (account)
      return refuse('CONFLICT', `${customerId} has an account in ${programId}: ${account.id}`)
    const ledger = openLedger(context)
    enrollCustomer(customerId, program, ledger)
    return ok(ledger.facts())
  },
  'loyalty.move-account': onAccount((account, { accountId, trigger, force }) => {
    const { status } = account
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
  }),
  'loyalty.adjust': onAccount((account, { accountId, points, reason = 'by_hand' }, context) => {
    if (points === 0) return ok([])
    if (account.status === 'SUSPENDED')
      return refuse('LOYALTY_ACCOUNT_SUSPENDED', `the loyalty account ${accountId} is SUSPENDED`)
    const available = availablePoints(account)
    if (-points > available)
      return refuse(
        'INSUFFICIENT_BALANCE',
        `${-points} points cannot be taken from ${accountId}: ${available} are available`,
      )
    const ledger = openLedger(context)
    ledger.write({
      kind: 'loyalty.points-adjusted',
      accountId,
      transaction: createTransaction(
        { accountId, type: 'adjust', amount: points, metadata: { reason } },
        ledger,
      ),
      ...(points > 0 ? pointsExpiry(context) : {}),
    })
    activateAccount(accountId, ledger)
    ledger.announce('loyalty.points_accrued', accountId, { points, reason })
    return ok(ledger.facts())
  }),
  'loyalty.expire': onAccount((account, { accountId, points: asked }, context) => {
    const available = availablePoints(account)
    const points = asked ?? available
    if (points > available || points === 0)
      return refuse(
        'INSUFFICIENT_BALANCE',
        `points of ${accountId} cannot expire: ${available} are available`,
      )
    const ledger = openLedger(context)
    expirePoints(accountId, points, undefined, ledger)
    return ok(ledger.facts())
  }),
  /** Expires a lot or marks it as expiring soon; no-op if the lot is spent. Reserved points do not expire. */
  'loyalty.age-lot': onAccount((account, { accountId, lotId }, context) => {
    const lot = account.lots.find(({ id }) => id === lotId)
    if (!lot) return ok([])
    const { expiresAt, left } = lot
    if (context.now < expiresAt)
      return ok(lot.soon ? [] : [{ kind: 'loyalty.points-expiring', accountId, lotId, expiresAt }])
    const points = Math.min(left, availablePoints(account))
    if (points === 0) return ok([{ kind: 'loyalty.lot-ended', accountId, lotId }])
    const ledger = openLedger(context)
    expirePoints(accountId, points, lotId, ledger)
    return ok(ledger.facts())
  }),
}
