/** Scrolling arithmetic for lists: which rows are visible, and which one is chosen after a motion. */
import type { Motion } from './message.ts'

/** Index of the top row after a change: as before, adjusted so that the chosen row is visible and no row is empty. */
export function topIndex(
  length: number,
  height: number,
  previousTop: number,
  chosen: number | undefined,
): number {
  const maxTop = Math.max(0, length - height)
  let top = Math.max(0, Math.min(previousTop, maxTop))
  if (chosen === undefined || height <= 0) return top
  if (chosen < top) top = chosen
  if (chosen >= top + height) top = chosen - height + 1
  return top
}

/** Number of rows of a motion in a list of this height; undefined for `first` and `last`. */
function rowCountOf(motion: Motion, height: number): number | undefined {
  if (motion.kind === 'rows' || motion.kind === 'wheel') return motion.by
  if (motion.kind === 'halves') return motion.by * Math.max(1, Math.floor(height / 2))
  return undefined
}

/** Number of rows by which the list itself moves under the cursor: the wheel takes both along. */
export const viewShift = (motion: Motion): number => (motion.kind === 'wheel' ? motion.by : 0)

/** Chosen index after a motion, within the list. */
export function moveIndex(
  length: number,
  height: number,
  index: number | undefined,
  motion: Motion,
): number {
  if (motion.kind === 'first') return 0
  if (motion.kind === 'last') return Math.max(0, length - 1)
  const by = rowCountOf(motion, height) ?? 0
  const from = index ?? (by > 0 ? -1 : length)
  return Math.max(0, Math.min(length - 1, from + by))
}

/** Top line of a text after a motion; the last line never scrolls above the foot of the screen. */
export function scroll(length: number, height: number, top: number, motion: Motion): number {
  const maxTop = Math.max(0, length - height)
  if (motion.kind === 'first') return 0
  if (motion.kind === 'last') return maxTop
  return Math.max(0, Math.min(maxTop, top + (rowCountOf(motion, height) ?? 0)))
}

/** Which rows of a text are visible: `1-20 of 50`; empty when all are. */
export const rangeText = (length: number, height: number, top: number): string =>
  length > height ? `${top + 1}-${Math.min(length, top + height)} of ${length}` : ''
