/**
 * The judge: dispatches facts and exchanges to the invariants that subscribe to them, and computes verdicts at any
 * time.
 */
import type { JournalEntry } from '../../../engine/journal.ts'
import type { Instant } from '../../../engine/instant.ts'
import { bodyTranslator } from '../../../protocol/translation/translator.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../../traffic/log.ts'
import { acknowledgedEvents, type ExtractedEvent, handedOverEvents } from './carried-events.ts'
import { isWebhook } from '../helpers/webhooks.ts'
import { createExchangeObserver, type ExchangeObserver } from './exchange-observer.ts'
import { createInvariantState, type InvariantState, verdictOf } from './invariant-state.ts'
import type {
  ComparableOutcome,
  Invariant,
  InvariantHandler,
  InvariantReporter,
} from '../invariant.ts'
import type {
  ObservedAcknowledgment,
  ObservedExchange,
  ObservedHandover,
  ObservedProbe,
  ReferencedEvent,
} from './observations.ts'
import { missingNeeds } from '../needs.ts'
import { type Finding, isViolation, type RuleNeed, type Verdict } from '../verdict.ts'
import type { FactKind } from '../tracking/fact-handlers.ts'
import { Tracker, type TrackerOptions } from '../tracking/tracker.ts'
import type {
  ObservedEffects,
  TrackedEvent,
  TrackedOrder,
  TrackerState,
} from '../tracking/tracker-state.ts'
import type { Fact } from '../../../engine/fact.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'

/** Orders findings: by instant, then by the exchange that shows it, then the more specific one. */
function compareFindings(one: Finding, other: Finding): number {
  const lastSeq = ({ evidence }: Finding): number =>
    evidence.at(-1)?.seq ?? Number.POSITIVE_INFINITY
  const [a, b] = [lastSeq(one), lastSeq(other)]
  if (one.at !== other.at) return one.at - other.at
  return a === b ? one.evidence.length - other.evidence.length : a - b
}

const firstOf = (findings: readonly Finding[]): Finding | undefined =>
  findings.toSorted(compareFindings)[0]

const sharesExchange = (one: Finding, other: Finding): boolean =>
  one.evidence.some(({ seq }) => other.evidence.some((each) => each.seq === seq))

function isRelated(later: Finding, earlier: Finding, isLiveness: boolean): boolean {
  const isSameOrder = later.orderId !== undefined && later.orderId === earlier.orderId
  const areOfTwoOrders =
    later.orderId !== undefined && earlier.orderId !== undefined && !isSameOrder
  return !areOfTwoOrders && ((isLiveness && isSameOrder) || sharesExchange(later, earlier))
}

interface FailedVerdict {
  readonly verdict: Verdict
  readonly violations: readonly Finding[]
  readonly first: Finding
}

/** Whether each violation of `later` is related to an earlier one of `cause`. */
const isExplained = ({ verdict, violations }: FailedVerdict, cause: FailedVerdict): boolean =>
  violations.every((finding) =>
    cause.violations.some(
      (earlier) =>
        compareFindings(earlier, finding) <= 0 &&
        isRelated(finding, earlier, verdict.kind === 'liveness'),
    ),
  )

/** A clause says in its way what another violation shows: in the same exchanges, all of them where several were summed up. */
const isSaidBy = ({ verdict, violations }: FailedVerdict, cause: FailedVerdict): boolean =>
  violations.every((finding) =>
    cause.violations.some(
      (other) =>
        isRelated(finding, other, false) &&
        (verdict.violations <= verdict.findings.length ||
          finding.evidence.every(({ seq }) => other.evidence.some((each) => each.seq === seq))),
    ),
  )

const failedIn = (verdicts: readonly Verdict[]): readonly FailedVerdict[] =>
  verdicts.flatMap((verdict) => {
    const violations = verdict.outcome === 'failed' ? verdict.findings.filter(isViolation) : []
    const first = firstOf(violations)
    return first ? [{ verdict, violations, first }] : []
  })

/**
 * The verdicts, with `follows` where several invariants fail by one mistake and another failed first. A verdict follows
 * another when each of its violations shares an exchange with an earlier violation of the other, or is a liveness
 * violation about the same order. Clauses, of which the first say most, follow what has said the same before them.
 */
export function withFirstCauses(
  rules: readonly Verdict[],
  clauses: readonly Verdict[] = [],
): readonly Verdict[] {
  const verdicts = [...rules, ...clauses]
  const failed = failedIn(rules).toSorted((one, other) => compareFindings(one.first, other.first))
  const causes: FailedVerdict[] = []
  const follows = new Map<string, string>()
  const add = (each: FailedVerdict, isSame: typeof isExplained): void => {
    const cause = causes.find((earlier) => isSame(each, earlier))
    if (cause) follows.set(each.verdict.id, cause.verdict.id)
    else causes.push(each)
  }
  for (const each of failed) add(each, isExplained)
  for (const each of failedIn(clauses)) add(each, isSaidBy)
  return verdicts.map((verdict) => {
    const cause = follows.get(verdict.id)
    return cause === undefined ? verdict : { ...verdict, follows: cause }
  })
}

