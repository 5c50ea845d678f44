/**
 * The Ordering Application as a client of Loyalty: calls only operations that the host declares, and none before the
 * host's manifest is valid (DIS-GEN-02, LOY-MAP-01, LOY-MAP-02).
 */
import { compact } from '../../base/compact.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { mayCallPartner } from '../announcements/receiver.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { partnerOf, type World } from '../world.ts'
import type { ReadableResource } from './commands.ts'
import type { OperationId } from '../../protocol/catalogue.ts'

export const readOperations = {
  programs: 'listLoyaltyPrograms',
  rewards: 'listLoyaltyRewards',
  accounts: 'listCustomerLoyaltyAccounts',
  account: 'getLoyaltyAccountById',
  transactions: 'listLoyaltyTransactions',
  coupons: 'listLoyaltyCoupons',
} as const satisfies Readonly<Record<ReadableResource, OperationId>>

/** The required parameter of each read. */
const requiredParameter: Readonly<Partial<Record<ReadableResource, 'customerId' | 'accountId'>>> = {
  accounts: 'customerId',
  account: 'accountId',
  transactions: 'accountId',
}

/** Whether the host declares an operation; a host trusted without a manifest counts as declaring all. */
export function hostDeclares(id: OperationId, world: World): boolean {
  const from = 'ordering-application'
  if (!mayCallPartner(from, 'crm', 'customer', world)) return false
  const declared = partnerOf(world, from, 'crm')?.manifest?.capabilities['customer']?.operations
  return declared === undefined || declared.length === 0 || declared.includes(id)
}

function placeCall(
  operation: OperationId,
  parts: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly trial?: string
  },
  context: DecisionContext,
): Result<Fact, Refusal> {
  if (!hostDeclares(operation, context.world))
    return refuse(
      'CONFLICT',
      `${operation} is not declared by the CRM, or its manifest is not valid yet`,
    )
  return ok(
    callPlacedFact(
      { from: 'ordering-application', to: 'crm', operation, ...parts, attempt: 1 },
      context,
    ),
  )
}

export function readResource(
  command: CommandOf<'reward.read'>,
  context: DecisionContext,
): Decision {
  const { what, customerId, accountId, orderId } = command
  const required = requiredParameter[what]
  if (required !== undefined && command[required] === undefined)
    return refuse('UNPROCESSABLE', `${required} is needed to read ${what}`)
  const params = compact({ customerId, accountId, orderId })
  const query = {
    ...(what === 'rewards' || what === 'transactions' ? { pageSize: '100' } : {}),
    ...(what === 'coupons' && customerId !== undefined ? { customerId } : {}),
  }
  const placedCall = placeCall(
    readOperations[what],
    { params, ...(Object.keys(query).length === 0 ? {} : { query }) },
    context,
  )
  return placedCall.ok ? ok([placedCall.value]) : placedCall
}

/** The body names the account by id, or by customer and program, by `redemptionBody` (LOY-UND-05). */
export function callRedemption(
  { accountId, rewardId, quantity, orderId }: CommandOf<'reward.redeem'>,
  context: DecisionContext,
): Decision {
  const { world, settings } = context
  const account = world.loyalty.guest.accounts.get(accountId)?.document
  const byCustomer = settings.conduct.loyalty.redemptionBody === 'customer'
  if (byCustomer && !account)
    return refuse('NOT_FOUND', `the Ordering Application has not read the account ${accountId}`)
  const cost = world.loyalty.guest.rewards.get(rewardId)?.cost
  const { customerId, programId } = account ?? {}
  const body = byCustomer
    ? {
        customerId,
        programId,
        rewardId,
        ...(cost === undefined ? {} : { points: cost * (quantity ?? 1) }),
        ...compact({ quantity, orderId }),
      }
    : {
        accountId,
        rewardId,
        ...compact({ quantity, relatedOrderId: orderId }),
      }
  const params = { accountId, rewardId, ...compact({ orderId }) }
  const available = account?.summary.pointsAvailable ?? Infinity
  const trial =
    account?.status === 'SUSPENDED'
      ? 'a redemption of an account that is SUSPENDED'
      : (cost ?? 0) * (quantity ?? 1) > available
        ? `a redemption over the balance of ${available} points`
        : undefined
  const parts = { params, body, ...compact({ trial }) }
  const placedCall = placeCall('createLoyaltyRedemption', parts, context)
  if (!placedCall.ok) return placedCall
  const about = orderId === undefined ? {} : { orderId }
  return ok([{ kind: 'reward.asked', accountId, rewardId, ...about }, placedCall.value])
}
