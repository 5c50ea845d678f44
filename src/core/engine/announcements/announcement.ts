/**
 * An event of any capability but Orders, as announced by its host: composed once, with its id, so every attempt of its
 * webhook carries the same bytes. Orders has its own events, since polls return them as well.
 */
import { type OperationId, operations } from '../../protocol/catalogue.ts'
import type { Instant } from '../instant.ts'
import { type Role, roles } from '../../protocol/role.ts'

export interface Announcement {
  readonly eventId: string
  readonly eventType: string
  readonly from: Role
  readonly to: Role
  /** The webhook operation at the receiver. */
  readonly operation: OperationId
  /** Id of the account, delivery, customer … */
  readonly entityId: string
  readonly orderId?: string
  /** The store, for the webhook's X-App-MerchantId. */
  readonly merchantId?: string
  /** The body on the wire. */
  readonly body: unknown
}

export interface AnnouncementsWorld {
  /** By event id, oldest first. */
  readonly events: Map<string, Announcement>
  /** Events whose webhook waits until its receiver may be called, with the attempt number. */
  readonly waiting: Map<string, number>
  /** Until when a receiver has asked for a pause of its webhook, by receiver and operation. */
  readonly pausedUntil: Map<string, Instant>
  /** The endpoints of receivers, by the same keys. */
  readonly endpoints: Map<string, WebhookEndpoint>
}

export interface WebhookEndpoint {
  /** How many webhooks have failed in a row. */
  readonly failures: number
  /** It was switched off (conduct.webhookDisableAfter). */
  readonly isOff: boolean
}

type Webhook = Pick<Announcement, 'to' | 'operation'>

export const orderWebhook = {
  from: 'ordering-application',
  to: 'software-service',
  operation: 'receiveOrderEvent',
} as const satisfies Webhook & Pick<Announcement, 'from'>

/** The key of `pausedUntil`; without an announcement it is that of an event of Orders. */
export const webhookKey = ({ to, operation }: Webhook = orderWebhook): string =>
  `${to} ${operation}`

/** Whether a text names the webhook of a role: `software-service receiveOrderEvent`. */
export function isWebhookKey(text: string): boolean {
  const [to, id, ...more] = text.split(' ')
  return (
    more.length === 0 &&
    roles.some((role) => role === to) &&
    operations.some((row) => row.id === id && row.webhook !== undefined)
  )
}

export const createAnnouncementsWorld = (): AnnouncementsWorld => ({
  events: new Map(),
  waiting: new Map(),
  pausedUntil: new Map(),
  endpoints: new Map(),
})

/** An endpoint at which nothing has failed since its last success. */
export const untroubled: WebhookEndpoint = { failures: 0, isOff: false }

/** Maximum number of stored announcements: evicted ones can no longer be sent. */
export const maxAnnouncements = 50_000
