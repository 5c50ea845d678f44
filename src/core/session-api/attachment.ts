/** How a viewer is attached to a session in another process: its rights, its connection, and what it has missed. */

/** News of the connection. */
export interface AttachmentNotice {
  /** Counts from 1. */
  readonly seq: number
  /** One line: `connected again after 14 s: 35 journal entries and 12 exchanges came meanwhile`. */
  readonly text: string
  /** `lost`: there is no connection; `back`: to the same session; `restarted`: to another one. */
  readonly kind: 'lost' | 'back' | 'restarted'
}

/** Sequence numbers after the first one, up to the last. */
export interface SeqRange {
  readonly after: number
  readonly to: number
}

/** What came while there was no connection. */
export interface MissedChanges {
  readonly facts: SeqRange
  readonly exchanges: SeqRange
}

export interface Attachment {
  readonly url: string
  /** Id of the session that answers: another one after a restart. */
  readonly session: string
  /** Nothing can be changed. */
  readonly readOnly: boolean
  /** The last news, oldest first. */
  readonly notices: readonly AttachmentNotice[]
  /** What came during the last interruption; absent where nothing did. */
  readonly missed?: MissedChanges
}
