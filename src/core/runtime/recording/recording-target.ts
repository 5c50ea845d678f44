/** Target of a recording: one file, or a folder of segments. */
import type { StoreBlob } from '../../traffic/recording/message-writer.ts'
import type { HeaderLine } from '../../traffic/recording/format.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'

export interface RecordingTarget {
  readonly header: HeaderLine
  /** Start time from the header, in milliseconds since 1970. */
  readonly t0: number
  /** Highest sequence number already in it. */
  readonly after: number
  /** Appends a whole line that stands for `exchanges` exchanges, with its sequence number. */
  readonly append: (line: string, exchanges: number, seq: number) => void
  /**
   * Writes at once if something waits that was appended before this instant of `performance.now`; false when the disk
   * does not let it.
   */
  readonly catchUp: (before: number) => boolean
  /** Whether the backlog has room; otherwise lines should not be serialised yet. */
  readonly hasRoom: () => boolean
  /** Stores bodies too large for a line; absent when all bodies are inline. */
  readonly putBlob?: StoreBlob
  /** Resolves when pending bodies are stored or abandoned; undefined when none are pending. */
  readonly blobs: () => Promise<void> | undefined
  /** Resolves when all lines are written, or when the disk fails. */
  readonly flush: () => Promise<void>
  readonly stats: () => TargetStats
  /** How far it is written: bytes of the file, or the number of the segment. */
  readonly position: () => number
  /** Flushes, appends the end line if everything before it was written, and closes the files. */
  readonly close: (last: ClosingSummary) => Promise<void>
}

export interface TargetStats {
  /** Exchanges written in this session. */
  readonly written: number
  /** Exchanges dropped. */
  readonly dropped: number
  readonly bytes: number
  /** The current problem. */
  readonly problem?: string
}

export interface ClosingSummary {
  /** Start of the last exchange, in milliseconds since 1970. */
  readonly instant: number
  /** Its sequence number in the session. */
  readonly seq: number
  /** Exchanges of the session that were dropped. */
  readonly dropped: () => number
  /** Values in what stands before this position were redacted for the first time behind it. */
  readonly lastPass?: { readonly redactor: Redactor; readonly upTo: number }
}

/** Backlog in bytes above which the recorder waits for the disk. */
export const maxPendingTargetBytes = 8 * 1024 * 1024
