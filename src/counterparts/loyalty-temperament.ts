/** How a Loyalty host and its client behave of their own accord, as data. Odds are "one in n"; 0 is never. */
import type { Range, TemperamentName } from './temperament.ts'

export interface LoyaltyHostTemperament {
  /** From the 202 of a redemption to its burn and its coupon. */
  readonly processing: Range
  /** It suspends an account that has just earned, once in so many, and for so long. */
  readonly suspendsOneIn: number
  readonly suspendedFor: Range
  /** It hands an event over twice, once in so many. */
  readonly repeatsOneIn: number
}

export interface LoyaltyGuestTemperament {
  /** It looks at the accounts of a customer who orders, once in so many orders, after such a time. */
  readonly looksOneIn: number
  readonly looksAfter: Range
  /** It redeems a reward that the balance covers, once in so many looks. */
  readonly redeemsOneIn: number
  /** It asks for more than the balance covers, once in so many looks. */
  readonly overspendsOneIn: number
  /** It asks twice for the same, once in so many redemptions. */
  readonly repeatsCallOneIn: number
  /** From an event to the reading of its account. */
  readonly rereadsAfter: Range
  /** It forgets to read the account again, once in so many events. */
  readonly forgetsEventOneIn: number
  /** With an account it reads its transactions and coupons, once in so many. */
  readonly auditsOneIn: number
}

const promptHost: LoyaltyHostTemperament = {
  processing: [80, 150],
  suspendsOneIn: 0,
  suspendedFor: [0, 0],
  repeatsOneIn: 0,
}

export const loyaltyHosts: Readonly<Record<TemperamentName, LoyaltyHostTemperament>> = {
  prompt: promptHost,
  slow: { ...promptHost, processing: [5000, 20_000] },
  forgetful: { ...promptHost, processing: [200, 10_000], repeatsOneIn: 6 },
  hostile: {
    processing: [0, 8000],
    suspendsOneIn: 6,
    suspendedFor: [5000, 30_000],
    repeatsOneIn: 3,
  },
}

const promptGuest: LoyaltyGuestTemperament = {
  looksOneIn: 2,
  looksAfter: [300, 900],
  redeemsOneIn: 1,
  overspendsOneIn: 0,
  repeatsCallOneIn: 0,
  rereadsAfter: [50, 200],
  forgetsEventOneIn: 0,
  auditsOneIn: 4,
}

export const loyaltyGuests: Readonly<Record<TemperamentName, LoyaltyGuestTemperament>> = {
  prompt: promptGuest,
  slow: { ...promptGuest, looksAfter: [5000, 15_000], rereadsAfter: [3000, 9000] },
  forgetful: { ...promptGuest, looksOneIn: 4, redeemsOneIn: 2, forgetsEventOneIn: 3 },
  hostile: {
    ...promptGuest,
    looksOneIn: 1,
    looksAfter: [0, 3000],
    overspendsOneIn: 2,
    repeatsCallOneIn: 2,
    auditsOneIn: 2,
  },
}
