/**
 * Everything the dashboard knows, as one plain value: the last look at the session, and what the person did to the
 * screen. `update.ts` is the only place that makes a new one; panes only read it.
 */
import type { Instant } from '../../engine/instant.ts'
import type {
  AgendaRow,
  ClockMode,
  EntityKind,
  JournalRow,
  Snapshot,
} from '../../session-api/session-api.ts'
import type { Difference } from '../../traffic/difference/difference.ts'
import { layout, type Layout, type PaneId, placeOf } from './layout.ts'
import type { Tone } from '../view/text/row.ts'
import type { Tab } from './tabs.ts'

/** A list of the past: it follows what is new until somebody goes up in it. */
export interface LogState {
  readonly follow: boolean
  /** The chosen row's number; undefined while following. */
  readonly chosen: number | undefined
  /** The number of the row at the top of the screen. */
  readonly top: number | undefined
  /** How many rows there were when following stopped: what came since is told in a badge. */
  readonly since: number
  /** Somebody asked for the first row, and it is not known yet which that is. */
  readonly toFirst: boolean
}

export interface OrdersState {
  /** The row at the top of the screen, counted from the first order there is. */
  readonly top: number
  /** Somebody asked for an end of the list that had not been looked at. */
  readonly to: 'first' | 'last' | undefined
}

export interface AgendaState {
  readonly chosen: number | undefined
  /** Where the chosen item was: when it is gone, what took its place is chosen. */
  readonly index: number
  readonly top: number
  /** Loops such as polling are shown too. */
  readonly background: boolean
  /** Items that keys act on all together, by their ids. */
  readonly marked: readonly number[]
  /** The item at which a range begins; it ends at the cursor. */
  readonly anchor: number | undefined
}

/** A recording's list. Places go from 0. */
export interface TapeState {
  /** The place of the chosen row; the present one while nobody has chosen. */
  readonly chosen: number | undefined
  /** The place of the row at the top of the screen. */
  readonly top: number | undefined
  /** The place that the recording is shown at; where it stands when absent. */
  readonly at: number | undefined
}

interface FilterState {
  /** What the person typed. */
  readonly draft: string
  /** The last one that the session understood: it holds while the draft is wrong. */
  readonly valid: string
  readonly problem: string | undefined
  /** Polls that brought nothing are shown too. */
  readonly idle: boolean
}

export type Overlay = TextOverlay | ListOverlay

/** A text that is read: it scrolls. */
type TextOverlay =
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'detail'; readonly of: DetailSubject; readonly top: number }
  /** What something that took its time came to. */
  | {
      readonly kind: 'message'
      readonly title: string
      readonly lines: readonly string[]
      readonly top: number
    }

/** Lines of which one is chosen, by the key of what it stands for; the first one while nobody has chosen. */
export type ListOverlay = ListCursor &
  (
    | { readonly kind: 'faults' }
    | { readonly kind: 'verdicts' }
    /** One invariant, by its id, with its findings. */
    | { readonly kind: 'verdict'; readonly id: string }
    /** What explains an order. */
    | { readonly kind: 'story'; readonly about: string }
    /** An exchange of a recording, by its place, beside what happened now. */
    | { readonly kind: 'beside'; readonly place: number }
  )

interface ListCursor {
  readonly chosen: string | undefined
  readonly top: number
}

export type DetailSubject =
  | { readonly kind: 'exchange'; readonly seq: number }
  | { readonly kind: 'order'; readonly orderId: string }
  | { readonly kind: 'entity'; readonly of: EntityKind; readonly id: string }
  | { readonly kind: 'fact'; readonly row: JournalRow }
  | { readonly kind: 'item'; readonly row: AgendaRow }

/** What waits for one more key, or for a line of text. */
export type Prompt =
  | { readonly kind: 'filter'; readonly before: string }
  | { readonly kind: 'new-order' }
  | { readonly kind: 'move' }
  | { readonly kind: 'force' }
  | { readonly kind: 'quit' }
  /** A fault, as `--fault` takes it; in the place of one that is in force, where it is changed. */
  | {
      readonly kind: 'fault'
      readonly draft: string
      readonly problem: string | undefined
      readonly replaces?: number
    }
  /** The name of a scenario. */
  | { readonly kind: 'save'; readonly draft: string }
  /** There is one of that name already. */
  | { readonly kind: 'overwrite'; readonly name: string; readonly file: string }
  /** What came from the editor will not do. */
  | {
      readonly kind: 'mend'
      readonly problem: string
      readonly text: string
      readonly of: EditSubject
    }
  /** The fact that one looks at becomes the present. */
  | { readonly kind: 'fork' }
  /** A place of a recording. */
  | { readonly kind: 'seek'; readonly draft: string; readonly problem: string | undefined }
  /** The file that a recording is exported to. */
  | { readonly kind: 'export'; readonly draft: string }
  /** How a difference is accepted. */
  | { readonly kind: 'ignore'; readonly place: number; readonly difference: Difference }

/** What an editor changes. */
export type EditSubject =
  | { readonly kind: 'item'; readonly id: number }
  /** An order that is to be made, after the model of this one. */
  | { readonly kind: 'order'; readonly like: unknown }

