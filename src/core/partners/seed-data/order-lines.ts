/**
 * Random items of an order: offers of the merchant's menu with chosen options. An option's total is quantity × unit price
 * without nested options; an item's optionsPrice is the sum over the whole tree (fields.md, O3).
 */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import type { OrderItem, ItemOption } from '../../protocol/orders/items.ts'
import { priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { drawOptional, drawSubset, drawWeighted } from './draw.ts'
import { unitsPerCent } from './money.ts'
import type { ItemOffer, MenuOption, SeedMerchant, OptionGroup } from './types.ts'

const itemCounts = [
  { weight: 5, value: 1 },
  { weight: 5, value: 2 },
  { weight: 3, value: 3 },
  { weight: 1, value: 4 },
]

const quantities = [
  { weight: 14, value: 1 },
  { weight: 4, value: 2 },
  { weight: 1, value: 3 },
]

/** The items of an order: the first is a main course, the others are any offers of the menu. */
export function drawItems(merchant: SeedMerchant, chance: Chance, lines?: number): OrderItem[] {
  const count = Math.max(1, lines ?? drawWeighted(chance, itemCounts))
  const taken = new Set<ItemOffer>()
  return Array.from({ length: count }, (_, index) => {
    const offer = newOffer(index === 0 ? merchant.mains : merchant.offers, taken, chance)
    taken.add(offer)
    return drawItem(offer, merchant, chance)
  })
}

/** An offer that the order does not have yet; after five draws a duplicate is accepted. */
function newOffer(
  offers: readonly ItemOffer[],
  taken: ReadonlySet<ItemOffer>,
  chance: Chance,
): ItemOffer {
  let offer = chance.pick(offers)
  for (let tries = 0; taken.has(offer) && tries < 4; tries++) offer = chance.pick(offers)
  return offer
}

function drawItem(
  offer: ItemOffer,
  { remarks, currency }: SeedMerchant,
  chance: Chance,
): OrderItem {
  const byWeight = offer.unit === 'KG'
  const options = drawOptions(offer.groups, currency, chance)
  const unitUnits = offer.cents * unitsPerCent
  const optionsUnits = optionTreeUnits(options)
  // Weights are whole tenths of a kilogram, so that an item costs whole cents.
  const tenths = byWeight ? chance.between(2, 9) : drawWeighted(chance, quantities) * 10
  return {
    id: chance.uuid(),
    name: offer.name,
    ...(offer.isAlwaysCoded !== true && chance.oneIn(15)
      ? {}
      : { externalCode: offer.externalCode }),
    ...(chance.oneIn(5) ? {} : { itemOfferId: offer.id }),
    quantity: tenths / 10,
    ...(byWeight || !chance.oneIn(3) ? { unit: offer.unit } : {}),
    pricing: {
      unitPrice: priceFromUnits(unitUnits, currency),
      ...(offer.formerCents === undefined
        ? {}
        : { originalPrice: priceFromUnits(offer.formerCents * unitsPerCent, currency) }),
      ...(options.length === 0 ? {} : { optionsPrice: priceFromUnits(optionsUnits, currency) }),
      totalPrice: priceFromUnits(((unitUnits + optionsUnits) * tenths) / 10, currency),
    },
    ...(options.length === 0 ? {} : { options }),
    ...drawOptional(chance, 5, () => ({ observations: chance.pick(remarks) })),
  }
}

function optionTreeUnits(options: readonly ItemOption[]): number {
  let units = 0
  for (const { pricing, options: inner } of options)
    units += toUnits(pricing.totalPrice.value) + (inner ? optionTreeUnits(inner) : 0)
  return units
}

function drawOptions(
  groups: readonly OptionGroup[],
  currency: string,
  chance: Chance,
): ItemOption[] {
  const options: ItemOption[] = []
  for (const group of groups) {
    const { min, max, included, offered } = group
    for (const option of included)
      if (!chance.oneIn(6)) options.push(drawOption(option, group, currency, chance))
    // Optional groups are skipped in two of three cases.
    const wanted = min === 0 && !chance.oneIn(3) ? 0 : chance.between(Math.max(1, min), max)
    for (const option of drawSubset(chance, offered, wanted))
      options.push(drawOption(option, group, currency, chance))
  }
  return options
}

function drawOption(
  option: MenuOption,
  group: OptionGroup,
  currency: string,
  chance: Chance,
): ItemOption {
  const defaultQuantity = Math.max(1, option.defaultQuantity ?? 0)
  const quantity = option.max > defaultQuantity && chance.oneIn(4) ? option.max : defaultQuantity
  const unitUnits = option.cents * unitsPerCent
  const inner = drawOptions(option.groups, currency, chance)
  return {
    id: option.id,
    name: option.name,
    optionGroupId: group.id,
    optionGroupName: group.name,
    quantity,
    ...compact({ defaultQuantity: option.defaultQuantity }),
    pricing: {
      unitPrice: priceFromUnits(unitUnits, currency),
      totalPrice: priceFromUnits(unitUnits * quantity, currency),
    },
    ...(inner.length === 0 ? {} : { options: inner }),
  }
}
