import { expect, test, vi } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { pizzaria } from './menus/pizzaria.ts'
import { insertMenu } from './fill-tables.ts'
import { createMenuTables, createSeedTables } from './tables.ts'

test('an inserted menu can be queried by the ids of its rows, in its original order', async () => {
  const tables = createMenuTables()
  await insertMenu(tables, pizzaria, createChance(1))

  const pizza = tables.itemOffers.findFirst((q) => q.where({ externalCode: 'PZ-101' }))!
  const [category] = tables.categories.findMany((q) => q.where({ id: pizza.categoryId }))
  expect(category?.name).toBe('Pizzas salgadas')
  const names = new Map(tables.optionGroups.all().map(({ id, name }) => [id, name]))
  const groupsOf = ({ groupIds }: { readonly groupIds: readonly string[] }) =>
    groupIds.map((id) => names.get(id))
  expect(groupsOf(pizza)).toEqual(['Sabores', 'Massa', 'Borda', 'Adicionais'])
  const filled = tables.options.findFirst((q) => q.where({ name: 'Borda recheada' }))!
  expect(groupsOf(filled)).toEqual(['Recheio da borda'])
})

test('a group that several offers share is one record, and an option that asks nothing more has none', async () => {
  const tables = createMenuTables()
  await insertMenu(tables, pizzaria, createChance(1))

  expect(tables.optionGroups.findMany((q) => q.where({ name: 'Borda' }))).toHaveLength(1)
  const calabresa = tables.options.findFirst((q) => q.where({ name: 'Calabresa acebolada' }))!
  expect(calabresa.groupIds).toEqual([])
})

test('a record without an id is rejected', async () => {
  const { couriers } = createSeedTables()
  // The library logs the error to the console as well.
  const consoleError = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const withoutId = JSON.parse('{ "name": "Zé" }')
  await expect(couriers.create(withoutId)).rejects.toThrow('does not match the schema')
  expect(couriers.count()).toBe(0)
  consoleError.mockRestore()
})
