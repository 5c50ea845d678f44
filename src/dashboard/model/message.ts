/**
 * What can happen to the dashboard's model (messages), and what the dashboard can ask of the session or the terminal
 * (actions). Keys become these; nothing else changes the screen or reaches the session.
 */
import type { Command } from '../../engine/command.ts'
import type { SeekTarget, PlaybackSearchKind } from '../../session-api/playback.ts'
import type { ClockMode, NewOrder, View } from '../../session-api/session-api.ts'
import type { Comparator, Difference } from '../../traffic/difference/difference.ts'
import type { PaneId } from './layout.ts'
import type { EditSubject, ListOverlay, Notice, Prompt, Seen } from './model.ts'

/** Which items the pane shows. */
export type Shown = Pick<NonNullable<View['agenda']>, 'orderId'> & { readonly background: boolean }

/** How far a cursor or a text moves. */
export type Motion =
  | { readonly kind: 'rows'; readonly by: number }
  /** In halves of what is visible. */
  | { readonly kind: 'halves'; readonly by: number }
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }

export type Message =
  /** Any key was pressed: what the last one said is over. */
  | { readonly kind: 'pressed'; readonly key: string }
  /** The terminal has another size. */
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  /** The session was looked at. */
  | { readonly kind: 'seen'; readonly seen: Seen }
  /** The session could not be looked at. */
  | { readonly kind: 'lost'; readonly because: string }
  /** Something is to be told. */
  | { readonly kind: 'told'; readonly notice: Notice }
  /** A pane takes the keys. */
  | { readonly kind: 'focused'; readonly pane: PaneId }
  /** The next or the previous pane takes the keys. */
  | { readonly kind: 'cycled'; readonly by: 1 | -1 }
  /** The cursor of the focused pane, or an open text, moves. */
  | { readonly kind: 'moved'; readonly motion: Motion }
  /** Following what is new is switched on or off. */
  | { readonly kind: 'followed' }
  /** An order becomes the selection. */
  | { readonly kind: 'chosen'; readonly orderId: string }
  /** An item of the agenda is the chosen one, wherever it goes. */
  | { readonly kind: 'picked'; readonly id: number }
  /** Panes 3 and 4 show the next or the previous kind of thing. */
  | { readonly kind: 'tabbed'; readonly by: 1 | -1 }
  /** Only the selected order is shown, or all again. */
  | { readonly kind: 'narrowed' }
  /** The world is shown as it was a fact earlier or later. */
  | { readonly kind: 'travelled'; readonly by: 1 | -1 }
  /** Back to now. */
  | { readonly kind: 'returned' }
  /** What is chosen in the focused pane is shown whole. */
  | { readonly kind: 'opened' }
  /** The keys are shown. */
  | { readonly kind: 'helped' }
  /** One layer is taken away: a prompt, an open text, a filter, a narrowing, the past. */
  | { readonly kind: 'peeled' }
  /** One more key, or a text, is waited for. */
  | { readonly kind: 'prompted'; readonly prompt: Prompt }
  /** What was waited for has come. */
  | { readonly kind: 'answered' }
  /** Text for the line that is asked for was typed. */
  | { readonly kind: 'typed'; readonly text: string }
  /** The last sign of that line, or all of it, was erased. */
  | { readonly kind: 'erased'; readonly all: boolean }
  /** Background items of the agenda are shown or hidden. */
  | { readonly kind: 'background' }
  /** Polls that brought nothing are shown or hidden. */
  | { readonly kind: 'idled' }
  /** Ctrl-c was pressed once. */
  | { readonly kind: 'leaving' }
  /** The chosen item is marked, or no longer; the cursor goes on to the next. */
  | { readonly kind: 'marked' }
  /** A range begins at the chosen item, or ends there and is marked. */
  | { readonly kind: 'ranged' }
  /** Nothing is marked any more. */
  | { readonly kind: 'unmarked' }
  /** The chosen order is pinned, or no longer. */
  | { readonly kind: 'pinned' }
  /** The next pinned order becomes the selection. */
  | { readonly kind: 'pin-visited' }
  /** A list is laid over the panes. */
  | { readonly kind: 'listed'; readonly overlay: ListOverlay }
  /** An exchange becomes the chosen one of the traffic, whatever hides it. */
  | { readonly kind: 'jumped'; readonly seq: number }
  /** What was done last cannot be undone any more. */
  | { readonly kind: 'stuck' }
  /** The recording is shown one exchange earlier or later. */
  | { readonly kind: 'wound'; readonly by: 1 | -1 }
  /** Somebody went to a place of the recording. */
  | { readonly kind: 'sought'; readonly place: number }
  /** The exchange at a place of the recording becomes the chosen one. */
  | { readonly kind: 'placed'; readonly place: number }
  /** A text is laid over the panes. */
  | { readonly kind: 'shown'; readonly title: string; readonly lines: readonly string[] }

