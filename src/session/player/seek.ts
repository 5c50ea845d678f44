/** Resolves a seek target (sequence number or time) to a place of a recording. */
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Seek } from '../../session-api/playback.ts'
import type { Tape } from './timeline.ts'

const dayMs = 86_400_000

const began = (tape: Tape): number => (tape.count === 0 ? 0 : tape.row(0).startedAt)

/** The first instant with this UTC time of day that is not before the recording. */
const ofDay = (first: number, ms: number): number => {
  const time = Math.floor(first / dayMs) * dayMs + ms
  return time < first ? time + dayMs : time
}

export function placeOfSeek(tape: Tape, to: Seek): Result<number, string> {
  if (tape.count === 0) return no('the recording is empty')
  if (to.kind === 'seq') {
    const place = tape.positionOf(to.seq)
    const last = tape.row(tape.count - 1).seq
    return place < tape.count
      ? ok(place)
      : no(`there is no exchange ${to.seq}: the last is ${last}`)
  }
  const first = began(tape)
  const time =
    to.kind === 'time' ? to.at : to.kind === 'after' ? first + to.ms : ofDay(first, to.ms)
  const place = tape.seek(time)
  return place < tape.count ? ok(place) : no('the recording ends before that')
}
