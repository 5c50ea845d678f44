/** Facts of a Loyalty client: `reward.…`. */
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'
import type { PartnerReward } from '../../protocol/loyalty/program.ts'
import { eventTitle } from '../../protocol/event-types.ts'
import { addBounded, setBounded } from '../bounded.ts'
import { type FactIn, factRow } from '../fact-row.ts'
import type { ReadableResource } from './commands.ts'
import { listCount } from '../short-text.ts'
import { loyaltyBounds, type LoyaltyWorld } from './world.ts'

/** An account without an id is not stored: it could be neither read again nor named in a redemption. */
function storeAccount({ guest }: LoyaltyWorld, account: LoyaltyAccount): void {
  if (account.id !== undefined)
    setBounded(guest.accounts, account.id, account, loyaltyBounds.accountsRead)
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
    apply({ loyalty }, { accounts }) {
      for (const account of accounts) storeAccount(loyalty, account)
    },
  }),
  /** It read one account again. */
  'reward.account-read': factRow<{ account: LoyaltyAccount }>({
    text: ({ account }) => `OA read a balance: ${account.summary.pointsAvailable}`,
    apply: ({ loyalty }, { account }) => storeAccount(loyalty, account),
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
