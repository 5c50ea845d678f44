/**
 * How a house keeps its accounts and how guests behave in it, as data. Odds are "one in n"; 0 is never. Times are ranges
 * in milliseconds.
 */
import type { Range, TemperamentName } from './temperament.ts'

export interface HouseTemperament {
  /** From the request for a fiscal document to its outcome. */
  readonly fiscal: Range
  /** An issuance fails, once in so many. */
  readonly fiscalErrorOneIn: number
  /** From an account event to its webhook. */
  readonly handover: Range
  /** It sends an account event twice, once in so many. */
  readonly repeatsOneIn: number
}

export interface GuestTemperament {
  /** From the first order to the bill. */
  readonly stay: Range
  /** From news of an account to the next look at it. */
  readonly think: Range
  /** How long it waits for news before it looks again. */
  readonly lookAgain: Range
  /** The bill is split between so many at most. */
  readonly mostSplits: number
  /** Something is paid before the bill. */
  readonly paysEarlyOneIn: number
  /** The account is unlocked once more after the bill was asked for. */
  readonly unlocksOneIn: number
  readonly cancelsItemOneIn: number
  /** Items go to another table. */
  readonly transfersOneIn: number
  readonly tipsOneIn: number
  /** It asks for a fiscal document that no order asks for. */
  readonly asksAnywayOneIn: number
  /** It forgets a step until it looks again. */
  readonly forgetsStepOneIn: number
  /** It closes a closed account once more. */
  readonly repeatsCloseOneIn: number
  /** It asks to close before everything is paid. */
  readonly closesUnpaidOneIn: number
  /** It asks to unlock a closed account. */
  readonly comesBackOneIn: number
}

const promptHouse: HouseTemperament = {
  fiscal: [800, 2500],
  fiscalErrorOneIn: 0,
  handover: [0, 0],
  repeatsOneIn: 0,
}

export const houseTemperaments: Readonly<Record<TemperamentName, HouseTemperament>> = {
  prompt: promptHouse,
  slow: { ...promptHouse, fiscal: [60_000, 300_000], handover: [1000, 4000] },
  forgetful: { ...promptHouse, fiscal: [2000, 30_000], fiscalErrorOneIn: 6 },
  hostile: {
    fiscal: [0, 60_000],
    fiscalErrorOneIn: 3,
    handover: [0, 5000],
    repeatsOneIn: 4,
  },
}

const promptGuest: GuestTemperament = {
  stay: [25_000, 50_000],
  think: [300, 1200],
  lookAgain: [10_000, 15_000],
  mostSplits: 3,
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
}

export const guestTemperaments: Readonly<Record<TemperamentName, GuestTemperament>> = {
  prompt: promptGuest,
  slow: {
    ...promptGuest,
    stay: [1_800_000, 5_400_000],
    think: [20_000, 120_000],
    lookAgain: [120_000, 240_000],
    mostSplits: 5,
  },
  forgetful: { ...promptGuest, forgetsStepOneIn: 4, repeatsCloseOneIn: 3, unlocksOneIn: 3 },
  hostile: {
    ...promptGuest,
    stay: [5000, 60_000],
    think: [0, 3000],
    mostSplits: 6,
    cancelsItemOneIn: 3,
    transfersOneIn: 3,
    unlocksOneIn: 3,
    repeatsCloseOneIn: 3,
    closesUnpaidOneIn: 3,
    comesBackOneIn: 4,
  },
}
