/**
 * Who lives here: merchants with their menus, customers with their addresses, couriers. Built once from a seed, then
 * plain readonly data that makers of orders index into; the same chance and instant always give the same people.
 */
import type { Population, PopulationWish } from './types.ts'

/** A population from a seed. The libraries behind it are loaded only now: whoever needs no town does not wait for them. */
export async function createPopulation(wish: PopulationWish): Promise<Population> {
  const { settle } = await import('./fill-tables.ts')
  return settle(wish)
}
