/** Configuration of OAuth clients: the user's service, our counterparts at it, and further ones. */
import { z } from 'zod'
import { defaultClient, defaultServiceCredentials } from '../../protocol/auth/default-client.ts'
import type { Role } from '../../protocol/role.ts'
import { strictObject } from '../../base/lazy-object.ts'

export const HttpUrl = z.url({ protocol: /^https?$/, error: 'is no http or https URL' })

export const Merchants = z
  .array(z.string())
  .optional()
  .describe('the merchants that it sees: one for a credential made per merchant')

export const RedirectUris = z
  .array(HttpUrl)
  .default([])
  .describe('where an authorization for it may be sent; its own machine when none is named')

const clientIdText = z.string().min(1).describe('OAuth client id')
const clientSecretText = z.string().min(1).describe('OAuth client secret')

export const Credentials = strictObject(() => ({
  clientId: clientIdText.default(defaultServiceCredentials.clientId),
  clientSecret: clientSecretText.default(defaultServiceCredentials.clientSecret),
  merchants: Merchants,
  redirectUris: RedirectUris,
}))

/** Credentials of a role that we play, at your service. */
export function counterpartCredentials(role: Role) {
  const { clientId, clientSecret } = defaultClient(role)
  return z
    .strictObject({
      clientId: clientIdText.default(clientId),
      clientSecret: clientSecretText.default(clientSecret),
    })
    .prefault({})
    .describe('what it identifies itself with at your service, which has to accept it')
}
