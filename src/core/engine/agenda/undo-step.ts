/** Marks the facts of a command that was submitted by hand with the number of their undo step. */
import type { Command } from '../command.ts'
import type { Fact } from '../fact.ts'
import type { AgendaFact } from './facts.ts'
import type { EditsWorld } from './edits.ts'

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
export function withUndoStep(
  command: Command,
  facts: readonly Fact[],
  { nextStep }: EditsWorld,
): readonly Fact[] {
  if (!isUndoable(command)) return facts
  return facts.map((fact) =>
    kindsWithStep.has(fact.kind) ? ({ ...fact, step: nextStep } as Fact) : fact,
  )
}
