/**
 * Parts of assertions that are judged while traffic comes: by one message, or by what a fold knows of an entity (an account,
 * a customer, a delivery) from the messages before. The same parts judge the trace of a certification.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import type { Assertion, Fold, LivePart, Moments, Observation } from './check.ts'
import { carriesEvents, createTrace, type Observed, type Trace } from './trace.ts'

/** Folds of one run over messages: each is fed once, whatever number of assertions asks for its moments. */
export class Folds implements Moments {
  readonly #takers = new Map<Fold<unknown>, ReturnType<Fold<unknown>['begin']>>()
  readonly #latest = new Map<Fold<unknown>, readonly [Observed, readonly unknown[]]>()

  /** What a message means for the entities of a fold. Messages come in their order. */
  moments<Moment>(fold: Fold<Moment>, observed: Observed, trace: Trace): readonly Moment[] {
    const known = this.#latest.get(fold)
    if (known?.[0] === observed) return known[1] as readonly Moment[]
    const taker = this.#takers.get(fold) ?? fold.begin()
    this.#takers.set(fold, taker)
    const moments = taker.take(observed, trace)
    this.#latest.set(fold, [observed, moments])
    return moments as readonly Moment[]
  }
}

/** The key of every message. */
export const anyMessage = 'any'
const eventMessage = 'events'
/** The key of every call of the service, or of every answer. */
const sideKey = (isCall: boolean): string => (isCall ? 'calls' : 'answers')
const messageKey = (isCall: boolean, operation: OperationId): string =>
  `${isCall ? 'call' : 'answer'} ${operation}`

/** The keys under which a message is asked for. */
export const messageKeys = ({ isCall, operation }: Observed): readonly string[] => [
  anyMessage,
  sideKey(isCall),
  ...(operation === undefined ? [] : [messageKey(isCall, operation)]),
  ...(carriesEvents(operation) ? [eventMessage] : []),
]

const emptyTrace = createTrace({
  role: 'software-service',
  speaks: 'v2',
  capabilities: [],
  exchanges: [],
  steps: {},
  notes: [],
  skipped: {},
})

/** What an assertion asks an empty trace for; nothing where it asks for steps and notes of procedures alone. */
function selectionOf(
  assertion: (trace: Trace) => Iterable<Observation>,
  role: Role,
): ReadonlySet<string> {
  const keys = new Set<string>()
  const ask =
    (isCall: boolean) =>
    (...operations: readonly OperationId[]): readonly Observed[] => {
      if (operations.length === 0) keys.add(sideKey(isCall))
      for (const each of operations) keys.add(messageKey(isCall, each))
      return []
    }
  const events = () => {
    keys.add(eventMessage)
    return []
  }
  const empty: Trace = {
    ...emptyTrace,
    role,
    get all() {
      keys.add(anyMessage)
      return []
    },
    calls: ask(true),
    answers: ask(false),
    emitted: events,
    received: events,
  }
  for (const _ of assertion(empty)) keys.add(anyMessage)
  return keys
}

/** The assertion with its live parts, which are made when a session asks for them. */
function withLive(
  assertion: (trace: Trace) => Iterable<Observation>,
  parts: () => readonly LivePart[],
  isWhollyLive = true,
): Assertion {
  const whole = (trace: Trace): Iterable<Observation> => assertion(trace)
  return Object.defineProperty(Object.assign(whole, { isWhollyLive }), 'live', { get: parts })
}

/** All assertions, one after the other. */
export const every = (...assertions: readonly Assertion[]): Assertion =>
  withLive(
    function* (trace) {
      for (const one of assertions) yield* one(trace)
    },
    () => assertions.flatMap(({ live = [] }) => live),
    assertions.every(({ isWhollyLive = false }) => isWhollyLive),
  )

/** What the assertion blames, and what it finds kept only in a trace for which a condition holds. */
export const keptWhere = (assertion: Assertion, holds: (trace: Trace) => boolean): Assertion =>
  withLive(
    function* (trace) {
      const isKept = holds(trace)
      for (const each of assertion(trace)) if (isKept || each.problem !== undefined) yield each
    },
    () => assertion.live ?? [],
    assertion.isWhollyLive,
  )

/** The assertion looks at single messages: that of several is the sum of those of each. */
export const perMessage = (assertion: (trace: Trace) => Iterable<Observation>): Assertion =>
  withLive(assertion, () => [
    {
      selects: (role) => selectionOf(assertion, role),
      judge: ({ exchange }, trace) => (exchange.fault === undefined ? assertion(trace) : []),
    },
  ])

/** The assertion needs the whole trace, or may blame a service in traffic that no procedure has made. */
export const ofTrace =
  (assertion: (trace: Trace) => Iterable<Observation>): Assertion =>
  (trace) =>
    assertion(trace)

/** Moments of a whole trace by the message that tells them. */
const momentsOfTraces = new WeakMap<Trace, Map<Fold<unknown>, readonly (readonly unknown[])[]>>()

function momentsOfTrace<Moment>(fold: Fold<Moment>, trace: Trace): readonly (readonly Moment[])[] {
  const known =
    momentsOfTraces.get(trace) ?? new Map<Fold<unknown>, readonly (readonly unknown[])[]>()
  momentsOfTraces.set(trace, known)
  const before = known.get(fold)
  if (before) return before as readonly (readonly Moment[])[]
  const taker = fold.begin()
  const moments = trace.all.map((observed) => taker.take(observed, trace))
  known.set(fold, moments)
  return moments
}

/** Each moment of a fold is judged: `judge` gives nothing where the clause does not come up. */
export const eachMoment = <Moment>(
  fold: Fold<Moment>,
  judge: (moment: Moment) => Iterable<Observation>,
): Assertion =>
  withLive(
    function* (trace) {
      for (const moments of momentsOfTrace(fold, trace))
        for (const moment of moments) yield* judge(moment)
    },
    () => [
      {
        fold,
        *judge(observed, trace, folds) {
          for (const moment of folds.moments(fold, observed, trace)) yield* judge(moment)
        },
      },
    ],
  )
