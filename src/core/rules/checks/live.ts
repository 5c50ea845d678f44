/**
 * Parts of assertions that are judged while traffic comes: by one message, or by what a fold knows of an entity (an account,
 * a customer, a delivery) from the messages before. The same parts judge the trace of a certification.
 */
import type { Assertion, Observation } from './check.ts'
import type { Observed, Trace } from './trace.ts'

/**
 * Gathers what messages say about entities of one kind, and tells what happened to one of them: an account with a call
 * and its state before it. It has a bound of its own. Faulted messages (`exchange.fault`) come too: they make what it knows
 * uncertain.
 */
export interface Fold<Moment> {
  readonly begin: () => (observed: Observed, trace: Trace) => readonly Moment[]
}

/** Folds of one run over messages: each is fed once, whatever number of assertions asks for its moments. */
export class Folds {
  readonly #steps = new Map<Fold<unknown>, ReturnType<Fold<unknown>['begin']>>()
  readonly #latest = new Map<Fold<unknown>, readonly [Observed, readonly unknown[]]>()

  /** What a message means for the entities of a fold. Messages come in their order. */
  moments<Moment>(fold: Fold<Moment>, observed: Observed, trace: Trace): readonly Moment[] {
    const known = this.#latest.get(fold)
    if (known?.[0] === observed) return known[1] as readonly Moment[]
    const step = this.#steps.get(fold) ?? fold.begin()
    this.#steps.set(fold, step)
    const moments = step(observed, trace)
    this.#latest.set(fold, [observed, moments])
    return moments as readonly Moment[]
  }
}

/** Judges one message, whose trace has nothing but this message. */
export type LivePart = (observed: Observed, trace: Trace, folds: Folds) => Iterable<Observation>

/** The assertion looks at single messages: that of several is the sum of those of each. */
export const perMessage = (assertion: (trace: Trace) => Iterable<Observation>): Assertion =>
  Object.assign((trace: Trace) => assertion(trace), {
    live: [
      ({ exchange }: Observed, trace: Trace) =>
        exchange.fault === undefined ? assertion(trace) : [],
    ],
  })

/** The assertion needs the whole trace, or may blame a service in traffic that no procedure has made. */
export const ofTrace = (assertion: (trace: Trace) => Iterable<Observation>): Assertion => {
  const whole = (trace: Trace) => assertion(trace)
  return whole
}

/** Moments of a whole trace by the message that tells them. */
const momentsOfTraces = new WeakMap<Trace, Map<Fold<unknown>, readonly (readonly unknown[])[]>>()

function momentsOfTrace<Moment>(fold: Fold<Moment>, trace: Trace): readonly (readonly Moment[])[] {
  const known =
    momentsOfTraces.get(trace) ?? new Map<Fold<unknown>, readonly (readonly unknown[])[]>()
  momentsOfTraces.set(trace, known)
  const before = known.get(fold)
  if (before) return before as readonly (readonly Moment[])[]
  const step = fold.begin()
  const moments = trace.all.map((observed) => step(observed, trace))
  known.set(fold, moments)
  return moments
}

/** Each moment of a fold is judged: `judge` gives nothing where the clause does not come up. */
export const eachMoment = <Moment>(
  fold: Fold<Moment>,
  judge: (moment: Moment) => Iterable<Observation>,
): Assertion =>
  Object.assign(
    function* (trace: Trace) {
      for (const moments of momentsOfTrace(fold, trace))
        for (const moment of moments) yield* judge(moment)
    },
    {
      live: [
        function* (observed: Observed, trace: Trace, folds: Folds) {
          for (const moment of folds.moments(fold, observed, trace)) yield* judge(moment)
        },
      ],
    },
  )
