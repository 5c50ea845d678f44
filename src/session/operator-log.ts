/** Bounded log of operator actions, from which a scenario can be saved; the oldest entries are evicted first. */
import type { Command } from '../engine/command.ts'
import type { Engine } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import { agendaRow } from '../views/agenda-rows.ts'
import type { AgendaRow, Deed } from '../session-api/session-api.ts'

const mostDeeds = 10_000

export interface Deeds {
  /** Captures the state before an action; returns a function that logs the action once it was done. */
  readonly begin: (engine: Engine, command?: Command) => (what: Deed['what']) => void
  readonly all: () => readonly Deed[]
  /** Clears the log: a new world begins. */
  readonly clear: () => void
  /** Rewinds the log to a fact: later actions are removed. */
  readonly back: (seq: number, now: Instant) => void
}

/** Agenda rows of the items that a command refers to. */
function itemsOf(command: Command, { world }: Engine): readonly AgendaRow[] {
  return idsOf(command).flatMap((id) => {
    const item = world.agenda.byId.get(id)
    return item ? [agendaRow(item, world)] : []
  })
}

function idsOf(command: Command): readonly number[] {
  if (command.kind === 'agenda.batch') return [...new Set(command.edits.map(({ id }) => id))]
  if (command.kind === 'agenda.arrange') return command.order
  const id = 'id' in command && command.kind.startsWith('agenda.') ? command.id : undefined
  return typeof id === 'number' ? [id] : []
}

const isOfSeveral = ({ kind }: Command): boolean =>
  kind === 'agenda.batch' || kind === 'agenda.arrange'

/** Shortens an `advance` to the time that has passed by this instant. */
function passedBy(deed: Deed, now: Instant): Deed {
  const { at, what } = deed
  return what.kind === 'advance' && at + what.ms > now
    ? { ...deed, what: { ...what, ms: Math.max(0, now - at) } }
    : deed
}

export function createDeeds(): Deeds {
  let deeds: Deed[] = []
  return {
    begin(engine, command) {
      const items = command ? itemsOf(command, engine) : []
      const several = command !== undefined && isOfSeveral(command)
      const [item] = items
      const about = several ? { items } : item ? { item } : {}
      const before = { at: engine.now(), after: engine.journal.last() }
      return (what) => {
        deeds.push({ ...before, what, ...about })
        if (deeds.length > mostDeeds) deeds = deeds.slice(-mostDeeds / 2)
      }
    },
    all: () => deeds,
    clear: () => {
      deeds = []
    },
    back: (seq, now) => {
      deeds = deeds.filter(({ after }) => after < seq).map((deed) => passedBy(deed, now))
    },
  }
}
