/** Where orders originate: inside the Ordering Application, and no operation creates one elsewhere (ORD-GEN-03). */
import { type Role, fullRoleName } from '../../protocol/role.ts'

const origin: Role = 'ordering-application'

/** Why no order can be created in this session; undefined when we play the Ordering Application. */
export function foreignOrigin(
  roles: readonly Role[],
  subject: Role | undefined,
): string | undefined {
  if (roles.includes(origin)) return undefined
  return subject === origin
    ? 'orders originate in your service, the Ordering Application: create it there, and CREATED brings it here'
    : `orders originate in the ${fullRoleName[origin]}, which is not played here: start a session that plays it`
}
