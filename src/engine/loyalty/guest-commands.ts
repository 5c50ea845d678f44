/**
 * The Ordering Application as a client of Loyalty: it calls what the host declares, and nothing before the host's
 * manifest is valid (DIS-GEN-02, LOY-MAP-01, LOY-MAP-02).
 */
import { ok } from '../../protocol/result.ts'
import { mayCall } from '../announcements/receiver.ts'
import { placed } from '../calls/place-call.ts'
import type { Context, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { partnerOf, type World } from '../world.ts'
import type { LoyaltyGuestCommand, ReadableThing } from './command.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Result } from '../../protocol/result.ts'

type Own = Extract<LoyaltyGuestCommand, { kind: 'reward.read' | 'reward.redeem' }>
type Of<Kind extends Own['kind']> = Extract<Own, { kind: Kind }>

export const readOperations = {
  programs: 'listLoyaltyPrograms',
  rewards: 'listLoyaltyRewards',
  accounts: 'listCustomerLoyaltyAccounts',
  account: 'getLoyaltyAccountById',
  transactions: 'listLoyaltyTransactions',
  coupons: 'listLoyaltyCoupons',
} as const satisfies Readonly<Record<ReadableThing, OperationId>>

/** What each reading needs to know. */
const needs: Readonly<Partial<Record<ReadableThing, 'customerId' | 'accountId'>>> = {
  accounts: 'customerId',
  account: 'accountId',
  transactions: 'accountId',
}

/** Whether the host declares an operation; one that is trusted without a manifest declares none, and has all. */
export function declares(id: OperationId, world: World): boolean {
  const from = 'ordering-application'
  if (!mayCall(from, 'crm', 'customer', world)) return false
  const declared = partnerOf(world, from, 'crm')?.manifest?.capabilities['customer']?.operations
  return declared === undefined || declared.length === 0 || declared.includes(id)
}

export function decideGuest(command: Own, context: Context): Decision {
  return command.kind === 'reward.read' ? read(command, context) : redeem(command, context)
}

function call(
  operation: OperationId,
  parts: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: unknown
  },
  context: Context,
): Result<Fact, Refusal> {
  if (!declares(operation, context.world))
    return refuse(
      'CONFLICT',
      `${operation} is not declared by the CRM, or its manifest is not valid yet`,
    )
  return ok(
    placed({ from: 'ordering-application', to: 'crm', operation, ...parts, attempt: 1 }, context),
  )
}

function read(command: Of<'reward.read'>, context: Context): Decision {
  const { what, customerId, accountId, orderId } = command
  const needed = needs[what]
  if (needed !== undefined && command[needed] === undefined)
    return refuse('UNPROCESSABLE', `${needed} is needed to read ${what}`)
  const params = {
    ...(customerId === undefined ? {} : { customerId }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(orderId === undefined ? {} : { orderId }),
  }
  const query = {
    ...(what === 'rewards' || what === 'transactions' ? { pageSize: '100' } : {}),
    ...(what === 'coupons' && customerId !== undefined ? { customerId } : {}),
  }
  const made = call(
    readOperations[what],
    { params, ...(Object.keys(query).length === 0 ? {} : { query }) },
    context,
  )
  return made.ok ? ok([made.value]) : made
}

/** The body names the account by its id, or by customer and program, as the session's conduct has it (LOY-UND-05). */
function redeem(command: Of<'reward.redeem'>, context: Context): Decision {
  const { accountId, rewardId, quantity, orderId } = command
  const { world, settings } = context
  const account = world.loyalty.guest.accounts.get(accountId)
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
        ...(quantity === undefined ? {} : { quantity }),
        ...(orderId === undefined ? {} : { orderId }),
      }
    : {
        accountId,
        rewardId,
        ...(quantity === undefined ? {} : { quantity }),
        ...(orderId === undefined ? {} : { relatedOrderId: orderId }),
      }
  const params = { accountId, rewardId, ...(orderId === undefined ? {} : { orderId }) }
  const made = call('createLoyaltyRedemption', { params, body }, context)
  if (!made.ok) return made
  const about = orderId === undefined ? {} : { orderId }
  return ok([{ kind: 'reward.asked', accountId, rewardId, ...about }, made.value])
}
