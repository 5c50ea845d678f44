/** The four roles of the protocol, and the names under which people type and read them. */

export const roles = [
  'ordering-application',
  'software-service',
  'delivery-platform',
  'crm',
] as const

export type Role = (typeof roles)[number]

/** Abbreviation of a role, for columns and log lines. */
export const shortRoleName: Record<Role, string> = {
  'ordering-application': 'OA',
  'software-service': 'SS',
  'delivery-platform': 'DP',
  crm: 'CRM',
}

/** Short names of roles, understood wherever a role is typed; `crm` is short already. */
export const roleAliases = {
  oa: 'ordering-application',
  ss: 'software-service',
  pos: 'software-service',
  dp: 'delivery-platform',
} as const satisfies Readonly<Record<string, Role>>

const rolesByName: ReadonlyMap<string, Role> = new Map([
  ...roles.map((role) => [role, role] as const),
  ...Object.entries(roleAliases),
])

/** The role of a name as people write it: whole, or short, in any case. */
export const roleNamed = (name: string): Role | undefined => rolesByName.get(name.toLowerCase())

/** The roles with their short names, for help and messages: `software-service (ss, pos)`. */
export const roleNamesText = roles
  .map((role) => {
    const aliases = Object.entries(roleAliases).flatMap(([alias, named]) =>
      named === role ? [alias] : [],
    )
    return aliases.length === 0 ? role : `${role} (${aliases.join(', ')})`
  })
  .join(', ')

/** Full name of a role, for sentences. */
export const fullRoleName: Record<Role, string> = {
  'ordering-application': 'Ordering Application',
  'software-service': 'Software Service',
  'delivery-platform': 'Delivery Platform',
  crm: 'CRM',
}
