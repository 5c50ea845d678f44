/**
 * Behaviour profiles of Indoor hosts and guests, as data. `…OneIn: n` is a probability of 1/n; 0 means never. Times are
 * ranges in ms.
 */
import { type DurationRange, temperamentsOf } from './temperament.ts'

export interface HouseTemperament {
  /** From a request for a fiscal document to its outcome. */
  readonly fiscal: DurationRange
  /** An issuance fails. */
  readonly fiscalErrorOneIn: number
  /** From an account event to its webhook. */
  readonly handover: DurationRange
  /** It sends an account event twice. */
  readonly repeatsOneIn: number
}

export interface GuestTemperament {
  /** From the first order to the request for the bill. */
  readonly stay: DurationRange
  /** From an account event to the read of the account. */
  readonly think: DurationRange
  /** How long it waits for an event before it reads the account again. */
  readonly lookAgain: DurationRange
  /** Maximum number of payments that the bill is split into. */
  readonly maxSplits: number
  /** A payment is made before the bill. */
  readonly paysEarlyOneIn: number
  /** The account is unlocked once after the bill was requested. */
  readonly unlocksOneIn: number
  readonly cancelsItemOneIn: number
  /** Items are transferred to another table. */
  readonly transfersOneIn: number
  readonly tipsOneIn: number
  /** It requests a fiscal document although no order asks for one. */
  readonly asksAnywayOneIn: number
  /** It forgets a step until the next read. */
  readonly forgetsStepOneIn: number
  /** It closes a closed account again. */
  readonly repeatsCloseOneIn: number
  /** It tries to close before everything is paid. */
  readonly closesUnpaidOneIn: number
  /** It tries to unlock a closed account. */
  readonly comesBackOneIn: number
}

export const houseTemperaments = temperamentsOf<HouseTemperament>({
  prompt: {
    fiscal: [800, 2500],
    fiscalErrorOneIn: 0,
    handover: [0, 0],
    repeatsOneIn: 0,
  },
  slow: { fiscal: [60_000, 300_000], handover: [1000, 4000] },
  forgetful: { fiscal: [2000, 30_000], fiscalErrorOneIn: 6 },
  hostile: {
    fiscal: [0, 60_000],
    fiscalErrorOneIn: 3,
    handover: [0, 5000],
    repeatsOneIn: 4,
  },
})

export const guestTemperaments = temperamentsOf<GuestTemperament>({
  prompt: {
    stay: [25_000, 50_000],
    think: [300, 1200],
    lookAgain: [10_000, 15_000],
    maxSplits: 3,
    paysEarlyOneIn: 4,
    unlocksOneIn: 6,
    cancelsItemOneIn: 8,
    transfersOneIn: 8,
    tipsOneIn: 4,
    asksAnywayOneIn: 3,
    forgetsStepOneIn: 0,
    repeatsCloseOneIn: 0,
    closesUnpaidOneIn: 0,
    comesBackOneIn: 0,
  },
  slow: {
    stay: [1_800_000, 5_400_000],
    think: [20_000, 120_000],
    lookAgain: [120_000, 240_000],
    maxSplits: 5,
  },
  forgetful: { forgetsStepOneIn: 4, repeatsCloseOneIn: 3, unlocksOneIn: 3 },
  hostile: {
    stay: [5000, 60_000],
    think: [0, 3000],
    maxSplits: 6,
    cancelsItemOneIn: 3,
    transfersOneIn: 3,
    unlocksOneIn: 3,
    repeatsCloseOneIn: 3,
    closesUnpaidOneIn: 3,
    comesBackOneIn: 4,
  },
  passive: { forgetsStepOneIn: 1 },
})
