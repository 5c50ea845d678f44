/**
 * What was done to the agenda by hand, so that it can be undone: each step with every item and event that it changed, as
 * it was before and as it was after. Facts of one step carry its number; from them, and nothing else, this list is kept,
 * so it folds like all the rest of the world. It has a bound: what was done longest ago can no longer be undone.
 */
import type { Announcement } from '../announcements/announcement.ts'
import type { Command } from '../command.ts'
import type { AgendaFact, EmittedEvent, Fact } from '../fact.ts'
import type { Item } from './item.ts'

/** What somebody did to an item, in a word. */
export type EditWord =
  'plan' | 'duplicate' | 'hold' | 'release' | 'drop' | 'delay' | 'move' | 'edit'

/** An event as the world keeps it. */
export type KeptEvent = EmittedEvent | Announcement

export type Change =
  | {
      readonly kind: 'item'
      readonly step: number
      readonly word: EditWord
      readonly id: number
      /** It is what the step was about; others only made room for it. */
      readonly own: boolean
      /** Absent when there was none. */
      readonly before?: Item
      /** Absent when there is none any more. */
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
  /** Steps that can be undone, the last one last; each is a list of its changes. */
  readonly done: Change[][]
  /** Steps that were undone, the last one last. */
  readonly undone: Change[][]
  nextStep: number
}

export const createEditsWorld = (): EditsWorld => ({ done: [], undone: [], nextStep: 1 })

/** Steps that can be undone at most. */
export const mostSteps = 100

/** Facts that carry the number of a step when they came of somebody's hand. */
type Stepped = Extract<AgendaFact, { readonly step?: number }>

const steppedKinds: ReadonlySet<string> = new Set<Stepped['kind'] | 'event.altered'>([
  'agenda.planned',
  'agenda.held',
  'agenda.released',
  'agenda.dropped',
  'agenda.delayed',
  'agenda.moved',
  'agenda.edited',
  'event.altered',
])

const isStep = ({ kind }: Command): boolean =>
  kind === 'event.alter' ||
  (kind.startsWith('agenda.') && kind !== 'agenda.undo' && kind !== 'agenda.redo')

/** The facts of somebody's own command, with the number of the step that they are. */
export function byHand(
  command: Command,
  facts: readonly Fact[],
  { nextStep }: EditsWorld,
): readonly Fact[] {
  if (!isStep(command)) return facts
  return facts.map((fact) =>
    steppedKinds.has(fact.kind) ? ({ ...fact, step: nextStep } as Fact) : fact,
  )
}

/** Writes a change down, as part of its step. */
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
