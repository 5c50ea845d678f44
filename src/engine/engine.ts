/**
 * The one door. A command comes in, facts come out: decided, applied to the world, written to the journal, and shown
 * to the reactors, whose plans become items on the agenda. It reads no clock and draws no chance but its own.
 */
import { head } from './agenda.ts'
import { apply } from './apply.ts'
import { type Chance, createChance } from './chance.ts'
import type { Command } from './command.ts'
import { decide } from './decide.ts'
import type { Context, Decision } from './decision.ts'
import type { Fact } from './fact.ts'
import type { Instant } from './instant.ts'
import type { Item, Planned } from './item.ts'
import { type By, createJournal, type Entry, type Journal } from './journal.ts'
import type { Settings } from './settings.ts'
import { createWorld, type World } from './world.ts'

/** Somebody who answers facts with plans: a counterpart's habit, a channel. Pure, and a stranger to the others. */
export type Reactor = (fact: Fact, context: Context) => readonly Planned[]

export interface EngineOptions {
  readonly seed: number
  readonly settings: Settings
  readonly reactors: readonly Reactor[]
  /** The instant at which the session begins. */
  readonly origin: Instant
  /** Facts kept in memory. */
  readonly journalWindow?: number
}

export interface Taken {
  readonly item: Item
  readonly decision: Decision
}

export interface Engine {
  readonly world: World
  readonly settings: Settings
  readonly journal: Journal
  readonly now: () => Instant
  /** The driver says what time it is; time never goes back. */
  readonly passTo: (instant: Instant) => void
  readonly submit: (command: Command, by?: By) => Decision
  /** Takes the first item of the agenda and submits its command; its due instant becomes now, if that is later. */
  readonly take: () => Taken | undefined
  /** Calls back with each fact, after it was applied. */
  readonly onFact: (listener: (entry: Entry) => void) => () => void
}

/** Reactions to reactions are items, not recursion; but one command may not plan without end. */
const mostPlansPerFact = 1000

export function createEngine(options: EngineOptions): Engine {
  const { settings, reactors } = options
  const world = createWorld()
  const journal = createJournal(world, options.journalWindow)
  let listeners: readonly ((entry: Entry) => void)[] = []
  const streams = new Map<string, Chance>()
  const root = createChance(options.seed)
  let now = options.origin

  function chance(name: string): Chance {
    const known = streams.get(name)
    if (known) return known
    const stream = root.fork(name)
    streams.set(name, stream)
    return stream
  }

  const context: Context = {
    world,
    settings,
    chance,
    get now() {
      return now
    },
  }

  /** Applies one fact and writes it down. */
  function tell(fact: Fact, by: By, cause: number): Entry {
    apply(world, fact, now)
    const entry = journal.append(fact, now, by, cause)
    for (const listener of listeners) listener(entry)
    return entry
  }

  /** One fact, and what the reactors plan because of it. */
  function happen(fact: Fact, by: By, cause: number): void {
    const entry = tell(fact, by, cause)
    // What happens to the agenda moves nobody, or editing it would feed itself.
    if (fact.kind.startsWith('agenda.')) return
    let plans = 0
    for (const react of reactors)
      for (const { command, afterMs, background } of react(fact, context)) {
        if (++plans > mostPlansPerFact) throw new Error(`a ${fact.kind} plans without end`)
        const id = world.agenda.nextId
        const item: Item = {
          id,
          due: now + afterMs,
          rank: id,
          held: false,
          command,
          cause: entry.seq,
          background: background ?? false,
        }
        tell({ kind: 'agenda.planned', item }, by, entry.seq)
      }
  }

  function submitAs(command: Command, by: By, cause: number): Decision {
    const decision = decide(command, context)
    if (decision.ok) for (const fact of decision.value) happen(fact, by, cause)
    return decision
  }

  return {
    world,
    settings,
    journal,
    now: () => now,
    passTo(instant) {
      if (instant > now) now = instant
    },
    submit: (command, by = 'operator') => submitAs(command, by, 0),
    take() {
      const item = head(world.agenda)
      if (!item) return undefined
      if (item.due > now) now = item.due
      tell({ kind: 'agenda.taken', id: item.id, command: item.command }, 'agenda', item.cause)
      const decision = submitAs(item.command, 'agenda', journal.last())
      if (!decision.ok)
        tell(
          {
            kind: 'agenda.refused',
            id: item.id,
            command: item.command.kind,
            refusal: decision.error,
          },
          'agenda',
          journal.last(),
        )
      return { item, decision }
    },
    onFact(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((each) => each !== listener)
      }
    },
  }
}
