/**
 * The engine: takes a command, decides it, applies the facts to the world, appends them to the journal and shows them
 * to the reactors, whose plans become agenda items. It reads no clock and has no randomness but its seeded chance.
 */
import { headItem, maxAgendaItems } from './agenda/agenda.ts'
import { apply, type Fact } from './fact.ts'
import { createChance } from './chance.ts'
import type { Command } from './command.ts'
import type { SettingChange } from './session/setting-change.ts'
import type { Decision, DecisionContext, Decisions } from './decision.ts'
import { distortPlan } from './faults/distort-plan.ts'
import type { FaultPort } from './faults/fault.ts'
import { releasedByFact } from './faults/wait.ts'
import type { Instant } from './instant.ts'
import { liveObject } from './live-object.ts'
import type { AgendaItem, PlannedCommand } from './agenda/item.ts'
import { toAgendaItem } from './agenda/plan-item.ts'
import {
  createJournal,
  type FactOrigin,
  type Journal,
  type JournalEntry,
  type JournalHistory,
} from './journal.ts'
import type { Settings } from './settings.ts'
import {
  type ChanceStreams,
  type ChanceStreamsState,
  createChanceStreams,
} from './chance-streams.ts'
import { ok } from '../protocol/result.ts'
import { createWorld, type World } from './world.ts'
import type { AgendaFact } from './agenda/facts.ts'
import type { EditsWorld } from './agenda/edits.ts'
import { agendaDecisions } from './agenda/decide.ts'
import { authDecisions } from './auth/decide.ts'
import { callDecisions } from './calls/decide.ts'
import { customerDecisions } from './customer/decide.ts'
import { faultDecisions } from './faults/decide.ts'
import { indoorDecisions } from './indoor/decide.ts'
import { platformDecisions } from './logistics/delivery-commands.ts'
import { shipmentDecisions } from './logistics/shipment-commands.ts'
import { initialLoyaltyFacts, loyaltyDecisions } from './loyalty/decide.ts'
import { cancellationDecisions } from './orders/decide-cancellation.ts'
import { eventDecisions } from './orders/decide-event.ts'
import { orderDecisions } from './orders/decide-order.ts'
import { ticketDecisions } from './orders/decide-ticket.ts'
import { playbackDecisions } from './playback/decide.ts'
import { type SessionCommand, startsNoSubject } from './session/commands.ts'
import { compact } from '../base/compact.ts'
import type { PauseCommand } from './pauses/commands.ts'
import { originatorCancellationCodes } from '../protocol/orders/cancellation.ts'
import { callPlacedFact } from './calls/place-call.ts'
import { eventEmittedFact } from './orders/emit.ts'
import { findOrder, isCancellable } from './orders/record.ts'
import { mayCallOrderingApplication } from './orders/tickets.ts'
import { refuse } from './refusal.ts'
import type { V1Command } from './v1/commands.ts'

/**
 * V1's cancellation handshake: before an originator cancels, it asks the merchant, who accepts or denies (fields.md,
 * 4.4). When denied, the order continues and no event announces that.
 */
