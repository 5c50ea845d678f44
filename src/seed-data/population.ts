/**
 * The population: merchants with menus, customers with addresses, couriers. Built once from a seed, then plain readonly
 * data that the order generator draws from; the same chance and instant always give the same population.
 */
import type { Population, PopulationWish } from './types.ts'

/** Builds a population. Its libraries are imported dynamically: a session without one does not load them. */
export async function createPopulation(options: PopulationWish): Promise<Population> {
  const { settle } = await import('./fill-tables.ts')
  return settle(options)
}
