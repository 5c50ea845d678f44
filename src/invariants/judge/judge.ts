/**
 * Shows every invariant what it wants to see, and gathers what they say. It is fed by the journal and by the traffic, and
 * may be asked for its verdicts at any time.
 */
import type { Entry } from '../../engine/journal.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Span } from '../../traffic/log.ts'
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
  readonly exchange: (exchange: Exchange, span: Span) => void
  /** Whether a fact means anything to it: of a session's many, most do not. To be asked of each, once, as it happens. */
  readonly isConcernedWith: (entry: Entry) => boolean
  /** A fact that means something, now or later. */
  readonly hear: (entry: Entry) => void
  /** What the subject itself says of an order. */
  readonly probe: (probe: Omit<SeenProbe, 'kind'>) => void
  /** Every invariant's, in the order of the catalogue. */
  readonly verdicts: () => readonly Verdict[]
  /** How the run has ended, by the ids of the invariants that compare runs. */
  readonly endings: () => Endings
  /** Somebody had the subject ask to cancel this order: it does not do so of its own accord. */
  readonly asked: (orderId: string) => void
}

/** How a run has ended, order by order, as each invariant that compares runs sees it. */
export type Endings = ReadonlyMap<string, readonly Ending[]>

export function createJudge(options: JudgeOptions): Judge {
  const { subject } = options
  /** When that happened which is being shown. */
  let shownAt: Instant | undefined
  const keeper = createKeeper({ ...options, now: () => shownAt ?? options.now() })
  const { watch } = keeper
  const see = createSeeing(subject, watch)
  const dockets = options.invariants
    .filter(({ binds }) => binds.includes(subject))
    .map((invariant) => openDocket(invariant, watch))
  const { ofExchange, ofFact, ofHandover, ofAcknowledgment, probes } = createHearers(dockets)
  /** Who is concerned with facts of a kind, found out once. */
  const concerns = remembering((kind: Kind) => ({
    keeps: keeper.keepsOf(kind),
    audience: ofFact(kind),
  }))

  /** Who wants to see what goes well, because of what went wrong before. */
  const minding = new Set<Docket>()

  /** What went wrong wakes everybody whom it concerns; what goes well only they see who mind because of that. */
  function presentFailing(exchange: SeenExchange, failing: readonly Docket[]): void {
    if (exchange.ok && minding.size === 0) return
    for (const docket of failing) {
      if (exchange.ok && !minding.has(docket)) continue
      const { invariant, state, tell } = docket
      invariant.shown.exchange?.(state, exchange, watch, tell)
      if (invariant.minds?.(state)) minding.add(docket)
      else minding.delete(docket)
    }
  }

  function present<Thing>(thing: Thing, audience: readonly Audience<Thing>[]): void {
    for (const { show, state, tell } of audience) show(state, thing, watch, tell)
  }

  const { names } = watch

  /** An event by the id under which it came. */
  function eventBy(id: string): NamedEvent {
    const eventId = names.get(id) ?? id
    return { id, eventId, event: watch.events.get(eventId) }
  }

  const orderBy = (orderId: string | undefined): OrderWatch | undefined =>
    orderId === undefined ? undefined : watch.orders.get(orderId)

  /** One event of those that came with it, at its place among them. */
  function bring(
    exchange: SeenExchange,
    place: number,
    { eventId, eventType, orderId: said, createdAt }: CarriedEvent,
    event: EventWatch | undefined,
  ): void {
    const channel = exchange.by === 'subject' ? 'polling' : 'webhook'
    // What is known already, where it is the same: to look up what was just read costs many times as much.
    const isSame = event?.orderId === said
    const orderId = isSame ? event?.orderId : said
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
      place,
      exchange,
    }
    keeper.handover(seen)
    present(seen, ofHandover(eventType, channel))
  }

  function handOver(exchange: SeenExchange): void {
    const brought = exchange.brought()
    let place = 0
    if (brought) for (const event of brought) bring(exchange, place++, event, event)
    else
      for (const carried of handedOver(exchange)) {
        const { eventId, event } = eventBy(carried.eventId)
        bring(exchange, place++, { ...carried, eventId }, event)
      }
  }

  function acknowledge(exchange: SeenExchange): void {
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
      keeper.acknowledgment(seen)
      present(seen, ofAcknowledgment(seen.eventType, channel))
    }
  }

  function isConcernedWith(entry: Entry): boolean {
    const { keeps, audience } = concerns(entry.fact.kind)
    return keeps.length + audience.length > 0 && keeper.screen(entry)
  }

  function hear(entry: Entry): void {
    const { fact, at } = entry
    const { keeps, audience } = concerns(fact.kind)
    shownAt = at
    try {
      for (const keep of keeps) keep(fact, entry)
      // Of the many facts few are of interest to anybody.
      if (audience.length > 0) present({ kind: 'fact', entry, fact, at }, audience)
    } finally {
      shownAt = undefined
    }
  }

  return {
    watch,
    fact(entry) {
      if (isConcernedWith(entry)) hear(entry)
    },
    hear,
    isConcernedWith,
    exchange(exchange, span) {
      const seen = see(exchange, span)
      if (!seen) return
      shownAt = seen.ended
      try {
        keeper.exchange(seen)
        const { always, failing } = ofExchange(seen.operation)
        present(seen, always)
        presentFailing(seen, failing)
        handOver(seen)
        acknowledge(seen)
      } finally {
        shownAt = undefined
      }
    },
    probe: (probe) => present({ kind: 'probe', ...probe }, probes),
    verdicts() {
      const now = keeper.present()
      return dockets.map((docket) => verdictOf(docket, now))
    },
    endings: () =>
      new Map(
        dockets.flatMap(({ invariant: { id, ending }, state }) =>
          ending ? [[id, ending(state, watch)] as const] : [],
        ),
      ),
    asked: keeper.asked,
  }
}
