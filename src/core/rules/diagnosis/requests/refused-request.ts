/**
 * A request that one of our hosts refused, with what is needed to say why; and the sentences that several mistakes
 * share.
 */
import { type CatalogueRow, operation } from '../../../protocol/catalogue.ts'
import { defaultServiceCredentials } from '../../../protocol/auth/default-client.ts'
import { urlInDialect } from '../../../protocol/dialects/paths.ts'
import { fullRoleName, type Role } from '../../../protocol/role.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { Refusal } from '../../../engine/refusal.ts'
import type { Client, Settings } from '../../../engine/settings.ts'
import type { World } from '../../../engine/world.ts'

export interface RefusedRequest {
  readonly host: Role
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  readonly header: (name: string) => string | undefined
  readonly body: string
  readonly refusal: Pick<Refusal, 'code' | 'message' | 'unmet'>
  /** Absent for a path that is no operation of the host. */
  readonly row?: CatalogueRow
  readonly params: Readonly<Record<string, string>>
  /** The operations that the host serves. */
  readonly served: readonly CatalogueRow[]
  readonly settings: Settings
  readonly world: World
  readonly now: Instant
  /** The base URL of a role that we play; empty before it listens. */
  readonly urlOf: (role: Role) => string
}

/** How a refusal begins when the body is not JSON. */
export const noJsonText = 'the body is no JSON'

/** How a refusal begins when the body does not have the shape of its operation. */
export const invalidBodyText = 'the body is invalid'

/** `the Ordering Application` */
export const theRole = (role: Role): string => `the ${fullRoleName[role]}`

/** The clients that the user's service may be. */
const serviceClients = ({ subject = 'software-service', clients }: Settings): readonly Client[] =>
  clients.filter(({ role }) => role === subject)

/**
 * Client id and secret as the service must send them, of the client that it names or of its own; a secret that the user
 * chose is not printed.
 */
export function credentialsText(settings: Settings, named?: Client): string {
  const [own] = serviceClients(settings)
  const client = named ?? own
  if (!client) return 'the credentials of the configuration (clients)'
  const { clientId, clientSecret } = defaultServiceCredentials
  const isDefault = client.clientSecret === clientSecret && client.clientId === clientId
  const where = client === own ? 'subject.credentials' : 'clients'
  return `client_id=${client.clientId} and ${
    isDefault
      ? `client_secret=${clientSecret}`
      : `the client_secret of the configuration (${where})`
  }`
}

/** The names of the clients that may ask for a token. */
export const clientIds = (settings: Settings): readonly string[] =>
  serviceClients(settings).map(({ clientId }) => clientId)

/** `POST http://127.0.0.1:7101/oauth/token` */
export function tokenUrl({
  host,
  settings,
  urlOf,
}: Pick<RefusedRequest, 'host' | 'settings' | 'urlOf'>): string {
  const row = operation('issueToken')
  return `${row.method} ${urlInDialect(row, { role: host, base: urlOf(host) }, settings.conduct)}`
}
