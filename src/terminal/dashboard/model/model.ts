/**
 * State of the dashboard: the last snapshot of the session, and the operator's view settings. `updateModel` alone
 * creates new models; panes only read them.
 */
import type { Instant } from '../../../core/engine/instant.ts'
import type { AgendaRow, ClockMode, Snapshot } from '../../../core/session-api/session-api.ts'
import type { Clauses } from '../../../core/protocol/clause.ts'
import { layout, type Layout, type PaneId } from './layout.ts'
import type { Overlay } from './overlay.ts'
import type { Prompt } from './prompts.ts'
import type { Tone } from '../view/text/row.ts'
import { type SessionEntityKind, sessionEntityKinds } from '../../../core/session-api/entities.ts'

/** Tabs of pane 3: orders, and each other entity kind. */
export type Tab = 'order' | SessionEntityKind

export const tabs: readonly Tab[] = ['order', ...sessionEntityKinds]

/** Title of a tab, in plural and singular. */
export const tabNames: Readonly<Record<Tab, readonly [many: string, one: string]>> = {
  order: ['Orders', 'Order'],
  account: ['Accounts', 'Account'],
  delivery: ['Deliveries', 'Delivery'],
  customer: ['Customers', 'Customer'],
  lead: ['Leads', 'Lead'],
  review: ['Reviews', 'Review'],
  'loyalty-account': ['Loyalty', 'Loyalty account'],
  coupon: ['Coupons', 'Coupon'],
}

/** State of a list of the past (facts, traffic): follows the newest row until the operator scrolls up. */
export interface LogState {
  readonly follow: boolean
  /** Sequence number of the chosen row; undefined while following. */
  readonly chosen: number | undefined
  /** Sequence number of the top row. */
  readonly top: number | undefined
  /** Row count when following stopped; later rows are counted as new. */
  readonly since: number
  /** The first row was requested and is not loaded yet. */
  readonly toFirst: boolean
}

export interface OrdersState {
  /** Index of the top row in the full list. */
  readonly top: number
  /** The end of the list was requested, and is not loaded yet. */
  readonly toLast: boolean
  /**
   * Tabs that no longer follow the newest row, with the number of rows that they had then; `unseen` until a snapshot
   * has the chosen row.
   */
  readonly stopped: Readonly<Partial<Record<Tab, number | 'unseen'>>>
}

export interface AgendaState {
  readonly chosen: number | undefined
  /** Index of the chosen item: when the item is gone, the one at this index is chosen. */
  readonly index: number
  readonly top: number
  /** Whether background loops such as polling are shown. */
  readonly background: boolean
  /** Ids of marked items, on which keys act together. */
  readonly marked: readonly number[]
  /** Id of the item at which the range starts; it ends at the cursor. */
  readonly anchor: number | undefined
  /** A new order: its first item gets the cursor as soon as it is there. */
  readonly awaited: string | undefined
}

/** State of a recording's list. A place is the index of an exchange, from 0. */
export interface RecordingState {
  /** Place of the chosen row; the current place when undefined. */
  readonly chosen: number | undefined
  /** Place of the top row. */
  readonly top: number | undefined
  /** Place at which the recording is shown; the playback position when undefined. */
  readonly at: number | undefined
}

interface FilterState {
  /** Text as typed. */
  readonly draft: string
  /** Last valid filter; in force while the draft is invalid. */
  readonly valid: string
  readonly problem: string | undefined
  /** Whether polls without events are shown. */
  readonly idle: boolean
}

export interface DashboardNotice {
  readonly text: string
  readonly tone: Tone
}

/** A snapshot together with the query that it answers. */
export interface ReceivedSnapshot extends Snapshot {
  readonly query: SnapshotQuery
  /** While an invariant is open: what clauses say. */
  readonly clauses?: Clauses
}

/** What of a query is needed to read its answer. */
export interface SnapshotQuery {
  readonly filter: string
  readonly agendaLimit: number
  /** Number of pinned orders queried. */
  readonly pinned: number
  /** Whether faults and verdicts were queried: they are expensive and change slowly. */
  readonly includesVerdicts: boolean
  readonly ordersOffset: number
  /** Id that was chosen at the time of the query. */
  readonly chosen: string | undefined
  readonly factsAround?: number
  readonly trafficAround?: number
}

