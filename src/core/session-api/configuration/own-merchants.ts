/**
 * The user's own merchants, each with the items that it sells, from the settings `merchants` and `menu`; and what does not
 * fit between the two.
 */
import { compact } from '../../base/compact.ts'
import { findClosestName } from '../../protocol/closest-name.ts'
import type { MenuItemSettings, MerchantSettings } from './menu.ts'
import type { Configuration } from './schema.ts'

type Settings = Pick<Configuration, 'merchants' | 'menu'>

/** A merchant with its final menu; made up when it is absent. */
export interface OwnMerchant extends Omit<MerchantSettings, 'menu'> {
  readonly menu?: readonly MenuItemSettings[]
}

export interface OwnMerchants {
  /** The made-up merchants when absent. */
  readonly merchants?: readonly OwnMerchant[]
  /** What made-up merchants sell. */
  readonly menu?: readonly MenuItemSettings[]
}

interface SettingsError {
  readonly path: readonly PropertyKey[]
  readonly wrong: string
  readonly remedy: string
}

/** The rows of a list; files are read before. */
function rowsOf<Row>(list: string | readonly Row[] | undefined): readonly Row[] | undefined {
  if (typeof list === 'string') throw new Error(`the file ${list} was not read`)
  return list
}

const isOf = ({ merchant }: MenuItemSettings, { id, externalCode }: MerchantSettings): boolean =>
  merchant === id || (externalCode !== undefined && merchant === externalCode)

/** Items of all merchants and of this one; an item of its own replaces the common one with the same code. */
function menuOf(
  merchant: MerchantSettings,
  common: readonly MenuItemSettings[] | undefined,
): readonly MenuItemSettings[] | undefined {
  const own = rowsOf(merchant.menu)
  if (own) return own
  if (!common) return undefined
  const byCode = new Map<string, MenuItemSettings>()
  for (const item of common)
    if (item.merchant === undefined || isOf(item, merchant))
      if (item.merchant !== undefined || !byCode.has(item.externalCode))
        byCode.set(item.externalCode, item)
  return [...byCode.values()]
}

export function ownMerchantsOf(settings: Settings): OwnMerchants {
  const menu = rowsOf(settings.menu)
  const merchants = rowsOf(settings.merchants)?.map((merchant): OwnMerchant => {
    const { menu: _menu, ...rest } = merchant
    return { ...rest, ...compact({ menu: menuOf(merchant, menu) }) }
  })
  return compact({ merchants, menu })
}

const namesOf = ({ id, externalCode, name }: MerchantSettings): string =>
  `${name} (${[id, ...(externalCode === undefined ? [] : [externalCode])].join(', ')})`

/** Items that name a merchant which is not there. */
function strayItems(
  items: readonly MenuItemSettings[],
  merchants: readonly MerchantSettings[] | undefined,
): readonly SettingsError[] {
  return items.flatMap((item, index) => {
    const { merchant } = item
    if (merchant === undefined || merchants?.some((each) => isOf(item, each))) return []
    const codes = merchants?.flatMap(({ id, externalCode = id }) => [id, externalCode]) ?? []
    const closest = findClosestName(merchant, codes)
    const known = merchants?.map(namesOf).join(', ')
    return {
      path: ['menu', index, 'merchant'],
      wrong: merchants
        ? `no merchant has the id or externalCode "${merchant}"`
        : `it is sold by the merchant "${merchant}", and no merchants are configured`,
      remedy: merchants
        ? closest === undefined
          ? `Merchants: ${known}.`
          : `Did you mean "${closest}"?`
        : 'List it in merchants, or leave merchant out.',
    }
  })
}

/** Amounts of different currencies cannot be added up to the total of an order. */
function currencyError(
  items: readonly MenuItemSettings[],
  path: readonly PropertyKey[],
): readonly SettingsError[] {
  const [first] = items
  const index = items.findIndex(({ currency }) => currency !== first?.currency)
  const other = items[index]
  if (!first || !other) return []
  return [
    {
      path: [...path, index, 'currency'],
      wrong: `"${other.name}" costs ${other.currency}, and "${first.name}" of the same merchant ${first.currency}`,
      remedy: 'One merchant has one currency.',
    },
  ]
}

/** What does not fit between the merchants and their items. */
export function ownMerchantErrors(settings: Settings): readonly SettingsError[] {
  const merchants = rowsOf(settings.merchants)
  const menu = rowsOf(settings.menu)
  const errors = [...strayItems(menu ?? [], merchants)]
  const own = ownMerchantsOf(settings)
  if (!merchants) return [...errors, ...currencyError(menu ?? [], ['menu'])]
  if (merchants.every(({ status }) => status !== 'OPEN'))
    errors.push({
      path: ['merchants', 0, 'status'],
      wrong: 'no merchant is OPEN, so that no order can be made up',
      remedy: 'Open one at least.',
    })
  for (const [index, merchant] of merchants.entries()) {
    const items = own.merchants?.[index]?.menu
    const mixed = merchant.menu
      ? currencyError(items ?? [], ['merchants', index, 'menu'])
      : // The places of its items in `menu` are those of other merchants too.
        currencyError(items ?? [], ['menu']).map((error) => ({ ...error, path: ['menu'] }))
    errors.push(...mixed)
    if (items?.length === 0)
      errors.push({
        path: ['merchants', index],
        wrong: `${namesOf(merchant)} sells nothing: every item of menu is for another merchant`,
        remedy: 'Add an item for it, or give it a menu of its own.',
      })
  }
  return errors
}
