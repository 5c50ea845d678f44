/** Short texts of Loyalty facts and commands. */
import type { LoyaltyCommand } from '../engine/loyalty/command.ts'
import type { LoyaltyFact } from '../engine/loyalty/fact.ts'
import { readLoyaltyEvent } from '../protocol/loyalty/event.ts'
import { assertNever } from '../protocol/result.ts'

const count = (values: readonly unknown[], what: string): string =>
  `${values.length} ${what}${values.length === 1 ? '' : 's'}`

const signed = (points: number): string => (points > 0 ? `+${points}` : String(points))

const byForce = ({ forced }: { readonly forced?: true }): string => (forced ? ' (forced)' : '')

export function loyaltyFactText(fact: LoyaltyFact): string {
  switch (fact.kind) {
    case 'loyalty.opened':
      return `Loyalty opens with ${count(fact.programs, 'program')} and ${count(fact.rewards, 'reward')}`
    case 'loyalty.program-stored':
      return `program ${fact.program.name} stored`
    case 'loyalty.reward-stored':
      return `reward ${fact.reward.name} stored: ${fact.reward.cost} points`
    case 'loyalty.account-enrolled':
      return `customer ${fact.account.customerId} enrolled in ${fact.account.programId}`
    case 'loyalty.account-moved':
      return `loyalty account ${fact.from} > ${fact.to}${byForce(fact)}`
    case 'loyalty.order-heard':
      return `Loyalty learns that the order is ${fact.news}`
    case 'loyalty.points-pending':
      return `${signed(fact.points)} points pending`
    case 'loyalty.points-earned':
      return `${signed(fact.transaction.amount)} points earned`
    case 'loyalty.points-burned':
      return `${signed(fact.transaction.amount)} points spent`
    case 'loyalty.points-expired':
      return `${signed(fact.transaction.amount)} points expired`
    case 'loyalty.points-adjusted':
      return `${signed(fact.transaction.amount)} points adjusted: ${reasonOf(fact.transaction)}`
    case 'loyalty.points-expiring':
      return 'points expire soon'
    case 'loyalty.lot-ended':
      return 'expiring points are reserved'
    case 'loyalty.redemption-accepted':
      return `redemption of ${fact.redemption.rewardId} accepted for later: ${fact.redemption.points} points reserved`
    case 'loyalty.redemption-declined':
      return `redemption of ${fact.rewardId} will have no effect: ${fact.because}`
    case 'loyalty.redemption-completed':
      return 'redemption done'
    case 'loyalty.redemption-reversed':
      return `redemption reversed: ${fact.because}`
    case 'loyalty.coupon-issued':
      return `coupon ${fact.coupon.code} (${fact.coupon.type}) issued`
    case 'loyalty.coupon-moved':
      return `coupon ${fact.from} > ${fact.to}${byForce(fact)}`
    case 'loyalty.event-heard':
      return `CRM received ${fact.eventType}`
    case 'loyalty.event-repeated':
      return 'CRM received a loyalty event again'
    case 'reward.rewards-read':
      return `OA knows ${count(fact.rewards, 'reward')}`
    case 'reward.accounts-read':
      return `OA read ${count(fact.accounts, 'loyalty account')}`
    case 'reward.account-read':
      return `OA read a balance: ${fact.account.summary.pointsAvailable}`
    case 'reward.list-read':
      return `OA read ${fact.count} ${fact.what}${fact.sum === undefined ? '' : `, ${fact.sum} points in all`}`
    case 'reward.asked':
      return `OA redeems ${fact.rewardId}`
    case 'reward.accepted':
      return `OA got 202 for ${fact.rewardId}`
    case 'reward.refused':
      return `OA was refused ${fact.what}: ${fact.because}`
    case 'reward.heard':
      return `OA received ${fact.eventType}`
    case 'reward.event-repeated':
      return 'OA received a loyalty event again'
    default:
      return assertNever(fact)
  }
}

const reasonOf = ({
  metadata,
}: {
  readonly metadata?: Readonly<Record<string, unknown>>
}): string => {
  const reason = metadata?.['reason']
  return typeof reason === 'string' ? reason : 'by_hand'
}

const forcedText = (force: true | undefined): string => (force ? ', forced' : '')

export function loyaltyCommandText(command: LoyaltyCommand): string {
  switch (command.kind) {
    case 'loyalty.store-programs':
      return `${count(command.programs, 'loyalty program')} stored`
    case 'loyalty.store-reward':
      return `reward ${command.reward.name} is stored`
    case 'loyalty.enroll':
      return `${command.customerId} is enrolled in ${command.programId}`
    case 'loyalty.move-account':
      return `${command.trigger} of a loyalty account${forcedText(command.force)}`
    case 'loyalty.adjust':
      return `${signed(command.points)} points by hand`
    case 'loyalty.expire':
      return `${command.points ?? 'all'} points expire`
    case 'loyalty.age-lot':
      return 'points age'
    case 'loyalty.redeem':
      return `${command.request.rewardId} is redeemed`
    case 'loyalty.complete-redemption':
      return 'a redemption takes effect'
    case 'loyalty.reverse-redemption':
      return 'a redemption is reversed'
    case 'loyalty.grant-coupon':
      return `a ${command.type} coupon is given`
    case 'loyalty.move-coupon':
      return `${command.trigger} of a coupon${forcedText(command.force)}`
    case 'loyalty.age-coupon':
      return 'a coupon expires'
    case 'loyalty.order-news':
      return `Loyalty learns that the order is ${command.news}`
    case 'loyalty.notify':
      return `${readLoyaltyEvent(command.event).eventType} reaches CRM`
    case 'reward.read':
      return `OA reads ${command.what}`
    case 'reward.redeem':
      return `OA redeems ${command.rewardId}`
    case 'reward.notify':
      return `${readLoyaltyEvent(command.event).eventType} reaches OA`
    default:
      return assertNever(command)
  }
}
