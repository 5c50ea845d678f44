/** Applies a snapshot to the model: replaces the rows and moves cursors whose rows are gone. */
import { activeFilter } from '../model/query.ts'
import { topIndex } from '../model/lists.ts'
import {
  type AgendaState,
  listHeight,
  type Model,
  type OrdersState,
  type ReceivedSnapshot,
} from '../model/model.ts'
import {
  chooseRow,
  chosenId,
  type PresentRow,
  presentRows,
  presentTotal,
} from '../model/present.ts'
import { settleLog } from './logs.ts'
import { settleMarks } from './marks.ts'
import { settlePins } from './pins.ts'

export function applySnapshot(model: Model, arrived: ReceivedSnapshot): Model {
  const filter = checkedFilter(model, arrived)
  const isFilterNewlyInvalid = filter.problem !== undefined && model.filter.problem === undefined
  // An invalid filter has no rows: the old ones stay until the next snapshot.
  const seen = withKnownVerdicts(
    isFilterNewlyInvalid ? withPreviousRows(arrived, model.seen) : arrived,
    model,
  )
  const { mode } = seen.info.clock
  const { state, row } = settleOrders(model, seen)
  const next: Model = {
    ...model,
    seen,
    filter,
    lost: undefined,
    resume: mode === 'stepped' ? model.resume : mode,
    facts: settleLog(model.facts, seen.journal, seen.query.factsAround),
    traffic: settleLog(model.traffic, seen.traffic, seen.query.trafficAround),
    orders: state,
    orderId: model.orderId ?? presentRows({ tab: 'order' }, seen)[0]?.orderId,
    agenda: settleAgenda(model, seen),
  }
  const first = chosenId(next) === undefined ? presentRows(model, seen)[0] : undefined
  // The chosen entity may have got another id since the query: the cursor follows it.
  const isSameEntity = seen.entity?.row.kind === model.tab && seen.query.chosen === chosenId(model)
  const entityRow = isSameEntity ? seen.entity.row : undefined
  const settled = settlePins(settleMarks(chooseRow(next, row ?? first ?? entityRow)))
  const otherProblem = seen.problem !== undefined && filter.problem === undefined
  return otherProblem ? { ...settled, notice: { text: seen.problem, tone: 'warn' } } : settled
}

/** Keeps the previous rows. */
const withPreviousRows = (
  arrived: ReceivedSnapshot,
  before: ReceivedSnapshot | undefined,
): ReceivedSnapshot => ({
  ...arrived,
  traffic: before?.traffic ?? [],
  ...(arrived.playback
    ? { playback: { ...arrived.playback, rows: before?.playback?.rows ?? [] } }
    : {}),
})

/** Keeps faults and verdicts when this query did not include them. */
const withKnownVerdicts = (seen: ReceivedSnapshot, { seen: before }: Model): ReceivedSnapshot =>
  seen.query.includesVerdicts || !before
    ? seen
    : { ...seen, faults: before.faults, verdicts: before.verdicts }

/** A problem is attributed to the filter when the query used a draft that was not yet known to be valid. */
function checkedFilter(model: Model, { query: asked, problem }: ReceivedSnapshot): Model['filter'] {
  const { filter } = model
  if (asked.filter !== filter.draft || activeFilter(model) !== filter.draft) return filter
  if (problem === undefined || asked.filter === '' || asked.filter === filter.valid)
    return { ...filter, valid: filter.draft }
  return { ...filter, problem }
}

function settleOrders(
  model: Model,
  seen: ReceivedSnapshot,
): { readonly state: OrdersState; readonly row?: PresentRow | undefined } {
  const { orders: state } = model
  const { ordersOffset: offset } = seen.query
  const rows = presentRows(model, seen)
  const total = presentTotal(model, seen)
  if (state.to === 'first' && offset === 0)
    return { state: { ...state, to: undefined }, row: rows[0] }
  if (state.to === 'last' && offset + rows.length >= total)
    return { state: { ...state, to: undefined }, row: rows.at(-1) }
  const height = listHeight(model, 'orders')
  const indexOfChosen = (list: readonly PresentRow[]): number =>
    list.findIndex(({ id }) => id === chosenId(model))
  const before = model.seen ? indexOfChosen(presentRows(model, model.seen)) : -1
  const beforeIndex = before < 0 ? -1 : before + (model.seen?.query.ordersOffset ?? 0)
  const wasVisible = beforeIndex >= state.top && beforeIndex < state.top + height
  const index = indexOfChosen(rows)
  // A chosen row that was visible stays visible when rows are inserted above it.
  const visibleIndex = wasVisible && index >= 0 ? offset + index : undefined
  return { state: { ...state, top: topIndex(total, height, state.top, visibleIndex) } }
}

function settleAgenda(model: Model, seen: ReceivedSnapshot): AgendaState {
  const { agenda } = model
  const rows = seen.agenda
  const found = rows.findIndex(({ id }) => id === agenda.chosen)
  const index = found >= 0 ? found : Math.max(0, Math.min(agenda.index, rows.length - 1))
  const chosen = found >= 0 ? agenda.chosen : undefined
  const top = topIndex(rows.length, listHeight(model, 'agenda'), agenda.top, index)
  return { ...agenda, chosen, index, top }
}
