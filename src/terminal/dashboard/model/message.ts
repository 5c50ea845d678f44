/**
 * Messages change the dashboard's model; actions are effects on the session or the terminal. Keys are translated into
 * these, and nothing else changes the screen or reaches the session.
 */
import type { Command } from '../../../core/engine/command.ts'
import type { MissedChanges } from '../../../core/session-api/attachment.ts'
import type { PlaybackSearchKind, SeekTarget } from '../../../core/session-api/playback.ts'
import type { AgendaRow, ClockMode, NewOrder, View } from '../../../core/session-api/session-api.ts'
import type { Comparator, Difference } from '../../../core/traffic/recording/difference.ts'
import type { PaneId } from './layout.ts'
import type { DashboardNotice, ReceivedSnapshot, Tab } from './model.ts'
import type { ListOverlay } from './overlay.ts'
import type { CopySource, EditTarget, Prompt } from './prompts.ts'

/** Filter of the agenda pane. */
export type AgendaFilter = Pick<NonNullable<View['agenda']>, 'orderId'> & {
  readonly background: boolean
  readonly aside: boolean
}

/** Movement of a cursor or of scrolled text. */
export type Motion =
  | { readonly kind: 'rows'; readonly by: number }
  /** By the wheel of the mouse: the list moves with the cursor. */
  | { readonly kind: 'wheel'; readonly by: number }
  /** In half screens. */
  | { readonly kind: 'halves'; readonly by: number }
  | { readonly kind: 'first' }
  | { readonly kind: 'last' }

export type Message =
  /** Any key was pressed: the notice is cleared. */
  | { readonly kind: 'pressed'; readonly key: string }
  /** This notice was shown for long enough. */
  | { readonly kind: 'notice-expired'; readonly notice: DashboardNotice }
  /** The terminal was resized. */
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  /** A snapshot of the session arrived. */
  | { readonly kind: 'snapshot'; readonly snapshot: ReceivedSnapshot }
  /** Taking a snapshot failed. */
  | { readonly kind: 'lost'; readonly because: string }
  /** A notice is shown. */
  | { readonly kind: 'notice'; readonly notice: DashboardNotice }
  /** A pane gets the focus. */
  | { readonly kind: 'focused'; readonly pane: PaneId }
  /** The next or the previous pane gets the focus. */
  | { readonly kind: 'cycled'; readonly by: 1 | -1 }
  /** The cursor of a pane, by default the focused one, or the open overlay moves. */
  | { readonly kind: 'moved'; readonly motion: Motion; readonly pane?: PaneId }
  /** A row was clicked; without `row` the pane beside its rows. */
  | { readonly kind: 'clicked'; readonly area: PaneId | 'overlay'; readonly row?: string | number }
  /** Toggles following the newest row. */
  | { readonly kind: 'followed' }
  /** An order is selected. */
  | { readonly kind: 'chosen'; readonly orderId: string }
  /** An item of the agenda is chosen, by id. */
  | { readonly kind: 'picked'; readonly id: number }
  /** Panes 3 and 4 show the next or the previous entity kind. */
  | { readonly kind: 'tabbed'; readonly by: 1 | -1 }
  /** Toggles showing only the selected order. */
  | { readonly kind: 'narrowed' }
  /** Time travel: the world is shown one fact earlier or later. */
  | { readonly kind: 'travelled'; readonly by: 1 | -1 }
  /** Leaves time travel: back to now. */
  | { readonly kind: 'returned' }
  /** The chosen row of the focused pane is opened in full. */
  | { readonly kind: 'opened' }
  /** The help is opened. */
  | { readonly kind: 'helped' }
  /** Closes the top layer: prompt, overlay, selection, filter, narrowing, or past. */
  | { readonly kind: 'peeled' }
  /** Closes the overlay, whatever it is searched for. */
  | { readonly kind: 'closed' }
  /** A prompt is opened: it takes one more key, or a text. */
  | { readonly kind: 'prompted'; readonly prompt: Prompt }
  /** The prompt is closed. */
  | { readonly kind: 'answered' }
  /** Text was typed into the prompt. */
  | { readonly kind: 'typed'; readonly text: string }
  /** The last character of the prompt's text, or all of it, was erased. */
  | { readonly kind: 'erased'; readonly all: boolean }
  /** The traffic gets this filter. */
  | { readonly kind: 'filtered'; readonly text: string }
  /** Panes 3 and 4 show this entity kind. */
  | { readonly kind: 'tab-chosen'; readonly tab: Tab }
  /** Time travel: the world is shown after this fact. */
  | { readonly kind: 'fact-shown'; readonly seq: number }
  /** The messages of the last minutes are shown in full. */
  | { readonly kind: 'notices-shown' }
  /** Toggles background items of the agenda. */
  | { readonly kind: 'background' }
  /** Toggles what does not concern the user's service. */
  | { readonly kind: 'everything' }
  /** Toggles polls without events. */
  | { readonly kind: 'idled' }
  /** The operator's actions so far were saved as a scenario. */
  | { readonly kind: 'saved'; readonly quits: boolean }
  /** Ctrl-c was pressed once; the second time quits. */
  | { readonly kind: 'leaving' }
  /** Toggles the mark of the chosen item; the cursor moves to the next. */
  | { readonly kind: 'marked' }
  /** Starts a range at the chosen item, or ends it there and marks its items. */
  | { readonly kind: 'ranged' }
  /** Clears all marks. */
  | { readonly kind: 'unmarked' }
  /** Toggles the pin of the chosen order. */
  | { readonly kind: 'pinned' }
  /** The next or the previous pinned order is selected. */
  | { readonly kind: 'pin-visited'; readonly by: 1 | -1 }
  /** The open overlay shows the next or the previous row instead. */
  | { readonly kind: 'adjacent'; readonly by: 1 | -1 }
  /** An exchange is chosen in the traffic; the filter stays. */
  | { readonly kind: 'exchange-chosen'; readonly seq: number }
  /** An exchange was sent again: the new one is chosen, unless the cursor was moved meanwhile. */
  | { readonly kind: 'resent'; readonly original: number; readonly seq: number }
  /** A list overlay is opened. */
  | { readonly kind: 'listed'; readonly overlay: ListOverlay }
  /** An exchange is chosen in the traffic; filters that hide it are cleared. */
  | { readonly kind: 'jumped'; readonly seq: number }
  /** The last edit cannot be undone; the next undo may skip it. */
  | { readonly kind: 'stuck' }
  /** The recording is shown one exchange earlier or later. */
  | { readonly kind: 'wound'; readonly by: 1 | -1 }
  /** A seek succeeded: the recording is shown at this place. */
  | { readonly kind: 'sought'; readonly place: number }
  /** The exchange at this place of the recording is chosen. */
  | { readonly kind: 'placed'; readonly place: number }
  /** A text overlay is opened. */
  | { readonly kind: 'shown'; readonly title: string; readonly lines: readonly string[] }

