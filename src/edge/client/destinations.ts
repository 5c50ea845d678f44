/** Where each role answers and how to get there: our own by socket or in process, the subject by its URL or its handler. */
import type { WebhookName } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'
import type { Reach } from '../server/messages.ts'
import { fetchReach } from './transport.ts'
import type { Party } from '../../traffic/exchange.ts'
import type { FetchHandler } from '../../session-api/session.ts'

/** Where a role answers, and how to get there. */
export interface Destination {
  readonly base: string
  readonly reach: Reach
  readonly party: Party['party']
  /** The paths of its webhooks. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
}

export interface DestinationOptions {
  /** The base URL of each role that we play. */
  readonly urls: ReadonlyMap<Role, string>
  /** How our own roles reach each other. */
  readonly own: (role: Role) => Reach
  readonly sockets: Reach
  /** How long a handler may take to answer. */
  readonly timeoutMs: number
  /** Further Delivery Platforms, for what the usual one does not deliver. */
  readonly platforms: readonly string[]
  readonly subject: {
    readonly role?: Role | undefined
    readonly url?: string | undefined
    readonly handler?: FetchHandler | undefined
    readonly webhooks: Readonly<Record<WebhookName, string>>
  }
}

/** The address of a role in this process: a name that no resolver knows, so nothing can leak to a network. */
export const inProcessUrl = (role: Role): string => `http://${role}.test`

export const createDestinations =
  ({ urls, own, sockets, timeoutMs, platforms, subject }: DestinationOptions) =>
  (role: Role, platform?: number): Destination | undefined => {
    const { webhooks } = subject
    const other = platform === undefined ? undefined : platforms[platform - 1]
    if (other !== undefined)
      return { base: other.replace(/\/+$/, ''), reach: sockets, party: 'partner', webhooks }
    const url = urls.get(role)
    if (url !== undefined) return { base: url, reach: own(role), party: 'sparring', webhooks }
    if (role !== subject.role) return undefined
    const there = { party: 'subject', webhooks } as const
    if (subject.handler)
      return { ...there, base: inProcessUrl(role), reach: fetchReach(subject.handler, timeoutMs) }
    return subject.url === undefined
      ? undefined
      : { ...there, base: subject.url.replace(/\/+$/, ''), reach: sockets }
  }
