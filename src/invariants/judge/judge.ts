/**
 * The judge: dispatches facts and exchanges to the invariants that subscribe to them, and computes verdicts at any
 * time.
 */
import type { Entry } from '../../engine/journal.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../traffic/log.ts'
import { acknowledgedEvents, type CarriedEvent, handedOver } from './carried-events.ts'
import { createSeeing } from './observed-exchange.ts'
import { type Docket, openDocket, verdictOf } from './rule-state.ts'
import { type Audience, createHearers, remembering } from './subscriptions.ts'
import type { Ending, Invariant } from '../invariant.ts'
import type {
  NamedEvent,
  SeenAcknowledgment,
  SeenExchange,
  SeenHandover,
  SeenProbe,
} from './observations.ts'
import type { Verdict } from '../verdict.ts'
import type { Kind } from '../tracking/fact-handlers.ts'
import { createKeeper, type KeeperOptions } from '../tracking/tracker.ts'
import type { EventWatch, OrderWatch, Watch } from '../tracking/tracker-state.ts'

export interface JudgeOptions extends KeeperOptions {
  readonly invariants: readonly Invariant[]
}

export interface Judge {
  readonly watch: Watch
  readonly fact: (entry: Entry) => void
  readonly exchange: (exchange: Exchange, span: ExchangeSpan) => void
  /** Whether a fact is relevant; most are not. Must be called once per fact, in order. */
  readonly isConcernedWith: (entry: Entry) => boolean
  /** Handles a relevant fact, now or deferred. */
  readonly hear: (entry: Entry) => void
  /** Handles a status that the subject itself reports. */
  readonly probe: (probe: Omit<SeenProbe, 'kind'>) => void
  /** Verdicts of all invariants, in the order of the catalogue. */
  readonly verdicts: () => readonly Verdict[]
  /** Outcomes of the run by invariant id, for invariants that compare runs. */
  readonly endings: () => Endings
  /** An operator had the subject request this cancellation: the subject did not decide it. */
  readonly asked: (orderId: string) => void
}

/** Outcomes of a run by order, for each invariant that compares runs. */
export type Endings = ReadonlyMap<string, readonly Ending[]>