const v1Decisions: Decisions<V1Command> = {
  'handshake.offer'(
    { orderId, reason = 'o cliente desistiu', code = originatorCancellationCodes[0] },
    context,
  ) {
    const found = findOrder(orderId, context.world)
    if (!found.ok) return found
    const { order, status, cancellation } = found.value
    if (context.world.v1.handshakes.has(orderId)) return ok([])
    if (cancellation === 'accept' || !isCancellable(found.value, context.settings.conduct))
      return refuse(
        'INVALID_TRANSITION',
        `the order ${orderId} cannot be cancelled in ${status}`,
        context.settings.conduct.invalidTransition.orders,
      )
    return ok([
      { kind: 'handshake.offered', orderId, code },
      eventEmittedFact(order, 'ORDER_CANCELLATION_REQUEST', context, { reason, code }),
    ])
  },

  'handshake.answer'({ orderId, answer, code, reason }, context) {
    const found = findOrder(orderId, context.world)
    if (!found.ok) return found
    const { order, status } = found.value
    const { orders: refusalStatus } = context.settings.conduct.invalidTransition
    if (!context.world.v1.handshakes.has(orderId))
      return refuse(
        'INVALID_TRANSITION',
        `no cancellation request is open for the order ${orderId}`,
        refusalStatus,
      )
    if (!isCancellable(found.value, context.settings.conduct))
      return refuse(
        'INVALID_TRANSITION',
        `the order ${orderId} is ${status} meanwhile`,
        refusalStatus,
      )
    const metadata = compact({ reason, code })
    return ok([
      { kind: 'handshake.answered', orderId, answer },
      ...(answer === 'deny'
        ? [eventEmittedFact(order, 'CANCELLED_DENIED', context, metadata)]
        : []),
    ])
  },

  /** Our Software Service answers by a call. */
  'legacy.answer'(
    { orderId, answer, code = 'DISH_ALREADY_DONE', reason = 'já está pronto' },
    context,
  ) {
    if (!context.world.store.tickets.has(orderId))
      return refuse('NOT_FOUND', `the Software Service knows no order ${orderId}`)
    if (!mayCallOrderingApplication(context))
      return refuse(
        'CONFLICT',
        'the Ordering Application is not called before its manifest is valid',
      )
    const call = {
      from: 'software-service',
      to: 'ordering-application',
      params: { orderId },
      attempt: 1,
    } as const
    return ok([
      answer === 'accept'
        ? callPlacedFact({ ...call, operation: 'acceptCancellationV1' }, context)
        : callPlacedFact(
            { ...call, operation: 'denyCancellationV1', body: { reason, code } },
            context,
          ),
    ])
  },
}

/** Decides the commands of pauses. */
const pauseDecisions: Decisions<PauseCommand> = {
  'pause.begin'({ ms, fault, ...rest }, { world, now }) {
    const id = world.agenda.nextId
    const item: AgendaItem = {
      id,
      due: now + Math.max(0, ms),
      rank: id,
      held: false,
      command: { ...rest, kind: 'pause.end' },
      cause: 0,
      // A subject may sleep for ever; an answer that is held back is still to come.
      background: rest.whose === 'subject',
      ...compact({ fault }),
    }
    return ok([{ kind: 'agenda.planned', item }])
  },
  'pause.end': ({ pause, whose }) => ok([{ kind: 'pause.ended', pause, whose }]),
}

/** Decides the commands of the session as a whole. */
const sessionDecisions: Decisions<SessionCommand> = {
  'session.open': (_command, { settings }) =>
    ok([{ kind: 'session.opened', roles: settings.roles }, ...initialLoyaltyFacts(settings)]),
  'session.configure': ({ changes }) => ok([{ kind: 'session.configured', changes }]),
  'session.end-subject'({ signal, downMs }, context) {
    const { world, settings } = context
    if (!settings.startsSubject) return refuse('CONFLICT', startsNoSubject)
    if (world.faults.isDown) return ok([])
    const ended = { kind: 'session.subject-ended', signal } as const
    if (downMs === undefined) return ok([ended])
    const renewal = { command: { kind: 'session.renew-subject' }, afterMs: downMs } as const
    const item = toAgendaItem(renewal, world.agenda.nextId, 0, context)
    return ok([ended, { kind: 'agenda.planned', item }])
  },
  'session.renew-subject': () => ok([{ kind: 'session.subject-renewed' }]),
}

/** Decides a command: facts or a refusal. Looks up the decision of its kind, which stands in its room. */
const decisions: Decisions<Command> = {
  ...sessionDecisions,
  ...agendaDecisions,
  ...orderDecisions,
  ...cancellationDecisions,
  ...eventDecisions,
  ...ticketDecisions,
  ...authDecisions,
  ...callDecisions,
  ...indoorDecisions,
  ...platformDecisions,
  ...shipmentDecisions,
  ...customerDecisions,
  ...loyaltyDecisions,
  ...v1Decisions,
  ...faultDecisions,
  ...pauseDecisions,
  ...playbackDecisions,
}

const decide = (command: Command, context: DecisionContext): Decision =>
  (decisions[command.kind] as (command: Command, context: DecisionContext) => Decision)(
    command,
    context,
  )

// Marks the facts of a command that was submitted by hand with the number of their undo step.

/** Facts that carry the number of their undo step. */
type FactWithStep = Extract<AgendaFact, { readonly step?: number }>

