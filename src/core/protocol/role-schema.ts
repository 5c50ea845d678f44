/** Schemas of roles: by name in data, and by short name as well where people write them. */
import { z } from 'zod'
import { type Role, roleAliases, roles } from './role.ts'

export const RoleName = z.enum(roles)

type RoleAlias = keyof typeof roleAliases

const isAlias = (name: Role | RoleAlias): name is RoleAlias => Object.hasOwn(roleAliases, name)

/** A role in a configuration: `software-service`, `pos`. */
export const RoleChoice = z
  .enum([...roles, ...(Object.keys(roleAliases) as RoleAlias[])])
  .transform((name): Role => (isAlias(name) ? roleAliases[name] : name))