// The rules that handle an observation, memoised by operation and kind of fact: nine of ten do not
// handle a particular one.

/** A handler of an invariant with its state and reporter. */
interface Subscriber<Thing> {
  readonly handle: InvariantHandler<unknown, Thing>
  readonly state: unknown
  readonly report: InvariantReporter
}

/** Memoises a function by its key. */
function memoizeByKey<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>()
  return (key) => {
    const known = found.get(key)
    if (known !== undefined) return known
    const value = find(key)
    found.set(key, value)
    return value
  }
}

const includes = (
  calls: Invariant['calls'] | Invariant['answers'],
  operation: OperationId | undefined,
): boolean => calls === 'all' || (operation !== undefined && calls?.includes(operation) === true)

function createSubscriptions(invariantStates: readonly InvariantState[]) {
  const subscribersOf = <Thing>(
    handlerOf: (invariant: Invariant) => InvariantHandler<unknown, Thing> | undefined,
  ): readonly Subscriber<Thing>[] =>
    invariantStates.flatMap(({ invariant, state, report }) => {
      const handle = handlerOf(invariant)
      return handle ? [{ handle, state, report }] : []
    })

  return {
    ofCall: memoizeByKey((operation: OperationId | undefined) =>
      subscribersOf((invariant) =>
        includes(invariant.calls, operation) ? invariant.call : undefined,
      ),
    ),
    ofAnswer: memoizeByKey((operation: OperationId | undefined) =>
      subscribersOf((invariant) =>
        includes(invariant.answers, operation) ? invariant.answer : undefined,
      ),
    ),
    webhooks: subscribersOf(({ webhook }) => webhook),
    handovers: subscribersOf(({ handover }) => handover),
    acknowledgments: subscribersOf(({ acknowledgment }) => acknowledgment),
    probes: subscribersOf(({ probe }) => probe),
    effects: subscribersOf(({ effects }) => effects),
    ofFact: (kind: Fact['kind']) =>
      subscribersOf(({ facts }) => facts?.[kind] as InvariantHandler<unknown, Fact> | undefined),
  }
}

export interface JudgeOptions extends TrackerOptions {
  readonly invariants: readonly Invariant[]
  /** The settings by which the subject shows more than the protocol does. */
  readonly shown?: readonly RuleNeed[]
  /** Whether effects are counted; they may be, when absent. */
  readonly countsEffects?: boolean
}

export interface Judge {
  readonly tracker: TrackerState
  readonly fact: (entry: JournalEntry) => void
  readonly exchange: (exchange: Exchange, span: ExchangeSpan) => void
  /** Handles a status that the subject itself reports. */
  readonly probe: (probe: ObservedProbe) => void
  /** Handles what the service has done inside, as it was counted. */
  readonly effects: (effects: ObservedEffects) => void
  /** Verdicts of all invariants, in the order of the catalogue. */
  readonly verdicts: () => readonly Verdict[]
  /** Outcomes of the run by invariant id, for invariants that compare runs. */
  readonly runOutcomes: () => RunOutcomes
  /** An operator had the subject request this cancellation: the subject did not decide it. */
  readonly operatorRequestedCancellation: (orderId: string) => void
}

/** Outcomes of a run by order, for each invariant that compares runs. */
export type RunOutcomes = ReadonlyMap<string, readonly ComparableOutcome[]>

class InvariantJudge implements Judge {
  readonly tracker: TrackerState
  /** Time of the observation being processed. */
  #observedAt: Instant | undefined
  readonly #tracker: Tracker
  readonly #observe: ExchangeObserver
  readonly #invariantStates: readonly InvariantState[]
  readonly #subscriptions: ReturnType<typeof createSubscriptions>
  /** Handlers and subscribers of each kind of fact, memoised. */
  readonly #receiversOf

