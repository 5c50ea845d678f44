/** Built-in workloads by their names, as scenarios that a campaign is given: fewer of them make it short. */
import { workloadsOf } from '../../src/explore/workloads/workloads.ts'
import type { Workload } from '../../src/explore/workloads/workload.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import type { ScenarioInput } from '../../src/core/scenario/schema.ts'

export const writtenWorkloads = (role: Role, names: readonly string[]): readonly ScenarioInput[] =>
  workloadsOf(role)
    .filter(({ name }) => names.includes(name))
    .map(({ name, about, written, session }: Workload) => ({
      name,
      about,
      subject: role,
      ...written,
      session: session as NonNullable<ScenarioInput['session']>,
    }))

/** One order that is picked up, and one that is delivered. */
export const twoWorkloads = writtenWorkloads('software-service', ['takeout', 'delivery'])
