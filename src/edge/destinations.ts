/** Where each role answers and how to get there: our own by socket or in process, the subject by its URL or its handler. */
import type { Role } from '../protocol/role.ts'
import type { Destination } from './caller.ts'
import type { Reach } from './messages.ts'
import { fetchReach } from './reach.ts'

export type FetchHandler = (request: Request) => Promise<Response>

export interface DestinationOptions {
  /** The base URL of each role that we play. */
  readonly urls: ReadonlyMap<Role, string>
  /** How our own roles reach each other. */
  readonly own: (role: Role) => Reach
  readonly sockets: Reach
  readonly subject: {
    readonly role?: Role | undefined
    readonly url?: string | undefined
    readonly handler?: FetchHandler | undefined
    readonly webhookPath: string
  }
}

/** The address of a role in this process: a name that no resolver knows, so nothing can leak to a network. */
export const inProcessUrl = (role: Role): string => `http://${role}.test`

export const createDestinations =
  ({ urls, own, sockets, subject }: DestinationOptions) =>
  (role: Role): Destination | undefined => {
    const { webhookPath } = subject
    const url = urls.get(role)
    if (url !== undefined) return { base: url, reach: own(role), party: 'sparring', webhookPath }
    if (role !== subject.role) return undefined
    const there = { party: 'subject', webhookPath } as const
    if (subject.handler)
      return { ...there, base: inProcessUrl(role), reach: fetchReach(subject.handler) }
    return subject.url === undefined
      ? undefined
      : { ...there, base: subject.url.replace(/\/+$/, ''), reach: sockets }
  }
