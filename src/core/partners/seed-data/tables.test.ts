import { expect, test, vi } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { pizzaria } from './menus/pizzaria.ts'
import { insertMenu } from './fill-tables.ts'
import { createMenuTables, createSeedTables } from './tables.ts'

const namesOf = (records: readonly object[]): unknown[] =>
  records.map((record) => ('name' in record ? record.name : undefined))

test('an inserted menu can be queried by its relations, in its original order', async () => {
  const tables = createMenuTables()
  await insertMenu(tables, pizzaria, createChance(1))

  const pizza = tables.itemOffers.findFirst((q) => q.where({ externalCode: 'PZ-101' }))!
  expect(pizza.category).toMatchObject({ name: 'Pizzas salgadas' })
  expect(namesOf(pizza.groups)).toEqual(['Sabores', 'Massa', 'Borda', 'Adicionais'])
  const filled = tables.options.findFirst((q) => q.where({ name: 'Borda recheada' }))!
  expect(namesOf(filled.groups)).toEqual(['Recheio da borda'])
})

test('a group that several offers share is one record, and nested relations have no cycle', async () => {
  const tables = createMenuTables()
  await insertMenu(tables, pizzaria, createChance(1))

  expect(tables.optionGroups.findMany((q) => q.where({ name: 'Borda' }))).toHaveLength(1)
  const calabresa = tables.options.findFirst((q) => q.where({ name: 'Calabresa acebolada' }))!
  expect(calabresa.groups).toEqual([])
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
