/**
 * Changes the settings of a running session to those of another configuration, as far as they can take effect at once.
 */
import type { Configuration } from '../session-api/configuration/schema.ts'
import {
  type ChangedSetting,
  changedSettings,
  settingsAt,
  withSettings,
} from '../session-api/configuration/setting-effects.ts'
import type { Engine } from '../engine/engine.ts'
import type { SettingChange } from '../engine/session/setting-change.ts'
import { problem } from '../base/problem.ts'
import type { WorldConfiguration } from './world-configuration.ts'
import type { FaultPort } from '../engine/faults/fault.ts'

/** Lazy loader for the fault catalogue of a session. */
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

interface ConfigureOptions {
  readonly current: Configuration
  readonly desired: Configuration
  readonly parts: WorldConfiguration
  readonly engine: Engine
  readonly faults: FaultLoader
}

/** What is in one list and not in the other, as often as it is there. */
function without(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const left = others.map((each) => JSON.stringify(each))
  return list.filter((each) => {
    const index = left.indexOf(JSON.stringify(each))
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
}

/** Faults of the configuration are added and removed as those that are added by hand. */
async function changeFaults({ current, desired, engine, faults }: ConfigureOptions): Promise<void> {
  const removed = without(current.faults, desired.faults)
  const added = without(desired.faults, current.faults)
  if (removed.length + added.length === 0) return
  const port = await faults.load()
  for (const spec of removed) {
    const checked = port.check(spec)
    for (const { text } of checked.ok ? checked.value : []) {
      const live = [...engine.world.faults.live.values()].find((fault) => fault.text === text)
      // It may have been removed by hand, or be spent.
      if (live) engine.submit({ kind: 'fault.remove', id: live.id }, 'session')
    }
  }
  for (const spec of added) {
    const decision = engine.submit({ kind: 'fault.add', spec }, 'session')
    if (!decision.ok)
      throw problem('reading the faults', decision.error.message, 'See sparring list faults.')
  }
}

/** Returns every setting that differs; those of the effect `now` have been changed. */
export async function configureSession(
  options: ConfigureOptions,
): Promise<readonly ChangedSetting[]> {
  const { current, desired, parts, engine } = options
  const changed = changedSettings(current, desired)
  const changes = changed.flatMap(({ effect, ...change }) => (effect === 'now' ? [change] : []))
  if (changes.length === 0) return changed
  // Orders are made up as soon as the settings have changed.
  await parts.population(withSettings(current, changes)).load()
  engine.submit({ kind: 'session.configure', changes }, 'session')
  await changeFaults(options)
  return changed
}

/** Changes single settings, of those of the effect `now`, and returns what they were. */
export function changeSettings(
  current: Configuration,
  changes: readonly SettingChange[],
  engine: Engine,
): readonly SettingChange[] {
  const before = settingsAt(current, changes)
  engine.submit({ kind: 'session.configure', changes }, 'session')
  return before
}
