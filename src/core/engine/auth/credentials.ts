/**
 * Credential models: one credential per application, whatever stores it serves, or one per store (AUT-CRE-01). A role's
 * token endpoint takes the models that the role declares; Logistics requires credentials of applications (AUT-CRE-02).
 */
import type { Role } from '../../protocol/role.ts'
import type { Client, Settings } from '../settings.ts'

export type CredentialModel = 'by_app' | 'by_merchant'

/** The settings that the credential models depend on. */
type CredentialSettings = Pick<Settings, 'conduct' | 'clients' | 'roles'>

/** A credential for exactly one store was made per merchant. */
const modelOf = ({ merchants }: Client): CredentialModel =>
  merchants?.length === 1 ? 'by_merchant' : 'by_app'

/** The models that a role declares: as configured, or derived from its clients. */
export function credentialModelsOf(
  host: Role,
  { conduct, clients }: Omit<CredentialSettings, 'roles'>,
): readonly CredentialModel[] {
  if (host === 'delivery-platform') return ['by_app']
  if (conduct.clientIdGeneration) return conduct.clientIdGeneration
  return clients.some((client) => modelOf(client) === 'by_merchant')
    ? ['by_app', 'by_merchant']
    : ['by_app']
}

/**
 * Why a role does not accept a credential; undefined when it does. Where stores have their own credentials and only
 * those are declared, one of an application is refused; while there are none, it is accepted.
 */
export function credentialProblem(
  client: Client,
  host: Role,
  settings: CredentialSettings,
): string | undefined {
  const models = credentialModelsOf(host, settings)
  const model = modelOf(client)
  if (models.includes(model)) return undefined
  if (model === 'by_merchant')
    return `${client.clientId} was made for one merchant, and credentials are made per application here`
  // Credentials between our own counterparts are always accepted.
  if (settings.roles.includes(client.role)) return undefined
  const stores = settings.clients.some(
    (each) => each.role === client.role && modelOf(each) === 'by_merchant',
  )
  return stores
    ? `${client.clientId} was made for an application, and credentials are made per merchant here`
    : undefined
}
