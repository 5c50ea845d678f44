/**
 * Two ways to make credentials: one for an application, whatever stores it serves, or one for each store (AUT-CRE-01).
 * What a role declares is what its token endpoint takes; Logistics wants credentials of applications (AUT-CRE-02).
 */
import type { Role } from '../../protocol/role.ts'
import type { Client, Settings } from '../settings.ts'

export type CredentialModel = 'by_app' | 'by_merchant'

/** What of the settings this depends on. */
type Known = Pick<Settings, 'conduct' | 'clients' | 'roles'>

/** A credential that stands for exactly one store was made for it. */
const modelOf = ({ merchants }: Client): CredentialModel =>
  merchants?.length === 1 ? 'by_merchant' : 'by_app'

/** The models that a role declares: as configured, or as the clients are that there are. */
export function credentialModelsOf(
  host: Role,
  { conduct, clients }: Omit<Known, 'roles'>,
): readonly CredentialModel[] {
  if (host === 'delivery-platform') return ['by_app']
  if (conduct.clientIdGeneration) return conduct.clientIdGeneration
  return clients.some((client) => modelOf(client) === 'by_merchant')
    ? ['by_app', 'by_merchant']
    : ['by_app']
}

/**
 * Why a role does not take this credential; undefined when it does. Where stores have credentials of their own and only
 * those are declared, one of an application will not do; as long as there are none, it has to.
 */
export function unfit(client: Client, host: Role, settings: Known): string | undefined {
  const models = credentialModelsOf(host, settings)
  const model = modelOf(client)
  if (models.includes(model)) return undefined
  if (model === 'by_merchant')
    return `${client.clientId} was made for one merchant, and credentials are made per application here`
  // Our own counterparts know each other, whatever a stranger has to show.
  if (settings.roles.includes(client.role)) return undefined
  const stores = settings.clients.some(
    (each) => each.role === client.role && modelOf(each) === 'by_merchant',
  )
  return stores
    ? `${client.clientId} was made for an application, and credentials are made per merchant here`
    : undefined
}