export function createJudge(options: JudgeOptions): Judge {
  const { subject } = options
  /** Time of the observation being processed. */
  let observedAt: Instant | undefined
  const tracker = createKeeper({ ...options, now: () => observedAt ?? options.now() })
  const { watch: trackerState } = tracker
  const observe = createSeeing(subject, trackerState)
  const invariantStates = options.invariants
    .filter(({ binds }) => binds.includes(subject))
    .map((invariant) => openDocket(invariant, trackerState))
  const { ofExchange, ofFact, ofHandover, ofAcknowledgment, probes } =
    createHearers(invariantStates)
  /** Handlers and subscribers of each kind of fact, memoised. */
  const receiversOf = remembering((kind: Kind) => ({
    keeps: tracker.keepsOf(kind),
    audience: ofFact(kind),
  }))

  /** Invariants that currently need successful exchanges as well, because of earlier failures. */
  const needingSuccesses = new Set<Docket>()

  /** Dispatches a failure to all subscribers of failures, a success only to those that need successes. */
  function dispatchFailing(exchange: SeenExchange, failing: readonly Docket[]): void {
    if (exchange.ok && needingSuccesses.size === 0) return
    for (const invariantState of failing) {
      if (exchange.ok && !needingSuccesses.has(invariantState)) continue
      const { invariant, state, tell: report } = invariantState
      invariant.shown.exchange?.(state, exchange, trackerState, report)
      if (invariant.minds?.(state)) needingSuccesses.add(invariantState)
      else needingSuccesses.delete(invariantState)
    }
  }

  function dispatch<Thing>(observation: Thing, subscribers: readonly Audience<Thing>[]): void {
    for (const { show, state, tell: report } of subscribers)
      show(state, observation, trackerState, report)
  }

  const { names: eventIdAliases } = trackerState

  /** Looks up an event by its id on the wire. */
  function eventBy(id: string): NamedEvent {
    const eventId = eventIdAliases.get(id) ?? id
    return { id, eventId, event: trackerState.events.get(eventId) }
  }

  const orderBy = (orderId: string | undefined): OrderWatch | undefined =>
    orderId === undefined ? undefined : trackerState.orders.get(orderId)

  /** Processes one handed-over event. */
  function processHandover(
    exchange: SeenExchange,
    index: number,
    { eventId, eventType, orderId: wireOrderId, createdAt }: CarriedEvent,
    event: EventWatch | undefined,
  ): void {
    const channel = exchange.by === 'subject' ? 'polling' : 'webhook'
    // Prefers the tracked strings: lookups with freshly parsed ones are many times as expensive.
    const isSame = event?.orderId === wireOrderId
    const orderId = isSame ? event?.orderId : wireOrderId
    const seen: SeenHandover = {
      kind: 'handover',
      eventId: event?.eventId ?? eventId,
      eventType,
      orderId,
      order: isSame ? event?.order : orderBy(orderId),
      event,
      createdAt,
      channel,
      at: channel === 'polling' ? exchange.ended : exchange.began,
      nth: event === undefined ? 1 : event.handovers + 1,
      place: index,
      exchange,
    }
    tracker.handover(seen)
    dispatch(seen, ofHandover(eventType, channel))
  }

  function processHandovers(exchange: SeenExchange): void {
    const brought = exchange.brought()
    let index = 0
    if (brought) for (const event of brought) processHandover(exchange, index++, event, event)
    else
      for (const carried of handedOver(exchange)) {
        const { eventId, event } = eventBy(carried.eventId)
        processHandover(exchange, index++, { ...carried, eventId }, event)
      }
  }

  function processAcknowledgments(exchange: SeenExchange): void {
    const channel = exchange.by === 'subject' ? 'polling' : 'webhook'
    for (const { eventId, event } of acknowledgedEvents(exchange, eventBy)) {
      const seen: SeenAcknowledgment = {
        kind: 'acknowledgment',
        eventId: event?.eventId ?? eventId,
        eventType: event?.eventType,
        orderId: event?.orderId,
        order: event?.order,
        channel,
        at: exchange.ended,
        exchange,
      }
      tracker.acknowledgment(seen)
      dispatch(seen, ofAcknowledgment(seen.eventType, channel))
    }
  }

  function isConcernedWith(entry: Entry): boolean {
    const { keeps: handlers, audience: subscribers } = receiversOf(entry.fact.kind)
    return handlers.length + subscribers.length > 0 && tracker.screen(entry)
  }

  function handleFact(entry: Entry): void {
    const { fact, at } = entry
    const { keeps: handlers, audience: subscribers } = receiversOf(fact.kind)
    observedAt = at
    try {
      for (const keep of handlers) keep(fact, entry)
      // Few facts have subscribers.
      if (subscribers.length > 0) dispatch({ kind: 'fact', entry, fact, at }, subscribers)
    } finally {
      observedAt = undefined
    }
  }

  return {
    watch: trackerState,
    fact(entry) {
      if (isConcernedWith(entry)) handleFact(entry)
    },
    hear: handleFact,
    isConcernedWith,
    exchange(exchange, span) {
      const seen = observe(exchange, span)
      if (!seen) return
      observedAt = seen.ended
      try {
        tracker.exchange(seen)
        const { always, failing } = ofExchange(seen.operation)
        dispatch(seen, always)
        dispatchFailing(seen, failing)
        processHandovers(seen)
        processAcknowledgments(seen)
      } finally {
        observedAt = undefined
      }
    },
    probe: (probe) => dispatch({ kind: 'probe', ...probe }, probes),
    verdicts() {
      const now = tracker.present()
      return invariantStates.map((invariantState) => verdictOf(invariantState, now))
    },
    endings: () =>
      new Map(
        invariantStates.flatMap(({ invariant: { id, ending: comparableOutcomes }, state }) =>
          comparableOutcomes ? [[id, comparableOutcomes(state, trackerState)] as const] : [],
        ),
      ),
    asked: tracker.asked,
  }
}
