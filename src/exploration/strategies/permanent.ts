/** Faults that never end by themselves: every call of one operation about one order fails or hangs, and the other orders must go on. */
import { faultClass } from '../schedule.ts'
import { type SearchSpace, sitesOf, type Strategy } from './strategy.ts'

/** Faults that a partner may have for as long as it likes. */
const lasting: ReadonlySet<string> = new Set(['fail', 'hang'])
/** Longer than a service has to bring the other orders to their end. */
const faultPhaseMs = 150_000

/** The orders of a workload. */
const slotsOf = (space: SearchSpace, workload: string): ReadonlySet<string | undefined> =>
  new Set(sitesOf(space, workload).map(({ slot }) => slot))

export const permanent: Strategy = {
  name: 'permanent',
  about: 'every call of one operation about one order fails or hangs',
  draw(space, _turn, chance) {
    const several = space.workloads.filter((each) => slotsOf(space, each).size > 1)
    const workload = chance.pick(several.length > 0 && chance.oneIn(2) ? several : space.workloads)
    const failing = sitesOf(space, workload).flatMap(({ choices }) =>
      choices.filter(
        ({ name, match, burst }) => lasting.has(name) && (burst !== undefined || match.nth === 1),
      ),
    )
    if (failing.length === 0) return undefined
    const kind = chance.pick([...new Set(failing.map(faultClass))].sort())
    const { name, match, options } = chance.pick(
      failing.filter((each) => faultClass(each) === kind),
    )
    const { nth: _nth, ...everyAttempt } = match
    return { workload, faults: [{ name, match: everyAttempt, options }], faultPhaseMs }
  },
}
