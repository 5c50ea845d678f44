/**
 * Lists of the past, facts and traffic: they follow the newest row until the operator scrolls up, and then stay on the
 * same rows by sequence number.
 */
import type { JournalRow, TrafficRow } from '../../../core/session-api/session-api.ts'
import { moveIndex, topIndex, viewShift } from '../model/lists.ts'
import type { Motion } from '../model/message.ts'
import {
  followingLog,
  listHeight,
  type LogState,
  type Model,
  type ReceivedSnapshot,
} from '../model/model.ts'

export type LogPane = 'facts' | 'traffic'

const logRows = ({ snapshot }: Model, pane: LogPane): readonly (JournalRow | TrafficRow)[] =>
  (pane === 'facts' ? snapshot?.journal : snapshot?.traffic) ?? []

/** Total number of rows. */
const totalCount = ({ snapshot }: Model, pane: LogPane): number =>
  (pane === 'facts' ? snapshot?.info.counts.facts : snapshot?.info.counts.exchanges) ?? 0

/** Number of rows that arrived since following stopped. */
export const missedCount = (model: Model, pane: LogPane): number =>
  model[pane].follow ? 0 : Math.max(0, totalCount(model, pane) - model[pane].since)

/** Index of the top row, and of the chosen row, which is visible. */
export function logWindow(
  rows: readonly { readonly seq: number }[],
  state: LogState,
  height: number,
): { readonly top: number; readonly chosen: number | undefined } {
  if (state.follow || state.toFirst) {
    const last = Math.max(0, rows.length - 1)
    return state.follow
      ? { top: Math.max(0, rows.length - height), chosen: rows.length === 0 ? undefined : last }
      : { top: 0, chosen: undefined }
  }
  const found = rows.findIndex(({ seq }) => seq === state.chosen)
  const chosen = found < 0 ? undefined : found
  const above = rows.findIndex(({ seq }) => seq >= (state.top ?? 0))
  return { top: topIndex(rows.length, height, above < 0 ? rows.length : above, chosen), chosen }
}

export function moveLog(model: Model, pane: LogPane, motion: Motion): Model {
  const rows = logRows(model, pane)
  const state = model[pane]
  const height = listHeight(model, pane)
  if (rows.length === 0) return model
  if (motion.kind === 'last')
    return { ...model, [pane]: followingLog, at: shownFactSeq(model, pane, undefined) }
  if (motion.kind === 'first') {
    const stopped = { ...stopFollowing(model, pane), chosen: undefined, top: 0, toFirst: true }
    return { ...model, [pane]: stopped }
  }
  const { top, chosen } = logWindow(rows, state, height)
  const index = moveIndex(rows.length, height, chosen, motion)
  // Moving down from the newest row has no effect: it is followed already.
  if (state.follow && index === rows.length - 1) return model
  const row = rows[index]
  if (!row) return model
  const newTop = rows[topIndex(rows.length, height, top + viewShift(motion), index)]
  return {
    ...model,
    [pane]: { ...stopFollowing(model, pane), chosen: row.seq, top: newTop?.seq, toFirst: false },
    orderId: row.orderId ?? model.orderId,
    at: shownFactSeq(model, pane, row.seq),
  }
}

/** Chooses a row that is visible: the list does not move. */
export function chooseLogRow(model: Model, pane: LogPane, seq: number): Model {
  const rows = logRows(model, pane)
  const row = rows.find((each) => each.seq === seq)
  if (!row) return model
  const { top } = logWindow(rows, model[pane], listHeight(model, pane))
  return {
    ...model,
    [pane]: { ...stopFollowing(model, pane), chosen: seq, top: rows[top]?.seq, toFirst: false },
    orderId: row.orderId ?? model.orderId,
    at: shownFactSeq(model, pane, seq),
  }
}

/** During time travel, choosing a fact also shows the world at that fact. */
const shownFactSeq = ({ at }: Model, pane: LogPane, seq: number | undefined): number | undefined =>
  at === undefined || pane === 'traffic' ? at : seq

function stopFollowing(model: Model, pane: LogPane): LogState {
  const state = model[pane]
  return state.follow ? { ...state, follow: false, since: totalCount(model, pane) } : state
}

/** Toggles following; when switched off, the newest row stays chosen. */
export function followLog(model: Model, pane: LogPane): Model {
  if (!model[pane].follow)
    return { ...model, [pane]: followingLog, at: shownFactSeq(model, pane, undefined) }
  const rows = logRows(model, pane)
  const { top } = logWindow(rows, model[pane], listHeight(model, pane))
  const stopped = { ...stopFollowing(model, pane), chosen: rows.at(-1)?.seq, top: rows[top]?.seq }
  return { ...model, [pane]: stopped }
}

/**
 * Adjusts the cursor after a snapshot: resolves a requested first row, and replaces a chosen row that is gone by its
 * nearest neighbour.
 */
export function settleLog(
  state: LogState,
  rows: readonly { readonly seq: number }[],
  around: number | undefined,
): LogState {
  if (state.follow || rows.length === 0) return state
  if (state.toFirst)
    return around === 0
      ? { ...state, toFirst: false, chosen: rows[0]?.seq, top: rows[0]?.seq }
      : state
  if (around !== state.chosen || rows.some(({ seq }) => seq === state.chosen)) return state
  const nearest = rows.find(({ seq }) => seq > (state.chosen ?? 0)) ?? rows.at(-1)
  return { ...state, chosen: nearest?.seq }
}

/** Whether the exchange that was jumped to is hidden because it does not concern the user's service. */
export function isJumpHidden(
  { everything, traffic, snapshot: before }: Model,
  snapshot: ReceivedSnapshot,
): boolean {
  const { chosen } = traffic
  if (everything || chosen === undefined || snapshot.query.trafficAround !== chosen) return false
  const has = (rows: readonly TrafficRow[] = []): boolean => rows.some(({ seq }) => seq === chosen)
  return !has(snapshot.traffic) && !has(before?.traffic)
}
