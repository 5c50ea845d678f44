/**
 * Which schedules can run side by side in one session: those with the same shared faults, and none that must be alone.
 */
import { type Schedule, sessionKey } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'

export function sideBySide(
  schedules: readonly Schedule[],
  workloads: ReadonlyMap<string, Workload>,
  width: number,
): readonly (readonly Schedule[])[] {
  const isAlone = ({ workload }: Schedule): boolean => workloads.get(workload)?.isExclusive === true
  const groups = Map.groupBy(
    schedules.filter((each) => !isAlone(each)),
    sessionKey,
  )
  const packed = [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / width) }, (_, part) =>
      group.slice(part * width, (part + 1) * width),
    ),
  )
  return [...packed, ...schedules.filter(isAlone).map((each) => [each])]
}
