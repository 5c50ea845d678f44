/** The four kinds of systems that the protocol joins. */
import { z } from 'zod'

export const roles = [
  'ordering-application',
  'software-service',
  'delivery-platform',
  'crm',
] as const

export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

/** What a role is called where there is little room: a column, a log line. */
export const shortName: Record<Role, string> = {
  'ordering-application': 'OA',
  'software-service': 'SS',
  'delivery-platform': 'DP',
  crm: 'CRM',
}

/** What a role is called in a sentence. */
export const fullName: Record<Role, string> = {
  'ordering-application': 'Ordering Application',
  'software-service': 'Software Service',
  'delivery-platform': 'Delivery Platform',
  crm: 'CRM',
}
