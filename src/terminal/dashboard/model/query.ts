/**
 * Builds the session query for the screen: one view, plus a second one when a list of the past is scrolled away from
 * its end, since a view extends in one direction only. Only visible panes are queried, for about a screenful around the
 * cursor, so that the cost does not grow with the lists.
 */
import { compact } from '../../../core/base/compact.ts'
import { loadClauses } from '../../../core/protocol/clause.ts'
import type { PlaybackView } from '../../../core/session-api/playback.ts'
import type { SessionApi, Snapshot, View } from '../../../core/session-api/session-api.ts'
import { oncePerMembers } from './memo.ts'
import {
  type LogState,
  listHeight,
  type Model,
  type ReceivedSnapshot,
  type SnapshotQuery,
} from './model.ts'
import { chosenId } from './present.ts'
import { activePlace, lookedPlace } from './recording.ts'

/** The agenda is read from its head; limits how far the cursor can scroll. */
const maxAgendaItems = 1000

/**
 * Limits are multiples of it, so that viewers whose terminals differ by some rows ask for the same and share an answer.
 */
const limitStep = 20
const inSteps = (rows: number): number => limitStep * Math.ceil(rows / limitStep)

/** What a query is made of: a key that changes nothing of it asks for nothing new. */
const queriedMembers = [
  'agenda',
  'at',
  'entityIds',
  'everything',
  'facts',
  'filter',
  'layout',
  'only',
  'orderId',
  'orders',
  'overlay',
  'pinned',
  'recording',
  'search',
  'snapshot',
  'tab',
  'traffic',
] as const satisfies readonly (keyof Model)[]
type QueriedModel = Pick<Model, (typeof queriedMembers)[number]>

/** The filter in force: the draft, unless it is known to be invalid. */
export const activeFilter = ({ filter }: Pick<Model, 'filter'>): string =>
  filter.problem === undefined ? filter.draft : filter.valid

/** Idle polls are hidden unless switched on, or mentioned in the filter. */
export const hidesIdle = (model: Pick<Model, 'filter'>, filter = activeFilter(model)): boolean =>
  !model.filter.idle && !/\b(?:idle|poll)/i.test(filter)

/** Exchanges among others are hidden while the user's service plays a role, unless everything is shown. */
export const hidesOthers = (
  model: Pick<Model, 'everything' | 'filter' | 'snapshot'>,
  filter = activeFilter(model),
): boolean =>
  !model.everything && model.snapshot?.info.subject !== undefined && !/\bmine\b/i.test(filter)

/** The same in the journal; during time travel each entry has its place. */
export const hidesOtherFacts = ({
  at,
  everything,
  snapshot,
}: Pick<Model, 'at' | 'everything' | 'snapshot'>): boolean =>
  !everything && at === undefined && snapshot?.info.subject !== undefined

/** Traffic filter of the query: the typed one, plus what is hidden by default. */
export const shownTrafficFilter = (
  model: Pick<Model, 'everything' | 'filter' | 'snapshot'>,
  filter = activeFilter(model),
): string =>
  `${hidesOthers(model, filter) ? 'mine ' : ''}${hidesIdle(model, filter) ? '!idle ' : ''}${filter}`.trim()

/** The words that a list is searched for. */
const contains = (text: string): { readonly contains?: string } =>
  text.trim() === '' ? {} : { contains: text.trim() }

export interface SessionQuery {
  readonly main: View
  /** Rows after the cursors of scrolled lists; undefined where none is scrolled. */
  readonly behind: View | undefined
  /** What its answer is read by. */
  readonly asked: Omit<SnapshotQuery, 'includesVerdicts'>
}

/** Queries of a list of the past: up to the row with the cursor, and behind it; of its end while it follows. */
function logQueries<List extends { readonly limit: number }>(
  list: List,
  { follow, toFirst, chosen = 0 }: LogState,
) {
  const around = follow ? undefined : toFirst ? 0 : chosen
  if (list.limit === 0) return { around }
  if (around === undefined) return { around, main: list }
  return { around, main: { ...list, before: around + 1 }, behind: { ...list, after: around } }
}

