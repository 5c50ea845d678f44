/** Faults that never end by themselves: every call of one operation about one order fails, and the other orders must go on. */
import { faultClass } from '../schedule.ts'
import { sitesOf, type Strategy } from './strategy.ts'

const statuses = [500, 503] as const
/** Longer than a service has to bring the other orders to their end. */
const faultPhaseMs = 150_000

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
    const status = chance.pick(statuses)
    return {
      workload,
      faults: [{ ...fault, options: { ...fault.options, status } }],
      faultPhaseMs,
    }
  },
}
