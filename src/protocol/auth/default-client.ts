/** The client credentials that a role which we play has at a service, where the configuration names none. */
import type { Role } from '../role.ts'

export const defaultClient = (
  role: Role,
): { readonly clientId: string; readonly clientSecret: string } => ({
  clientId: `sparring-${role}`,
  clientSecret: `secret-of-${role}`,
})
