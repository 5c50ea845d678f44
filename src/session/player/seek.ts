/** Resolves a seek target (sequence number or time) to a place of a recording. */
import { no, ok, type Result } from '../../protocol/result.ts'
import type { SeekTarget } from '../../session-api/playback.ts'
import type { RecordingTimeline } from './timeline.ts'

const dayMs = 86_400_000

const startOf = (timeline: RecordingTimeline): number =>
  timeline.count === 0 ? 0 : timeline.row(0).startedAt

/** The first instant with this UTC time of day that is not before the recording. */
const atTimeOfDay = (first: number, ms: number): number => {
  const time = Math.floor(first / dayMs) * dayMs + ms
  return time < first ? time + dayMs : time
}

export function resolveSeek(timeline: RecordingTimeline, to: SeekTarget): Result<number, string> {
  if (timeline.count === 0) return no('the recording is empty')
  if (to.kind === 'seq') {
    const place = timeline.positionOf(to.seq)
    const last = timeline.row(timeline.count - 1).seq
    return place < timeline.count
      ? ok(place)
      : no(`there is no exchange ${to.seq}: the last is ${last}`)
  }
  const first = startOf(timeline)
  const time =
    to.kind === 'time' ? to.at : to.kind === 'after' ? first + to.ms : atTimeOfDay(first, to.ms)
  const place = timeline.seek(time)
  return place < timeline.count ? ok(place) : no('the recording ends before that')
}
