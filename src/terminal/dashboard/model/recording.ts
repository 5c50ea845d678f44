/**
 * Cursor, scrolling and seeking in a recording. While no row is chosen explicitly, the cursor follows the current
 * place.
 */
import type { PlaybackSnapshot } from '../../../core/session-api/playback.ts'
import { moveIndex, topIndex, viewShift } from './lists.ts'
import type { Motion } from './message.ts'
import { listHeight, type Model, type ReceivedSnapshot, type RecordingState } from './model.ts'

export const initialRecordingState: RecordingState = {
  chosen: undefined,
  top: undefined,
  at: undefined,
}

export const playbackOf = ({ snapshot }: Pick<Model, 'snapshot'>): PlaybackSnapshot | undefined =>
  snapshot?.playback

/** Current place: the next exchange to play; everything before it is past. */
export function currentPlace({
  snapshot,
  recording: state,
}: Pick<Model, 'snapshot' | 'recording'>): number {
  const playback = snapshot?.playback
  if (!playback) return 0
  return state.at ?? playback.next ?? playback.position
}

/** The place that is looked at; the filter may hide its row. */
export const lookedPlace = (model: Pick<Model, 'recording' | 'snapshot'>): number =>
  Math.max(
    0,
    Math.min(model.recording.chosen ?? currentPlace(model), (playbackOf(model)?.total ?? 1) - 1),
  )

/** The place of the row that has the cursor: for a hidden row the next one that is shown has it. */
export function chosenPlace(model: Pick<Model, 'recording' | 'snapshot'>): number {
  const { rows = [], passing = 0 } = playbackOf(model) ?? {}
  const looked = lookedPlace(model)
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return looked
  const isLoaded = rows.length >= passing || (first.place <= looked && looked <= last.place)
  return isLoaded ? (rows.find(({ place }) => place >= looked) ?? last).place : looked
}

/** Place of the exchange that keys act on: the open one, or the chosen one. */
export const activePlace = (model: Pick<Model, 'overlay' | 'recording' | 'snapshot'>): number =>
  model.overlay?.kind === 'beside' ? model.overlay.place : chosenPlace(model)

/** Whether the recording is shown at a place before the playback position. */
export function isRewound({ snapshot, recording: state }: Model): boolean {
  const playback = snapshot?.playback
  return playback?.target !== undefined && state.at !== undefined && state.at < playback.position
}

export interface RecordingWindow {
  readonly top: number
  /** Index of the chosen row; undefined when it is not loaded. */
  readonly chosen: number | undefined
}

export function recordingWindow(model: Model, height: number): RecordingWindow {
  const rows = playbackOf(model)?.rows ?? []
  const targetPlace = lookedPlace(model)
  const found = rows.findIndex((row) => row.place >= targetPlace)
  const chosen = found < 0 ? (rows.length === 0 ? undefined : rows.length - 1) : found
  if (model.recording.top === undefined)
    return { top: topIndex(rows.length, height, (chosen ?? 0) - (height >> 1), chosen), chosen }
  const { top: wanted } = model.recording
  const above = rows.findIndex((row) => row.place >= wanted)
  return { top: topIndex(rows.length, height, above < 0 ? rows.length : above, chosen), chosen }
}

/** Without a target nothing is played: the place that is looked at is the position, in all panes. */
const isBrowsed = ({ target }: PlaybackSnapshot): boolean => target === undefined

/** Looks at an exchange: the order is its order, and stays so until another one is chosen in pane 3. */
function lookAt(model: Model, targetPlace: number, top: number | undefined): Model {
  const playback = playbackOf(model)
  if (!playback) return model
  const { order: _stopped, ...stopped } = model.orders.stopped
  const recording = isBrowsed(playback)
    ? { chosen: undefined, top, at: targetPlace }
    : { ...model.recording, chosen: targetPlace, top }
  return { ...model, recording, orders: { ...model.orders, stopped } }
}

export function moveRecordingCursor(model: Model, motion: Motion): Model {
  const playback = playbackOf(model)
  const rows = playback?.rows ?? []
  if (!playback || rows.length === 0) return model
  if (motion.kind === 'first') return choosePlace(model, 0)
  if (motion.kind === 'last') return choosePlace(model, playback.total - 1)
  const height = Math.max(1, listHeight(model, 'traffic'))
  const { top, chosen } = recordingWindow(model, height)
  const index = moveIndex(rows.length, height, chosen, motion)
  const row = rows[index]
  if (!row) return model
  const newTop = rows[topIndex(rows.length, height, top + viewShift(motion), index)]
  return { ...lookAt(model, row.place, newTop?.place), orderId: row.orderId ?? model.orderId }
}

/** Chooses the row of a place that is visible: the list does not move. */
export function chooseVisiblePlace(model: Model, targetPlace: number): Model {
  const rows = playbackOf(model)?.rows ?? []
  const row = rows.find(({ place }) => place === targetPlace)
  if (!row) return model
  const { top } = recordingWindow(model, Math.max(1, listHeight(model, 'traffic')))
  return { ...lookAt(model, targetPlace, rows[top]?.place), orderId: row.orderId ?? model.orderId }
}

/** Chooses the row of a place and centres it. */
export const choosePlace = (model: Model, targetPlace: number): Model =>
  lookAt(model, targetPlace, undefined)

/** Applies a seek. Without a target, or before the playback position, only the shown place changes. */
export function seekTo(model: Model, targetPlace: number): Model {
  const playback = playbackOf(model)
  if (!playback) return model
  const looked = choosePlace(model, targetPlace)
  if (isBrowsed(playback) || targetPlace >= playback.position) return looked
  return { ...looked, recording: { chosen: undefined, top: undefined, at: targetPlace } }
}

/** Shows the recording one exchange earlier or later. Nothing is sent; the world is folded to that state. */
export function stepThroughRecording(model: Model, by: 1 | -1): Model {
  const playback = playbackOf(model)
  if (!playback) return model
  const text = by < 0 ? 'the start of the recording' : 'the end of the recording'
  const atEnd: Model = { ...model, notice: { text, tone: 'muted' } }
  if (isBrowsed(playback)) {
    const next = moveRecordingCursor(model, { kind: 'rows', by })
    return chosenPlace(next) === chosenPlace(model) ? atEnd : next
  }
  const from = model.recording.at ?? playback.position
  const targetPlace = Math.max(0, Math.min(from + by, playback.position))
  if (targetPlace === from) return atEnd
  const at = targetPlace === playback.position ? undefined : targetPlace
  return { ...model, recording: { ...initialRecordingState, at } }
}

/** The order of the exchange that is looked at, until another order is chosen. */
export function orderOfLooked(model: Model, { playback }: ReceivedSnapshot): string | undefined {
  if (!playback || model.orders.stopped.order !== undefined) return model.orderId
  const looked = lookedPlace(model)
  const row = playback.rows.find(({ place }) => place >= looked)
  return row?.orderId ?? model.orderId
}
