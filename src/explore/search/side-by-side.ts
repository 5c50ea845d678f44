/**
 * Which schedules can run side by side in one session: those with the same shared faults, and none that must be alone. A rate
 * limit of one is a limit of its client: what holds back for long runs beside its like.
 */
import { hasTrait } from '../../core/faults/catalogue.ts'
import { type Schedule, sessionKey } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'

/** So long a pause of all calls of a client is nothing to others, in ms. */
const shortPauseMs = 5000

const holdsBackOthers = ({ faults }: Schedule): boolean =>
  faults.some((each) => hasTrait(each, 'client-wide') && Number(each.options['by']) > shortPauseMs)

export function sideBySide(
  schedules: readonly Schedule[],
  workloads: ReadonlyMap<string, Workload>,
  width: number,
): readonly (readonly Schedule[])[] {
  const isAlone = ({ workload }: Schedule): boolean => workloads.get(workload)?.isExclusive === true
  const groups = Map.groupBy(
    schedules.filter((each) => !isAlone(each)),
    (each) => `${holdsBackOthers(each)} ${sessionKey(each)}`,
  )
  const packed = [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / width) }, (_, part) =>
      group.slice(part * width, (part + 1) * width),
    ),
  )
  return [...packed, ...schedules.filter(isAlone).map((each) => [each])]
}
