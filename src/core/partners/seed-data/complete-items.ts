/**
 * Completes the items of an order that name an item of a menu, or have a price of their own: what they leave out is looked
 * up in the menu, and totals are computed. Values of a wrong type are kept, for the schema to report.
 */
import type { Chance } from '../../engine/chance.ts'
import { fromUnits, toUnits } from '../../protocol/orders/price.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { findSimilarNames } from '../../protocol/closest-name.ts'
import { findOffer, nearOffers } from './lookup.ts'
import type { ItemOffer, MenuOption, OptionGroup, SeedMerchant } from './types.ts'

/** What is wrong with a field of an order. */
export interface FieldProblem {
  readonly path: string
  readonly wrong: string
  readonly remedy: string
}

/** An item as far as it is known. */
export interface ItemRequest {
  /** Code or name of the item, where the fields do not tell. */
  readonly reference?: string
  readonly fields: UnknownRecord
}

interface ItemContext {
  /** Undefined for a merchant whose menu is not known. */
  readonly merchant: SeedMerchant | undefined
  readonly currency: string
  readonly chance: Chance
  readonly report: (problem: FieldProblem) => void
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0

/** The amount of a price in units; 0 where it is none. */
export const unitsOf = (price: unknown): number =>
  isUnknownRecord(price) ? toUnits(numberOf(price['value'])) : 0

/** Adds the currency to a price that has none. */
const withCurrency = (price: unknown, currency: string): unknown =>
  isUnknownRecord(price) && price['currency'] === undefined ? { ...price, currency } : price

const price = (units: number, currency: string) => ({ value: fromUnits(units), currency })

const unitsOfCents = (cents: number): number => toUnits(cents / 100)

/** The texts by which the fields of an item may name an item of a menu. */
export const itemReferences = ({ reference, fields }: ItemRequest): readonly string[] =>
  [reference, fields['externalCode'], fields['itemOfferId'], fields['name']].flatMap(
    (value) => textOf(value) ?? [],
  )

export function offerOf(
  request: ItemRequest,
  merchant: Pick<SeedMerchant, 'offers'> | undefined,
): ItemOffer | undefined {
  for (const reference of merchant ? itemReferences(request) : []) {
    const offer = merchant && findOffer(merchant, reference)
    if (offer) return offer
  }
  return undefined
}

/** Whether its price is part of the request. */
export const isPriced = ({ fields: { pricing } }: ItemRequest): boolean =>
  isUnknownRecord(pricing) && pricing['unitPrice'] !== undefined

function menuOption(
  option: MenuOption,
  group: OptionGroup,
  currency: string,
): UnknownRecord & { readonly pricing: UnknownRecord } {
  const { id, name, defaultQuantity, cents } = option
  const quantity = Math.max(1, defaultQuantity ?? 0)
  const units = unitsOfCents(cents)
  const inner = requiredOptions(option.groups, currency)
  return {
    id,
    name,
    optionGroupId: group.id,
    optionGroupName: group.name,
    quantity,
    ...(defaultQuantity === undefined ? {} : { defaultQuantity }),
    pricing: { unitPrice: price(units, currency), totalPrice: price(units * quantity, currency) },
    ...(inner.length === 0 ? {} : { options: inner }),
  }
}

/** What comes with an item without being asked for: included options, and the first ones of groups that need some. */
function requiredOptions(groups: readonly OptionGroup[], currency: string): UnknownRecord[] {
  return groups.flatMap((group) =>
    [...group.included, ...group.offered.slice(0, group.min)].map((option) =>
      menuOption(option, group, currency),
    ),
  )
}

const optionsIn = (groups: readonly OptionGroup[]) =>
  groups.flatMap((group) =>
    [...group.included, ...group.offered].map((option) => ({ group, option })),
  )

/** Completes an option, which may be a text: its code or name. */
function completeOption(
  input: unknown,
  groups: readonly OptionGroup[],
  path: string,
  context: ItemContext,
): unknown {
  const reference = textOf(input)
  if (reference === undefined && !isUnknownRecord(input)) return input
  const fields: UnknownRecord = isUnknownRecord(input) ? input : {}
  const { currency, chance, report } = context
  const known = optionsIn(groups)
  const keys = [reference, fields['id'], fields['name']].flatMap((value) => textOf(value) ?? [])
  const plain = keys.map((key) => key.toLowerCase())
  const found = known.find(({ option: { id, name } }) =>
    [id, name].some((key) => plain.includes(key.toLowerCase())),
  )
  const pricing: UnknownRecord = isUnknownRecord(fields['pricing']) ? fields['pricing'] : {}
  const base = found && menuOption(found.option, found.group, currency)
  const name = keys.at(-1) ?? 'an option without a name'
  if (!base && pricing['unitPrice'] === undefined) {
    const near = findSimilarNames(
      name,
      known.map(({ option }) => option.name),
      3,
    )
    report({
      path,
      wrong: `"${name}" is no option of the item, and it has no pricing.unitPrice`,
      remedy:
        near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Add its price, or leave it out.',
    })
  }
  const quantity = fields['quantity'] ?? base?.['quantity'] ?? 1
  const unitPrice = withCurrency(
    pricing['unitPrice'] ?? base?.pricing['unitPrice'] ?? price(0, currency),
    currency,
  )
  const { unitPrice: _unitPrice, ...otherPricing } = pricing
  const inner = completeOptions(fields['options'], found?.option.groups ?? [], path, context)
  return {
    id: chance.uuid(),
    name,
    ...base,
    ...fields,
    quantity,
    pricing: {
      unitPrice,
      totalPrice: price(Math.round(unitsOf(unitPrice) * numberOf(quantity)), currency),
      ...otherPricing,
    },
    ...(inner === undefined ? {} : { options: inner }),
  }
}

/** The options of an item; those that it needs where none are named. */
function completeOptions(
  input: unknown,
  groups: readonly OptionGroup[],
  path: string,
  context: ItemContext,
): unknown {
  if (input === undefined) {
    const required = requiredOptions(groups, context.currency)
    return required.length === 0 ? undefined : required
  }
  if (!Array.isArray(input)) return input
  return input.map((option: unknown, index) =>
    completeOption(option, groups, `${path}.options.${index}`, context),
  )
}

function optionUnits(options: unknown): number {
  if (!Array.isArray(options)) return 0
  return options.filter(isUnknownRecord).reduce((sum, { pricing, options: inner }) => {
    const own = isUnknownRecord(pricing) ? unitsOf(pricing['totalPrice']) : 0
    return sum + own + optionUnits(inner)
  }, 0)
}

function reportUnknown(
  request: ItemRequest,
  path: string,
  { merchant, report }: ItemContext,
): void {
  const [name] = itemReferences(request)
  if (name === undefined)
    report({
      path,
      wrong: 'it names no item: externalCode and name are missing',
      remedy: 'Name an item of the menu, or write its name and price.',
    })
  else if (merchant)
    report({
      path,
      wrong: `"${name}" is not on the menu of ${merchant.name}, and has no price of its own`,
      remedy: `${nearOffers(merchant.offers, name)} Name an item of the menu, or add a price.`,
    })
  else
    report({
      path,
      wrong: `"${name}" has no price, and the menu of this merchant is not known here`,
      remedy: 'Add its price.',
    })
}

/** The item with everything that the protocol requires; problems go to `report`. */
export function completeItem(
  request: ItemRequest,
  index: number,
  context: ItemContext,
): UnknownRecord {
  const { merchant, currency, chance } = context
  const { fields, reference } = request
  const path = `items.${index}`
  const offer = offerOf(request, merchant)
  const pricing: UnknownRecord = isUnknownRecord(fields['pricing']) ? fields['pricing'] : {}
  if (!offer && !isPriced(request)) reportUnknown(request, path, context)
  const unitPrice = withCurrency(
    pricing['unitPrice'] ?? price(offer ? unitsOfCents(offer.cents) : 0, currency),
    currency,
  )
  const { unitPrice: _unitPrice, optionsPrice: _optionsPrice, ...otherPricing } = pricing
  const options = completeOptions(fields['options'], offer?.groups ?? [], path, context)
  const hasOptions = Array.isArray(options) && options.length > 0
  const optionsPrice =
    pricing['optionsPrice'] ?? (hasOptions ? price(optionUnits(options), currency) : undefined)
  const quantity = fields['quantity'] ?? 1
  const units = numberOf(quantity) * (unitsOf(unitPrice) + unitsOf(optionsPrice))
  const code = offer?.externalCode ?? (reference?.includes(' ') ? undefined : reference)
  return {
    id: chance.uuid(),
    name: offer?.name ?? reference ?? fields['externalCode'],
    ...(code === undefined ? {} : { externalCode: code }),
    ...(offer ? { itemOfferId: offer.id } : {}),
    ...(offer?.unit === 'KG' ? { unit: offer.unit } : {}),
    ...fields,
    quantity,
    pricing: {
      unitPrice,
      ...(optionsPrice === undefined ? {} : { optionsPrice: withCurrency(optionsPrice, currency) }),
      totalPrice: price(Math.round(units), currency),
      ...otherPricing,
    },
    ...(options === undefined ? {} : { options }),
  }
}
