/** Lazy loader for the fault catalogue of a session. */
import type { Engine } from '../engine/engine.ts'
import type { FaultPort } from '../engine/faults/fault.ts'
import { problem } from '../base/problem.ts'

export interface FaultLoader {
  readonly port: () => FaultPort | undefined
  readonly load: () => Promise<FaultPort>
}

export function createFaultLoader(): FaultLoader {
  let port: FaultPort | undefined
  return {
    port: () => port,
    async load() {
      port ??= (await import('../faults/port.ts')).faultPort
      return port
    },
  }
}

/** Adds the configured faults at session start; throws a `Problem` for an invalid one. */
export async function addConfiguredFaults(
  specs: readonly unknown[],
  faults: FaultLoader,
  engine: Engine,
): Promise<void> {
  if (specs.length === 0) return
  await faults.load()
  for (const spec of specs) {
    const added = engine.submit({ kind: 'fault.add', spec }, 'session')
    if (!added.ok)
      throw problem('reading the faults', added.error.message, 'See sparring list faults.', 2)
  }
}
