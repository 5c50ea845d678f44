/**
 * Who lives in one world of a session. They are made when somebody is needed for the first time: the libraries behind
 * them take longer to load than all the rest, and many a session never asks for anybody.
 */
import { type Chance, createChance } from '../engine/chance.ts'
import type { Instant } from '../engine/instant.ts'
import { makeOrder } from '../seed-data/orders.ts'
import { createPopulation } from '../seed-data/population.ts'
import type { Order, OrderType } from '../protocol/orders/order.ts'
import type { Population } from '../seed-data/types.ts'

export interface Town {
  readonly everybody: () => Promise<Population>
  /** An order that somebody places; it takes everybody to have moved in. */
  readonly order: (chance: Chance, now: Instant, type: OrderType) => Order
}

/**
 * The populations of the last worlds, by what they were made from: a rewind, a repeated scenario and a replay put up the
 * same town again, and nobody changes one. To fill its tables takes longer than many a scenario.
 */
const settled = new Map<string, Promise<Population>>()
const mostSettled = 8

function settledOf(seed: number, now: Instant): Promise<Population> {
  const key = `${seed}@${now}`
  const population =
    settled.get(key) ?? createPopulation({ chance: createChance(seed, 'population'), now })
  // Put in again, it is the youngest.
  settled.delete(key)
  settled.set(key, population)
  for (const [oldest] of settled) if (settled.size > mostSettled) settled.delete(oldest)
  return population
}

/** The same seed and instant give the same people, whenever they are asked for. */
export function createTown(seed: number, now: Instant): Town {
  let population: Population | undefined

  return {
    async everybody() {
      population ??= await settledOf(seed, now)
      return population
    },
    order(chance, instant, type) {
      if (!population) throw new Error('an order is made before anybody lives here')
      return makeOrder({ population, chance, now: instant, type })
    },
  }
}
