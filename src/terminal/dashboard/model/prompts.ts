/** Prompts: questions in the last row, answered by one key or by a line of text. */
import type { FaultForm } from './fault-form.ts'
import type { Difference } from '../../../core/traffic/recording/difference.ts'

/** Prompts for one key or for a line of text. */
export type Prompt =
  | { readonly kind: 'filter'; readonly before: string }
  /** Words to search for in the list of a pane, or in the open overlay; `before` is what they were. */
  | {
      readonly kind: 'search'
      readonly pane: 'facts' | 'orders' | 'agenda' | 'overlay'
      readonly before: string
    }
  /** What to copy. */
  | { readonly kind: 'copy'; readonly choices: readonly CopyChoice[] }
  | { readonly kind: 'new-order' }
  | { readonly kind: 'move' }
  | { readonly kind: 'force' }
  | { readonly kind: 'quit' }
  /** A fault in fields, one for each option; the row with the cursor is in the overlay. */
  | { readonly kind: 'fault-form'; readonly form: FaultForm }
  /** A fault in the syntax of `--fault`; `replaces` is the id of the fault that is being changed. */
  | {
      readonly kind: 'fault'
      readonly draft: string
      readonly problem: string | undefined
      readonly replaces?: number
    }
  /** A note on an exchange. */
  | { readonly kind: 'note'; readonly seq: number; readonly draft: string }
  /** Name of the scenario to save; `quits` asks again about quitting once it is written. */
  | { readonly kind: 'save'; readonly draft: string; readonly quits: boolean }
  /** Confirms overwriting an existing file. */
  | {
      readonly kind: 'overwrite'
      readonly name: string
      readonly file: string
      readonly quits: boolean
    }
  /** The edited text was rejected; offers to edit it again. */
  | {
      readonly kind: 'mend'
      readonly problem: string
      readonly text: string
      readonly of: EditTarget
    }
  /** Confirms forking at the fact that is shown. */
  | { readonly kind: 'fork' }
  /** The text of the palette: words of an action, or a place to go to. */
  | { readonly kind: 'palette'; readonly draft: string }
  /** Export file of a recording. */
  | { readonly kind: 'export'; readonly draft: string }
  /** Comparator by which a difference is accepted. */
  | { readonly kind: 'ignore'; readonly place: number; readonly difference: Difference }

/** Input of an editor session. */
export type EditTarget =
  | { readonly kind: 'item'; readonly id: number }
  /** A new order, with the document `like` as a template. */
  | { readonly kind: 'order'; readonly like: unknown }
  /** An exchange of the recording that is played. */
  | { readonly kind: 'exchange'; readonly place: number }

export type CopySource =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'exchange'
      /** By its number in the session, or by its place in the recording. */
      readonly of: { readonly seq: number } | { readonly place: number }
      readonly part: 'url' | 'request' | 'reply' | 'curl'
    }
  /** The event that an item hands over, or its command. */
  | { readonly kind: 'item'; readonly id: number }

/** An answer to the question what to copy. */
export interface CopyChoice {
  readonly key: string
  readonly name: string
  readonly source: CopySource
}