export type Action =
  | SessionAction
  | PlaybackAction
  | { readonly kind: 'quit' }
  | { readonly kind: 'suspend' }

export type SessionAction =
  /** Submits a command to the engine; `notice` is shown on success. */
  | { readonly kind: 'submit'; readonly command: Command; readonly notice: string }
  | { readonly kind: 'create'; readonly order: NewOrder }
  /** Takes the first visible item. */
  | { readonly kind: 'step'; readonly shown: AgendaFilter }
  /**
   * Edits several items as a single undo step, or the chosen `item` alone; a move is one place among the visible ones.
   */
  | {
      readonly kind: 'batch'
      readonly what: BatchEdit
      readonly ids: readonly number[]
      readonly shown: AgendaFilter
      readonly item?: AgendaRow
    }
  /** Undoes or redoes the operator's last agenda edit. */
  | { readonly kind: 'turn'; readonly direction: 'undo' | 'redo'; readonly past: boolean }
  /** Releases all held items. */
  | { readonly kind: 'release-all' }
  /** Opens the editor; `text` is the previous, rejected input. */
  | { readonly kind: 'edit'; readonly of: EditTarget; readonly text?: string }
  /** Adds a fault, replacing the one with the id `replaces` if there is one. */
  | { readonly kind: 'fault'; readonly spec: string; readonly replaces?: number }
  /** Saves the operator's actions as a scenario. */
  | {
      readonly kind: 'save'
      readonly name: string
      readonly overwrite: boolean
      /** Asks about quitting once the scenario is written. */
      readonly quits: boolean
    }
  /** Chooses the next or the previous failed exchange that passes the filter. */
  | {
      readonly kind: 'next-failure'
      readonly filter: string
      readonly from: number | undefined
      readonly direction: 1 | -1
    }
  /** Sends an exchange of a live session again. */
  | { readonly kind: 'resend'; readonly seq: number }
  /** Writes a note at an exchange of a live session; an empty text takes it away. */
  | { readonly kind: 'note'; readonly seq: number; readonly text: string }
  /** Requests the subject's own view, then computes verdicts. */
  | { readonly kind: 'judge' }
  /** Forks: the fact with this number becomes the present. */
  | { readonly kind: 'fork'; readonly at: number }
  /** Stops the clock, or resumes it in its former mode. */
  | { readonly kind: 'toggle'; readonly resume: ClockMode }
  /** Multiplies the speed of the clock. */
  | { readonly kind: 'speed'; readonly by: number }
  /** Shows what came while the connection to the session was lost. */
  | { readonly kind: 'show-missed'; readonly missed: MissedChanges }
  /** Copies to the clipboard. */
  | { readonly kind: 'copy'; readonly name: string; readonly source: CopySource }
  /** Sets the clock: its speed, or its mode. */
  | { readonly kind: 'clock'; readonly speed?: number; readonly mode?: ClockMode }
  | { readonly kind: 'advance'; readonly ms: number }

/** Actions on the recording that is played. */
export type PlaybackAction =
  /** Seeks in the recording. */
  | { readonly kind: 'seek'; readonly to: SeekTarget }
  | {
      readonly kind: 'next'
      readonly from: number
      readonly what: PlaybackSearchKind
      readonly direction: 1 | -1
    }
  /** Toggles a bookmark. */
  | { readonly kind: 'bookmark'; readonly place: number }
  /** Adds a rule that accepts a difference. */
  | {
      readonly kind: 'accept'
      readonly place: number
      readonly difference: Difference
      readonly compare: Comparator
    }
  /** Undoes or redoes the last edit of an exchange; without one, the last edit of the agenda. */
  | { readonly kind: 'turn-edit'; readonly direction: 'undo' | 'redo'; readonly past: boolean }
  /** Sends an exchange of the recording now, apart from the plan. */
  | { readonly kind: 'send-alone'; readonly place: number }
  /** Leaves out what comes before this exchange. */
  | { readonly kind: 'go-on'; readonly place: number }
  | { readonly kind: 'export'; readonly file: string }
  /** Minimises the failure of this exchange; the worst one where it has none. */
  | { readonly kind: 'minimise'; readonly place: number }

/** Edits of items; `hold` also releases. */
export type BatchEdit =
  | 'hold'
  | 'drop'
  | 'duplicate'
  | 'delay-1s'
  | 'delay-10s'
  | 'later'
  | 'earlier'

/** Result of a key press. */
export interface KeyOutcome {
  readonly messages?: readonly Message[]
  readonly action?: Action
}
