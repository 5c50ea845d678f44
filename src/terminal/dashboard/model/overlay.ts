/** Overlays: what covers the panes, as text that scrolls or as a list with a cursor. */
import type { SessionEntityKind } from '../../../core/session-api/entities.ts'
import type { AgendaRow, JournalRow } from '../../../core/session-api/session-api.ts'

export type Overlay = TextOverlay | ListOverlay

/** Words that the overlay is searched for: it shows only the rows that have them. */
interface Searchable {
  readonly search?: string
}

/** Scrollable text. */
type TextOverlay = Searchable & TextContent

type TextContent =
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'detail'; readonly of: DetailTarget; readonly top: number }
  /** Result of a long-running action. */
  | {
      readonly kind: 'message'
      readonly title: string
      readonly lines: readonly string[]
      readonly top: number
    }

/** List with a cursor; the chosen line is identified by its key, the first line when undefined. */
export type ListOverlay = ListCursor &
  (
    | { readonly kind: 'faults' }
    /** The options of one fault; what is typed is in the prompt. */
    | { readonly kind: 'fault-form' }
    | { readonly kind: 'verdicts' }
    /** One invariant with its findings. */
    | { readonly kind: 'verdict'; readonly id: string }
    /** How to connect the user's service. */
    | { readonly kind: 'contact' }
    /** Explanation of an order. */
    | { readonly kind: 'story'; readonly about: string }
    /** Every action by name; the text that is typed is in the prompt. */
    | { readonly kind: 'palette'; readonly rows: readonly PaletteRow[] }
    /** Compare view: a recorded exchange and its live counterpart, by place. */
    | { readonly kind: 'beside'; readonly place: number }
  )

interface ListCursor extends Searchable {
  readonly chosen: string | undefined
  readonly top: number
}

export type DetailTarget =
  | { readonly kind: 'exchange'; readonly seq: number }
  | { readonly kind: 'order'; readonly orderId: string }
  | { readonly kind: 'entity'; readonly of: SessionEntityKind; readonly id: string }
  | { readonly kind: 'fact'; readonly row: JournalRow }
  | { readonly kind: 'item'; readonly row: AgendaRow }

/** An action of the palette, by name. */
export interface PaletteRow {
  readonly id: string
  readonly title: string
  /** Its key, as help and footer show it; empty when it has none. */
  readonly keys: string
  /** Why it cannot be done now. */
  readonly reason?: string
}
