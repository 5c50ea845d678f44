/** Formats the lines between the exchanges of a recording: marks, and changes of the session's clock. */
import { formatVersion, type RecordedClock } from './format.ts'
import { createLineIds } from './line-ids.ts'
import { formatLine } from './recording-lines.ts'

/** Where a line stands among the exchanges. */
export interface LinePosition {
  readonly salt: string
  /** The header's t0 and the time of the line, both in milliseconds since 1970. */
  readonly t0: number
  readonly instant: number
  /** Sequence number of the exchange before it. */
  readonly seq: number
  /** Number of marks and states before it. */
  readonly before: number
}

/** Ids of these lines are numbered far above those of exchanges, so that they never collide. */
const firstSeq = 2 ** 34

const positionMembers = ({ salt, t0, instant, seq, before }: LinePosition) => ({
  id: createLineIds(salt)(instant, firstSeq + before),
  seq,
  t: { q0: Math.round((instant - t0) * 1000) },
})

/** The line of a bookmark. */
export const formatMarkLine = (position: LinePosition, text: string): string => {
  const { id, seq, t } = positionMembers(position)
  return formatLine({ _rec: { v: formatVersion, type: 'mark', id, seq, t, text } })
}

/** The line that says how the session's clock goes from here on. */
export const formatClockLine = (position: LinePosition, clock: RecordedClock): string => {
  const { id, seq, t } = positionMembers(position)
  return formatLine({ _rec: { v: formatVersion, type: 'state', id, seq, t, clock } })
}
