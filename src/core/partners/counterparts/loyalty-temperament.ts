/**
 * Behaviour profiles of a Loyalty host and its client, as data. `…OneIn: n` is a probability of 1/n; 0 means never.
 * Times are ranges in ms.
 */
import { type DurationRange, temperamentsOf } from './temperament.ts'

export interface LoyaltyHostTemperament {
  /** From the 202 of a redemption to its completion: burn and coupon. */
  readonly processing: DurationRange
  /** It suspends an account that has just earned points, and for how long. */
  readonly suspendsOneIn: number
  readonly suspendedFor: DurationRange
  /** It hands an event over twice. */
  readonly repeatsOneIn: number
}

export interface LoyaltyGuestTemperament {
  /** It reads the accounts of a customer who orders, and after what time. */
  readonly looksOneIn: number
  readonly looksAfter: DurationRange
  /** Per read: it redeems a reward that the balance covers. */
  readonly redeemsOneIn: number
  /** Per read: it requests more than the balance covers. */
  readonly overspendsOneIn: number
  /** It requests a redemption twice. */
  readonly repeatsCallOneIn: number
  /** From an event to the read of its account. */
  readonly rereadsAfter: DurationRange
  /** It does not read the account after an event. */
  readonly forgetsEventOneIn: number
  /** It reads transactions and coupons together with an account. */
  readonly auditsOneIn: number
}

export const loyaltyHostTemperaments = temperamentsOf<LoyaltyHostTemperament>({
  prompt: {
    processing: [80, 150],
    suspendsOneIn: 0,
    suspendedFor: [0, 0],
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

export const loyaltyGuestTemperaments = temperamentsOf<LoyaltyGuestTemperament>({
  prompt: {
    looksOneIn: 2,
    looksAfter: [300, 900],
    redeemsOneIn: 1,
    overspendsOneIn: 0,
    repeatsCallOneIn: 0,
    rereadsAfter: [50, 200],
    forgetsEventOneIn: 0,
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
})
