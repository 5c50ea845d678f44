/**
 * How a Delivery Platform and its consumers behave of their own accord, as data. Odds are "one in n", 0 is never; times
 * are ranges in milliseconds. How long a ride takes is not here: it follows from the way and the courier.
 */
import type { Vehicle } from '../engine/logistics/delivery.ts'
import type { Range, TemperamentName } from './temperament.ts'

export interface PlatformTemperament {
  /** From 202 to its effect. */
  readonly processing: Range
  /** From a creation to the courier. */
  readonly assign: Range
  /** At the store, from when both the courier and the food are there. */
  readonly collect: Range
  /** How often a courier at the store looks whether the food is ready, before whatever there is is taken. */
  readonly patience: { readonly every: number; readonly times: number }
  /** At the customer's door. */
  readonly door: Range
  /** From an incident that ends it to the end. */
  readonly giveUp: Range
  /** It would not take a delivery, once in so many. */
  readonly rejectsOneIn: number
  /** It forgets to tell of a step on the way, once in so many. */
  readonly forgetsStepOneIn: number
  /** Something happens on the way, once in so many. */
  readonly problemOneIn: number
  /** Of these, once in so many nothing can be done about it. */
  readonly unrecoverableOneIn: number
  readonly fleet: {
    readonly size: number
    readonly vehicles: readonly { readonly value: Vehicle; readonly weight: number }[]
  }
}

const prompt: PlatformTemperament = {
  processing: [80, 150],
  assign: [1000, 3000],
  collect: [500, 1500],
  patience: { every: 15_000, times: 40 },
  door: [500, 1500],
  giveUp: [1000, 3000],
  rejectsOneIn: 0,
  forgetsStepOneIn: 0,
  problemOneIn: 0,
  unrecoverableOneIn: 0,
  fleet: {
    size: 12,
    vehicles: [
      { value: 'MOTORCYCLE', weight: 8 },
      { value: 'BICYCLE', weight: 2 },
      { value: 'CAR', weight: 2 },
    ],
  },
}

export const platformTemperaments: Readonly<Record<TemperamentName, PlatformTemperament>> = {
  prompt,
  slow: {
    ...prompt,
    processing: [3000, 8000],
    assign: [20_000, 90_000],
    collect: [5000, 20_000],
    door: [5000, 20_000],
    fleet: {
      size: 4,
      vehicles: [
        { value: 'BICYCLE', weight: 3 },
        { value: 'WALKING', weight: 1 },
      ],
    },
  },
  forgetful: { ...prompt, processing: [200, 2000], forgetsStepOneIn: 2, problemOneIn: 6 },
  hostile: {
    ...prompt,
    processing: [0, 5000],
    rejectsOneIn: 6,
    forgetsStepOneIn: 3,
    problemOneIn: 3,
    unrecoverableOneIn: 2,
  },
}

export interface ConsumerTemperament {
  /** Between two readings of a delivery that is followed by pull. */
  readonly pollEvery: number
  /** How long it hears nothing of one that is followed by push before it reads it. */
  readonly silence: number
  /** It forgets to tell that the food is ready, once in so many. */
  readonly forgetsReadyOneIn: number
  /** It calls twice, once in so many. */
  readonly repeatsCallOneIn: number
}

const usual: ConsumerTemperament = {
  pollEvery: 5000,
  silence: 60_000,
  forgetsReadyOneIn: 0,
  repeatsCallOneIn: 0,
}

export const consumerTemperaments: Readonly<Record<TemperamentName, ConsumerTemperament>> = {
  prompt: usual,
  slow: { ...usual, pollEvery: 30_000 },
  forgetful: { ...usual, forgetsReadyOneIn: 3 },
  hostile: { ...usual, forgetsReadyOneIn: 4, repeatsCallOneIn: 3 },
}

/** A pause grows with every reading that brought no news, to this many times its usual length at most. */
export const mostPatience = 12
