/** The kinds of edits by hand, and the events that one may change. */
import type { Announcement } from '../announcements/announcement.ts'
import type { EmittedEvent } from '../emitted-event.ts'

/** The kind of an edit. */
export type EditKind =
  | 'plan'
  | 'duplicate'
  | 'hold'
  | 'release'
  | 'drop'
  | 'delay'
  | 'move'
  | 'edit'

/** An event as stored in the world. */
export type StoredEvent = EmittedEvent | Announcement
