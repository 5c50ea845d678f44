/**
 * Behaviour profiles of counterparts, as data: durations, omissions, deviations. `…OneIn: n` is a
 * probability of 1/n; 0 means never. Times are ranges in ms, drawn from the counterpart's own random stream.
 */
import type { CancellationAnswer } from '../../engine/orders/commands.ts'

export const behaviourNames = ['prompt', 'slow', 'forgetful', 'hostile', 'passive'] as const
export type BehaviourName = (typeof behaviourNames)[number]

export type DurationRange = readonly [minMs: number, maxMs: number]

/** The type of a profile, by the values of one: any numbers in place of these. */
type Widened<Value> = Value extends number
  ? number
  : Value extends boolean
    ? boolean
    : Value extends readonly [number, number]
      ? DurationRange
      : Value extends object
        ? { readonly [Field in keyof Value]: Widened<Value[Field]> }
        : Value

/** The profile of each name: of the prompt one all of it, of the others what differs. */
export function behavioursOf<const Prompt extends object>(
  own: { readonly prompt: Prompt } & {
    readonly [Name in Exclude<BehaviourName, 'prompt'>]?: Partial<Widened<NoInfer<Prompt>>>
  },
): Readonly<Record<BehaviourName, Widened<Prompt>>> {
  const profiles = behaviourNames.map((name) => [name, { ...own.prompt, ...own[name] }])
  return Object.fromEntries(profiles) as Record<BehaviourName, Widened<Prompt>>
}

/** After what time a cancellation request is answered, and how. */
const cancellationAnswer = (after: DurationRange, answer: CancellationAnswer) => ({ after, answer })

export const orderingBehaviours = behavioursOf({
  prompt: {
    /** From a 202 to its effect. */
    processing: [80, 150],
    /** From an event to its visibility in a poll or its webhook call. */
    handover: [0, 0],
    /** From the end of an order to CONCLUDED. */
    conclude: [20_000, 30_000],
    cancellation: cancellationAnswer([500, 1500], 'accept'),
    /** It omits an event that is optional in the profile. */
    omitsOptionalOneIn: 0,
    /** It cancels an order at a random time. */
    cancelsOneIn: 0,
    /** It hands an event over twice. */
    repeatsOneIn: 0,
  },
  slow: {
    processing: [3000, 8000],
    handover: [1000, 4000],
    cancellation: cancellationAnswer([20_000, 60_000], 'accept'),
  },
  forgetful: {
    processing: [200, 2000],
    cancellation: cancellationAnswer([5000, 9000], 'open'),
    omitsOptionalOneIn: 3,
  },
  hostile: {
    processing: [0, 5000],
    handover: [0, 5000],
    cancellation: cancellationAnswer([100, 20_000], 'deny'),
    omitsOptionalOneIn: 2,
    cancelsOneIn: 5,
    repeatsOneIn: 4,
  },
})
export type OrderingBehaviour = (typeof orderingBehaviours)[BehaviourName]

export const storeBehaviours = behavioursOf({
  prompt: {
    pollEvery: [1000, 1000],
    confirm: [800, 2500],
    prepare: [1500, 4000],
    ready: [4000, 9000],
    dispatch: [1500, 4000],
    deliver: [5000, 12_000],
    /** How long it waits for an event before it reads the order again. */
    reconcile: [15_000, 15_000],
    /** It does not acknowledge a poll. */
    forgetsAckOneIn: 0,
    /** It forgets a step until the next reconciling read. */
    forgetsStepOneIn: 0,
    /** It repeats a call. */
    repeatsCallOneIn: 0,
    /** An item of an order is out of stock. */
    itemMissingOneIn: 0,
    /** It requests to cancel a confirmed order. */
    cancelsOneIn: 0,
    /** It takes a step that the order's status does not allow. */
    skipsAheadOneIn: 0,
    /** It cancels a line of a confirmed order. */
    cancelsLineOneIn: 0,
    /** It dispatches an order that no courier brings. */
    dispatchesAnyOneIn: 0,
    /** It reads an order without a token. */
    lacksTokenOneIn: 0,
    /** It polls, acknowledges and reads, and takes no step: those are left to an operator. */
    isPassive: false,
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
/** What a hostile store tries too, where the Ordering Application is the one under test. */
export const storeTrials = {
  repeatsCallOneIn: 2,
  cancelsOneIn: 5,
  cancelsLineOneIn: 3,
  dispatchesAnyOneIn: 2,
  lacksTokenOneIn: 6,
} as const
export type StoreBehaviour = (typeof storeBehaviours)[BehaviourName]
