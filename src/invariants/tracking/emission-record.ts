/** A tracked event: the emitted event and its handovers and acknowledgments. */
import type { Announcement } from '../../engine/announcements/announcement.ts'
import type { Instant } from '../../engine/instant.ts'
import type { TrackedEvent, TrackedOrder } from './tracker-state.ts'
import type { UnacknowledgedEvent } from './unacknowledged-event.ts'
import type { EmittedEvent } from '../../engine/emitted-event.ts'

/** Thousands are retained, so it refers to the host's record instead of copying it. */
export class EmissionRecord implements TrackedEvent {
  readonly ordinal: number
  readonly order: TrackedOrder | undefined
  readonly emittedAt: Instant
  readonly #event: EmittedEvent | Announcement
  handoverCount = 0
  callsInFlight = 0
  isChanged = false
  isAcknowledged = false
  isFoundOut = false
  owed: UnacknowledgedEvent | undefined = undefined
  pressing: UnacknowledgedEvent | undefined = undefined
  lastNamedAt: Instant | undefined = undefined
  timesNamed = 0

  constructor(
    nth: number,
    event: EmittedEvent | Announcement,
    order: TrackedOrder | undefined,
    emitted: Instant,
  ) {
    this.ordinal = nth
    this.order = order
    this.emittedAt = emitted
    this.#event = event
  }

  get eventId(): string {
    return this.#event.eventId
  }

  get eventType(): string {
    return this.#event.eventType
  }

  get orderId(): string | undefined {
    return this.order?.orderId ?? this.#event.orderId
  }

  get isOfOrders(): boolean {
    return 'createdAt' in this.#event
  }

  get createdAt(): string | undefined {
    const event = this.#event
    const isAsMade = 'createdAt' in event && event.more === undefined && !this.isChanged
    return isAsMade ? event.createdAt : undefined
  }
}
