/**
 * Builds the session query for the screen: one view, plus a second one when a list of the past is scrolled away from
 * its end, since a view extends in one direction only. Only visible panes are queried, for about a screenful around the
 * cursor, so that the cost does not grow with the lists.
 */
import { compact } from '../../compact.ts'
import { loadClauses } from '../../protocol/clause.ts'
import type { PlaybackView } from '../../session-api/playback.ts'
import type { SessionApi, Snapshot, View } from '../../session-api/session-api.ts'
import type { PaneId } from './layout.ts'
import { type LogState, listHeight, type Model, type ReceivedSnapshot } from './model.ts'
import { chosenId } from './present.ts'
import { activePlace, chosenPlace, playbackOf } from './recording.ts'
import { searchText, type SearchPane } from './search.ts'

/** The agenda is read from its head; limits how far the cursor can scroll. */
const maxAgendaItems = 1000

/** The filter in force: the draft, unless it is known to be invalid. */
export const activeFilter = ({ filter }: Model): string =>
  filter.problem === undefined ? filter.draft : filter.valid

/** Idle polls are hidden unless switched on, or mentioned in the filter. */
export const hidesIdle = (model: Model): boolean =>
  !model.filter.idle && !/\b(?:idle|poll)/i.test(activeFilter(model))

/** Exchanges among others are hidden while the user's service plays a role, unless everything is shown. */
export const hidesOthers = (model: Model): boolean =>
  !model.everything &&
  model.seen?.info.subject !== undefined &&
  !/\bmine\b/i.test(activeFilter(model))

/** Traffic filter of the query: the typed one, plus what is hidden by default. */
export const shownTrafficFilter = (model: Model): string =>
  `${hidesOthers(model) ? 'mine ' : ''}${hidesIdle(model) ? '!idle ' : ''}${activeFilter(model)}`.trim()

/** The words that a list is searched for. */
const contains = (model: Model, pane: SearchPane): { readonly contains?: string } => {
  const text = searchText(model, pane).trim()
  return text === '' || playbackOf(model) ? {} : { contains: text }
}

export interface SessionQuery {
  readonly main: View
  /** Rows after the cursors of scrolled lists. */
  readonly behind?: View
}

/** Sequence number around which a scrolled list is queried; undefined while it follows. */
const cursorSeq = (state: LogState): number | undefined =>
  state.follow ? undefined : state.toFirst ? 0 : (state.chosen ?? 0)

/**
 * Minimum number of rows to query even if the pane is not visible: during time travel facts, since the header shows
 * their time; one order while none is selected.
 */
function minRows(model: Model, pane: PaneId): number {
  if (pane === 'facts') return model.at === undefined ? 0 : 2
  return pane === 'orders' && model.orderId === undefined ? 1 : 0
}

/** Whether the open overlay needs faults and verdicts in every query. */
const needsVerdicts = ({ overlay }: Model): boolean =>
  overlay?.kind === 'faults' || overlay?.kind === 'verdicts' || overlay?.kind === 'verdict'

/** Query for the screen. `includeVerdicts` also requests faults and verdicts, which the header only counts. */
export function sessionQueryOf(
  model: Model,
  includeVerdicts: boolean = needsVerdicts(model),
): SessionQuery {
  const height = (pane: PaneId): number => Math.max(listHeight(model, pane), minRows(model, pane))
  const orderId = model.only ? model.orderId : undefined
  const orderFilter = orderId === undefined ? {} : { orderId }
  const filter = shownTrafficFilter(model)
  const logs = {
    journal: { limit: height('facts'), ...orderFilter, ...contains(model, 'facts') },
    traffic: {
      limit: model.seen?.playback ? 0 : height('traffic'),
      ...orderFilter,
      ...(filter === '' ? {} : { filter }),
    },
  }
  const cursors = { journal: cursorSeq(model.facts), traffic: cursorSeq(model.traffic) }
  const log = (kind: 'journal' | 'traffic', side: 'before' | 'after'): View => {
    const { limit } = logs[kind]
    const seq = cursors[kind]
    if (limit === 0) return {}
    if (seq === undefined) return side === 'before' ? { [kind]: logs[kind] } : {}
    return {
      [kind]: { ...logs[kind], ...(side === 'before' ? { before: seq + 1 } : { after: seq }) },
    }
  }
  const orders = height('orders')
  const agenda = height('agenda')
  const detail = model.overlay?.kind === 'detail' ? model.overlay.of : undefined
  const main: View = {
    ...log('journal', 'before'),
    ...log('traffic', 'before'),
    ...(agenda === 0
      ? {}
      : {
          agenda: {
            limit:
              model.agenda.awaited === undefined
                ? Math.min(maxAgendaItems, model.agenda.top + 2 * agenda)
                : maxAgendaItems,
            background: model.agenda.background,
            aside: model.everything,
            ...orderFilter,
            ...contains(model, 'agenda'),
          },
        }),
    ...(orders === 0 ? {} : presentView(model, orders)),
    ...(model.overlay?.kind === 'fault-form' ? faultNamesView(model) : {}),
    ...compact({ orderId: model.orderId }),
    rate: true,
    ...(detail?.kind === 'exchange' ? { exchange: detail.seq } : {}),
    ...(detail?.kind === 'item' ? { item: detail.row.id } : {}),
    ...(model.overlay?.kind === 'story' ? { explain: model.overlay.about } : {}),
    ...(model.pinned.length > 0 ? { pinned: model.pinned } : {}),
    ...(includeVerdicts ? { faults: true, verdicts: true } : {}),
    ...compact({ at: model.at }),
    ...(model.seen?.playback ? { playback: playbackView(model, height) } : {}),
  }
  const behind: View = { ...log('journal', 'after'), ...log('traffic', 'after') }
  return Object.keys(behind).length === 0 ? { main } : { main, behind }
}

