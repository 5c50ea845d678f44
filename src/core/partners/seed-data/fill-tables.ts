/**
 * Builds a population: fills the tables and reads them. Each part draws from its own fork of the chance, so the number of
 * couriers does not affect the customers, and an additional merchant does not affect the other menus.
 */
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import { drawAddress, type SeedAddress } from './addresses.ts'
import { drawPhone } from './couriers.ts'
import { createFaker } from './faker.ts'
import type { GroupDraft, Menu, OptionDraft } from './menus/menu.ts'
import { knownMerchants, menuOfMerchant, merchantChance, merchantIdentities } from './merchants.ts'
import { seedCurrency } from './money.ts'
import { ownMenu } from './own-menu.ts'
import { ownMenuRemarks } from './remarks.ts'
import { createMenuTables, createSeedTables, type MenuTables, type SeedTables } from './tables.ts'
import type {
  ItemOffer,
  MenuCategory,
  MenuOption,
  OptionGroup,
  Population,
  PopulationOptions,
  SeedCustomer,
  SeedMerchant,
} from './types.ts'
import type { Faker } from '@faker-js/faker'
import { drawCpf } from './cpf.ts'
import { drawOptional } from './draw.ts'

// Reads the filled tables into plain arrays and maps. The only reader of the tables; it reads each table once, since the
// library looks a row up by a full scan.

/** A customer with this many orders at one merchant is a regular. */
const regularMinOrders = 6

/** What a merchant sells and how. */
type MerchantSupply = Pick<SeedMerchant, 'preparation' | 'remarks' | 'menu'>

function readPopulation(
  tables: SeedTables,
  supplies: ReadonlyMap<string, MerchantSupply>,
): Population {
  const merchants = readMerchants(tables, supplies)
  const customers = readCustomers(tables)
  const regulars = customers.filter(({ orders }) =>
    [...orders.values()].some((n) => n >= regularMinOrders),
  )
  return {
    merchants,
    openMerchants: merchants.filter(({ status }) => status === 'OPEN'),
    merchantById: new Map(merchants.map((merchant) => [merchant.id, merchant])),
    customers,
    // A very small population may have no regulars; then all customers count.
    regulars: regulars.length > 0 ? regulars : customers,
    couriers: tables.couriers.all().map((row) => ({ ...row })),
  }
}

const readMerchants = (
  tables: SeedTables,
  supplies: ReadonlyMap<string, MerchantSupply>,
): readonly SeedMerchant[] =>
  tables.merchants.all().map((row) => {
    const { preparation, remarks, menu } = lookUp(supplies, row.id)
    const mains = menu.filter(({ course }) => course === 'main').flatMap((each) => each.offers)
    return {
      ...row,
      menu,
      offers: menu.flatMap((each) => each.offers),
      mains,
      preparation,
      remarks,
    }
  })

/** The categories of a menu with their offers. */
function readMenu(tables: MenuTables): readonly MenuCategory[] {
  const offers = readOffers(tables)
  return tables.categories
    .all()
    .map(({ id, name, course }) => ({ id, name, course, offers: offers.get(id) ?? [] }))
}

/** The groups with these ids, in the order in which they were inserted: a shared group comes before the offer's own. */
const inTableOrder = (groups: ReadonlyMap<string, OptionGroup>, ids: readonly string[]) =>
  [...groups].flatMap(([id, group]) => (ids.includes(id) ? [group] : []))

/** The offers by category id. A group that several offers share stays one object. */
function readOffers(tables: MenuTables): ReadonlyMap<string, readonly ItemOffer[]> {
  const groups = readGroups(tables)
  const offers = new Map<string, ItemOffer[]>()
  for (const row of tables.itemOffers.all()) {
    const { categoryId, groupIds, ...offer } = row
    const own = offers.get(categoryId) ?? []
    own.push({ ...offer, groups: inTableOrder(groups, groupIds) })
    offers.set(categoryId, own)
  }
  return offers
}

function readGroups(tables: MenuTables): ReadonlyMap<string, OptionGroup> {
  const options = new Map(tables.options.all().map((row) => [row.id, row]))
  const groups = new Map<string, OptionGroup>()
  const optionOf = (optionId: string): MenuOption => {
    const { groupIds, ...row } = lookUp(options, optionId)
    return { ...row, groups: inTableOrder(groups, groupIds) }
  }
  const isIncluded = ({ defaultQuantity }: MenuOption): boolean => (defaultQuantity ?? 0) > 0
  // Nested groups were inserted before the groups of their options, so they are read first.
  for (const { id, name, min, max, optionIds } of tables.optionGroups.all()) {
    const all = optionIds.map(optionOf)
    const included = all.filter(isIncluded)
    const offered = all.filter((option) => !isIncluded(option))
    groups.set(id, { id, name, min, max, included, offered })
  }
  return groups
}

function readCustomers(tables: SeedTables): readonly SeedCustomer[] {
  const addresses = Map.groupBy(tables.addresses.all(), ({ customerId }) => customerId)
  const orderCounts = Map.groupBy(tables.orderCounts.all(), ({ customerId }) => customerId)
  return tables.customers.all().map((row) => ({
    ...row,
    addresses: (addresses.get(row.id) ?? []).map(plainAddress),
    orders: new Map(
      (orderCounts.get(row.id) ?? []).map(({ merchantId, orders }) => [merchantId, orders]),
    ),
  }))
}

function plainAddress(
  row: SeedAddress & { readonly id: string; readonly customerId: string },
): SeedAddress {
  const { id: _, customerId: __, ...address } = row
  return address
}

function lookUp<Value>(values: ReadonlyMap<string, Value>, id: string): Value {
  const value = values.get(id)
  if (value === undefined) throw new Error(`the tables refer to ${id}, which is in none of them`)
  return value
}

