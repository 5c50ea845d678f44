/** Readers of the answers to the Ordering Application's Loyalty calls. */
import type { z } from 'zod'
import { compact } from '../../base/compact.ts'
import { LoyaltyAccount, LoyaltyAccountList } from '../../protocol/loyalty/account.ts'
import { CouponPage } from '../../protocol/loyalty/coupon.ts'
import { ProgramPage, RewardPage } from '../../protocol/loyalty/program.ts'
import { TransactionPage } from '../../protocol/loyalty/transaction.ts'
import { answerReader } from '../calls/answer-reader.ts'
import type { OutgoingCall } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import type { Fact } from '../fact.ts'
import type { ReadableResource } from './commands.ts'
import type { LoyaltyGuestFact } from './guest-facts.ts'

type Params = Readonly<Record<string, string>>

const aboutOrder = ({ orderId }: Params): { readonly orderId?: string } => compact({ orderId })

const subjectParams = ({ params = {} }: OutgoingCall): Params => params

const refusedFacts =
  (what: ReadableResource | 'redemption') =>
  (params: Params, because: string): readonly Fact[] => [
    { kind: 'reward.refused', what, because, ...aboutOrder(params) },
  ]

/** An answer reader for one schema; an error status or an invalid body becomes `reward.refused` with the reason. */
const resourceReader = <Value>(
  what: ReadableResource,
  schema: () => z.ZodType<Value>,
  toFact: (value: Value, params: Params) => LoyaltyGuestFact,
): AnswerReader =>
  answerReader({
    subject: subjectParams,
    accepted(params, { body }) {
      const read = schema().safeParse(body)
      if (read.success) return [toFact(read.data, params)]
      const issue = read.error.issues[0]
      return `the answer is invalid at ${issue?.path.join('.')}: ${issue?.message}`
    },
    refused: refusedFacts(what),
  })

const toListFact =
  (what: ReadableResource) =>
  ({ items }: { readonly items: readonly unknown[] }): LoyaltyGuestFact => ({
    kind: 'reward.list-read',
    what,
    count: items.length,
  })

export const loyaltyAnswers: AnswerReaders = {
  listLoyaltyPrograms: resourceReader('programs', () => ProgramPage, toListFact('programs')),
  listLoyaltyRewards: resourceReader(
    'rewards',
    () => RewardPage,
    ({ items }) => ({
      kind: 'reward.rewards-read',
      rewards: items,
    }),
  ),
  listCustomerLoyaltyAccounts: resourceReader(
    'accounts',
    () => LoyaltyAccountList,
    ({ items }, params) => ({
      kind: 'reward.accounts-read',
      customerId: params['customerId'] ?? '',
      accounts: items,
      ...aboutOrder(params),
    }),
  ),
  getLoyaltyAccountById: resourceReader(
    'account',
    () => LoyaltyAccount,
    (account) => ({
      kind: 'reward.account-read',
      account,
    }),
  ),
  listLoyaltyTransactions: resourceReader(
    'transactions',
    () => TransactionPage,
    ({ items }) => ({
      kind: 'reward.list-read',
      what: 'transactions',
      count: items.length,
      sum: items.reduce((sum, { amount }) => sum + amount, 0),
    }),
  ),
  listLoyaltyCoupons: resourceReader('coupons', () => CouponPage, toListFact('coupons')),
  /** 202 is only a receipt: the outcome comes by event, or shows in the balance. */
  createLoyaltyRedemption: answerReader({
    subject: subjectParams,
    accepted: ({ rewardId = '', ...params }) => [
      { kind: 'reward.accepted', rewardId, ...aboutOrder(params) },
    ],
    refused: refusedFacts('redemption'),
  }),
}
