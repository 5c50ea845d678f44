/** Ids of the applications of our roles: what a webhook's X-App-Id names, and a manifest whose ids are UUIDs. */
import type { Role } from '../role.ts'

/** The same in every session, as those of a real partner are. */
export const applicationIds: Readonly<Record<Role, string>> = {
  'ordering-application': '5a1f0c52-6c1e-4a55-9d0b-2f7f6a0e1b01',
  'software-service': '5a1f0c52-6c1e-4a55-9d0b-2f7f6a0e1b02',
  'delivery-platform': '5a1f0c52-6c1e-4a55-9d0b-2f7f6a0e1b03',
  crm: '5a1f0c52-6c1e-4a55-9d0b-2f7f6a0e1b04',
}
