/** The four roles of the protocol. */
import { z } from 'zod'

export const roles = [
  'ordering-application',
  'software-service',
  'delivery-platform',
  'crm',
] as const

export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

/** Abbreviation of a role, for columns and log lines. */
export const shortRoleName: Record<Role, string> = {
  'ordering-application': 'OA',
  'software-service': 'SS',
  'delivery-platform': 'DP',
  crm: 'CRM',
}

const shortNames: Readonly<Record<string, Role>> = {
  oa: 'ordering-application',
  ss: 'software-service',
  pos: 'software-service',
  dp: 'delivery-platform',
}

/** The role of a name as people write it: whole, or short. */
export const roleNamed = (name: string): Role | undefined =>
  roles.find((role) => role === name) ?? shortNames[name.toLowerCase()]

/** Full name of a role, for sentences. */
export const fullRoleName: Record<Role, string> = {
  'ordering-application': 'Ordering Application',
  'software-service': 'Software Service',
  'delivery-platform': 'Delivery Platform',
  crm: 'CRM',
}
