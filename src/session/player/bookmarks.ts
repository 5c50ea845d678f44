/** Bookmarks of a recording, and searches for bookmarks, faults and differing results. */
import type { Sought } from '../../session-api/playback.ts'
import type { Results } from './results.ts'
import { createSlices } from './slices.ts'
import type { Tape } from './timeline.ts'

/** Maximum number of bookmarks of one recording. */
export const mostMarks = 1000

export const isOfTape = (timeline: Tape, place: number): boolean =>
  timeline.marks.some((mark) => mark.place === place)

/** Bookmarks in the recording itself and those saved beside it. */
export function marksOf(
  timeline: Tape,
  files: { readonly marks: readonly { readonly seq: number; readonly text: string }[] },
): Map<number, string> {
  const marks = new Map<number, string>()
  for (const { place, text } of timeline.marks.slice(0, mostMarks)) marks.set(place, text)
  for (const { seq, text } of files.marks.slice(0, mostMarks)) {
    const place = timeline.positionOf(seq)
    if (place < timeline.count && timeline.row(place).seq === seq) marks.set(place, text)
  }
  return marks
}

type Test = { readonly count: number; readonly holds: (place: number) => boolean }

export const soughtIn = (
  timeline: Tape,
  results: Results,
  marks: ReadonlyMap<number, string>,
): Readonly<Record<Sought, Test>> => ({
  trouble: { count: timeline.count, holds: results.isTrouble },
  mark: { count: timeline.count, holds: (place) => marks.has(place) },
  fault: {
    count: timeline.count,
    holds(place) {
      const { faulty, status } = timeline.row(place)
      return faulty || status === 0 || status >= 400
    },
  },
})

/** The next place in the given direction that matches. */
export async function nextOf(
  from: number,
  direction: 1 | -1,
  { count, holds }: Test,
): Promise<number | undefined> {
  const slice = createSlices()
  for (let place = from + direction; place >= 0 && place < count; place += direction) {
    if (holds(place)) return place
    const pause = slice()
    if (pause) await pause
  }
  return undefined
}
