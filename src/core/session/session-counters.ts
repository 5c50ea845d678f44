/** Counts what happens in a session for monitoring, through all of its worlds: a reset or a fork takes nothing back. */
import type { Engine } from '../engine/engine.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { createTrafficCounters, type TrafficCounters } from '../traffic/traffic-counters.ts'

export interface SessionCounters {
  readonly traffic: TrafficCounters
  /** Faults that fired, by name. */
  readonly faultsFired: ReadonlyMap<string, number>
  readonly worlds: () => number
  /** Counts what happens in one more world. */
  readonly addWorld: (engine: Pick<Engine, 'onFact'>) => void
}

export function createSessionCounters(log: Pick<TrafficLog, 'onExchange'>): SessionCounters {
  const traffic = createTrafficCounters()
  const faultsFired = new Map<string, number>()
  let worlds = 0
  log.onExchange(traffic.count)
  return {
    traffic,
    faultsFired,
    worlds: () => worlds,
    addWorld(engine) {
      worlds++
      engine.onFact(({ fact }) => {
        if (fact.kind !== 'fault.fired') return
        faultsFired.set(fact.name, (faultsFired.get(fact.name) ?? 0) + 1)
      })
    },
  }
}
