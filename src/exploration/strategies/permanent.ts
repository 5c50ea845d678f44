/** Faults that never end by themselves: every call of one operation about one order fails, and the other orders must go on. */
import { createSchedule, faultClass } from '../schedule.ts'
import { sitesOf, type Strategy } from './strategy.ts'

const statuses = [500, 503] as const

export const permanent: Strategy = {
  name: 'permanent',
  about: 'every call of one operation about one order fails',
  draw(space, _turn, chance) {
    const workload = chance.pick(space.workloads)
    const failing = sitesOf(space, workload).flatMap(({ choices }) =>
      choices.filter(({ name, burst }) => name === 'fail' && burst !== undefined),
    )
    if (failing.length === 0) return undefined
    const kind = chance.pick([...new Set(failing.map(faultClass))].sort())
    const { burst: _burst, ...fault } = chance.pick(
      failing.filter((each) => faultClass(each) === kind),
    )
    const { faults } = createSchedule(workload, [
      { ...fault, options: { ...fault.options, status: chance.pick(statuses) } },
    ])
    return { workload, faults }
  },
}
