/** Bookmarks of a recording, and searches for bookmarks, faults and differing results. */
import type { PlaybackSearchKind } from '../../session-api/playback.ts'
import type { PlaybackResults } from './results.ts'
import { createTimeSlicer } from './time-slicer.ts'
import type { RecordingTimeline } from './timeline.ts'

/** Maximum number of bookmarks of one recording. */
export const maxBookmarks = 1000

export const isRecordedBookmark = (timeline: RecordingTimeline, place: number): boolean =>
  timeline.marks.some((mark) => mark.place === place)

/** Bookmarks in the recording itself and those saved beside it. */
export function loadBookmarks(
  timeline: RecordingTimeline,
  files: { readonly marks: readonly { readonly seq: number; readonly text: string }[] },
): Map<number, string> {
  const marks = new Map<number, string>()
  for (const { place, text } of timeline.marks.slice(0, maxBookmarks)) marks.set(place, text)
  for (const { seq, text } of files.marks.slice(0, maxBookmarks)) {
    const place = timeline.positionOf(seq)
    if (place < timeline.count && timeline.row(place).seq === seq) marks.set(place, text)
  }
  return marks
}

type Test = { readonly count: number; readonly holds: (place: number) => boolean }

export const searchTests = (
  timeline: RecordingTimeline,
  results: PlaybackResults,
  marks: ReadonlyMap<number, string>,
): Readonly<Record<PlaybackSearchKind, Test>> => ({
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
export async function findNext(
  from: number,
  direction: 1 | -1,
  { count, holds }: Test,
): Promise<number | undefined> {
  const slice = createTimeSlicer()
  for (let place = from + direction; place >= 0 && place < count; place += direction) {
    if (holds(place)) return place
    const pause = slice()
    if (pause) await pause
  }
  return undefined
}
