/** Random people of the population: customers with documents and addresses, couriers, and waiters of a merchant. */
import type { Faker } from '@faker-js/faker'
import type { Chance } from '../../engine/chance.ts'
import { isoOf } from '../../engine/instant.ts'
import { drawAddress } from './addresses.ts'
import { drawCpf } from './cpf.ts'
import { drawOptional } from './draw.ts'
import type { SeedTables } from './tables.ts'

/** Sources of randomness for people. */
export interface PersonSource {
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

/**
 * A mobile number of São Paulo that cannot be assigned: after the area code 11 and the mobile prefix 9, no subscriber's
 * number has 0. So a subject that sends text messages reaches no real person.
 */
const drawPhone = (chance: Chance): string =>
  `+551190${String(chance.below(10_000_000)).padStart(7, '0')}`

/** An address at a reserved example domain; the number makes it unique. */
function emailAddress(name: string, number: number, chance: Chance): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')
  return `${plain}${number}@${chance.pick(['example.com', 'example.net', 'example.org'])}`
}

export async function insertCustomers(
  tables: SeedTables,
  source: PersonSource,
  count: number,
): Promise<void> {
  const { faker, chance } = source
  for (let number = 1; number <= count; number++) {
    const sex = chance.pick(sexes)
    const name = drawName(source, sex)
    const birthInstant = faker.date.birthdate({ mode: 'age', min: 18, max: 78 }).getTime()
    const customer = await tables.customers.create({
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
      await tables.addresses.create({ id: chance.uuid(), customer, ...drawAddress(chance) })
    await insertOrderCounts(tables, customer, number, chance)
  }
}

/** Draws past order counts: every third customer is a regular of some merchants, the others ordered rarely or never. */
async function insertOrderCounts(
  tables: SeedTables,
  customer: { readonly id: string },
  number: number,
  chance: Chance,
): Promise<void> {
  const regular = number % 3 === 1
  for (const merchant of tables.merchants.all()) {
    if (!chance.oneIn(regular ? 2 : 4)) continue
    const orders = regular ? chance.between(6, 80) : chance.between(1, 5)
    await tables.orderCounts.create({ id: chance.uuid(), customer, merchant, orders })
  }
}

export async function insertCouriers(
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

export const drawWaiters = (
  { faker, chance }: PersonSource,
  count: number,
): { code: string; name: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    code: `G${String(index + 1).padStart(2, '0')}`,
    name: faker.person.firstName(chance.pick(sexes)),
  }))
