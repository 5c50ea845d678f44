/**
 * Faults of the transport alone at a fixed rate, as a proxy between the two sides makes them: slow, hanging and reset
 * connections. For comparison; a campaign does not draw from it.
 */
import { isDrawn, pickByName, sitesOf, type Strategy } from './strategy.ts'

const transportFaults: ReadonlySet<string> = new Set([
  'slow-response',
  'hang',
  'reset',
  'slow-body',
])
const percent = 10

export const transport: Strategy = {
  name: 'transport',
  about: `${percent} % of the calls are slow, hang or are reset`,
  drawsShared: true,
  draw(space, _turn, chance) {
    const workload = chance.pick(space.workloads)
    const faults = [...sitesOf(space, workload), ...space.shared].flatMap(({ choices }) => {
      const possible = choices.filter(
        ({ name, burst }) => transportFaults.has(name) && burst === undefined,
      )
      if (possible.length === 0 || !isDrawn(percent, chance)) return []
      return pickByName(possible, chance) ?? []
    })
    return { workload, faults }
  },
}
