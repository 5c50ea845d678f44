/** Finds merchants and items of a population by what a person types: an id, a code or a name, and what is near. */
import { findSimilarNames } from '../../protocol/closest-name.ts'
import type { ItemOffer, Population, SeedCustomer, SeedMerchant } from './types.ts'

/** Without accents, case and additional spaces. */
const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Ids and codes come before names: a name may be the code of another. */
function findBy<Value>(
  values: readonly Value[],
  reference: string,
  keys: readonly ((value: Value) => string)[],
): Value | undefined {
  for (const key of keys) {
    const found = values.find((value) => key(value) === reference)
    if (found) return found
  }
  const wanted = plain(reference)
  return values.find((value) => keys.some((key) => plain(key(value)) === wanted))
}

export const findMerchant = (
  { merchants }: Population,
  reference: string,
): SeedMerchant | undefined =>
  findBy(merchants, reference, [
    ({ id }) => id,
    ({ externalCode }) => externalCode,
    ({ name }) => name,
  ])

export const findOffer = (
  { offers }: Pick<SeedMerchant, 'offers'>,
  reference: string,
): ItemOffer | undefined =>
  findBy(offers, reference, [
    ({ externalCode }) => externalCode,
    ({ id }) => id,
    ({ name }) => name,
  ])

export const findSeedCustomer = (
  { customers }: Population,
  name: string,
): SeedCustomer | undefined => customers.find((customer) => plain(customer.name) === plain(name))

const maxListed = 12
const maxNear = 4

const listed = (texts: readonly string[]): string =>
  texts.length <= maxListed
    ? texts.join(', ')
    : `${texts.slice(0, maxListed).join(', ')} and ${texts.length - maxListed} more`

/** What to do about a merchant that is not there. */
export function merchantRemedy({ merchants }: Population, reference: string): string {
  const [near] = findSimilarNames(
    reference,
    merchants.flatMap(({ id, externalCode, name }) => [name, externalCode, id]),
    1,
  )
  const all = listed(merchants.map(({ name, externalCode }) => `${name} (${externalCode})`))
  return `${near === undefined ? '' : `Did you mean "${near}"? `}Merchants: ${all}.`
}

/** The items whose code or name is nearest to the reference; the first ones where none is near. */
export function nearOffers(offers: readonly ItemOffer[], reference: string): string {
  const texts = new Map(
    offers.flatMap(({ externalCode, name }) => {
      const text = `${externalCode} ${name}`
      return [
        [externalCode, text],
        [name, text],
      ]
    }),
  )
  const near = findSimilarNames(reference, [...texts.keys()], maxNear * 2)
  const unique = [...new Set(near.map((key) => texts.get(key) ?? key))].slice(0, maxNear)
  return unique.length > 0
    ? `Nearest: ${unique.join(', ')}.`
    : `It has: ${listed(offers.map(({ externalCode, name }) => `${externalCode} ${name}`))}.`
}
