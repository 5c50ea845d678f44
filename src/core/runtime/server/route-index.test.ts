import { describe, expect, test } from 'vitest'
import { operation, type CatalogueRow } from '../../protocol/catalogue.ts'
import { createRouteIndex } from './route-index.ts'

const rowOf = (method: CatalogueRow['method'], path: string): CatalogueRow => {
  const row = operation('getOrder')
  if (!row) throw new Error('the catalogue has no getOrder')
  return { ...row, method, path, aliases: [] }
}

const rows = {
  list: rowOf('GET', '/orders'),
  get: rowOf('GET', '/orders/{orderId}'),
  next: rowOf('GET', '/orders/next'),
  confirm: rowOf('POST', '/orders/{orderId}:confirm'),
  replace: rowOf('POST', '/orders/{orderId}'),
  item: rowOf('GET', '/orders/{orderId}/items/{itemId}'),
  nextItems: rowOf('GET', '/orders/next/items'),
}

const indexOf = (colon: 'literal' | 'encoded' = 'literal') =>
  createRouteIndex('ordering-application', Object.values(rows), {
    speaks: 'v2',
    basePath: '',
    paths: {},
    colon,
  })

/** The name of the row that a call reaches, with the parameters. */
function reached(method: string, path: string, index = indexOf()) {
  const found = index.find(method, path)
  if (found === undefined || found === 'method') return found
  const name = Object.entries(rows).find(([, row]) => row === found.row)?.[0]
  return [name, found.params]
}

describe('a call reaches the operation of its method and path', () => {
  test.each([
    ['GET', '/orders', ['list', {}]],
    ['GET', '/orders/a', ['get', { orderId: 'a' }]],
    ['GET', '/orders/a/items/b', ['item', { orderId: 'a', itemId: 'b' }]],
    // A literal segment goes before a parameter, and back to the parameter when nothing follows it.
    ['GET', '/orders/next', ['next', {}]],
    ['GET', '/orders/next/items', ['nextItems', {}]],
    ['GET', '/orders/next/items/b', ['item', { orderId: 'next', itemId: 'b' }]],
    // A parameter with a suffix goes before one without.
    ['POST', '/orders/a:confirm', ['confirm', { orderId: 'a' }]],
    ['POST', '/orders/a%3Aconfirm', ['confirm', { orderId: 'a' }]],
    ['POST', '/orders/a:other', ['replace', { orderId: 'a:other' }]],
    ['POST', '/orders/:confirm', ['replace', { orderId: ':confirm' }]],
    // What is encoded belongs to its segment.
    ['GET', '/orders/a%2Fb', ['get', { orderId: 'a/b' }]],
    ['GET', '/%6Frders', ['list', {}]],
    ['GET', `/orders/${'a'.repeat(500)}`, ['get', { orderId: 'a'.repeat(500) }]],
  ])('%s %s', (method, path, expected) => {
    expect(reached(method, path)).toEqual(expected)
  })
})

describe('any other call reaches none', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/orders/'],
    ['GET', '/orders/a/'],
    ['GET', '/orders/a/items'],
    ['GET', '/Orders'],
    ['GET', '/orders/%E0%A4%A'],
    ['GET', `/orders/${'a'.repeat(501)}`],
    ['DELETE', '/nothing'],
  ])('%s %s', (method, path) => {
    expect(reached(method, path)).toBeUndefined()
  })
})

test.each([
  ['POST', '/orders'],
  ['PATCH', '/orders/a'],
  ['DELETE', '/orders/a'],
])('a known path with another method is no unknown path: %s %s', (method, path) => {
  expect(reached(method, path)).toBe('method')
})

test('a partner who matches the colon only as %3A is imitated', () => {
  const index = indexOf('encoded')
  expect(reached('POST', '/orders/a:confirm', index)).toBeUndefined()
  expect(reached('POST', '/orders/a%3Aconfirm', index)).toEqual(['confirm', { orderId: 'a' }])
})
