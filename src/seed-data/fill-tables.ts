/**
 * Builds a population: fills the tables and reads them. Each part draws from its own fork of the chance, so the number of
 * couriers does not affect the customers, and an additional merchant does not affect the other menus.
 */
import type { Chance } from '../engine/chance.ts'
import type { Instant } from '../engine/instant.ts'
import { drawAddress } from './addresses.ts'
import { type MerchantSupply, readPopulation } from './read-tables.ts'
import { createFaker } from './faker.ts'
import { insertMenu } from './menus/insert-menu.ts'
import { knownMerchants, menuOfMerchant, merchantChance, merchantIdentities } from './merchants.ts'
import { seedCurrency } from './money.ts'
import { ownMenu } from './own-menu.ts'
import { drawWaiters, insertCouriers, insertCustomers, type PersonSource } from './people.ts'
import { ownMenuRemarks } from './remarks.ts'
import { createSeedTables, type SeedTables } from './tables.ts'
import type { Population, PopulationOptions } from './types.ts'

const defaultCounts = { customers: 48, couriers: 8 } as const

export async function buildPopulation(options: PopulationOptions): Promise<Population> {
  const { chance, now } = options
  const tables = createSeedTables()
  const supplies = await insertMerchants(tables, options)
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
  return { sourceAppId: chance.fork('application').uuid(), ...readPopulation(tables, supplies) }
}

function sourceOf(chance: Chance, name: string, now: Instant): PersonSource {
  const own = chance.fork(name)
  return { chance: own, faker: createFaker(own.fork('faker'), now) }
}

/** Inserts the merchants, and the built-in menus; returns what each merchant sells by its id. */
async function insertMerchants(
  tables: SeedTables,
  { now, merchants, own = {} }: PopulationOptions,
): Promise<ReadonlyMap<string, MerchantSupply>> {
  const supplies = new Map<string, MerchantSupply>()
  const chance = merchantChance()
  const identities = own.merchants ? knownMerchants(own) : merchantIdentities(merchants)
  for (const [index, { status = 'OPEN', ...identity }] of identities.entries()) {
    const settings = own.merchants?.[index]
    const items = own.merchants ? settings?.menu : own.menu
    const template = menuOfMerchant(index)
    const fork = settings ? `${identity.id}/own` : identity.externalCode
    const source = sourceOf(chance, `${fork}/shop`, now)
    const { latitude, longitude } = drawAddress(source.chance)
    const merchant = await tables.merchants.create({
      ...identity,
      status,
      currency: items?.[0]?.currency ?? seedCurrency,
      cuisine: template.cuisine,
      waiters: drawWaiters(source, 4),
      latitude: settings?.address?.latitude ?? latitude,
      longitude: settings?.address?.longitude ?? longitude,
    })
    const { preparation, remarks } = template
    if (items) {
      const menu = ownMenu(items, chance.fork(`${fork}/menu`))
      supplies.set(merchant.id, { preparation, remarks: ownMenuRemarks, menu })
      continue
    }
    supplies.set(merchant.id, { preparation, remarks })
    await insertMenu(tables, merchant, template, source.chance)
  }
  return supplies
}
