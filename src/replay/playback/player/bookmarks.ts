/** Bookmarks of a recording, and searches for bookmarks, faults and differing results. */
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { PlaybackMark, PlaybackSearchKind } from '../../../core/session-api/playback.ts'
import type { PlaybackResults } from './results.ts'
import { type RecordingTimeline, createTimeSlicer } from './timeline.ts'

/** Maximum number of bookmarks of one recording. */
export const maxBookmarks = 1000

export interface SavedBookmark {
  readonly seq: number
  readonly text: string
}

export type Bookmarks = ReturnType<typeof createBookmarks>

/** Bookmarks in the recording itself and those saved beside it, by number: places move while a recording is indexed. */
export function createBookmarks(timeline: RecordingTimeline, saved: readonly SavedBookmark[]) {
  const texts = new Map<number, string>()
  const recorded = new Set<number>()

  function takeRecorded(): void {
    for (const { seq, text } of timeline.marks.slice(0, maxBookmarks)) {
      if (recorded.has(seq)) continue
      recorded.add(seq)
      if (texts.size < maxBookmarks) texts.set(seq, text)
    }
  }

  takeRecorded()
  for (const { seq, text } of saved.slice(0, maxBookmarks)) texts.set(seq, text)

  const list = (): readonly PlaybackMark[] =>
    [...texts]
      .flatMap(([seq, text]) => {
        const place = timeline.positionOf(seq)
        return place < timeline.count && timeline.row(place).seq === seq ? [{ place, text }] : []
      })
      .toSorted((a, b) => a.place - b.place)

  return {
    /** The text of the bookmark at the exchange with this number. */
    at: (seq: number): string | undefined => texts.get(seq),
    /** Those of exchanges that are indexed, in order. */
    list,
    /** Those to be saved: not in the recording itself. */
    own: (): readonly SavedBookmark[] =>
      [...texts]
        .map(([seq, text]) => ({ seq, text }))
        .filter(({ seq }) => !recorded.has(seq))
        .toSorted((a, b) => a.seq - b.seq),
    /** Sets or removes one; returns whether it is set now. */
    toggle(seq: number, text: string): Result<boolean, string> {
      if (texts.delete(seq)) return ok(false)
      if (texts.size >= maxBookmarks) return err(`there are ${maxBookmarks} bookmarks already`)
      texts.set(seq, text)
      return ok(true)
    },
    /** Takes those that have been indexed since. */
    takeRecorded,
  }
}

type Test = { readonly count: number; readonly holds: (place: number) => boolean }

export const searchTests = (
  timeline: RecordingTimeline,
  results: PlaybackResults,
  marks: Bookmarks,
): Readonly<Record<PlaybackSearchKind, Test>> => ({
  trouble: { count: timeline.count, holds: results.isTrouble },
  mark: {
    count: timeline.count,
    holds: (place) => marks.at(timeline.row(place).seq) !== undefined,
  },
  fault: {
    count: timeline.count,
    holds(place) {
      const { faulty, status, seq } = timeline.row(place)
      return faulty || status === 0 || status >= 400 || timeline.failures.has(seq)
    },
  },
})

/** The next place in a direction that matches. */
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
