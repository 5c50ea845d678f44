/** Roles that rules about calls apply to: every role makes calls. */
import { type Role, roles } from '../../protocol/role.ts'

export const allRoles: readonly Role[] = roles