// Random people of the population: customers with documents and addresses, couriers, and waiters of
// a merchant.

/** Sources of randomness for people. */
interface PersonSource {
  readonly faker: Faker
  readonly chance: Chance
}

const sexes = ['female', 'male'] as const
const genders = { female: 'FEMALE', male: 'MALE' } as const

function drawName({ faker, chance }: PersonSource, sex: (typeof sexes)[number]): string {
  const [first, last] = [faker.person.firstName(sex), faker.person.lastName()]
  const middle = chance.oneIn(3) ? faker.person.lastName() : last
  return middle === last ? `${first} ${last}` : `${first} ${middle} ${last}`
}

/** An address at a reserved example domain; the number makes it unique. */
function emailAddress(name: string, number: number, chance: Chance): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')
  return `${plain}${number}@${chance.pick(['example.com', 'example.net', 'example.org'])}`
}

async function insertCustomers(
  tables: SeedTables,
  source: PersonSource,
  count: number,
): Promise<void> {
  const { faker, chance } = source
  for (let number = 1; number <= count; number++) {
    const sex = chance.pick(sexes)
    const name = drawName(source, sex)
    const birthInstant = faker.date.birthdate({ mode: 'age', min: 18, max: 78 }).getTime()
    const { id: customerId } = await tables.customers.create({
      id: chance.uuid(),
      name,
      phone: {
        number: drawPhone(chance),
        // Code of a customer behind a platform's shared number.
        ...drawOptional(chance, 4, () => ({ extension: String(chance.between(1000, 99_999)) })),
      },
      ...(chance.oneIn(5) ? {} : { documentNumber: drawCpf(chance) }),
      ...(chance.oneIn(6) ? {} : { email: emailAddress(name, number, chance) }),
      ...drawOptional(chance, 2, () => ({ birthDate: isoOf(birthInstant).slice(0, 10) })),
      ...drawOptional(chance, 2, () => ({ gender: genders[sex] })),
    })
    const addresses = chance.oneIn(4) ? 2 : 1
    for (let index = 0; index < addresses; index++)
      await tables.addresses.create({ id: chance.uuid(), customerId, ...drawAddress(chance) })
    await insertOrderCounts(tables, customerId, number, chance)
  }
}

/** Draws past order counts: every third customer is a regular of some merchants, the others ordered rarely or never. */
async function insertOrderCounts(
  tables: SeedTables,
  customerId: string,
  number: number,
  chance: Chance,
): Promise<void> {
  const regular = number % 3 === 1
  for (const { id: merchantId } of tables.merchants.all()) {
    if (!chance.oneIn(regular ? 2 : 4)) continue
    const orders = regular ? chance.between(6, 80) : chance.between(1, 5)
    await tables.orderCounts.create({ id: chance.uuid(), customerId, merchantId, orders })
  }
}

async function insertCouriers(
  tables: SeedTables,
  source: PersonSource,
  count: number,
): Promise<void> {
  const { faker, chance } = source
  const vehicles = ['MOTORBIKE_BAG', 'MOTORBIKE_BOX', 'BICYCLE', 'CAR', 'SCOOTER'] as const
  for (let number = 0; number < count; number++) {
    const vehicle = chance.pick(vehicles)
    await tables.couriers.create({
      id: chance.uuid(),
      name: drawName(source, chance.pick(sexes)),
      phone: drawPhone(chance),
      vehicle,
      ...(vehicle === 'BICYCLE'
        ? {}
        : { licencePlate: faker.helpers.fromRegExp(/[A-Z]{3}[0-9][A-J][0-9]{2}/) }),
    })
  }
}

const drawWaiters = (
  { faker, chance }: PersonSource,
  count: number,
): { code: string; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    code: `G${String(index + 1).padStart(2, '0')}`,
    name: faker.person.firstName(chance.pick(sexes)),
  }))

/**
 * Inserts a menu into its tables: its categories, offers, option groups and options, each with its own id. A group that
 * several offers share is one record, as in a merchant's catalogue.
 */
export async function insertMenu(tables: MenuTables, menu: Menu, chance: Chance): Promise<void> {
  const inserted = new Map<GroupDraft, string>()

  async function groupIdsOf(drafts: readonly GroupDraft[]): Promise<string[]> {
    const ids: string[] = []
    for (const draft of drafts) ids.push(inserted.get(draft) ?? (await insertGroup(draft)))
    return ids
  }

  // Sequentially: the tables iterate in the order of creation, which must be deterministic.
  async function insertGroup(draft: GroupDraft): Promise<string> {
    const optionIds: string[] = []
    for (const option of draft.options) optionIds.push(await insertOption(option))
    const { name, min, max } = draft
    const { id } = await tables.optionGroups.create({
      id: chance.uuid(),
      name,
      min,
      max,
      optionIds,
    })
    inserted.set(draft, id)
    return id
  }

  async function insertOption({ groups, ...draft }: OptionDraft): Promise<string> {
    const row = { id: chance.uuid(), ...draft, groupIds: await groupIdsOf(groups) }
    await tables.options.create(row)
    return row.id
  }

  for (const { offers, ...draft } of menu.categories) {
    const { id: categoryId } = await tables.categories.create({ id: chance.uuid(), ...draft })
    for (const { code, unit, groups, ...offer } of offers)
      await tables.itemOffers.create({
        id: chance.uuid(),
        externalCode: code,
        unit: unit ?? 'UN',
        ...offer,
        categoryId,
        groupIds: await groupIdsOf(groups ?? []),
      })
  }
}

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
  return readPopulation(tables, supplies)
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
