/** Applies a snapshot to the model: replaces the rows and moves cursors whose rows are gone. */
import { activeFilter } from '../model/query.ts'
import { topIndex } from '../model/lists.ts'
import { settleOrderList } from '../model/order-list.ts'
import { type AgendaState, listHeight, type Model, type ReceivedSnapshot } from '../model/model.ts'
import { chooseRow, chosenId, presentRows } from '../model/present.ts'
import { orderOfLooked } from '../model/recording.ts'
import { isJumpHidden, settleLog } from './logs.ts'
import { settleMarks, settlePins } from './marks.ts'
import { addNotice } from './layers.ts'
import { returnToNow } from '../model/travel.ts'

export function applySnapshot(model: Model, arrived: ReceivedSnapshot): Model {
  const filter = checkedFilter(model, arrived)
  const isFilterNewlyInvalid = filter.problem !== undefined && model.filter.problem === undefined
  // An invalid filter has no rows: the old ones stay until the next snapshot.
  const snapshot = withKnownVerdicts(
    isFilterNewlyInvalid ? withPreviousRows(arrived, model.snapshot) : arrived,
    model,
  )
  const { mode } = snapshot.info.clock
  const isHidden = isJumpHidden(model, snapshot)
  const next: Model = {
    ...settleOrderList(model, snapshot),
    snapshot,
    filter,
    lost: undefined,
    resume: mode === 'stepped' ? model.resume : mode,
    facts: settleLog(model.facts, snapshot.journal, snapshot.query.factsAround),
    everything: model.everything || isHidden,
    traffic: isHidden
      ? model.traffic
      : settleLog(model.traffic, snapshot.traffic, snapshot.query.trafficAround),
    agenda: settleAgenda(model, snapshot),
  }
  const withOrder: Model = {
    ...next,
    orderId: orderOfLooked(next, snapshot) ?? presentRows({ tab: 'order' }, snapshot)[0]?.orderId,
  }
  const first = chosenId(withOrder) === undefined ? presentRows(model, snapshot)[0] : undefined
  // The chosen entity may have got another id since the query: the cursor follows it.
  const isSameEntity =
    snapshot.entity?.row.kind === model.tab && snapshot.query.chosen === chosenId(model)
  const entityRow = isSameEntity ? snapshot.entity.row : undefined
  const settled = settlePins(settleMarks(chooseRow(withOrder, first ?? entityRow)))
  const otherProblem = snapshot.problem !== undefined && filter.problem === undefined
  const noticed = withConfigurationNotices(
    otherProblem ? { ...settled, notice: { text: snapshot.problem, tone: 'warn' } } : settled,
    model.snapshot,
  )
  return withAttachmentNotices(noticed, model.snapshot)
}

const attachmentTones = { lost: 'err', back: 'ok', restarted: 'warn' } as const

/** Shows the news of the connection since the snapshot before; of another session the present is shown. */
function withAttachmentNotices(model: Model, before: ReceivedSnapshot | undefined): Model {
  const { attached } = model.snapshot ?? {}
  if (!attached || !before?.attached) return model
  const last = before.attached.notices.at(-1)?.seq ?? 0
  const current = attached.session === before.attached.session ? model : returnToNow(model)
  return attached.notices
    .filter(({ seq }) => seq > last)
    .reduce(
      (shown, { text, kind }) => addNotice(shown, { text, tone: attachmentTones[kind] }),
      current,
    )
}

/** Shows the news of the configuration file since the snapshot before; those before the first one are over. */
function withConfigurationNotices(model: Model, before: ReceivedSnapshot | undefined): Model {
  const last = before?.info.configuration?.at(-1)?.seq ?? 0
  const notices = before ? (model.snapshot?.info.configuration ?? []) : []
  return notices
    .filter(({ seq }) => seq > last)
    .reduce(
      (shown, { text, failed }) => addNotice(shown, { text, tone: failed ? 'warn' : 'ok' }),
      model,
    )
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
const withKnownVerdicts = (
  snapshot: ReceivedSnapshot,
  { snapshot: before }: Model,
): ReceivedSnapshot =>
  snapshot.query.includesVerdicts || !before
    ? snapshot
    : { ...snapshot, faults: before.faults, verdicts: before.verdicts }

/** A problem is attributed to the filter when the query used a draft that was not yet known to be valid. */
function checkedFilter(model: Model, { query: asked, problem }: ReceivedSnapshot): Model['filter'] {
  const { filter } = model
  if (asked.filter !== filter.draft || activeFilter(model) !== filter.draft) return filter
  if (problem === undefined || asked.filter === '' || asked.filter === filter.valid)
    return { ...filter, valid: filter.draft }
  return { ...filter, problem }
}

function settleAgenda(model: Model, snapshot: ReceivedSnapshot): AgendaState {
  const { agenda } = model
  const rows = snapshot.agenda
  const own = rows.find(({ orderId }) => orderId !== undefined && orderId === agenda.awaited)
  const chosenBefore = own?.id ?? agenda.chosen
  const found = rows.findIndex(({ id }) => id === chosenBefore)
  const index = found >= 0 ? found : Math.max(0, Math.min(agenda.index, rows.length - 1))
  const chosen = found >= 0 ? chosenBefore : undefined
  const top = topIndex(rows.length, listHeight(model, 'agenda'), agenda.top, index)
  // A snapshot with the order, but without an item of it: there is none to wait for.
  const isOver = own !== undefined || snapshot.order?.row.orderId === agenda.awaited
  return { ...agenda, chosen, index, top, awaited: isOver ? undefined : agenda.awaited }
}
