/**
 * Population of one world of a session, generated on first use: loading the generator takes longer than the rest of a
 * start, and many sessions never need it.
 */
import type { Configuration } from '../session-api/configuration/schema.ts'
import { createChance } from '../engine/chance.ts'
import type { Instant } from '../engine/instant.ts'
import { generateOrder } from '../partners/seed-data/orders.ts'
import type { OwnSeedData } from '../partners/seed-data/own-seed-data.ts'
import { createPopulation } from '../partners/seed-data/population.ts'
import type { Role } from '../protocol/role.ts'
import type { MakeOrder } from './reactors.ts'
import type { Population } from '../partners/seed-data/types.ts'

export interface SessionPopulation {
  readonly load: () => Promise<Population>
  /** Generates an order; requires the population to be loaded. */
  readonly order: MakeOrder
}

/**
 * LRU cache of populations by seed, instant and the user's own merchants and items: a rewind, a repeated scenario and a replay use the same one, and none
 * is ever changed. Filling its tables takes longer than many a scenario.
 */
const cache = new Map<string, Promise<Population>>()
const maxCached = 8

function cachedPopulation(seed: number, now: Instant, own: OwnSeedData): Promise<Population> {
  const key = JSON.stringify([seed, now, own])
  const population =
    cache.get(key) ?? createPopulation({ chance: createChance(seed, 'population'), now, own })
  // Reinsert: a Map iterates oldest first, so eviction takes the least recently used.
  cache.delete(key)
  cache.set(key, population)
  for (const [oldest] of cache) if (cache.size > maxCached) cache.delete(oldest)
  return population
}

/** Deterministic: the same arguments give the same population, whenever it is loaded. */
export function createSessionPopulation(
  seed: number,
  now: Instant,
  own: OwnSeedData,
): SessionPopulation {
  let population: Population | undefined

  return {
    async load() {
      population ??= await cachedPopulation(seed, now, own)
      return population
    },
    order(chance, instant, type, { regular, merchantId, place } = {}) {
      if (!population) throw new Error('an order is made before anybody lives here')
      // A place that an event names may be of a merchant that is none of ours.
      const isKnown = merchantId !== undefined && population.merchantById.has(merchantId)
      const { regulars } = population
      return generateOrder({
        population,
        chance,
        now: instant,
        type,
        ...(isKnown ? { merchantId, place } : {}),
        ...(regular === undefined ? {} : { customer: regulars[regular % regulars.length] }),
      })
    },
  }
}

/**
 * Generated orders need a loaded population. On the virtual clock it is always loaded first: loading time must not decide
 * whether the first order comes before or after a subject's action.
 */
export const needsPopulation = (
  { counterparts, clock }: Configuration,
  roles: readonly Role[],
): boolean =>
  Boolean(counterparts['ordering-application'].orders.every) ||
  (clock === 'virtual' && roles.includes('ordering-application'))
