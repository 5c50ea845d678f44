/**
 * Autonomous behaviour of the Loyalty host: completes accepted redemptions, expires points and coupons, and sometimes
 * suspends an account. It reacts to facts of the CRM's own slices only.
 */
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { LotExpiry } from '../../engine/loyalty/world.ts'
import { drawDuration, loop, plan } from './planning.ts'
import { type LoyaltyHostBehaviour, loyaltyHostBehaviours } from './loyalty-behaviour.ts'
import { forwardOrderNews } from './order-news.ts'
import type { BehaviourName } from './behaviour.ts'

const stream = 'loyalty-host'

/** The next expiry step of a lot of points; a background loop, as no caller waits for it. */
function nextLotExpiry(
  accountId: string,
  lotId: string,
  { expiresAt, soon }: LotExpiry,
  { now, settings }: DecisionContext,
): PlannedCommand {
  const { expiringSoon } = settings.conduct.loyalty
  const due = soon ? expiresAt : expiresAt - expiringSoon
  return loop({ kind: 'loyalty.age-lot', accountId, lotId }, Math.max(0, due - now))
}

function afterPoints(
  fact: Extract<Fact, { kind: 'loyalty.points-earned' | 'loyalty.points-adjusted' }>,
  behaviour: LoyaltyHostBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const { accountId, transaction, end } = fact
  const expiry = end ? [nextLotExpiry(accountId, transaction.id, end, context)] : []
  const chance = context.chance(stream)
  if (fact.kind !== 'loyalty.points-earned' || !chance.oneIn(behaviour.suspendsOneIn)) return expiry
  const move = { kind: 'loyalty.move-account', accountId } as const
  const after = chance.between(100, 2000)
  return [
    ...expiry,
    plan({ ...move, trigger: 'suspension' }, after),
    plan(
      { ...move, trigger: 'reactivation' },
      after + drawDuration(behaviour.suspendedFor, chance),
    ),
  ]
}

/** Repeats an event; the receiver must deduplicate it. */
function repeatEvent(
  { event }: Extract<Fact, { kind: 'event.announced' }>,
  { repeatsOneIn }: LoyaltyHostBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const chance = context.chance(stream)
  if (event.from !== 'crm' || event.operation !== 'receiveLoyaltyEvent') return []
  if (!chance.oneIn(repeatsOneIn)) return []
  const { eventId } = event
  return [plan({ kind: 'event.push', eventId, attempt: 1 }, chance.between(0, 3000))]
}

export const loyaltyHost = (name: BehaviourName): Reactor => {
  const behaviour = loyaltyHostBehaviours[name]
  return (fact, context) => {
    switch (fact.kind) {
      case 'loyalty.redemption-accepted': {
        const { id: redemptionId } = fact.redemption
        const after = drawDuration(behaviour.processing, context.chance(stream))
        return [plan({ kind: 'loyalty.complete-redemption', redemptionId }, after)]
      }
      case 'loyalty.points-earned':
      case 'loyalty.points-adjusted':
        return afterPoints(fact, behaviour, context)
      case 'loyalty.points-expiring': {
        const { accountId, lotId, expiresAt } = fact
        return [nextLotExpiry(accountId, lotId, { expiresAt, soon: true }, context)]
      }
      case 'loyalty.coupon-issued': {
        const { id: couponId, expiresAt } = fact.coupon
        if (expiresAt === undefined) return []
        return [loop({ kind: 'loyalty.age-coupon', couponId }, expiresAt - context.now)]
      }
      case 'event.announced':
        return repeatEvent(fact, behaviour, context)
      default:
        return forwardOrderNews(fact, context)
    }
  }
}