export type Action =
  /** A command for the engine; `told` says what was done. */
  | { readonly kind: 'submit'; readonly command: Command; readonly told: string }
  | { readonly kind: 'create'; readonly wish: NewOrder }
  /** Take the first item of those that are shown. */
  | { readonly kind: 'step'; readonly shown: Shown }
  /** Move an item one place among those that are shown. */
  | {
      readonly kind: 'move'
      readonly id: number
      readonly to: 'earlier' | 'later'
      readonly shown: Shown
    }
  /** Hold an item, or release it when it is held. */
  | { readonly kind: 'hold'; readonly id: number; readonly text: string }
  /** Do the same to several items, as one step. */
  | {
      readonly kind: 'batch'
      readonly what: BatchWord
      readonly ids: readonly number[]
      readonly shown: Shown
    }
  /** Undo what was last done by hand to the agenda, or do it again. */
  | { readonly kind: 'turn'; readonly way: 'undo' | 'redo'; readonly past: boolean }
  /** Give every item that is held its due time back. */
  | { readonly kind: 'release-all' }
  /** Give something to the editor; `text` is what came from it before, and would not do. */
  | { readonly kind: 'edit'; readonly of: EditSubject; readonly text?: string }
  /** Put a fault in force, in the place of another one where it is changed. */
  | { readonly kind: 'fault'; readonly spec: string; readonly replaces?: number }
  /** Write what was done down as a scenario. */
  | { readonly kind: 'save'; readonly name: string; readonly overwrite: boolean }
  /** Ask the service for its own view, and judge. */
  | { readonly kind: 'judge' }
  /** Make the fact that one looks at the present. */
  | { readonly kind: 'fork'; readonly at: number }
  /** Stop the clock, or let it run again as it did. */
  | { readonly kind: 'toggle'; readonly resume: ClockMode }
  /** Let the clock run so many times as fast. */
  | { readonly kind: 'speed'; readonly by: number }
  | { readonly kind: 'advance'; readonly ms: number }
  /** Go to a place of the recording. */
  | { readonly kind: 'seek'; readonly to: SeekTarget }
  | {
      readonly kind: 'next'
      readonly from: number
      readonly what: PlaybackSearchKind
      readonly way: 1 | -1
    }
  /** Set a bookmark, or take it away. */
  | { readonly kind: 'bookmark'; readonly place: number }
  /** Accept a difference from now on. */
  | {
      readonly kind: 'accept'
      readonly place: number
      readonly difference: Difference
      readonly compare: Comparator
    }
  | { readonly kind: 'export'; readonly file: string }
  | { readonly kind: 'minimise' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'suspend' }

/** What can be done to several items at once. */
export type BatchWord =
  'hold' | 'drop' | 'duplicate' | 'delay-1s' | 'delay-10s' | 'later' | 'earlier'

/** What a key comes to. */
export interface Outcome {
  readonly messages?: readonly Message[]
  readonly action?: Action
}
