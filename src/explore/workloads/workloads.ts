/** The built-in workloads, by the role that the subject plays. */
import type { Role } from '../../core/protocol/role.ts'
import { createWorkload, type RoleWorkloads, type Workload } from './workload.ts'
import { crmWorkloads } from './crm.ts'
import { deliveryPlatformWorkloads } from './delivery-platform.ts'
import { orderingApplicationWorkloads } from './ordering-application.ts'
import { softwareServiceWorkloads } from './software-service.ts'

const catalogue: Readonly<Record<Role, RoleWorkloads>> = {
  'software-service': softwareServiceWorkloads,
  'ordering-application': orderingApplicationWorkloads,
  'delivery-platform': deliveryPlatformWorkloads,
  crm: crmWorkloads,
}

export const workloadsOf = (subject: Role): readonly Workload[] =>
  Object.entries(catalogue[subject]).map(([name, each]) =>
    createWorkload({ name, ...each, subjects: [subject] }),
  )