const kindsWithStep: ReadonlySet<string> = new Set<FactWithStep['kind'] | 'event.altered'>([
  'agenda.planned',
  'agenda.held',
  'agenda.released',
  'agenda.dropped',
  'agenda.delayed',
  'agenda.moved',
  'agenda.edited',
  'event.altered',
])

const isUndoable = ({ kind }: Command): boolean =>
  kind === 'event.alter' ||
  (kind.startsWith('agenda.') && kind !== 'agenda.undo' && kind !== 'agenda.redo')

/** Adds the number of the undo step to the facts of a command submitted by hand. */
function withUndoStep(
  command: Command,
  facts: readonly Fact[],
  { nextStep }: EditsWorld,
): readonly Fact[] {
  if (!isUndoable(command)) return facts
  return facts.map((fact) =>
    kindsWithStep.has(fact.kind) ? ({ ...fact, step: nextStep } as Fact) : fact,
  )
}

/**
 * Plans commands in reaction to a fact: a counterpart's behaviour, a channel. Pure, and independent of the other
 * reactors.
 */
export type Reactor = (fact: Fact, context: DecisionContext) => readonly PlannedCommand[]

export interface EngineOptions {
  readonly seed: number
  readonly settings: Settings
  readonly reactors: readonly Reactor[]
  /** The settings after changes, in a session whose settings may change. */
  readonly configured?: ((changes: readonly SettingChange[]) => Settings) | undefined
  /** Start of the session. */
  readonly origin: Instant
  /** Maximum number of facts in memory. */
  readonly journalWindow?: number
  /** The fault catalogue; absent in a session without faults. */
  readonly faults?: (() => FaultPort | undefined) | undefined
  /** The state of another engine to continue from. */
  readonly resumeFrom?: EngineSnapshot | undefined
}

/** The state of an engine right after a fact: world, journal and random streams. */
export interface EngineSnapshot extends ChanceStreamsState {
  readonly world: World
  readonly past: JournalHistory
  readonly now: Instant
}

export interface TakenItem {
  readonly item: AgendaItem
  readonly decision: Decision
}

/**
 * Limit of plans per fact, against a reactor that plans without end. High enough for everything that may have waited
 * for one fact: a manifest that becomes valid releases every waiting webhook, call and read at once.
 */
const maxPlansPerFact = maxAgendaItems / 2

/** Hosts and counterparts keep the settings: what they keep shows each change. */
function settingsOf({ settings, configured }: EngineOptions, { configured: own }: World): Settings {
  if (!configured) return settings
  const conduct = liveObject(() => configured(own.changes).conduct)
  let latest: Settings | undefined
  let whole = settings
  return liveObject(() => {
    const current = configured(own.changes)
    if (current !== latest) whole = { ...current, conduct }
    latest = current
    return whole
  })
}

/** Its members are bound: a traced session wraps it spread, and readers of the time take `now` alone. */
export class SessionEngine {
  readonly world: World
  readonly settings: Settings
  readonly journal: Journal
  readonly #reactors: readonly Reactor[]
  readonly #streams: ChanceStreams
  readonly #context: DecisionContext
  readonly #clock: { now: Instant; due: Instant | undefined }
  #listeners: readonly ((entry: JournalEntry) => void)[] = []

