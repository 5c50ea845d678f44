/** Base URL and transport of each role: our own by socket or in process, the subject by its URL or its handler. */
import type { WebhookName } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'
import type { Transport } from '../server/messages.ts'
import { createFetchTransport } from './transport.ts'
import type { Party } from '../../traffic/exchange.ts'
import type { FetchHandler } from '../../session-api/session.ts'

/** Base URL and transport of one role. */
export interface Destination {
  /** It may have a query of its own: paths are joined to it by `joinUrl`. */
  readonly base: string
  readonly transport: Transport
  readonly party: Party['party']
  /** Paths of its webhooks. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
}

export interface DestinationOptions {
  /** Base URL of each role that we play. */
  readonly urls: ReadonlyMap<Role, string>
  /** Transport between our own roles. */
  readonly ownTransport: (role: Role) => Transport
  readonly socketTransport: Transport
  /** Roles that are played elsewhere in this process. */
  readonly elsewhere?: { readonly roles: readonly Role[]; readonly fetch: FetchHandler } | undefined
  /** Timeout of an in-process handler, in milliseconds. */
  readonly timeoutMs: number
  readonly counterparts: Readonly<Record<Role, { readonly url?: string | undefined }>> & {
    readonly 'delivery-platform': {
      /** URLs of further Delivery Platforms, for what the default one does not deliver. */
      readonly others: readonly string[]
    }
  }
  readonly subject: {
    readonly role?: Role | undefined
    readonly url?: string | undefined
    /** URLs of further processes of it. */
    readonly replicaUrls?: readonly string[] | undefined
    readonly handler?: FetchHandler | undefined
    readonly webhooks: Readonly<Record<WebhookName, string>>
  }
}

/** The URL of a role in this process: a host name that no resolver knows, so no request can leak to a network. */
export const inProcessUrl = (role: Role): string => `http://${role}.test`

export const createDestinations =
  ({
    urls,
    ownTransport,
    socketTransport,
    elsewhere,
    timeoutMs,
    counterparts,
    subject,
  }: DestinationOptions) =>
  /** Of several processes of the subject the calls go to each in turn. */
  (role: Role, platform?: number, turn = 0): Destination | undefined => {
    const { webhooks, replicaUrls = [] } = subject
    const partnerUrl =
      (platform === undefined
        ? undefined
        : counterparts['delivery-platform'].others[platform - 1]) ??
      (role === subject.role ? undefined : counterparts[role].url)
    if (partnerUrl !== undefined)
      return {
        base: partnerUrl,
        transport: socketTransport,
        party: 'partner',
        webhooks,
      }
    const url = urls.get(role)
    if (url !== undefined)
      return { base: url, transport: ownTransport(role), party: 'sparring', webhooks }
    if (elsewhere?.roles.includes(role))
      return {
        base: inProcessUrl(role),
        transport: createFetchTransport(elsewhere.fetch, timeoutMs),
        party: 'partner',
        webhooks,
      }
    if (role !== subject.role) return undefined
    const subjectDestination = { party: 'subject', webhooks } as const
    const base =
      turn === 0 ? subject.url : [subject.url, ...replicaUrls][turn % (replicaUrls.length + 1)]
    if (subject.handler)
      return {
        ...subjectDestination,
        base: base ?? inProcessUrl(role),
        transport: createFetchTransport(subject.handler, timeoutMs),
      }
    return base === undefined
      ? undefined
      : { ...subjectDestination, base, transport: socketTransport }
  }
