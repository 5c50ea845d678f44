/** Whom rules about calls bind: every role calls somebody. */
import { type Role, roles } from '../../protocol/role.ts'

export const everyRole: readonly Role[] = roles
