/** Readers of the answers to the Ordering Application's Loyalty calls. */
import type { z } from 'zod'
import { compact } from '../../base/compact.ts'
import { LoyaltyAccount, LoyaltyAccountList } from '../../protocol/loyalty/account.ts'
import { CouponPage } from '../../protocol/loyalty/coupon.ts'
import { type PartnerReward, ProgramPage, RewardPage } from '../../protocol/loyalty/program.ts'
import { type LoyaltyRecordKind, pageIn, withOurNames } from '../../protocol/loyalty/page.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
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

const kindOf = {
  programs: 'program',
  rewards: 'reward',
  accounts: 'account',
  account: 'account',
  transactions: 'transaction',
  coupons: 'coupon',
} as const satisfies Readonly<Record<ReadableResource, LoyaltyRecordKind>>

/** An answer reader for one schema; an error status or an invalid body becomes `reward.refused` with the reason. */
const resourceReader = <Value>(
  what: ReadableResource,
  schema: () => z.ZodType<Value>,
  toFacts: (value: Value, params: Params) => readonly LoyaltyGuestFact[],
): AnswerReader =>
  answerReader({
    subject: subjectParams,
    accepted(params, { body }) {
      const value = (what === 'account' ? withOurNames : pageIn)(body, kindOf[what])
      const read = schema().safeParse(value)
      return read.success
        ? toFacts(read.data, params)
        : `the answer is invalid at ${jsonProblemText(read.error, value)}`
    },
    refused: refusedFacts(what),
  })

/** Rewards whose cost stands under none of the usual names cannot be redeemed: it is asked for by name. */
function costlessFacts(rewards: readonly PartnerReward[]): readonly LoyaltyGuestFact[] {
  const ids = rewards.flatMap(({ id, cost }) => (cost === undefined ? [id] : []))
  return ids.length === 0 ? [] : [{ kind: 'reward.cost-missing', rewardIds: ids.slice(0, 20) }]
}

export const loyaltyAnswers: AnswerReaders = {
  listLoyaltyPrograms: resourceReader(
    'programs',
    () => ProgramPage,
    ({ items }) => [{ kind: 'reward.list-read', what: 'programs', count: items.length }],
  ),
  listLoyaltyRewards: resourceReader(
    'rewards',
    () => RewardPage,
    ({ items }) => [{ kind: 'reward.rewards-read', rewards: items }, ...costlessFacts(items)],
  ),
  listCustomerLoyaltyAccounts: resourceReader(
    'accounts',
    () => LoyaltyAccountList,
    ({ items }, params) => [
      {
        kind: 'reward.accounts-read',
        customerId: params['customerId'] ?? '',
        accounts: items,
        ...aboutOrder(params),
      },
    ],
  ),
  getLoyaltyAccountById: resourceReader(
    'account',
    () => LoyaltyAccount,
    (account) => [{ kind: 'reward.account-read', account }],
  ),
  listLoyaltyTransactions: resourceReader(
    'transactions',
    () => TransactionPage,
    ({ items }) => [
      {
        kind: 'reward.list-read',
        what: 'transactions',
        count: items.length,
        sum: items.reduce((sum, { amount }) => sum + amount, 0),
      },
    ],
  ),
  listLoyaltyCoupons: resourceReader(
    'coupons',
    () => CouponPage,
    ({ items }) => [{ kind: 'reward.coupons-read', coupons: items }],
  ),
  /** 202 is only a receipt: the outcome comes by event, or shows in the balance. */
  createLoyaltyRedemption: answerReader({
    subject: subjectParams,
    accepted: ({ rewardId = '', ...params }) => [
      { kind: 'reward.accepted', rewardId, ...aboutOrder(params) },
    ],
    refused: refusedFacts('redemption'),
  }),
}
