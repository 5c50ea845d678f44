/**
 * The engine: takes a command, decides it, applies the facts to the world, appends them to the journal and shows them
 * to the reactors, whose plans become agenda items. It reads no clock and has no randomness but its seeded chance.
 */
import { withUndoStep } from './agenda/undo-step.ts'
import { maxAgendaItems, headItem } from './agenda/agenda.ts'
import { apply } from './fact.ts'
import { createChance } from './chance.ts'
import type { Command } from './command.ts'
import type { SettingChange } from './session/setting-change.ts'
import { decide } from './decide.ts'
import type { DecisionContext, Decision } from './decision.ts'
import type { Fact } from './fact.ts'
import { distortPlan } from './faults/distort-plan.ts'
import type { FaultPort } from './faults/fault.ts'
import { releasedByFact } from './faults/wait.ts'
import type { Instant } from './instant.ts'
import { liveObject } from './live-object.ts'
import type { AgendaItem, PlannedCommand } from './agenda/item.ts'
import { toAgendaItem } from './agenda/plan-item.ts'
import {
  type FactOrigin,
  createJournal,
  type JournalEntry,
  type Journal,
  type JournalHistory,
} from './journal.ts'
import type { Settings } from './settings.ts'
import { createChanceStreams, type ChanceStreamsState } from './chance-streams.ts'
import { ok } from '../protocol/result.ts'
import { createWorld, type World } from './world.ts'

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

export interface Engine {
  readonly world: World
  readonly settings: Settings
  readonly journal: Journal
  readonly now: () => Instant
  /** Sets the current instant; time never goes back. */
  readonly advanceTo: (instant: Instant) => void
  readonly submit: (command: Command, by?: FactOrigin) => Decision
  /**
   * Takes the first item of the agenda and submits its command; advances the current instant to the item's due instant
   * if that is later.
   */
  readonly take: () => TakenItem | undefined
  /**
   * State for another engine to continue from, after a fact and all facts of the same turn. Undefined when the fact is
   * evicted or does not exist yet.
   */
  readonly snapshotAt: (seq: number) => EngineSnapshot | undefined
  /** Registers a listener, called with each fact after it was applied; returns the unsubscribe function. */
  readonly onFact: (listener: (entry: JournalEntry) => void) => () => void
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
  let seen: Settings | undefined
  let whole = settings
  return liveObject(() => {
    const current = configured(own.changes)
    if (current !== seen) whole = { ...current, conduct }
    seen = current
    return whole
  })
}

export function createEngine(options: EngineOptions): Engine {
  const { reactors, resumeFrom: begin, seed } = options
  const world = begin?.world ?? createWorld()
  const settings = settingsOf(options, world)
  const journal = createJournal(world, options.journalWindow, begin?.past)
  let listeners: readonly ((entry: JournalEntry) => void)[] = []
  const root = createChance(seed)
  const streams = createChanceStreams({
    make: (name, from) => createChance(seed, `session/${name}`, from),
    first: journal.first,
    from: begin,
  })
  let now = begin?.now ?? options.origin
  let due: Instant | undefined

  const context: DecisionContext = {
    world,
    settings,
    chance: streams.chance,
    fate: (name) => root.fork(name),
    get faults() {
      return options.faults?.()
    },
    get now() {
      return now
    },
    get due() {
      return due
    },
  }

  /** Applies one fact and appends it to the journal. */
  function record(fact: Fact, by: FactOrigin, cause: number): JournalEntry {
    apply(world, fact, now)
    const entry = journal.append(fact, now, by, cause)
    for (const listener of listeners) listener(entry)
    return entry
  }

  /** Records one fact and plans the reactions to it. */
  function recordAndReact(fact: Fact, by: FactOrigin, cause: number): void {
    const entry = record(fact, by, cause)
    // Facts about the agenda trigger no reactions, or editing the agenda would cause more edits.
    if (fact.kind.startsWith('agenda.')) return
    let plans = 0
    for (const react of reactors) {
      const reaction = react(fact, context)
      plans += reaction.length
      if (plans > maxPlansPerFact) throw new Error(`a ${fact.kind} plans without end`)
      for (const planned of reaction) {
        const distorted =
          world.faults.live.size > 0 ? distortPlan(planned, fact, context) : undefined
        for (const faultFact of distorted?.facts ?? []) record(faultFact, by, entry.seq)
        if (!distorted) plan(planned, by, entry.seq)
        else for (const each of distorted.plans) plan(each, by, entry.seq)
      }
    }
    if (world.agenda.waiting.size > 0)
      for (const release of releasedByFact(fact, world, now)) record(release, by, entry.seq)
  }

  function plan(planned: PlannedCommand, by: FactOrigin, cause: number): void {
    const item = toAgendaItem(planned, world.agenda.nextId, cause, context)
    record({ kind: 'agenda.planned', item }, by, cause)
  }

  function submitAs(command: Command, by: FactOrigin, cause: number): Decision {
    const decided = decide(command, context)
    const decision =
      decided.ok && by === 'operator'
        ? ok(withUndoStep(command, decided.value, world.edits))
        : decided
    if (decision.ok) for (const fact of decision.value) recordAndReact(fact, by, cause)
    return decision
  }

  return {
    world,
    settings,
    journal,
    now: () => now,
    advanceTo(instant) {
      if (instant > now) now = instant
    },
    submit(command, by = 'operator') {
      streams.begin()
      const decision = submitAs(command, by, 0)
      streams.end(journal.last())
      return decision
    },
    take() {
      const item = headItem(world.agenda)
      if (!item) return undefined
      if (item.due > now) now = item.due
      streams.begin()
      record({ kind: 'agenda.taken', id: item.id, command: item.command }, 'agenda', item.cause)
      due = item.due
      const decision = submitAs(item.command, 'agenda', journal.last())
      due = undefined
      if (!decision.ok)
        record(
          {
            kind: 'agenda.refused',
            id: item.id,
            command: item.command.kind,
            refusal: decision.error,
          },
          'agenda',
          journal.last(),
        )
      streams.end(journal.last())
      return { item, decision }
    },
    snapshotAt(seq) {
      const after = seq < journal.first() ? undefined : streams.after(seq)
      const past = after && journal.foldTo(after.seq)
      const entry = after && journal.get(after.seq)
      if (!past || !entry) return undefined
      return { ...after, world: past, past: journal.historyTo(after.seq), now: entry.at }
    },
    onFact(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((each) => each !== listener)
      }
    },
  }
}
