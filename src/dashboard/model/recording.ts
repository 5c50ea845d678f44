/**
 * The recording on the screen: which place is the present one, which row is chosen, and what part of the list is visible.
 * Where nobody has chosen a row, the present one is, and the list goes along with it.
 */
import type { PlaybackSnapshot } from '../../session-api/playback.ts'
import { moveIndex, topIndex } from './lists.ts'
import type { Motion } from './message.ts'
import { listHeight, type Model, type TapeState } from './model.ts'

export const atNow: TapeState = { chosen: undefined, top: undefined, at: undefined }

export const playbackOf = ({ seen }: Pick<Model, 'seen'>): PlaybackSnapshot | undefined =>
  seen?.playback

/** The place of what comes next on the screen: everything before it is past. */
export function currentPlace({ seen, tape }: Pick<Model, 'seen' | 'tape'>): number {
  const playback = seen?.playback
  if (!playback) return 0
  return tape.at ?? playback.next ?? playback.position
}

export const chosenPlace = (model: Model): number =>
  Math.max(
    0,
    Math.min(model.tape.chosen ?? currentPlace(model), (playbackOf(model)?.total ?? 1) - 1),
  )

/** Somebody looks back at what was played before. */
export function isWoundBack({ seen, tape }: Model): boolean {
  const playback = seen?.playback
  return playback?.target !== undefined && tape.at !== undefined && tape.at < playback.position
}

export interface TapeWindow {
  readonly top: number
  /** The index of the chosen row; undefined when it is not among those that were looked at. */
  readonly chosen: number | undefined
}

export function tapeWindow(model: Model, height: number): TapeWindow {
  const rows = playbackOf(model)?.rows ?? []
  const targetPlace = chosenPlace(model)
  const found = rows.findIndex((row) => row.place >= targetPlace)
  const chosen = found < 0 ? (rows.length === 0 ? undefined : rows.length - 1) : found
  if (model.tape.top === undefined)
    return { top: topIndex(rows.length, height, (chosen ?? 0) - (height >> 1), chosen), chosen }
  const { top: wanted } = model.tape
  const above = rows.findIndex((row) => row.place >= wanted)
  return { top: topIndex(rows.length, height, above < 0 ? rows.length : above, chosen), chosen }
}

export function moveTape(model: Model, motion: Motion): Model {
  const playback = playbackOf(model)
  const rows = playback?.rows ?? []
  if (!playback || rows.length === 0) return model
  if (motion.kind === 'first') return choosePlace(model, 0)
  if (motion.kind === 'last') return choosePlace(model, playback.total - 1)
  const height = Math.max(1, listHeight(model, 'traffic'))
  const { top, chosen } = tapeWindow(model, height)
  const index = moveIndex(rows.length, height, chosen, motion)
  const row = rows[index]
  if (!row) return model
  const newTop = rows[topIndex(rows.length, height, top, index)]
  return {
    ...model,
    tape: { ...model.tape, chosen: row.place, top: newTop?.place },
    orderId: row.orderId ?? model.orderId,
  }
}

/** The row of a place becomes the chosen one, in the middle of the screen. */
export const choosePlace = (model: Model, targetPlace: number): Model => ({
  ...model,
  tape: { ...model.tape, chosen: targetPlace, top: undefined },
})

/** Somebody sought a place: where nothing is sent, that is where the recording stands then. */
export function sought(model: Model, targetPlace: number): Model {
  const playback = playbackOf(model)
  if (!playback) return model
  const isBack = playback.target === undefined || targetPlace < playback.position
  const at = isBack ? targetPlace : undefined
  return {
    ...model,
    tape: { chosen: at === undefined ? targetPlace : undefined, top: undefined, at },
  }
}

/** One exchange back or forward: nothing is sent, the world is folded to what it was. */
export function wind(model: Model, by: 1 | -1): Model {
  const playback = playbackOf(model)
  if (!playback) return model
  const sends = playback.target !== undefined
  const end = sends ? playback.position : playback.total
  const from = model.tape.at ?? playback.position
  const targetPlace = Math.max(0, Math.min(from + by, end))
  if (targetPlace === from) {
    const text = by < 0 ? 'the begin of the recording' : 'the end of the recording'
    return { ...model, notice: { text, tone: 'muted' } }
  }
  return {
    ...model,
    tape: { ...atNow, at: sends && targetPlace === end ? undefined : targetPlace },
  }
}
