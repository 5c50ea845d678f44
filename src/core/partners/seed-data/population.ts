/**
 * The population: merchants with menus, customers with addresses, couriers. Built once from a seed, then plain readonly
 * data that the order generator draws from; the same chance and instant always give the same population.
 */
import type { Population, PopulationOptions } from './types.ts'

/** Builds a population. Its libraries are imported dynamically: a session without one does not load them. */
export async function createPopulation(options: PopulationOptions): Promise<Population> {
  const { buildPopulation: settle } = await import('./fill-tables.ts')
  return settle(options)
}
