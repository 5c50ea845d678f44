/**
 * The operations of Loyalty, a module of Customer (document 1, Endpoints): names of the operation map, at the paths of the
 * flows if shown there, else of the public standard (C14); all but the webhook also under the binding's prefix (LOY-UND-04).
 * An operation without a name in the map is declared by the name of a related one.
 */
import { get, operationsOf, post } from '../operation.ts'
import { redemptionRefusals } from '../refusals.ts'
import { LoyaltyAccount, LoyaltyAccountList } from './account.ts'
import { Coupon, CouponPage, CouponUse } from './coupon.ts'
import { LoyaltyEventBody } from './event.ts'
import { Program, ProgramBatch, ProgramPage, RewardPage } from './program.ts'
import { RedemptionReceipt, RedemptionRequest } from './redemption.ts'
import { TransactionPage } from './transaction.ts'
import { z } from 'zod'
import { pageFields, periodFields } from '../customer/queries.ts'
import { plainObject } from '../../base/lazy-object.ts'

/** Query parameters of the lists of Loyalty (C10). */
const filters = {
  programId: 'Only those of this program.',
  merchantId: 'Only those of this merchant.',
  customerId: 'Only those of this customer.',
} as const

type Filter = keyof typeof filters

const filterFields = (names: readonly Filter[]) =>
  Object.fromEntries(names.map((name) => [name, z.string().optional().describe(filters[name])]))

/** The query of a paged list with these filters. */
const loyaltyQuery = (...names: readonly Filter[]): z.ZodObject =>
  plainObject(() => ({ ...pageFields(), ...filterFields(names) }))

/** The list of a customer's accounts is not paged. */
const AccountsQuery = plainObject(() => filterFields(['programId']))

const TransactionsQuery = plainObject(() => ({
  ...pageFields(),
  ...periodFields('created', true),
}))

const hosted = {
  capability: 'customer',
  module: 'loyalty',
  hosts: ['crm'],
  callers: ['ordering-application'],
  access: { scope: 'crm' },
} as const

const underBothPaths = (call: ReturnType<typeof get | typeof post>) => ({
  ...call,
  aliases: [`/v1/customer${call.path}`],
})

/** Events: received by both sides (CUS-MAP-04). */
const heard = {
  hosts: ['ordering-application', 'crm'],
  callers: ['crm', 'ordering-application'],
  request: () => LoyaltyEventBody,
  handler: { kind: 'command', name: 'loyalty.receive' },
} as const

export const loyaltyOperations = operationsOf(hosted, {
  listLoyaltyPrograms: {
    ...underBothPaths(get('/loyalty/programs')),
    summary: 'List loyalty programs',
    response: () => ProgramPage,
    query: () => loyaltyQuery('merchantId'),
    handler: { kind: 'view', name: 'loyalty.programs' },
    clauses: ['LOY-MAP-01', 'LOY-UND-04'],
  },
  upsertLoyaltyPrograms: {
    ...underBothPaths(post('/loyalty/programs', 202)),
    summary: 'Create or update loyalty programs',
    declaredAs: 'listLoyaltyPrograms',
    request: () => ProgramBatch,
    response: () => RedemptionReceipt,
    handler: { kind: 'command', name: 'loyalty.store-programs' },
    clauses: ['LOY-UND-04'],
  },
  getLoyaltyProgramById: {
    ...underBothPaths(get('/loyalty/programs/{programId}')),
    summary: 'Read a loyalty program',
    declaredAs: 'listLoyaltyPrograms',
    response: () => Program,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'loyalty.program' },
    clauses: ['LOY-UND-04'],
  },
  listCustomerLoyaltyAccounts: {
    ...underBothPaths(get('/customers/{customerId}/loyalty-accounts')),
    summary: 'List the loyalty accounts of a customer',
    response: () => LoyaltyAccountList,
    query: () => AccountsQuery,
    handler: { kind: 'view', name: 'loyalty.accounts-of' },
    clauses: ['LOY-FLW-01', 'LOY-MAP-01'],
  },
  getLoyaltyAccountById: {
    ...underBothPaths(get('/loyalty/accounts/{accountId}')),
    summary: 'Read a loyalty account',
    response: () => LoyaltyAccount,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'loyalty.account' },
    clauses: ['LOY-MAP-01', 'LOY-UND-04'],
  },
  listLoyaltyTransactions: {
    ...underBothPaths(get('/loyalty/accounts/{accountId}/transactions')),
    summary: 'List the transactions of a loyalty account',
    response: () => TransactionPage,
    query: () => TransactionsQuery,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'loyalty.transactions' },
    clauses: ['LOY-MAP-01', 'LOY-UND-04'],
  },
  listLoyaltyRewards: {
    ...underBothPaths(get('/loyalty/rewards')),
    summary: 'List rewards',
    response: () => RewardPage,
    query: () => loyaltyQuery('programId'),
    handler: { kind: 'view', name: 'loyalty.rewards' },
    clauses: ['LOY-FLW-02', 'LOY-MAP-02'],
  },
  createLoyaltyRedemption: {
    ...underBothPaths(post('/loyalty/redemptions', 202)),
    summary: 'Redeem a reward',
    request: () => RedemptionRequest,
    response: () => RedemptionReceipt,
    refuses: redemptionRefusals,
    handler: { kind: 'command', name: 'loyalty.redeem' },
    clauses: ['LOY-FLW-03', 'LOY-MAP-02', 'LOY-UND-05'],
  },
  listLoyaltyCoupons: {
    ...underBothPaths(get('/loyalty/coupons')),
    summary: 'List coupons',
    response: () => CouponPage,
    query: () => loyaltyQuery('programId', 'merchantId', 'customerId'),
    handler: { kind: 'view', name: 'loyalty.coupons' },
    clauses: ['LOY-FLW-04', 'LOY-MAP-02'],
  },
  useLoyaltyCoupon: {
    ...underBothPaths(post('/loyalty/coupons/{couponId}/use')),
    summary: 'Use a coupon',
    declaredAs: 'listLoyaltyCoupons',
    request: () => CouponUse,
    response: () => Coupon,
    distinguishedBy: 'content',
    refuses: ['NOT_FOUND', 'COUPON_NOT_USABLE', 'LOYALTY_ACCOUNT_SUSPENDED', 'CONFLICT'],
    handler: { kind: 'command', name: 'loyalty.use-coupon' },
    clauses: ['LOY-UND-03'],
  },
  receiveLoyaltyEvent: {
    ...heard,
    summary: 'Receive an event of Loyalty',
    ...post('/webhooks/loyalty', 204),
    webhook: 'loyalty',
    clauses: ['LOY-UND-06', 'CUS-MAP-04'],
  },
  receiveLoyaltyEventByFlow: {
    ...heard,
    ...underBothPaths(post('/loyalty/events', 204)),
    summary: 'Receive an event of Loyalty, by the flow',
    declaredAs: 'receiveLoyaltyEvent',
    // The base of Customer at the Ordering Application.
    basePath: { 'ordering-application': '/customer' },
    clauses: ['LOY-UND-04'],
  },
})

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