  constructor(options: EngineOptions) {
    const { seed, origin, faults, resumeFrom: begin } = options
    const world = begin?.world ?? createWorld()
    const settings = settingsOf(options, world)
    this.world = world
    this.settings = settings
    this.journal = createJournal(world, options.journalWindow, begin?.past)
    this.#reactors = options.reactors
    const root = createChance(seed)
    this.#streams = createChanceStreams({
      make: (name, from) => createChance(seed, `session/${name}`, from),
      first: this.journal.first,
      from: begin,
    })
    const clock = { now: begin?.now ?? origin, due: undefined as Instant | undefined }
    this.#clock = clock
    this.#context = {
      world,
      settings,
      chance: this.#streams.chance,
      draw: (name) => root.fork(name),
      get faults() {
        return faults?.()
      },
      get now() {
        return clock.now
      },
      get due() {
        return clock.due
      },
    }
  }

  readonly now = (): Instant => this.#clock.now

  /** Sets the current instant; time never goes back. */
  readonly advanceTo = (instant: Instant): void => {
    if (instant > this.#clock.now) this.#clock.now = instant
  }

  readonly submit = (command: Command, by: FactOrigin = 'operator'): Decision => {
    this.#streams.begin()
    const decision = this.#submitAs(command, by, 0)
    this.#streams.end(this.journal.last())
    return decision
  }

  /**
   * Takes the first item of the agenda and submits its command; advances the current instant to the item's due instant
   * if that is later.
   */
  readonly take = (): TakenItem | undefined => {
    const item = headItem(this.world.agenda)
    if (!item) return undefined
    if (item.due > this.#clock.now) this.#clock.now = item.due
    const { id, command, due, cause } = item
    this.#streams.begin()
    this.#record({ kind: 'agenda.taken', id, command }, 'agenda', cause)
    this.#clock.due = due
    const decision = this.#submitAs(command, 'agenda', this.journal.last())
    this.#clock.due = undefined
    if (!decision.ok)
      this.#record(
        { kind: 'agenda.refused', id, command: command.kind, refusal: decision.error },
        'agenda',
        this.journal.last(),
      )
    this.#streams.end(this.journal.last())
    return { item, decision }
  }

  /**
   * State for another engine to continue from, after a fact and all facts of the same turn. Undefined when the fact is
   * evicted or does not exist yet.
   */
  readonly snapshotAt = (seq: number): EngineSnapshot | undefined => {
    const after = seq < this.journal.first() ? undefined : this.#streams.after(seq)
    const past = after && this.journal.foldTo(after.seq)
    const entry = after && this.journal.get(after.seq)
    if (!past || !entry) return undefined
    return { ...after, world: past, past: this.journal.historyTo(after.seq), now: entry.at }
  }

  /** Registers a listener, called with each fact after it was applied; returns the unsubscribe function. */
  readonly onFact = (listener: (entry: JournalEntry) => void): (() => void) => {
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener)
    }
  }

  /** Applies one fact and appends it to the journal. */
  #record(fact: Fact, by: FactOrigin, cause: number): JournalEntry {
    apply(this.world, fact, this.#clock.now)
    const entry = this.journal.append(fact, this.#clock.now, by, cause)
    for (const listener of this.#listeners) listener(entry)
    return entry
  }

  /** Records one fact and plans the reactions to it. */
  #recordAndReact(fact: Fact, by: FactOrigin, cause: number): void {
    const entry = this.#record(fact, by, cause)
    // Facts about the agenda trigger no reactions, or editing the agenda would cause more edits.
    if (fact.kind.startsWith('agenda.')) return
    let plans = 0
    for (const react of this.#reactors) {
      const reaction = react(fact, this.#context)
      plans += reaction.length
      if (plans > maxPlansPerFact) throw new Error(`a ${fact.kind} plans without end`)
      for (const planned of reaction) {
        const distorted =
          this.world.faults.live.size > 0 ? distortPlan(planned, fact, this.#context) : undefined
        for (const faultFact of distorted?.facts ?? []) this.#record(faultFact, by, entry.seq)
        if (!distorted) this.#plan(planned, by, entry.seq)
        else for (const each of distorted.plans) this.#plan(each, by, entry.seq)
      }
    }
    if (this.world.agenda.waiting.size > 0)
      for (const release of releasedByFact(fact, this.world, this.#clock.now))
        this.#record(release, by, entry.seq)
  }

  #plan(planned: PlannedCommand, by: FactOrigin, cause: number): void {
    const item = toAgendaItem(planned, this.world.agenda.nextId, cause, this.#context)
    this.#record({ kind: 'agenda.planned', item }, by, cause)
  }

  #submitAs(command: Command, by: FactOrigin, cause: number): Decision {
    const decided = decide(command, this.#context)
    const decision =
      decided.ok && by === 'operator'
        ? ok(withUndoStep(command, decided.value, this.world.edits))
        : decided
    if (decision.ok) for (const fact of decision.value) this.#recordAndReact(fact, by, cause)
    return decision
  }
}

/** An engine, or one that wraps it. */
export type Engine = Pick<SessionEngine, keyof SessionEngine>
