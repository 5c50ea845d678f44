/** Paths of operations that have more than one. */
import { expect, test } from 'vitest'
import { operation } from './catalogue.ts'
import { pathForParameters, pathsAtHost } from './operation.ts'

test('a call takes the path with the most parameters, of those that it fills', () => {
  const row = operation('cancelAccountItem')
  expect(pathsAtHost(row, 'software-service')).toHaveLength(2)
  const pathWith = (...names: readonly string[]) =>
    pathForParameters(row, Object.fromEntries(names.map((name) => [name, 'x'])))
  expect(pathWith('itemId')).toBe('/accounts/items/{itemId}/cancel')
  expect(pathWith('itemId', 'accountId')).toBe('/accounts/{accountId}/items/{itemId}/cancel')
  expect(pathWith('itemId', 'orderId')).toBe('/accounts/items/{itemId}/cancel')
})

test('of paths with as many parameters a call takes the first', () => {
  expect(pathForParameters(operation('getCustomerById'), { id: 'x' })).toBe('/customers/{id}')
  expect(pathForParameters(operation('listLoyaltyPrograms'), {})).toBe('/loyalty/programs')
})
