/**
 * Behaviour profiles of a Loyalty host and its client, as data. `…OneIn: n` is a probability of 1/n; 0 means never.
 * Times are ranges in ms.
 */
import { type BehaviourName, behavioursOf } from './behaviour.ts'

export const loyaltyHostBehaviours = behavioursOf({
  prompt: {
    /** From the 202 of a redemption to its completion: burn and coupon. */
    processing: [80, 150],
    /** It suspends an account that has just earned points, and for how long. */
    suspendsOneIn: 0,
    suspendedFor: [0, 0],
    /** It hands an event over twice. */
    repeatsOneIn: 0,
  },
  slow: { processing: [5000, 20_000] },
  forgetful: { processing: [200, 10_000], repeatsOneIn: 6 },
  hostile: {
    processing: [0, 8000],
    suspendsOneIn: 6,
    suspendedFor: [5000, 30_000],
    repeatsOneIn: 3,
  },
})
export type LoyaltyHostBehaviour = (typeof loyaltyHostBehaviours)[BehaviourName]

export const loyaltyGuestBehaviours = behavioursOf({
  prompt: {
    /** It reads the accounts of a customer who orders, and after what time. */
    looksOneIn: 2,
    looksAfter: [300, 900],
    /** Per read: it redeems a reward that the balance covers. */
    redeemsOneIn: 1,
    /** Per read: it requests more than the balance covers. */
    overspendsOneIn: 0,
    /** Per read: it requests a redemption of an account that is suspended. */
    redeemsSuspendedOneIn: 0,
    /** Per read: it reads an account that does not exist. */
    mistakesIdOneIn: 0,
    /** It requests a redemption twice. */
    repeatsCallOneIn: 0,
    /** A customer cancels the order for which a reward was redeemed. */
    cancelsOneIn: 0,
    /** From an event to the read of its account. */
    rereadsAfter: [50, 200],
    /** It does not read the account after an event. */
    forgetsEventOneIn: 0,
    /** It reads transactions and coupons together with an account. */
    auditsOneIn: 4,
  },
  slow: { looksAfter: [5000, 15_000], rereadsAfter: [3000, 9000] },
  forgetful: { looksOneIn: 4, redeemsOneIn: 2, forgetsEventOneIn: 3 },
  hostile: {
    looksOneIn: 1,
    looksAfter: [0, 3000],
    overspendsOneIn: 2,
    repeatsCallOneIn: 2,
    auditsOneIn: 2,
  },
  passive: { looksOneIn: 0, redeemsOneIn: 0 },
})
/** What becomes frequent at a host under test, where orders come by themselves. */
export const loyaltyGuestTrials = {
  looksOneIn: 1,
  overspendsOneIn: 4,
  redeemsSuspendedOneIn: 1,
  mistakesIdOneIn: 8,
  cancelsOneIn: 1,
  auditsOneIn: 2,
} as const

export type LoyaltyGuestBehaviour = (typeof loyaltyGuestBehaviours)[BehaviourName]
