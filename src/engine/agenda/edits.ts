/**
 * The undo history of edits by hand: each step with every item and event that it changed, before and after. Facts of
 * one step carry its number, and the history is derived from them alone, so it folds like the rest of the world. It is
 * bounded: the oldest steps can no longer be undone.
 */
import type { Command } from '../command.ts'
import type { AgendaFact, Fact } from '../fact.ts'
import type { Item } from './item.ts'
import type { EditWord, KeptEvent } from './edit.ts'

export type Change =
  | {
      readonly kind: 'item'
      readonly step: number
      readonly word: EditWord
      readonly id: number
      /** The step named this item; others only changed position because of it. */
      readonly own: boolean
      /** Absent when the item did not exist before. */
      readonly before?: Item
      /** Absent when the item no longer exists after. */
      readonly after?: Item
    }
  | {
      readonly kind: 'event'
      readonly step: number
      readonly word: EditWord
      readonly eventId: string
      readonly before: KeptEvent
      readonly after: KeptEvent
    }

export interface EditsWorld {
  /** Steps that can be undone, newest last; each is a list of its changes. */
  readonly done: Change[][]
  /** Steps that can be redone, newest last. */
  readonly undone: Change[][]
  nextStep: number
}

export const createEditsWorld = (): EditsWorld => ({ done: [], undone: [], nextStep: 1 })

/** Maximum number of steps that can be undone. */
export const mostSteps = 100

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
export function byHand(
  command: Command,
  facts: readonly Fact[],
  { nextStep }: EditsWorld,
): readonly Fact[] {
  if (!isUndoable(command)) return facts
  return facts.map((fact) =>
    kindsWithStep.has(fact.kind) ? ({ ...fact, step: nextStep } as Fact) : fact,
  )
}

/** Records a change as part of its step. */
export function remember(edits: EditsWorld, change: Change): void {
  const last = edits.done.at(-1)
  if (last?.[0]?.step === change.step) {
    last.push(change)
    return
  }
  edits.nextStep = change.step + 1
  edits.undone.length = 0
  edits.done.push([change])
  if (edits.done.length > mostSteps) edits.done.shift()
}