export interface Model {
  /** It is made anew when the terminal is resized, and when a pane gets the focus. */
  readonly layout: Layout
  /** Panes by last focus; the first one is focused. */
  readonly recent: readonly PaneId[]
  readonly snapshot: ReceivedSnapshot | undefined
  /** Why the last snapshot failed. */
  readonly lost: string | undefined
  /** Entity kind in panes 3 and 4. */
  readonly tab: Tab
  /** Id of the chosen entity of each kind other than orders. */
  readonly entityIds: Readonly<Partial<Record<SessionEntityKind, string>>>
  /** Selected order, highlighted in every pane. */
  readonly orderId: string | undefined
  /** Whether every pane shows only the selected order. */
  readonly only: boolean
  /** Pinned orders, the latest pin first. */
  readonly pinned: readonly string[]
  readonly facts: LogState
  readonly traffic: LogState
  readonly orders: OrdersState
  readonly agenda: AgendaState
  readonly recording: RecordingState
  readonly filter: FilterState
  /** Whether traffic and agenda show what does not concern the user's service as well. */
  readonly everything: boolean
  /** Words that lists are searched for, by pane. */
  readonly search: Readonly<Partial<Record<'facts' | 'orders' | 'agenda', string>>>
  /** Time travel: fact up to which the world is shown; undefined for now. */
  readonly at: number | undefined
  readonly overlay: Overlay | undefined
  /** Overlays below the open one, the topmost last. */
  readonly covered: readonly Overlay[]
  readonly prompt: Prompt | undefined
  readonly notice: DashboardNotice | undefined
  /** The last notices, oldest first. */
  readonly notices: readonly DashboardNotice[]
  /** Clock mode to resume. */
  readonly resume: Exclude<ClockMode, 'stepped'>
  /** The last key, and whether it was pressed twice in a row. */
  readonly pressed: { readonly key: string; readonly isRepeated: boolean }
  /** Number of operator actions that the last saved scenario has. */
  readonly saved: number
  /** Ctrl-c was pressed once. */
  readonly leaving: boolean
  /** The last undo was refused: the same key again skips the edit that cannot be undone. */
  readonly stuck: boolean
}

export const followingLog: LogState = {
  follow: true,
  chosen: undefined,
  top: undefined,
  since: 0,
  toFirst: false,
}

const initialRecent: readonly PaneId[] = ['traffic', 'orders', 'agenda', 'order', 'facts']

export const initialModel = (columns: number, rows: number): Model => ({
  layout: layout(columns, rows, initialRecent),
  recent: initialRecent,
  snapshot: undefined,
  lost: undefined,
  tab: 'order',
  entityIds: {},
  orderId: undefined,
  only: false,
  pinned: [],
  facts: followingLog,
  traffic: followingLog,
  orders: { top: 0, toLast: false, stopped: {} },
  agenda: {
    chosen: undefined,
    index: 0,
    top: 0,
    background: false,
    marked: [],
    anchor: undefined,
    awaited: undefined,
  },
  recording: { chosen: undefined, top: undefined, at: undefined },
  everything: false,
  filter: { draft: '', valid: '', problem: undefined, idle: false },
  search: {},
  at: undefined,
  overlay: undefined,
  covered: [],
  prompt: undefined,
  notice: undefined,
  notices: [],
  resume: 'real',
  pressed: { key: '', isRepeated: false },
  saved: 0,
  leaving: false,
  stuck: false,
})

export const focusOf = ({ recent }: Model): PaneId => recent[0] ?? 'traffic'

/** Number of visible list rows of a pane; 0 while the pane is not visible. */
export function listHeight(
  model: Pick<Model, 'layout' | 'only' | 'pinned' | 'tab'>,
  pane: PaneId,
): number {
  const rect = model.layout.panes[pane]
  if (!rect) return 0
  const innerHeight = rect.height - 1
  if (pane === 'agenda') return Math.max(0, innerHeight - agendaNoteHeight(rect.height))
  return Math.max(
    0,
    pane === 'orders' ? innerHeight - pinnedRowCount(model, innerHeight) : innerHeight,
  )
}

/** Number of visible pinned orders; the list below keeps at least half of the pane. */
export const pinnedRowCount = (
  { pinned, tab, only }: Pick<Model, 'only' | 'pinned' | 'tab'>,
  innerHeight: number,
): number => (tab === 'order' && !only ? Math.min(pinned.length, Math.floor(innerHeight / 2)) : 0)

/** Rows at the foot of the agenda for details of the chosen item; 0 where there is no room. */
export const agendaNoteHeight = (paneHeight: number): number => (paneHeight >= 14 ? 4 : 0)

/** The chosen item of the agenda: by id, otherwise the item at its former index. */
export function chosenItem({ snapshot, agenda }: Model): AgendaRow | undefined {
  const rows = snapshot?.agenda ?? []
  return (
    rows.find(({ id }) => id === agenda.chosen) ??
    rows[Math.min(agenda.index, Math.max(0, rows.length - 1))]
  )
}

/** Time shown on the screen: now, or that of the fact that is shown. */
export function shownInstant({ snapshot, at }: Model): Instant {
  const fact = at === undefined ? undefined : snapshot?.journal.find(({ seq }) => seq === at)
  return fact?.at ?? snapshot?.info.clock.now ?? 0
}
