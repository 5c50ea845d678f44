/**
 * Behaviour profiles (temperaments) of counterparts, as data: durations, omissions, deviations. `…OneIn: n` is a
 * probability of 1/n; 0 means never. Times are ranges in ms, drawn from the counterpart's own random stream.
 */
import type { CancellationAnswer } from '../../engine/orders/commands.ts'

export const temperamentNames = ['prompt', 'slow', 'forgetful', 'hostile', 'passive'] as const
export type TemperamentName = (typeof temperamentNames)[number]

/** The behaviour of each temperament: of the prompt one all of it, of the others what differs. */
export function temperamentsOf<Behaviour extends object>({
  prompt,
  slow,
  forgetful,
  hostile,
  passive,
}: { readonly prompt: Behaviour } & {
  readonly [Name in Exclude<TemperamentName, 'prompt'>]?: Partial<Behaviour>
}): Readonly<Record<TemperamentName, Behaviour>> {
  const as = (own?: Partial<Behaviour>): Behaviour => ({ ...prompt, ...own })
  return {
    prompt,
    slow: as(slow),
    forgetful: as(forgetful),
    hostile: as(hostile),
    passive: as(passive),
  }
}

export type DurationRange = readonly [minMs: number, maxMs: number]

export interface OrderingTemperament {
  /** From a 202 to its effect. */
  readonly processing: DurationRange
  /** From an event to its visibility in a poll or its webhook call. */
  readonly handover: DurationRange
  /** From the end of an order to CONCLUDED; never when absent. */
  readonly conclude?: DurationRange
  readonly cancellation: { readonly after: DurationRange; readonly answer: CancellationAnswer }
  /** It omits an event that is optional in the profile. */
  readonly omitsOptionalOneIn: number
  /** It cancels an order at a random time. */
  readonly cancelsOneIn: number
  /** It hands an event over twice. */
  readonly repeatsOneIn: number
}

export interface StoreTemperament {
  readonly pollEvery: DurationRange
  readonly confirm: DurationRange
  readonly prepare: DurationRange
  readonly ready: DurationRange
  readonly dispatch: DurationRange
  readonly deliver: DurationRange
  /** How long it waits for an event before it reads the order again. */
  readonly reconcile: DurationRange
  /** It does not acknowledge a poll. */
  readonly forgetsAckOneIn: number
  /** It forgets a step until the next reconciling read. */
  readonly forgetsStepOneIn: number
  /** It repeats a call. */
  readonly repeatsCallOneIn: number
  /** An item of an order is out of stock. */
  readonly itemMissingOneIn: number
  /** It requests to cancel a confirmed order. */
  readonly cancelsOneIn: number
  /** It takes a step that the order's status does not allow. */
  readonly skipsAheadOneIn: number
  /** It polls, acknowledges and reads, and takes no step: those are left to an operator. */
  readonly isPassive?: true
}

export const orderingTemperaments = temperamentsOf<OrderingTemperament>({
  prompt: {
    processing: [80, 150],
    handover: [0, 0],
    conclude: [20_000, 30_000],
    cancellation: { after: [500, 1500], answer: 'accept' },
    omitsOptionalOneIn: 0,
    cancelsOneIn: 0,
    repeatsOneIn: 0,
  },
  slow: {
    processing: [3000, 8000],
    handover: [1000, 4000],
    cancellation: { after: [20_000, 60_000], answer: 'accept' },
  },
  forgetful: {
    processing: [200, 2000],
    cancellation: { after: [5000, 9000], answer: 'open' },
    omitsOptionalOneIn: 3,
  },
  hostile: {
    processing: [0, 5000],
    handover: [0, 5000],
    cancellation: { after: [100, 20_000], answer: 'deny' },
    omitsOptionalOneIn: 2,
    cancelsOneIn: 5,
    repeatsOneIn: 4,
  },
})

export const storeTemperaments = temperamentsOf<StoreTemperament>({
  prompt: {
    pollEvery: [1000, 1000],
    confirm: [800, 2500],
    prepare: [1500, 4000],
    ready: [4000, 9000],
    dispatch: [1500, 4000],
    deliver: [5000, 12_000],
    reconcile: [15_000, 15_000],
    forgetsAckOneIn: 0,
    forgetsStepOneIn: 0,
    repeatsCallOneIn: 0,
    itemMissingOneIn: 0,
    cancelsOneIn: 0,
    skipsAheadOneIn: 0,
  },
  slow: {
    pollEvery: [30_000, 30_000],
    confirm: [60_000, 240_000],
    prepare: [60_000, 180_000],
    ready: [300_000, 900_000],
    dispatch: [60_000, 300_000],
    deliver: [600_000, 1_800_000],
    reconcile: [300_000, 300_000],
  },
  forgetful: { forgetsAckOneIn: 4, forgetsStepOneIn: 5, itemMissingOneIn: 10 },
  hostile: {
    forgetsAckOneIn: 3,
    repeatsCallOneIn: 3,
    itemMissingOneIn: 6,
    cancelsOneIn: 8,
    skipsAheadOneIn: 6,
  },
  passive: { isPassive: true },
})
