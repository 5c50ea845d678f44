/**
 * Behaviour profiles of a Delivery Platform and its consumers, as data. `…OneIn: n` is a probability of 1/n; 0 means
 * never; times are in ms. The duration of a ride is not included: it follows from route and courier.
 */
import type { Vehicle } from '../../engine/logistics/delivery.ts'
import { weightedBy } from '../seed-data/draw.ts'
import { type BehaviourName, behavioursOf } from './behaviour.ts'

export const platformBehaviours = behavioursOf({
  prompt: {
    /** From a 202 to its effect. */
    processing: [80, 150],
    /** From a creation to the assignment of a courier. */
    assign: [1000, 3000],
    /** At the store, once both the courier and the food are there. */
    collect: [500, 1500],
    /** How often a courier at the store checks for the food, before the order is collected as it is. */
    courierWait: { every: 15_000, times: 40 },
    /** From the arrival at the customer to the delivery. */
    door: [500, 1500],
    /** From an unrecoverable problem to the failure. */
    giveUp: [1000, 3000],
    /** It rejects a delivery. */
    rejectsOneIn: 0,
    /** It does not report a courier step. */
    forgetsStepOneIn: 0,
    /** A problem occurs during the ride. */
    problemOneIn: 0,
    /** A problem is unrecoverable. */
    unrecoverableOneIn: 0,
    fleet: {
      size: 12,
      vehicles: weightedBy<Vehicle>({ MOTORCYCLE: 8, BICYCLE: 2, CAR: 2 }),
    },
  },
  slow: {
    processing: [3000, 8000],
    assign: [20_000, 90_000],
    collect: [5000, 20_000],
    door: [5000, 20_000],
    fleet: {
      size: 4,
      vehicles: weightedBy({ BICYCLE: 3, WALKING: 1 }),
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
export type PlatformBehaviour = (typeof platformBehaviours)[BehaviourName]

export const consumerBehaviours = behavioursOf({
  prompt: {
    /** Poll interval in pull mode. */
    pollEvery: 5000,
    /** Silence in push mode after which the delivery is read. */
    silence: 60_000,
    /** It does not report that the food is ready. */
    forgetsReadyOneIn: 0,
    /** It repeats a call. */
    repeatsCallOneIn: 0,
  },
  slow: { pollEvery: 30_000 },
  forgetful: { forgetsReadyOneIn: 3 },
  hostile: { forgetsReadyOneIn: 4, repeatsCallOneIn: 3 },
})
export type ConsumerBehaviour = (typeof consumerBehaviours)[BehaviourName]

/** What a consumer does too at a platform under test, where orders come by themselves: one in n each, in turn. */
export const consumerTrials = {
  /** The customer cancels, and the delivery with the order: before a courier is assigned, after it, or on the way. */
  cancels: 4,
  /** It reports two problems on the way. */
  reportsProblems: 4,
  /** It reports what the platform knows by its courier. */
  reportsCollected: 2,
  reportsDelivered: 3,
  /** It reads the delivery after each change. */
  reads: 2,
  /** It creates the delivery again. */
  repeatsCreation: 3,
  /** It creates with a token that may only read. */
  mistakesScope: 4,
  /** It reports as delivered what was not collected, which a platform must refuse. */
  deliversTooEarly: 4,
  /** It repeats the last report of a delivery that is over, and then cancels it. */
  callsAfterEnd: 2,
} as const

/** The pause grows with every read without change, at most by this factor. */
export const maxPauseFactor = 12
