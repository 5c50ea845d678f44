/** Where the lines of a recording go: into one file, or into a folder of segments. The recorder knows no difference. */
import type { PutBlob } from '../../traffic/recording/parts.ts'
import type { HeaderLine } from '../../traffic/recording/format.ts'

export interface RecordingTarget {
  readonly header: HeaderLine
  /** Of the header, in milliseconds since 1970. */
  readonly t0: number
  /** The highest number that is in it already. */
  readonly after: number
  /** Takes a whole line: how many exchanges it stands for, and its number. */
  readonly append: (line: string, exchanges: number, seq: number) => void
  /** Whether it can follow: otherwise lines are better not made yet. */
  readonly hasRoom: () => boolean
  /** Where bodies go that are too large for a line; none when they stay in theirs. */
  readonly putBlob?: PutBlob
  /** Resolves when what was put there is on the disk, or given up; undefined when nothing is on its way. */
  readonly blobs: () => Promise<void> | undefined
  /** Resolves when all lines are written, or when the disk refuses. */
  readonly flush: () => Promise<void>
  readonly stats: () => TargetStats
  /** Writes what is left, the last line too if all before it could be written, and closes the files. */
  readonly close: (last: LastWords) => Promise<void>
}

export interface TargetStats {
  /** Exchanges that are in it, of this session. */
  readonly written: number
  /** Exchanges that never will be. */
  readonly dropped: number
  readonly bytes: number
  /** What stands in the way now. */
  readonly problem?: string
}

export interface LastWords {
  /** Of the last exchange, in milliseconds since 1970. */
  readonly instant: number
  /** Its number in the session. */
  readonly seq: number
  /** Exchanges of the session that are missing. */
  readonly dropped: () => number
}

/** A disk that is behind by so much is waited for. */
export const mostAhead = 8 * 1024 * 1024
