/** Rows of the merchants of a session and of the items that they sell. */
import { fromUnits } from '../protocol/orders/price.ts'
import { findMerchant, merchantRemedy } from '../partners/seed-data/lookup.ts'
import { unitsPerCent } from '../partners/seed-data/money.ts'
import type {
  MenuCategory,
  OptionGroup,
  Population,
  SeedMerchant,
} from '../partners/seed-data/types.ts'
import type { MenuRow, MenuSnapshot, MenuView, MerchantRow } from '../session-api/menu.ts'

const priceOf = (cents: number): number => fromUnits(cents * unitsPerCent)

const optionsOf = ({ name, min, max, included, offered }: OptionGroup) => ({
  group: name,
  min,
  max,
  choices: [...included, ...offered].map((option) => ({
    name: option.name,
    price: priceOf(option.cents),
  })),
})

const itemRows = ({ id: merchantId, menu }: SeedMerchant): readonly MenuRow[] =>
  menu.flatMap(({ name: category, offers }: MenuCategory) =>
    offers.map(({ externalCode, name, cents, unit, groups }) => ({
      merchantId,
      externalCode,
      name,
      category,
      price: priceOf(cents),
      unit,
      options: groups.map(optionsOf),
    })),
  )

const merchantRow = (merchant: SeedMerchant): MerchantRow => {
  const { id, externalCode, name, status, currency, offers } = merchant
  return { id, externalCode, name, status, currency, items: offers.length }
}

/** A problem where the view names a merchant that is not there. */
export function menuSnapshot(
  population: Population,
  { limit, offset = 0, merchant: reference }: MenuView,
): { readonly menu: MenuSnapshot; readonly problem?: string } {
  const named = reference === undefined ? undefined : findMerchant(population, reference)
  const merchants = named ? [named] : population.merchants
  const isUnknown = reference !== undefined && !named
  const items = isUnknown ? [] : merchants.flatMap(itemRows).slice(offset, offset + limit)
  return {
    menu: { merchants: merchants.map(merchantRow), items },
    ...(isUnknown
      ? {
          problem: `this session has no merchant "${reference}". ${merchantRemedy(population, reference)}`,
        }
      : {}),
  }
}
