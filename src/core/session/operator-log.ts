/** Bounded log of operator actions, from which a scenario can be saved; the oldest entries are evicted first. */
import type { Command } from '../engine/command.ts'
import type { Engine } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import { agendaRow } from '../views/agenda-rows.ts'
import type { AgendaRow, OperatorAction } from '../session-api/session-api.ts'

const maxActions = 10_000

export interface OperatorLog {
  /** Captures the state before an action; returns a function that logs the action once it was done. */
  readonly begin: (engine: Engine, command?: Command) => (what: OperatorAction['what']) => void
  readonly actions: () => readonly OperatorAction[]
  /** Number of actions but settings of the clock, also of those that were evicted. */
  readonly count: () => number
  /** Clears the log: a new world begins. */
  readonly clear: () => void
  /** Rewinds the log to a fact: later actions are removed. */
  readonly rewind: (seq: number, now: Instant) => void
}

/** Agenda rows of the items that a command refers to. */
function itemsOf(command: Command, { world, settings }: Engine): readonly AgendaRow[] {
  return idsOf(command).flatMap((id) => {
    const item = world.agenda.byId.get(id)
    return item ? [agendaRow(item, world, settings.subject)] : []
  })
}

function idsOf(command: Command): readonly number[] {
  if (command.kind === 'agenda.batch') return [...new Set(command.edits.map(({ id }) => id))]
  if (command.kind === 'agenda.arrange') return command.order
  const id = 'id' in command && command.kind.startsWith('agenda.') ? command.id : undefined
  return typeof id === 'number' ? [id] : []
}

const isBatch = ({ kind }: Command): boolean => kind === 'agenda.batch' || kind === 'agenda.arrange'

/** A scenario repeats neither a setting of the clock nor a call in place of the service, which makes its own. */
const isRepeatable = ({ what }: OperatorAction): boolean =>
  what.kind !== 'clock' && what.kind !== 'resend'

/** Shortens an `advance` to the time that has passed by this instant. */
function shortenAdvance(action: OperatorAction, now: Instant): OperatorAction {
  const { at, what } = action
  return what.kind === 'advance' && at + what.ms > now
    ? { ...action, what: { ...what, ms: Math.max(0, now - at) } }
    : action
}

export function createOperatorLog(): OperatorLog {
  let actions: OperatorAction[] = []
  /** Of those that were evicted too: counted as they come, since each snapshot names the number. */
  let repeatable = 0
  return {
    begin(engine, command) {
      const items = command ? itemsOf(command, engine) : []
      const several = command !== undefined && isBatch(command)
      const [item] = items
      const itemFields = several ? { items } : item ? { item } : {}
      const before = { at: engine.now(), after: engine.journal.last() }
      return (what) => {
        const action = { ...before, what, ...itemFields }
        actions.push(action)
        if (isRepeatable(action)) repeatable++
        if (actions.length > maxActions) actions = actions.slice(-maxActions / 2)
      }
    },
    actions: () => actions,
    count: () => repeatable,
    clear: () => {
      actions = []
      repeatable = 0
    },
    rewind: (seq, now) => {
      repeatable -= actions.filter(({ after }) => after >= seq).filter(isRepeatable).length
      actions = actions
        .filter(({ after }) => after < seq)
        .map((action) => shortenAdvance(action, now))
    },
  }
}
