/**
 * Autonomous behaviour of the Ordering Application in Loyalty: reads the accounts of customers who order, redeems what
 * the balance covers, and reads an account again after an event. It reacts to facts of its own slices only, and redeems
 * only after a read that an order caused, so that a host which never deducts points cannot cause an endless loop.
 */
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'
import type { PartnerReward } from '../../protocol/loyalty/program.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { ReadableResource } from '../../engine/loyalty/commands.ts'
import { hostDeclares, readOperations } from '../../engine/loyalty/guest-commands.ts'
import { drawDuration, plan } from './planning.ts'
import { type LoyaltyGuestTemperament, loyaltyGuestTemperaments } from './loyalty-temperament.ts'
import type { TemperamentName } from './temperament.ts'

const stream = 'loyalty-guest'

interface ReadTarget {
  readonly customerId?: string
  readonly accountId?: string
  readonly orderId?: string
}

/** Schedules a read, if the host declares the operation. */
const read = (
  what: ReadableResource,
  about: ReadTarget,
  afterMs: number,
  { world }: DecisionContext,
): readonly PlannedCommand[] =>
  hostDeclares(readOperations[what], world)
    ? [plan({ kind: 'reward.read', what, ...about }, afterMs)]
    : []

/** Events that change a balance. */
const balanceEvents: ReadonlySet<string> = new Set([
  'loyalty.account_linked',
  'loyalty.points_accrued',
  'loyalty.points_expired',
  'loyalty.points_redeemed',
  'loyalty.redemption_reversed',
])

const finishedStatuses: ReadonlySet<string> = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

/** The available rewards of an account's program, cheapest first. */
const rewardsFor = (
  { programId }: LoyaltyAccount,
  { world }: DecisionContext,
): readonly (PartnerReward & { readonly cost: number })[] =>
  [...world.loyalty.guest.rewards.values()]
    .flatMap((reward) => (reward.cost === undefined ? [] : [{ ...reward, cost: reward.cost }]))
    .filter((reward) => reward.available !== false && (reward.programId ?? programId) === programId)
    .sort((a, b) => a.cost - b.cost)

/** Redeems at most one reward for an order of the customer with these accounts. */
function planRedemption(
  { accounts, orderId }: Extract<Fact, { kind: 'reward.accounts-read' }>,
  temperament: LoyaltyGuestTemperament,
  context: DecisionContext,
): readonly PlannedCommand[] {
  if (orderId === undefined || !hostDeclares('createLoyaltyRedemption', context.world)) return []
  const order = context.world.ordering.orders.get(orderId)
  if (!order || finishedStatuses.has(order.status)) return []
  const chance = context.chance(stream)
  const overspends = chance.oneIn(temperament.overspendsOneIn)
  for (const account of accounts) {
    const { id: accountId, status, summary } = account
    const rewards = rewardsFor(account, context)
    const [cheapest] = rewards
    if (accountId === undefined || !cheapest) continue
    const command = { kind: 'reward.redeem', accountId, orderId } as const
    if (overspends) {
      const quantity = Math.min(1000, Math.floor(summary.pointsAvailable / cheapest.cost) + 1)
      return [plan({ ...command, rewardId: cheapest.id, quantity }, 0)]
    }
    const covered = rewards.filter(({ cost }) => cost <= summary.pointsAvailable)
    if (status === 'SUSPENDED' || covered.length === 0) continue
    if (!chance.oneIn(temperament.redeemsOneIn)) return []
    const { id: rewardId } = chance.pick(covered)
    const repeats = chance.oneIn(temperament.repeatsCallOneIn)
    return Array.from({ length: repeats ? 2 : 1 }, () => plan({ ...command, rewardId }, 0))
  }
  return []
}

export const loyaltyGuest = (name: TemperamentName): Reactor => {
  const temperament = loyaltyGuestTemperaments[name]
  return (fact, context) => {
    const chance = context.chance(stream)
    switch (fact.kind) {
      case 'partner.accepted':
        return fact.from === 'ordering-application' && fact.partner === 'crm'
          ? [...read('programs', {}, 0, context), ...read('rewards', {}, 0, context)]
          : []
      case 'order.created': {
        const { id: orderId, customer } = fact.order
        if (!customer || !chance.oneIn(temperament.looksOneIn)) return []
        const about = { customerId: customer.id, orderId }
        return read('accounts', about, drawDuration(temperament.looksAfter, chance), context)
      }
      case 'reward.accounts-read':
        return planRedemption(fact, temperament, context)
      case 'reward.heard': {
        const { accountId, eventType } = fact
        if (accountId === undefined || !balanceEvents.has(eventType)) return []
        if (chance.oneIn(temperament.forgetsEventOneIn)) return []
        return read(
          'account',
          { accountId },
          drawDuration(temperament.rereadsAfter, chance),
          context,
        )
      }
      case 'reward.account-read': {
        const { id: accountId, customerId } = fact.account
        if (accountId === undefined || !chance.oneIn(temperament.auditsOneIn)) return []
        return [
          ...read('transactions', { accountId }, 0, context),
          ...read('coupons', { customerId }, 0, context),
        ]
      }
      default:
        return []
    }
  }
}