  constructor(options: JudgeOptions) {
    this.#tracker = new Tracker({ ...options, now: () => this.#observedAt ?? options.now() })
    this.tracker = this.#tracker.state
    this.#observe = createExchangeObserver(
      options.subject,
      this.tracker,
      bodyTranslator(options.settings.conduct),
    )
    this.#invariantStates = options.invariants
      .filter(
        ({ binds, speaks }) =>
          binds.includes(options.subject) &&
          (speaks === undefined || speaks === options.settings.conduct.speaks),
      )
      .map((invariant) =>
        createInvariantState(
          invariant,
          this.tracker,
          missingNeeds(invariant, options.settings, options.shown ?? []),
        ),
      )
    const { countsEffects = true } = options
    this.#subscriptions = createSubscriptions(
      // Where nothing is counted, what it would be about need not be kept.
      this.#invariantStates.filter(({ invariant }) => countsEffects || !invariant.effects),
    )
    this.#receiversOf = memoizeByKey((kind: FactKind) => ({
      handlers: this.#tracker.handlersOf(kind),
      subscribers: this.#subscriptions.ofFact(kind),
    }))
  }

  fact(entry: JournalEntry): void {
    const { fact, at } = entry
    const { handlers, subscribers } = this.#receiversOf(fact.kind)
    if (handlers.length + subscribers.length === 0) return
    this.#observeAt(at, () => {
      for (const handle of handlers) handle(fact, entry)
      this.#dispatch(fact, subscribers)
    })
  }

  exchange(exchange: Exchange, span: ExchangeSpan): void {
    const observed = this.#observe(exchange, span)
    if (!observed) return
    this.#observeAt(observed.ended, () => {
      try {
        this.#tracker.exchange(observed)
        if (observed.caller === 'subject')
          this.#dispatch(observed, this.#subscriptions.ofCall(observed.operation))
        else if (isWebhook(observed)) this.#dispatch(observed, this.#subscriptions.webhooks)
        else this.#dispatch(observed, this.#subscriptions.ofAnswer(observed.operation))
        this.#processHandovers(observed)
        this.#processAcknowledgments(observed)
      } finally {
        observed.release()
      }
    })
  }

  probe(probe: ObservedProbe): void {
    this.#dispatch(probe, this.#subscriptions.probes)
  }

  effects(effects: ObservedEffects): void {
    this.#tracker.effects(effects)
    this.#dispatch(effects, this.#subscriptions.effects)
  }

  verdicts(): readonly Verdict[] {
    const now = this.#tracker.verdictContext()
    return withFirstCauses(
      this.#invariantStates.map((invariantState) => verdictOf(invariantState, now)),
    )
  }

  runOutcomes(): RunOutcomes {
    return new Map(
      this.#invariantStates.flatMap(({ invariant: { id, comparableOutcomes }, state }) =>
        comparableOutcomes ? [[id, comparableOutcomes(state, this.tracker)] as const] : [],
      ),
    )
  }

  operatorRequestedCancellation(orderId: string): void {
    this.#tracker.operatorRequestedCancellation(orderId)
  }

  #dispatch<Thing>(observation: Thing, subscribers: readonly Subscriber<Thing>[]): void {
    for (const { handle, state, report } of subscribers)
      handle(state, observation, this.tracker, report)
  }

  #orderBy(orderId: string | undefined): TrackedOrder | undefined {
    return orderId === undefined ? undefined : this.tracker.orders.get(orderId)
  }

  /** Processes one handed-over event. */
  #processHandover(
    exchange: ObservedExchange,
    index: number,
    { eventId, eventType, orderId: wireOrderId, createdAt }: ExtractedEvent,
    event: TrackedEvent | undefined,
  ): void {
    const channel = exchange.caller === 'subject' ? 'polling' : 'webhook'
    // Prefers the tracked strings: lookups with freshly parsed ones are many times as expensive.
    const isSame = event?.orderId === wireOrderId
    const orderId = isSame ? event?.orderId : wireOrderId
    const observed: ObservedHandover = {
      eventId: event?.eventId ?? eventId,
      eventType,
      orderId,
      order: isSame ? event?.order : this.#orderBy(orderId),
      event,
      createdAt,
      channel,
      at: channel === 'polling' ? exchange.ended : exchange.began,
      handoverNumber: event === undefined ? 1 : event.handoverCount + 1,
      place: index,
      exchange,
    }
    this.#tracker.handover(observed)
    this.#dispatch(observed, this.#subscriptions.handovers)
  }

  #processHandovers(exchange: ObservedExchange): void {
    const brought = exchange.hostPolledEvents()
    let index = 0
    if (brought) for (const event of brought) this.#processHandover(exchange, index++, event, event)
    else
      for (const carried of handedOverEvents(exchange)) {
        const { eventId, event } = this.#eventBy(carried.eventId)
        this.#processHandover(exchange, index++, { ...carried, eventId }, event)
      }
  }

  #processAcknowledgments(exchange: ObservedExchange): void {
    const channel = exchange.caller === 'subject' ? 'polling' : 'webhook'
    for (const { eventId, event } of acknowledgedEvents(exchange, this.#eventBy)) {
      const observed: ObservedAcknowledgment = {
        eventId: event?.eventId ?? eventId,
        eventType: event?.eventType,
        orderId: event?.orderId,
        order: event?.order,
        channel,
        at: exchange.ended,
        exchange,
      }
      this.#tracker.acknowledgment(observed)
      this.#dispatch(observed, this.#subscriptions.acknowledgments)
    }
  }

  /** Runs with the time of an observation as the tracker's. */
  #observeAt(instant: Instant, process: () => void): void {
    this.#observedAt = instant
    try {
      process()
    } finally {
      this.#observedAt = undefined
    }
  }

  /** Looks up an event by its id on the wire. */
  readonly #eventBy = (id: string): ReferencedEvent => {
    const eventId = this.tracker.eventIdAliases.get(id) ?? id
    return { id, eventId, event: this.tracker.events.get(eventId) }
  }
}

export function createJudge(options: JudgeOptions): Judge {
  return new InvariantJudge(options)
}
