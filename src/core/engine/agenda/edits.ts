/**
 * The undo history of edits by hand: each step with every item and event that it changed, before and after. Facts of
 * one step carry its number, and the history is derived from them alone, so it folds like the rest of the world. It is
 * bounded: the oldest steps can no longer be undone.
 */
import type { AgendaItem } from './item.ts'
import type { Announcement } from '../announcements/announcement.ts'
import type { EmittedEvent } from '../emitted-event.ts'

/** The kind of an edit by hand. */
export type EditKind =
  | 'plan'
  | 'duplicate'
  | 'hold'
  | 'release'
  | 'drop'
  | 'delay'
  | 'move'
  | 'edit'

/** An event as stored in the world, which an edit may change. */
export type StoredEvent = EmittedEvent | Announcement

export type AgendaChange =
  | {
      readonly kind: 'item'
      readonly step: number
      readonly word: EditKind
      readonly id: number
      /** The step named this item; others only changed position because of it. */
      readonly own: boolean
      /** Absent when the item did not exist before. */
      readonly before?: AgendaItem
      /** Absent when the item no longer exists after. */
      readonly after?: AgendaItem
    }
  | {
      readonly kind: 'event'
      readonly step: number
      readonly word: EditKind
      readonly eventId: string
      readonly before: StoredEvent
      readonly after: StoredEvent
    }

export interface EditsWorld {
  /** Steps that can be undone, newest last; each is a list of its changes. */
  readonly done: AgendaChange[][]
  /** Steps that can be redone, newest last. */
  readonly undone: AgendaChange[][]
  nextStep: number
}

export const createEditsWorld = (): EditsWorld => ({ done: [], undone: [], nextStep: 1 })

/** Maximum number of steps that can be undone. */
export const maxUndoSteps = 100

/** Records a change as part of its step. */
export function recordChange(edits: EditsWorld, change: AgendaChange): void {
  const last = edits.done.at(-1)
  if (last?.[0]?.step === change.step) {
    last.push(change)
    return
  }
  edits.nextStep = change.step + 1
  edits.undone.length = 0
  edits.done.push([change])
  if (edits.done.length > maxUndoSteps) edits.done.shift()
}
