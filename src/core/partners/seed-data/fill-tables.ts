/**
 * Builds a population: fills the tables and reads them. Each part draws from its own fork of the chance, so the number of
 * couriers does not affect the customers, and an additional merchant does not affect the other menus.
 */
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import { drawAddress } from './addresses.ts'
import { type MerchantSupply, readMenu, readPopulation } from './read-tables.ts'
import { createFaker } from './faker.ts'
import { insertMenu } from './menus/insert-menu.ts'
import type { Menu } from './menus/menu.ts'
import { knownMerchants, menuOfMerchant, merchantChance, merchantIdentities } from './merchants.ts'
import { seedCurrency } from './money.ts'
import { ownMenu } from './own-menu.ts'
import { drawWaiters, insertCouriers, insertCustomers, type PersonSource } from './people.ts'
import { ownMenuRemarks } from './remarks.ts'
import { createMenuTables, createSeedTables, type SeedTables } from './tables.ts'
import type { Population, PopulationOptions, SeedMerchant } from './types.ts'

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

/** What is drawn of a merchant. */
type DrawnMerchant = Pick<SeedMerchant, 'latitude' | 'longitude' | 'waiters' | 'menu'>

async function drawMerchant(
  fork: string,
  menuOf: (chance: Chance) => SeedMerchant['menu'] | Promise<SeedMerchant['menu']>,
): Promise<DrawnMerchant> {
  // Nothing of a merchant is dated.
  const source = sourceOf(merchantChance(), `${fork}/shop`, 0)
  const { latitude, longitude } = drawAddress(source.chance)
  const waiters = drawWaiters(source, 4)
  return { latitude, longitude, waiters, menu: await menuOf(source.chance) }
}

async function drawMenu(template: Menu, chance: Chance): Promise<SeedMerchant['menu']> {
  const tables = createMenuTables()
  await insertMenu(tables, template, chance)
  return readMenu(tables)
}

/** The made-up merchants, in their order: the same for every seed and instant, so each is drawn once. */
const madeUpMerchants: Promise<DrawnMerchant>[] = []

/** Inserts the merchants; returns what each sells by its id. */
async function insertMerchants(
  tables: SeedTables,
  { merchants, own = {} }: PopulationOptions,
): Promise<ReadonlyMap<string, MerchantSupply>> {
  const supplies = new Map<string, MerchantSupply>()
  const identities = own.merchants ? knownMerchants(own) : merchantIdentities(merchants)
  for (const [index, { status = 'OPEN', ...identity }] of identities.entries()) {
    const settings = own.merchants?.[index]
    const items = own.merchants ? settings?.menu : own.menu
    const template = menuOfMerchant(index)
    const fork = settings ? `${identity.id}/own` : identity.externalCode
    const draw = (): Promise<DrawnMerchant> =>
      drawMerchant(fork, (chance) =>
        items ? ownMenu(items, merchantChance().fork(`${fork}/menu`)) : drawMenu(template, chance),
      )
    const drawn = await (settings || items ? draw() : (madeUpMerchants[index] ??= draw()))
    const { latitude, longitude, waiters, menu } = drawn
    const merchant = await tables.merchants.create({
      ...identity,
      status,
      currency: items?.[0]?.currency ?? seedCurrency,
      cuisine: template.cuisine,
      waiters,
      latitude: settings?.address?.latitude ?? latitude,
      longitude: settings?.address?.longitude ?? longitude,
    })
    const { preparation } = template
    const remarks = items ? ownMenuRemarks : template.remarks
    supplies.set(merchant.id, { preparation, remarks, menu })
  }
  return supplies
}
