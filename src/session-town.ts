/**
 * Who lives in one world of a session. They are made when somebody is needed for the first time: the libraries behind
 * them take longer to load than all the rest, and many a session never asks for anybody.
 */
import { type Chance, createChance } from './engine/chance.ts'
import type { Instant } from './engine/instant.ts'
import { makeOrder } from './fixtures/orders.ts'
import { createPopulation, type Population } from './fixtures/population.ts'
import type { Order, OrderType } from './protocol/orders/order.ts'

export interface Town {
  readonly everybody: () => Promise<Population>
  /** An order that somebody places; it takes everybody to have moved in. */
  readonly order: (chance: Chance, now: Instant, type: OrderType) => Order
}

/** The same seed and instant give the same people, whenever they are asked for. */
export function createTown(seed: number, now: Instant): Town {
  let moving: Promise<Population> | undefined
  let population: Population | undefined

  async function moveIn(): Promise<Population> {
    population = await createPopulation({ chance: createChance(seed, 'population'), now })
    return population
  }

  return {
    everybody: () => (moving ??= moveIn()),
    order(chance, instant, type) {
      if (!population) throw new Error('an order is made before anybody lives here')
      return makeOrder({ population, chance, now: instant, type })
    },
  }
}
