/**
 * Client credentials where the configuration names none: of our roles at the service, and of the service at our roles.
 */
import type { Role } from '../role.ts'

export const defaultClient = (
  role: Role,
): { readonly clientId: string; readonly clientSecret: string } => ({
  clientId: `sparring-${role}`,
  clientSecret: `secret-of-${role}`,
})

export const defaultServiceCredentials = { clientId: 'subject', clientSecret: 'secret' } as const