/** Query of the visible part of a recording. */
function playbackView(model: Model, height: (pane: PaneId) => number): PlaybackView {
  const { recording: recordingState, overlay, orderId } = model
  const filter = activeFilter(model)
  const lane = height('order')
  return {
    rows: {
      around: chosenPlace(model),
      limit: 2 * height('traffic'),
      ...(hidesIdle(model) ? { idle: false } : {}),
    },
    looked: activePlace(model),
    orders: { limit: 3 * height('orders'), offset: ordersOffset(model) },
    ...(filter.trim() === '' ? {} : { filter }),
    ...compact({ at: recordingState.at }),
    ...(orderId === undefined ? {} : { lane: { orderId, limit: lane } }),
    ...(overlay?.kind === 'beside' ? { pair: overlay.place } : {}),
  }
}

/** Query for the list of pane 3 and its chosen row. */
function presentView(model: Model, height: number): View {
  const { tab } = model
  const list = {
    limit: 3 * height,
    offset: ordersOffset(model),
    ...contains(model, 'orders'),
  }
  if (tab === 'order') return { orders: list }
  const id = chosenId(model)
  return {
    entities: { kind: tab, ...list },
    ...(id === undefined ? {} : { entity: { kind: tab, id } }),
    // While no order is selected, query one to select.
    ...(model.orderId === undefined ? { orders: { limit: 1 } } : {}),
  }
}

/** Orders and merchants that the form of a fault completes. */
const maxCompletedOrders = 100
const faultNamesView = (model: Model): View => ({
  orders: { limit: maxCompletedOrders, offset: ordersOffset(model) },
  menu: { limit: 0 },
})

/** Orders are queried from one screenful above the visible ones. */
const ordersOffset = (model: Model): number =>
  Math.max(0, model.orders.top - listHeight(model, 'orders'))

/** Runs the query and merges the two snapshots. */
export async function querySession(
  session: SessionApi,
  model: Model,
  includeVerdicts: boolean = true,
): Promise<ReceivedSnapshot> {
  const { main, behind } = sessionQueryOf(model, includeVerdicts || needsVerdicts(model))
  const [first, after, clauses] = await Promise.all([
    session.look(main),
    behind ? session.look(behind) : undefined,
    model.overlay?.kind === 'verdict' ? loadClauses() : undefined,
  ])
  return { ...mergeSnapshots(model, main, first, after), ...compact({ clauses }) }
}

function mergeSnapshots(
  model: Model,
  main: View,
  first: Snapshot,
  after: Snapshot | undefined,
): ReceivedSnapshot {
  const factsAround = cursorSeq(model.facts)
  const trafficAround = cursorSeq(model.traffic)
  const problem = first.playback?.problem ?? first.problem ?? after?.problem
  return {
    ...first,
    journal: after ? [...first.journal, ...after.journal] : first.journal,
    traffic: after ? [...first.traffic, ...after.traffic] : first.traffic,
    hidden: first.hidden + (after?.hidden ?? 0),
    ...compact({ problem }),
    query: {
      filter: activeFilter(model),
      ordersOffset: ordersOffset(model),
      chosen: chosenId(model),
      agendaLimit: main.agenda?.limit ?? 0,
      includesVerdicts: main.verdicts === true,
      pinned: model.pinned.length,
      ...compact({ factsAround, trafficAround }),
    },
  }
}
