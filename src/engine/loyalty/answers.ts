/** Readers of the answers to the Ordering Application's Loyalty calls. */
import { LoyaltyAccount, LoyaltyAccountList } from '../../protocol/loyalty/account.ts'
import { CouponPage } from '../../protocol/loyalty/coupon.ts'
import { ProgramPage, RewardPage } from '../../protocol/loyalty/program.ts'
import { TransactionPage } from '../../protocol/loyalty/transaction.ts'
import { outcomeText, isSuccess, willRetry } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import type { ReadableResource } from './commands.ts'
import type { LoyaltyGuestFact } from './guest-facts.ts'

type Params = Readonly<Record<string, string>>

/** The part of a zod schema that reading an answer needs. */
interface Shape<Value> {
  readonly safeParse: (
    value: unknown,
  ) =>
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } }
}
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const aboutOrder = (params: Params): { readonly orderId?: string } => {
  const { orderId } = params
  return orderId === undefined ? {} : { orderId }
}

/** An answer reader for one schema; an error status or an invalid body becomes `reward.refused` with the reason. */
const answerReader =
  <Value>(
    what: ReadableResource,
    shape: () => Shape<Value>,
    toFact: (value: Value, params: Params) => LoyaltyGuestFact,
  ): AnswerReader =>
  (call, outcome) => {
    if (willRetry(call, outcome)) return []
    const params = call.params ?? {}
    const refused = (because: string): readonly LoyaltyGuestFact[] => [
      { kind: 'reward.refused', what, because, ...aboutOrder(params) },
    ]
    if (outcome.kind === 'failed') return refused(outcome.message)
    if (!isSuccess(outcome)) return refused(`answered ${outcomeText(outcome)}`)
    const read = shape().safeParse(outcome.body)
    if (read.success) return [toFact(read.data, params)]
    const issue = read.error.issues[0]
    return refused(`the answer is invalid at ${issue?.path.join('.')}: ${issue?.message}`)
  }

/** 202 is only a receipt: the outcome comes by event, or shows in the balance. */
const readRedemption: AnswerReader = (call, outcome) => {
  if (willRetry(call, outcome)) return []
  const { rewardId = '', ...params } = call.params ?? {}
  if (isSuccess(outcome)) return [{ kind: 'reward.accepted', rewardId, ...aboutOrder(params) }]
  const because = outcome.kind === 'failed' ? outcome.message : `answered ${outcomeText(outcome)}`
  return [{ kind: 'reward.refused', what: 'redemption', because, ...aboutOrder(params) }]
}

const toListFact =
  (what: ReadableResource) =>
  ({ items }: { readonly items: readonly unknown[] }): LoyaltyGuestFact => ({
    kind: 'reward.list-read',
    what,
    count: items.length,
  })

export const loyaltyAnswers: AnswerReaders = {
  listLoyaltyPrograms: answerReader('programs', () => ProgramPage, toListFact('programs')),
  listLoyaltyRewards: answerReader(
    'rewards',
    () => RewardPage,
    ({ items }) => ({
      kind: 'reward.rewards-read',
      rewards: items,
    }),
  ),
  listCustomerLoyaltyAccounts: answerReader(
    'accounts',
    () => LoyaltyAccountList,
    ({ items }, params) => ({
      kind: 'reward.accounts-read',
      customerId: params['customerId'] ?? '',
      accounts: items,
      ...aboutOrder(params),
    }),
  ),
  getLoyaltyAccountById: answerReader(
    'account',
    () => LoyaltyAccount,
    (account) => ({
      kind: 'reward.account-read',
      account,
    }),
  ),
  listLoyaltyTransactions: answerReader(
    'transactions',
    () => TransactionPage,
    ({ items }) => ({
      kind: 'reward.list-read',
      what: 'transactions',
      count: items.length,
      sum: items.reduce((sum, { amount }) => sum + amount, 0),
    }),
  ),
  listLoyaltyCoupons: answerReader('coupons', () => CouponPage, toListFact('coupons')),
  createLoyaltyRedemption: readRedemption,
}
