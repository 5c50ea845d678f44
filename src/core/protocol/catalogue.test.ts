import { clauseIds } from './clauses.ts'
import { expect, test } from 'vitest'
import {
  operationsHostedBy,
  operationsHostedInDialect,
  operation,
  operations,
} from './catalogue.ts'
import { Conduct } from './conduct.ts'
import { fillPath, pathsAtHost } from './operation.ts'
import { roles } from './role.ts'

test('operation ids are unique, and no two operations of a host have the same method and path', () => {
  const ids = operations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const speaks of ['v2', 'v1'] as const) {
    const conduct = { ...Conduct.parse({}), speaks }
    const routes = roles.flatMap((host) =>
      operationsHostedInDialect(host, conduct).flatMap((row) =>
        pathsAtHost(row, host).map((path) => `${host} ${row.method} ${path}`),
      ),
    )
    expect(new Set(routes).size).toBe(routes.length)
    expect(routes.length).toBeGreaterThan(15)
  }
})

test('every operation names clauses, and each of its hosts can be called by another role', () => {
  for (const { clauses, hosts, callers } of operations) {
    expect(clauses.length).toBeGreaterThan(0)
    expect(clauses.filter((each) => !clauseIds.has(each))).toEqual([])
    for (const host of hosts) expect(callers.some((caller) => caller !== host)).toBe(true)
  }
})

test('[ORD-GEN-07, ORD-CHN-02] the Ordering Application hosts polling and the lifecycle operations, the Software Service one webhook', () => {
  const orders = (role: Parameters<typeof operationsHostedBy>[0]): readonly string[] =>
    operationsHostedBy(role)
      .filter(({ capability }) => capability === 'orders')
      .map(({ method, path }) => `${method} ${path}`)
  expect(orders('ordering-application')).toEqual([
    'GET /events:polling',
    'POST /events/acknowledgment',
    'GET /orders/{orderId}',
    'POST /orders/{orderId}/confirm',
    'POST /orders/{orderId}/preparing',
    'POST /orders/{orderId}/ready-for-pickup',
    'POST /orders/{orderId}/dispatch',
    'POST /orders/{orderId}/delivered',
    'POST /orders/{orderId}/tracking',
    'POST /orders/{orderId}/requestCancellation',
    'POST /orders/{orderId}/items/{itemId}/cancel',
  ])
  expect(orders('software-service')).toEqual(['POST /webhooks/orders'])
})

test('parameters fill a path template, each URL-encoded as one segment', () => {
  const { path } = operation('cancelOrderItem')
  expect(fillPath(path, { orderId: 'a/b', itemId: 'ü 1' })).toBe(
    '/orders/a%2Fb/items/%C3%BC%201/cancel',
  )
  expect(() => fillPath(path, { orderId: 'a' })).toThrow(/needs itemId/)
})
