/** How our counterparts behave while a service is certified: what a procedure does itself they must not do of their own accord. */
import type { Role } from '../protocol/role.ts'

/** The settings of the counterparts for a service of this role. */
export const certificationCounterparts = (
  role: Role,
): Readonly<Partial<Record<Role, { readonly temperament: 'passive' }>>> =>
  role === 'ordering-application' ? { 'software-service': { temperament: 'passive' } } : {}
