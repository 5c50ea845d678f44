import { expect, test } from 'vitest'
import { operationsHostedInDialect } from '../protocol/catalogue.ts'
import { Conduct } from '../protocol/conduct.ts'
import { pathsInDialect } from '../protocol/dialects/paths.ts'
import { roles } from '../protocol/role.ts'
import { composeOpenApi } from './openapi.ts'

const protocol = { name: 'open-orders', scopePrefix: 'oo', version: 'v2' }

interface Described {
  readonly servers?: unknown
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { operationId: string; security: unknown; responses: object }>>
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

test.each(roles)('the document of the %s describes exactly the operations it serves', (role) => {
  const { paths } = composeOpenApi(role, { protocol }) as unknown as Described
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => ({
      operationId,
      method,
      path,
      success: Number(Object.keys(responses)[0]),
    })),
  )
  const conduct = Conduct.parse({})
  const inOrder = (rows: typeof described): typeof described =>
    rows.toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`))
  expect(inOrder(described)).toEqual(
    inOrder(
      operationsHostedInDialect(role, conduct).flatMap((row) =>
        pathsInDialect(row, role, conduct).map((path) => ({
          operationId: path.endsWith(row.path) ? row.id : `${row.id}:${path}`,
          method: row.method.toLowerCase(),
          path: path.replace('{protocol}', 'open-orders'),
          success: row.success,
        })),
      ),
    ),
  )
})

test('every reference resolves in the document', () => {
  const described = composeOpenApi('ordering-application', {
    protocol,
    url: 'http://127.0.0.1:7101',
  })
  const references = [...JSON.stringify(described).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  expect(references.length).toBeGreaterThan(20)
  const lost = references.filter((reference) => {
    let here: unknown = described
    for (const key of reference.split('/')) here = (here as Record<string, unknown>)[key]
    return typeof here !== 'object'
  })
  expect(lost).toEqual([])
})

test('an operation has its required scope, and an open one none', () => {
  const { paths } = composeOpenApi('ordering-application', { protocol }) as unknown as Described
  expect(paths['/orders/{orderId}/confirm']?.['post']?.security).toEqual([{ oauth: ['oo.orders'] }])
  expect(paths['/.well-known/open-orders']?.['get']?.security).toEqual([])
  expect(paths['/merchants']?.['get']?.security).toEqual([{ oauth: [] }])
})
