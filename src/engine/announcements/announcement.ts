/**
 * An event of any capability but Orders, as its host announced it: made whole once, with its id, so every try of its
 * webhook carries the same bytes. Orders keep their own, since polls see them as well.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'

export interface Announcement {
  readonly eventId: string
  readonly eventType: string
  readonly from: Role
  readonly to: Role
  /** The webhook that takes it at the receiver. */
  readonly operation: OperationId
  /** What it is about: an account, a delivery, a customer … */
  readonly entityId: string
  readonly orderId?: string
  /** The store, for the webhook's X-App-MerchantId. */
  readonly merchantId?: string
  /** What goes over the wire. */
  readonly body: unknown
}

export interface AnnouncementsWorld {
  /** By event id, oldest first. */
  readonly events: Map<string, Announcement>
  /** Events whose webhook waits until its receiver may be called, and the attempt that waits. */
  readonly waiting: Map<string, number>
}

export const createAnnouncementsWorld = (): AnnouncementsWorld => ({
  events: new Map(),
  waiting: new Map(),
})

/** Announcements that are kept: what is older can no longer be sent again. */
export const mostAnnouncements = 50_000
