/**
 * Builds a population: fills the tables and reads them. Each part draws from its own fork of the chance, so the number of
 * couriers does not affect the customers, and an additional merchant does not affect the other menus.
 */
import type { Chance } from '../engine/chance.ts'
import type { Instant } from '../engine/instant.ts'
import { drawAddress } from './addresses.ts'
import { readPopulation } from './read-tables.ts'
import { createFaker } from './faker.ts'
import type { Menu } from './menus/menu.ts'
import { insertMenu } from './menus/insert-menu.ts'
import { menuOfMerchant, merchantChance, merchantIdentities } from './merchants.ts'
import { drawWaiters, insertCouriers, insertCustomers, type PersonSource } from './people.ts'
import { createSeedTables, type SeedTables } from './tables.ts'
import type { Population, PopulationOptions } from './types.ts'

const defaultCounts = { customers: 48, couriers: 8 } as const

export async function buildPopulation(options: PopulationOptions): Promise<Population> {
  const { chance, now } = options
  const tables = createSeedTables()
  const menuById = await insertMerchants(tables, options)
  await insertCustomers(
    tables,
    sourceOf(chance, 'customers', now),
    options.customers ?? defaultCounts.customers,
  )
  await insertCouriers(
    tables,
    sourceOf(chance, 'couriers', now),
    options.couriers ?? defaultCounts.couriers,
  )
  return { sourceAppId: chance.fork('application').uuid(), ...readPopulation(tables, menuById) }
}

function sourceOf(chance: Chance, name: string, now: Instant): PersonSource {
  const own = chance.fork(name)
  return { chance: own, faker: createFaker(own.fork('faker'), now) }
}

/** Inserts the merchants and their menus; returns the menus by merchant id. */
async function insertMerchants(
  tables: SeedTables,
  { now, merchants }: PopulationOptions,
): Promise<ReadonlyMap<string, Menu>> {
  const menuById = new Map<string, Menu>()
  for (const [index, identity] of merchantIdentities(merchants).entries()) {
    const menu = menuOfMerchant(index)
    const own = sourceOf(merchantChance(), `${identity.externalCode}/shop`, now)
    const { latitude, longitude } = drawAddress(own.chance)
    const merchant = await tables.merchants.create({
      ...identity,
      cuisine: menu.cuisine,
      waiters: drawWaiters(own, 4),
      latitude,
      longitude,
    })
    menuById.set(merchant.id, menu)
    await insertMenu(tables, merchant, menu, own.chance)
  }
  return menuById
}