export interface Notice {
  readonly text: string
  readonly tone: Tone
}

/** What was asked for, and what came. */
export interface Seen extends Snapshot {
  readonly asked: SnapshotQuery
}

interface SnapshotQuery {
  readonly filter: string
  readonly agendaLimit: number
  /** How many pinned orders. */
  readonly pinned: number
  /** Faults and verdicts were asked for too: they are dear, and change slowly. */
  readonly whole: boolean
  readonly ordersOffset: number
  /** What was chosen when the session was asked. */
  readonly chosen: string | undefined
  readonly factsAround?: number
  readonly trafficAround?: number
}

export interface Model {
  readonly columns: number
  readonly rows: number
  /** The panes, the one that has the keys first. */
  readonly recent: readonly PaneId[]
  readonly seen: Seen | undefined
  /** Why the session could not be looked at. */
  readonly lost: string | undefined
  /** Which kind of thing panes 3 and 4 show. */
  readonly tab: Tab
  /** The chosen one of each kind beside orders. */
  readonly entityIds: Readonly<Partial<Record<EntityKind, string>>>
  /** The one selection: every pane shows it. */
  readonly orderId: string | undefined
  /** Every pane shows only that order. */
  readonly only: boolean
  /** Orders that stay at the top of their list, the last one pinned first. */
  readonly pinned: readonly string[]
  readonly facts: LogState
  readonly traffic: LogState
  readonly orders: OrdersState
  readonly agenda: AgendaState
  readonly tape: TapeState
  readonly filter: FilterState
  /** The fact up to which the world is shown; undefined for now. */
  readonly at: number | undefined
  readonly overlay: Overlay | undefined
  readonly prompt: Prompt | undefined
  readonly notice: Notice | undefined
  /** The clock to go back to when it runs again. */
  readonly resume: Exclude<ClockMode, 'stepped'>
  /** Ctrl-c was pressed once. */
  readonly leaving: boolean
  /** What was done last cannot be undone, and that was said: the same key goes past it. */
  readonly stuck: boolean
}

export const following: LogState = {
  follow: true,
  chosen: undefined,
  top: undefined,
  since: 0,
  toFirst: false,
}

export const initialModel = (columns: number, rows: number): Model => ({
  columns,
  rows,
  recent: ['traffic', 'orders', 'agenda', 'order', 'facts'],
  seen: undefined,
  lost: undefined,
  tab: 'order',
  entityIds: {},
  orderId: undefined,
  only: false,
  pinned: [],
  facts: following,
  traffic: following,
  orders: { top: 0, to: undefined },
  agenda: { chosen: undefined, index: 0, top: 0, background: false, marked: [], anchor: undefined },
  tape: { chosen: undefined, top: undefined, at: undefined },
  filter: { draft: '', valid: '', problem: undefined, idle: false },
  at: undefined,
  overlay: undefined,
  prompt: undefined,
  notice: undefined,
  resume: 'real',
  leaving: false,
  stuck: false,
})

export const focusOf = ({ recent }: Model): PaneId => recent[0] ?? 'traffic'

export const layoutOf = ({ columns, rows }: Model): Layout => layout(columns, rows)

/** Rows that the list of a pane has on the screen; 0 while the pane is not there. */
export function listHeight(model: Model, pane: PaneId): number {
  const rect = placeOf(layoutOf(model), model.recent, pane)
  if (!rect) return 0
  const innerHeight = rect.height - 1
  if (pane === 'agenda') return Math.max(0, innerHeight - agendaNote(rect.height))
  return Math.max(
    0,
    pane === 'orders' ? innerHeight - pinnedShown(model, innerHeight) : innerHeight,
  )
}

/** Pinned orders that are on the screen: the list below them keeps at least half of its place. */
export const pinnedShown = ({ pinned, tab, only }: Model, innerHeight: number): number =>
  tab === 'order' && !only ? Math.min(pinned.length, Math.floor(innerHeight / 2)) : 0

/** Rows at the foot of the agenda that tell more of the chosen item, where there is room for them. */
export const agendaNote = (paneHeight: number): number => (paneHeight >= 14 ? 4 : 0)

/** The chosen item of the agenda: the one somebody chose, or what stands where it stood. */
export function chosenItem({ seen, agenda }: Model): AgendaRow | undefined {
  const rows = seen?.agenda ?? []
  return (
    rows.find(({ id }) => id === agenda.chosen) ??
    rows[Math.min(agenda.index, Math.max(0, rows.length - 1))]
  )
}

/**
 * Items that wait and are shown. Where the list goes on beyond what was looked at, all but the loops: what news has
 * overtaken is counted too then.
 */
export function waiting({ seen, agenda }: Model): number {
  if (!seen) return 0
  const { pending, loops } = seen.info.counts
  if (seen.agenda.length < seen.asked.agendaLimit)
    return seen.agenda.filter(({ held }) => !held).length
  return agenda.background ? pending : pending - loops
}

/** The session's time on the screen: now, or that of the fact up to which the world is shown. */
export function shownInstant({ seen, at }: Model): Instant {
  const fact = at === undefined ? undefined : seen?.journal.find(({ seq }) => seq === at)
  return fact?.at ?? seen?.info.clock.now ?? 0
}