/** Query for the screen. Several readers ask for that of one model. */
export const sessionQueryOf = oncePerMembers(
  queriedMembers,
  (model: QueriedModel): SessionQuery => {
    const { overlay, orderId, snapshot, tab } = model
    // During time travel there are always facts: the header shows their time.
    const factsHeight = Math.max(listHeight(model, 'facts'), model.at === undefined ? 0 : 2)
    const trafficHeight = listHeight(model, 'traffic')
    const ordersHeight = listHeight(model, 'orders')
    const agendaHeight = listHeight(model, 'agenda')
    // One screenful above the visible ones and one below; while no order is selected there is one to select.
    const ordersOffset = Math.max(0, model.orders.top - ordersHeight)
    const orders = {
      limit: inSteps(
        model.orders.top - ordersOffset + 2 * Math.max(ordersHeight, orderId === undefined ? 1 : 0),
      ),
      offset: ordersOffset,
    }
    const search = snapshot?.playback ? {} : model.search
    const listed = search.orders === undefined ? orders : { ...orders, ...contains(search.orders) }
    const orderFilter = model.only && orderId !== undefined ? { orderId } : {}
    const typed = activeFilter(model)
    const filter = shownTrafficFilter(model, typed)
    const journal = logQueries(
      {
        limit: inSteps(factsHeight),
        ...orderFilter,
        ...(search.facts === undefined ? {} : contains(search.facts)),
        ...(hidesOtherFacts(model) ? { mine: true } : {}),
      },
      model.facts,
    )
    const traffic = logQueries(
      {
        limit: snapshot?.playback ? 0 : inSteps(trafficHeight),
        ...orderFilter,
        ...(filter === '' ? {} : { filter }),
      },
      model.traffic,
    )
    const detail = overlay?.kind === 'detail' ? overlay.of : undefined
    const limit =
      model.agenda.awaited === undefined
        ? Math.min(maxAgendaItems, inSteps(model.agenda.top + 2 * agendaHeight))
        : maxAgendaItems
    const agenda =
      agendaHeight === 0
        ? undefined
        : {
            limit,
            background: model.agenda.background,
            aside: model.everything,
            ...orderFilter,
            ...(search.agenda === undefined ? {} : contains(search.agenda)),
          }
    const main: View = {
      ...(orders.limit === 0
        ? {}
        : tab === 'order'
          ? { orders: listed }
          : presentView(model, tab, listed)),
      ...(overlay?.kind === 'fault-form' ? faultNamesView(orders.offset) : {}),
      // The lists need them in every query.
      ...(overlay?.kind === 'faults' || overlay?.kind === 'verdicts' || overlay?.kind === 'verdict'
        ? withVerdicts
        : {}),
      ...compact({
        journal: journal.main,
        traffic: traffic.main,
        agenda,
        orderId,
        rate: true,
        exchange: detail?.kind === 'exchange' ? detail.seq : undefined,
        item: detail?.kind === 'item' ? detail.row.id : undefined,
        explain: overlay?.kind === 'story' ? overlay.about : undefined,
        pinned: model.pinned.length > 0 ? model.pinned : undefined,
        at: model.at,
        playback: snapshot?.playback ? playbackView(model, trafficHeight, orders) : undefined,
      }),
    }
    return {
      main,
      behind:
        journal.behind || traffic.behind
          ? compact({ journal: journal.behind, traffic: traffic.behind })
          : undefined,
      asked: {
        filter: typed,
        ordersOffset: orders.offset,
        chosen: chosenId(model),
        agendaLimit: agenda?.limit ?? 0,
        pinned: model.pinned.length,
        ...compact({ factsAround: journal.around, trafficAround: traffic.around }),
      },
    }
  },
)

/** Faults and verdicts, which are expensive and change slowly: the header only counts them. */
const withVerdicts = { faults: true, verdicts: true } as const

interface ListPart {
  readonly limit: number
  readonly offset: number
}

/** Query of the visible part of a recording. */
function playbackView(model: QueriedModel, height: number, orders: ListPart): PlaybackView {
  const { recording: recordingState, overlay, orderId } = model
  const filter = activeFilter(model)
  return {
    rows: {
      around: lookedPlace(model),
      limit: 2 * height,
      ...(hidesIdle(model) ? { idle: false } : {}),
    },
    looked: activePlace(model),
    orders,
    ...compact({
      filter: filter.trim() === '' ? undefined : filter,
      at: recordingState.at,
      lane: orderId === undefined ? undefined : { orderId, limit: listHeight(model, 'order') },
      pair: overlay?.kind === 'beside' ? overlay.place : undefined,
    }),
  }
}

/** Query for a list of pane 3 that is not of orders, and its chosen row. */
function presentView(
  model: QueriedModel,
  tab: Exclude<QueriedModel['tab'], 'order'>,
  list: ListPart & { readonly contains?: string },
): View {
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
const faultNamesView = (offset: number): View => ({
  orders: { limit: maxCompletedOrders, offset },
  menu: { limit: 0 },
})

/** Runs the query and merges the two snapshots. */
export async function querySession(
  session: SessionApi,
  model: Model,
  includeVerdicts: boolean = true,
): Promise<ReceivedSnapshot> {
  const { main, behind, asked } = sessionQueryOf(model)
  const wanted: View = includeVerdicts ? { ...main, ...withVerdicts } : main
  const [first, after, clauses] = await Promise.all([
    session.look(wanted),
    behind ? session.look(behind) : undefined,
    model.overlay?.kind === 'verdict' ? loadClauses() : undefined,
  ])
  const query = { ...asked, includesVerdicts: wanted.verdicts === true }
  return { ...mergeSnapshots(first, after), query, ...compact({ clauses }) }
}

function mergeSnapshots(first: Snapshot, after: Snapshot | undefined): Snapshot {
  const problem = first.playback?.problem ?? first.problem ?? after?.problem
  return {
    ...first,
    journal: after ? [...first.journal, ...after.journal] : first.journal,
    traffic: after ? [...first.traffic, ...after.traffic] : first.traffic,
    hidden: first.hidden + (after?.hidden ?? 0),
    ...compact({ problem }),
  }
}
