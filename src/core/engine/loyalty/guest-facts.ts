/** Facts of a Loyalty client: `reward.…`. */
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'
import type { Coupon } from '../../protocol/loyalty/coupon.ts'
import { costNames } from '../../protocol/loyalty/page.ts'
import type { PartnerReward } from '../../protocol/loyalty/program.ts'
import { eventTitle } from '../../protocol/event-types.ts'
import { addBounded, setBounded } from '../bounded.ts'
import { type FactIn, factRow } from '../fact-row.ts'
import type { Instant } from '../instant.ts'
import type { ReadableResource } from './commands.ts'
import { listCount } from '../short-text.ts'
import { loyaltyBounds, type ReadRecord } from './world.ts'

/** Keeps the newest document of a record, with the statuses that it was read with; what has no id is not kept. */
function keep<Document extends { readonly status?: string | undefined }>(
  records: Map<string, ReadRecord<Document>>,
  id: string | undefined,
  document: Document,
  at: Instant,
): void {
  if (id === undefined) return
  const { way = [] } = records.get(id) ?? {}
  const { status = 'unknown' } = document
  const isSame = way.at(-1)?.status === status
  const steps = isSame ? way : [...way, { status, at }].slice(-loyaltyBounds.steps)
  setBounded(records, id, { document, way: steps }, loyaltyBounds.recordsRead)
}

export const loyaltyGuestFacts = {
  /** The Ordering Application read the rewards. */
  'reward.rewards-read': factRow<{ rewards: readonly PartnerReward[] }>({
    text: ({ rewards }) => `OA knows ${listCount(rewards, 'reward')}`,
    apply({ loyalty: { guest } }, { rewards }) {
      for (const reward of rewards)
        setBounded(guest.rewards, reward.id, reward, loyaltyBounds.rewards)
    },
  }),
  /** It read a customer's accounts; `orderId` is the reason for the read. */
  'reward.accounts-read': factRow<{
    customerId: string
    accounts: readonly LoyaltyAccount[]
    orderId?: string
  }>({
    text: ({ accounts }) => `OA read ${listCount(accounts, 'loyalty account')}`,
    apply({ loyalty: { guest } }, { accounts }, at) {
      for (const account of accounts) keep(guest.accounts, account.id, account, at)
    },
  }),
  /** It read one account again. */
  'reward.account-read': factRow<{ account: LoyaltyAccount }>({
    text: ({ account }) => `OA read a balance: ${account.summary.pointsAvailable}`,
    apply: ({ loyalty: { guest } }, { account }, at) =>
      keep(guest.accounts, account.id, account, at),
  }),
  /** It read the coupons of a customer; one without an id has its code as such. */
  'reward.coupons-read': factRow<{ coupons: readonly Coupon[] }>({
    text: ({ coupons }) => `OA read ${listCount(coupons, 'coupon')}`,
    apply({ loyalty: { guest } }, { coupons }, at) {
      for (const coupon of coupons) keep(guest.coupons, coupon.id ?? coupon.code, coupon, at)
    },
  }),
  /** It read rewards of which nothing says what they cost, which it does not redeem (LOY-UND-01). */
  'reward.cost-missing': factRow<{ rewardIds: readonly string[] }>({
    text: ({ rewardIds }) =>
      `no cost is found in rewards ${rewardIds.join(', ')}, and without one they are not redeemed: give it in points, as ${costNames.join(' or ')}`,
  }),
  /** It read a list; `sum` is the total of the points in it. */
  'reward.list-read': factRow<{ what: ReadableResource; count: number; sum?: number }>({
    text: ({ what, count, sum }) =>
      `OA read ${count} ${what}${sum === undefined ? '' : `, ${sum} points in all`}`,
  }),
  /** It sent a redemption request. */
  'reward.asked': factRow<{ accountId: string; rewardId: string; orderId?: string }>({
    text: ({ rewardId }) => `OA redeems ${rewardId}`,
  }),
  /** The host accepted the redemption for asynchronous processing. */
  'reward.accepted': factRow<{ rewardId: string; orderId?: string }>({
    text: ({ rewardId }) => `OA got 202 for ${rewardId}`,
  }),
  /** The host's answer was an error or invalid. */
  'reward.refused': factRow<{
    what: ReadableResource | 'redemption'
    because: string
    orderId?: string
  }>({
    text: ({ what, because }) => `OA was refused ${what}: ${because}`,
  }),
  /** It received a new loyalty event. */
  'reward.heard': factRow<{
    eventId: string
    eventType: string
    accountId?: string
    orderId?: string
  }>({
    text: (event) => `OA received ${eventTitle(event) ?? event.eventType}`,
    apply: ({ loyalty: { guest } }, { eventId }) =>
      addBounded(guest.seenEvents, eventId, loyaltyBounds.seenEvents),
  }),
  /** It received a duplicate loyalty event and ignored it. */
  'reward.event-repeated': factRow<{ eventId: string }>({
    text: () => 'OA received a loyalty event again',
  }),
}

export type LoyaltyGuestFact = FactIn<typeof loyaltyGuestFacts>
