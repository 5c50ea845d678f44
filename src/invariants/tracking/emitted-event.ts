/** A tracked event: the emitted event and its handovers and acknowledgments. */
import type { Announcement } from '../../engine/announcements/announcement.ts'
import type { Instant } from '../../engine/instant.ts'
import type { EventWatch, OrderWatch } from './tracker-state.ts'
import type { Owed } from './unacknowledged-event.ts'
import type { EmittedEvent } from '../../engine/emitted-event.ts'

/** Thousands are retained, so it refers to the host's record instead of copying it. */
export class Emission implements EventWatch {
  readonly nth: number
  readonly order: OrderWatch | undefined
  readonly emitted: Instant
  readonly #event: EmittedEvent | Announcement
  handovers = 0
  calling = 0
  isChanged = false
  taken = false
  foundOut = false
  owed: Owed | undefined = undefined
  pressing: Owed | undefined = undefined
  named: Instant | undefined = undefined

  constructor(
    nth: number,
    event: EmittedEvent | Announcement,
    order: OrderWatch | undefined,
    emitted: Instant,
  ) {
    this.nth = nth
    this.order = order
    this.emitted = emitted
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
