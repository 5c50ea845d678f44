/**
 * Initial conditions of a world, so that it can be reproduced: non-default settings only, without addresses, ports and
 * secrets, which belong to this machine.
 */
import type { Configuration } from '../configuration/schema.ts'
import type { Instant } from '../engine/instant.ts'
import type { Begun } from '../session-api/session-api.ts'
import { usualConfiguration } from '../configuration/defaults.ts'
import { isGroup } from '../protocol/group.ts'

const ofThisMachine: ReadonlySet<string> = new Set(['port', 'credentials', 'others'])

/** Deep difference of a value from its default; undefined when they are equal. */
function beyond(value: unknown, usual: unknown): unknown {
  if (!isGroup(value)) return JSON.stringify(value) === JSON.stringify(usual) ? undefined : value
  const own: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) {
    const rest = ofThisMachine.has(key)
      ? undefined
      : beyond(each, isGroup(usual) ? usual[key] : undefined)
    if (rest !== undefined) own[key] = rest
  }
  return Object.keys(own).length > 0 ? own : undefined
}

export function begunOf(configuration: Configuration, seed: number, origin: Instant): Begun {
  const { counterparts, conduct, judgement, capabilities, protocol, clock, faults } = configuration
  const told = { counterparts, conduct, judgement, capabilities, protocol }
  const session = beyond(told, usualConfiguration())
  return { seed, origin, clock, faults, session: isGroup(session) ? session : {} }
}
