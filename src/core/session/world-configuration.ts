/**
 * What a world gets from its configuration: settings, reactors and population. In a live session they follow the settings
 * that facts of the world have changed, so a world that is folded to an earlier fact has the settings of then.
 */
import { ownMerchantsOf } from '../session-api/configuration/own-merchants.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { withSettings } from '../session-api/configuration/setting-effects.ts'
import type { SettingChange } from '../engine/session/setting-change.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import type { Settings } from '../engine/settings.ts'
import type { Role } from '../protocol/role.ts'
import type { MerchantIdentity } from '../partners/seed-data/merchants.ts'
import { createSessionPopulation, type SessionPopulation } from './population.ts'
import { createReactors } from './reactors.ts'
import { engineSettings } from './settings.ts'
import { knownStores } from './stores.ts'

export interface WorldConfigurationOptions {
  /** The configuration with which the world begins. */
  readonly base: Configuration
  readonly roles: readonly Role[]
  /** The roles that can be called. */
  readonly reachable: ReadonlySet<Role>
  readonly stores: readonly MerchantIdentity[]
  readonly populationSeed: number
  readonly origin: Instant
  /** Whether settings may change. */
  readonly isLive: boolean
  readonly startsSubject: boolean
}

export interface WorldConfiguration {
  readonly settings: Settings
  readonly configured: ((changes: readonly SettingChange[]) => Settings) | undefined
  readonly reactors: readonly Reactor[]
  /** The configuration after changes. */
  readonly after: (changes: readonly SettingChange[]) => Configuration
  readonly population: (configuration: Configuration) => SessionPopulation
}

/** Remembers the last result: its argument is compared by identity, and seldom another one. */
function remembered<Argument, Result>(compute: (argument: Argument) => Result) {
  let last: { readonly argument: Argument; readonly result: Result } | undefined
  return (argument: Argument): Result => {
    if (last?.argument !== argument) last = { argument, result: compute(argument) }
    return last.result
  }
}

export function createWorldConfiguration({
  base,
  roles,
  reachable,
  stores,
  populationSeed,
  origin,
  isLive,
  startsSubject,
}: WorldConfigurationOptions): WorldConfiguration {
  const populations = new Map<string, SessionPopulation>()
  const population = remembered((configuration: Configuration): SessionPopulation => {
    const own = ownMerchantsOf(configuration)
    const key = JSON.stringify(own)
    const found = populations.get(key) ?? createSessionPopulation(populationSeed, origin, own)
    populations.set(key, found)
    return found
  })
  const settingsOf = remembered((configuration: Configuration) => ({
    ...engineSettings(configuration, roles, knownStores(stores, ownMerchantsOf(configuration))),
    ...(startsSubject ? { startsSubject } : {}),
  }))
  const reactorsOf = remembered((configuration: Configuration) =>
    createReactors(configuration, roles, reachable, (...wanted) =>
      population(configuration).order(...wanted),
    ),
  )
  const after = remembered((changes: readonly SettingChange[]) => withSettings(base, changes))
  const reactors = reactorsOf(base)
  /** Changes that take effect at once add no reactor and remove none. */
  const follow =
    (index: number): Reactor =>
    (fact, context) =>
      reactorsOf(after(context.world.configured.changes))[index]?.(fact, context) ?? []
  return {
    settings: settingsOf(base),
    configured: isLive ? (changes) => settingsOf(after(changes)) : undefined,
    reactors: isLive ? reactors.map((_, index) => follow(index)) : reactors,
    after,
    population,
  }
}
