/**
 * Behaviour profiles of a Delivery Platform and its consumers, as data. `…OneIn: n` is a probability of 1/n; 0 means
 * never; times are in ms. The duration of a ride is not included: it follows from route and courier.
 */
import type { Vehicle } from '../../engine/logistics/delivery.ts'
import { type DurationRange, temperamentsOf } from './temperament.ts'

export interface PlatformTemperament {
  /** From a 202 to its effect. */
  readonly processing: DurationRange
  /** From a creation to the assignment of a courier. */
  readonly assign: DurationRange
  /** At the store, once both the courier and the food are there. */
  readonly collect: DurationRange
  /** How often a courier at the store checks for the food, before the order is collected as it is. */
  readonly courierWait: { readonly every: number; readonly times: number }
  /** From the arrival at the customer to the delivery. */
  readonly door: DurationRange
  /** From an unrecoverable problem to the failure. */
  readonly giveUp: DurationRange
  /** It rejects a delivery. */
  readonly rejectsOneIn: number
  /** It does not report a courier step. */
  readonly forgetsStepOneIn: number
  /** A problem occurs during the ride. */
  readonly problemOneIn: number
  /** A problem is unrecoverable. */
  readonly unrecoverableOneIn: number
  readonly fleet: {
    readonly size: number
    readonly vehicles: readonly { readonly value: Vehicle; readonly weight: number }[]
  }
}

export const platformTemperaments = temperamentsOf<PlatformTemperament>({
  prompt: {
    processing: [80, 150],
    assign: [1000, 3000],
    collect: [500, 1500],
    courierWait: { every: 15_000, times: 40 },
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
  },
  slow: {
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
  forgetful: { processing: [200, 2000], forgetsStepOneIn: 2, problemOneIn: 6 },
  hostile: {
    processing: [0, 5000],
    rejectsOneIn: 6,
    forgetsStepOneIn: 3,
    problemOneIn: 3,
    unrecoverableOneIn: 2,
  },
})

export interface ConsumerTemperament {
  /** Poll interval in pull mode. */
  readonly pollEvery: number
  /** Silence in push mode after which the delivery is read. */
  readonly silence: number
  /** It does not report that the food is ready. */
  readonly forgetsReadyOneIn: number
  /** It repeats a call. */
  readonly repeatsCallOneIn: number
}

export const consumerTemperaments = temperamentsOf<ConsumerTemperament>({
  prompt: {
    pollEvery: 5000,
    silence: 60_000,
    forgetsReadyOneIn: 0,
    repeatsCallOneIn: 0,
  },
  slow: { pollEvery: 30_000 },
  forgetful: { forgetsReadyOneIn: 3 },
  hostile: { forgetsReadyOneIn: 4, repeatsCallOneIn: 3 },
})

/** The pause grows with every read without change, at most by this factor. */
export const maxPauseFactor = 12
