/**
 * What can happen to the dashboard's model (messages), and what the dashboard can ask of the session or the terminal
 * (actions). Keys become these; nothing else changes the screen or reaches the session.
 */
import type { Command } from '../engine/command.ts'
import type { ClockMode, NewOrder } from '../session-face.ts'
import type { PaneId } from './layout.ts'
import type { Notice, Prompt, Seen } from './model.ts'
import type { Shown } from './perform-agenda.ts'

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
  /** Text for the filter was typed. */
  | { readonly kind: 'typed'; readonly text: string }
  /** The last sign of the filter, or all of it, was erased. */
  | { readonly kind: 'erased'; readonly all: boolean }
  /** Background items of the agenda are shown or hidden. */
  | { readonly kind: 'background' }
  /** Polls that brought nothing are shown or hidden. */
  | { readonly kind: 'idled' }
  /** Ctrl-c was pressed once. */
  | { readonly kind: 'leaving' }

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
  /** Stop the clock, or let it run again as it did. */
  | { readonly kind: 'toggle'; readonly resume: ClockMode }
  /** Let the clock run so many times as fast. */
  | { readonly kind: 'speed'; readonly by: number }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'quit' }
  | { readonly kind: 'suspend' }

/** What a key comes to. */
export interface Outcome {
  readonly messages?: readonly Message[]
  readonly action?: Action
}
