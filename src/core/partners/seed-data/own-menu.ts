/**
 * Menus of the user's own items, as plain data: no tables are needed, since no record is looked up by a relation. A code of
 * an item or option is the user's; only ids are drawn.
 */
import type { Chance } from '../../engine/chance.ts'
import type { ChoiceInput, MenuItemInput, OptionGroupInput } from './own-seed-data.ts'
import type { ItemOffer, MenuCategory, MenuOption, OptionGroup } from './types.ts'

const defaultCategory = 'Cardápio'

const centsOf = (price: number): number => Math.round(price * 100)

function groupOf({ name, min, max, choices }: OptionGroupInput, chance: Chance): OptionGroup {
  return {
    id: chance.uuid(),
    name,
    min,
    max: max ?? choices.length,
    included: [],
    offered: choices.map((choice) => optionOf(choice, chance)),
  }
}

function optionOf(
  { externalCode, options = [], ...choice }: ChoiceInput,
  chance: Chance,
): MenuOption {
  return {
    id: externalCode ?? chance.uuid(),
    name: choice.name,
    cents: centsOf(choice.price),
    max: choice.max,
    groups: options.map((group) => groupOf(group, chance)),
  }
}

function offerOf(item: MenuItemInput, chance: Chance): ItemOffer {
  const { externalCode, name, description, unit, price, originalPrice, options = [] } = item
  return {
    id: chance.uuid(),
    externalCode,
    isAlwaysCoded: true,
    name,
    unit,
    cents: centsOf(price),
    ...(description === undefined ? {} : { description }),
    ...(originalPrice === undefined ? {} : { formerCents: centsOf(originalPrice) }),
    groups: options.map((group) => groupOf(group, chance)),
  }
}

/**
 * Categories in the order of their first items. The ids of an item depend on its code alone, so that another item
 * changes none of them. Each is a main course: any item may be the only one of an order.
 */
export function ownMenu(items: readonly MenuItemInput[], chance: Chance): readonly MenuCategory[] {
  const byCategory = Map.groupBy(items, ({ category = defaultCategory }) => category)
  return Array.from(byCategory, ([name, members]) => ({
    id: chance.fork(`category ${name}`).uuid(),
    name,
    course: 'main',
    offers: members.map((item) => offerOf(item, chance.fork(item.externalCode))),
  }))
}
