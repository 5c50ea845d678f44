/**
 * Initial conditions of a world, so that it can be reproduced: non-default settings only, without addresses, ports and
 * secrets, which belong to this machine.
 */
import type { Configuration } from '../configuration/schema.ts'
import type { Instant } from '../engine/instant.ts'
import type { InitialConditions } from '../session-api/session-api.ts'
import { defaultConfiguration } from '../configuration/defaults.ts'
import { isGroup } from '../protocol/group.ts'

const machineKeys: ReadonlySet<string> = new Set(['port', 'credentials', 'others'])

/** Deep difference of a value from its default; undefined when they are equal. */
function nonDefault(value: unknown, fallback: unknown): unknown {
  if (!isGroup(value)) return JSON.stringify(value) === JSON.stringify(fallback) ? undefined : value
  const own: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) {
    const rest = machineKeys.has(key)
      ? undefined
      : nonDefault(each, isGroup(fallback) ? fallback[key] : undefined)
    if (rest !== undefined) own[key] = rest
  }
  return Object.keys(own).length > 0 ? own : undefined
}

export function initialConditionsOf(
  configuration: Configuration,
  seed: number,
  origin: Instant,
): InitialConditions {
  const { counterparts, conduct, judgement, capabilities, protocol, clock, faults } = configuration
  const compared = { counterparts, conduct, judgement, capabilities, protocol }
  const session = nonDefault(compared, defaultConfiguration())
  return { seed, origin, clock, faults, session: isGroup(session) ? session : {} }
}
