/**
 * The operations of Loyalty, a module of Customer (document 1, Endpoints): names of the operation map, at the paths of the
 * flows if shown there, else of the public standard (C14); all but the webhook also under the binding's prefix (LOY-UND-04).
 * An operation without a name in the map is declared by the name of a related one.
 */
import { defineOperation } from '../operation.ts'
import { redemptionRefusals } from '../refusals.ts'
import { LoyaltyAccount, LoyaltyAccountList } from './account.ts'
import { Coupon, CouponPage, CouponUse } from './coupon.ts'
import { LoyaltyEventBody } from './event.ts'
import { Program, ProgramBatch, ProgramPage, RewardPage } from './program.ts'
import { AccountsQuery, loyaltyQuery, TransactionsQuery } from './queries.ts'
import { RedemptionReceipt, RedemptionRequest } from './redemption.ts'
import { TransactionPage } from './transaction.ts'

const hosted = {
  capability: 'customer',
  module: 'loyalty',
  hosts: ['crm'],
  callers: ['ordering-application'],
  access: { scope: 'crm' },
} as const

const underBothPaths = <const Path extends string>(path: Path) =>
  ({ path, aliases: [`/v1/customer${path}`] }) as const

/** Events: received by both sides (CUS-MAP-04). */
const heard = {
  hosts: ['ordering-application', 'crm'],
  callers: ['crm', 'ordering-application'],
  method: 'POST',
  success: 204,
  request: () => LoyaltyEventBody,
  handler: { kind: 'command', name: 'loyalty.receive' },
} as const

export const loyaltyOperations = [
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/programs'),
    id: 'listLoyaltyPrograms',
    summary: 'List loyalty programs',
    method: 'GET',
    success: 200,
    response: () => ProgramPage,
    query: () => loyaltyQuery('merchantId'),
    handler: { kind: 'view', name: 'loyalty.programs' },
    clauses: ['LOY-MAP-01', 'LOY-UND-04'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/programs'),
    id: 'upsertLoyaltyPrograms',
    summary: 'Create or update loyalty programs',
    declaredAs: 'listLoyaltyPrograms',
    method: 'POST',
    success: 202,
    request: () => ProgramBatch,
    response: () => RedemptionReceipt,
    handler: { kind: 'command', name: 'loyalty.store-programs' },
    clauses: ['LOY-UND-04'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/programs/{programId}'),
    id: 'getLoyaltyProgramById',
    summary: 'Read a loyalty program',
    declaredAs: 'listLoyaltyPrograms',
    method: 'GET',
    success: 200,
    response: () => Program,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'loyalty.program' },
    clauses: ['LOY-UND-04'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/customers/{customerId}/loyalty-accounts'),
    id: 'listCustomerLoyaltyAccounts',
    summary: 'List the loyalty accounts of a customer',
    method: 'GET',
    success: 200,
    response: () => LoyaltyAccountList,
    query: () => AccountsQuery,
    handler: { kind: 'view', name: 'loyalty.accounts-of' },
    clauses: ['LOY-FLW-01', 'LOY-MAP-01'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/accounts/{accountId}'),
    id: 'getLoyaltyAccountById',
    summary: 'Read a loyalty account',
    method: 'GET',
    success: 200,
    response: () => LoyaltyAccount,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'loyalty.account' },
    clauses: ['LOY-MAP-01', 'LOY-UND-04'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/accounts/{accountId}/transactions'),
    id: 'listLoyaltyTransactions',
    summary: 'List the transactions of a loyalty account',
    method: 'GET',
    success: 200,
    response: () => TransactionPage,
    query: () => TransactionsQuery,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'loyalty.transactions' },
    clauses: ['LOY-MAP-01', 'LOY-UND-04'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/rewards'),
    id: 'listLoyaltyRewards',
    summary: 'List rewards',
    method: 'GET',
    success: 200,
    response: () => RewardPage,
    query: () => loyaltyQuery('programId'),
    handler: { kind: 'view', name: 'loyalty.rewards' },
    clauses: ['LOY-FLW-02', 'LOY-MAP-02'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/redemptions'),
    id: 'createLoyaltyRedemption',
    summary: 'Redeem a reward',
    method: 'POST',
    success: 202,
    request: () => RedemptionRequest,
    response: () => RedemptionReceipt,
    refuses: redemptionRefusals,
    handler: { kind: 'command', name: 'loyalty.redeem' },
    clauses: ['LOY-FLW-03', 'LOY-MAP-02', 'LOY-UND-05'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/coupons'),
    id: 'listLoyaltyCoupons',
    summary: 'List coupons',
    method: 'GET',
    success: 200,
    response: () => CouponPage,
    query: () => loyaltyQuery('programId', 'merchantId', 'customerId'),
    handler: { kind: 'view', name: 'loyalty.coupons' },
    clauses: ['LOY-FLW-04', 'LOY-MAP-02'],
  }),
  defineOperation({
    ...hosted,
    ...underBothPaths('/loyalty/coupons/{couponId}/use'),
    id: 'useLoyaltyCoupon',
    summary: 'Use a coupon',
    declaredAs: 'listLoyaltyCoupons',
    method: 'POST',
    success: 200,
    request: () => CouponUse,
    response: () => Coupon,
    refuses: ['NOT_FOUND', 'COUPON_NOT_USABLE', 'LOYALTY_ACCOUNT_SUSPENDED', 'CONFLICT'],
    handler: { kind: 'command', name: 'loyalty.use-coupon' },
    clauses: ['LOY-UND-03'],
  }),
  defineOperation({
    ...hosted,
    ...heard,
    id: 'receiveLoyaltyEvent',
    summary: 'Receive an event of Loyalty',
    path: '/webhooks/loyalty',
    webhook: 'loyalty',
    clauses: ['LOY-UND-06', 'CUS-MAP-04'],
  }),
  defineOperation({
    ...hosted,
    ...heard,
    ...underBothPaths('/loyalty/events'),
    id: 'receiveLoyaltyEventByFlow',
    summary: 'Receive an event of Loyalty, by the flow',
    declaredAs: 'receiveLoyaltyEvent',
    // The base of Customer at the Ordering Application.
    basePath: { 'ordering-application': '/customer' },
    clauses: ['LOY-UND-04'],
  }),
] as const

/** The names of the operation map, used in manifests (document 1, Operation map). */
export const loyaltyMapNames = [
  'listLoyaltyPrograms',
  'listCustomerLoyaltyAccounts',
  'getLoyaltyAccountById',
  'listLoyaltyTransactions',
  'listLoyaltyRewards',
  'createLoyaltyRedemption',
  'listLoyaltyCoupons',
  'receiveLoyaltyEvent',
] as const satisfies readonly (typeof loyaltyOperations)[number]['id'][]
