/**
 * Builds a population: fills the tables and reads them. Each part draws from its own fork of the chance, so the number of
 * couriers does not affect the customers, and an additional merchant does not affect the other menus.
 */
import type { Chance } from '../engine/chance.ts'
import type { Instant } from '../engine/instant.ts'
import { drawAddress } from './addresses.ts'
import { takeCensus } from './read-tables.ts'
import { createFaker } from './faker.ts'
import type { Menu } from './menus/menu.ts'
import { stock } from './menus/stock.ts'
import { menuOf, merchantIdentities } from './merchants.ts'
import { drawWaiters, settleCouriers, settleCustomers, type Source } from './people.ts'
import { createTables, type Tables } from './tables.ts'
import type { Population, PopulationWish } from './types.ts'

const defaultCounts = { customers: 48, couriers: 8 } as const

export async function settle(options: PopulationWish): Promise<Population> {
  const { chance, now } = options
  const tables = createTables()
  const menuById = await insertMerchants(tables, options)
  await settleCustomers(
    tables,
    sourceOf(chance, 'customers', now),
    options.customers ?? defaultCounts.customers,
  )
  await settleCouriers(
    tables,
    sourceOf(chance, 'couriers', now),
    options.couriers ?? defaultCounts.couriers,
  )
  return { sourceAppId: chance.fork('application').uuid(), ...takeCensus(tables, menuById) }
}

function sourceOf(chance: Chance, name: string, now: Instant): Source {
  const own = chance.fork(name)
  return { chance: own, faker: createFaker(own.fork('faker'), now) }
}

/** Inserts the merchants and their menus; returns the menus by merchant id. */
async function insertMerchants(
  tables: Tables,
  { chance, now, merchants }: PopulationWish,
): Promise<ReadonlyMap<string, Menu>> {
  const menuById = new Map<string, Menu>()
  for (const [index, identity] of merchantIdentities(chance, merchants).entries()) {
    const menu = menuOf(index)
    const own = sourceOf(chance, `${identity.externalCode}/shop`, now)
    const { latitude, longitude } = drawAddress(own.chance)
    const merchant = await tables.merchants.create({
      ...identity,
      cuisine: menu.cuisine,
      waiters: drawWaiters(own, 4),
      latitude,
      longitude,
    })
    menuById.set(merchant.id, menu)
    await stock(tables, merchant, menu, own.chance)
  }
  return menuById
}
