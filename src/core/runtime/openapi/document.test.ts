import { expect, test } from 'vitest'
import { operationsHostedInDialect } from '../../protocol/catalogue.ts'
import { Conduct } from '../../protocol/conduct.ts'
import { dialects } from '../../protocol/dialects/catalogue.ts'
import { pathsInDialect } from '../../protocol/dialects/paths.ts'
import { errorShapes } from '../../protocol/errors.ts'
import { roles } from '../../protocol/role.ts'
import { composeOpenApi, type OpenApiOptions } from './document.ts'
import { referencesIn } from './json.ts'

const protocol = { name: 'open-orders', scopePrefix: 'oo', version: 'v2' }

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly schema?: unknown
  readonly $ref?: string
}

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly examples?: object; schema: unknown }>>
}

interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly security: unknown
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: object }
  readonly responses: Readonly<Record<string, Response>>
}

interface Described {
  readonly servers: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

const describe = (
  role: (typeof roles)[number],
  options: Omit<OpenApiOptions, 'protocol'> = {},
): Described => composeOpenApi(role, { protocol, ...options }) as unknown as Described

const operationsIn = ({ paths }: Described) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )

const statusesOf = (described: Described, path: string, method = 'post'): readonly string[] =>
  Object.keys(described.paths[path]?.[method]?.responses ?? {})

test.each(roles)('the document of the %s describes exactly the operations it serves', (role) => {
  const conduct = Conduct.parse({})
  const inOrder = (rows: readonly string[]): readonly string[] => rows.toSorted()
  expect(
    inOrder(operationsIn(describe(role)).map(({ path, method }) => `${method} ${path}`)),
  ).toEqual(
    inOrder(
      operationsHostedInDialect(role, conduct).flatMap((row) =>
        pathsInDialect(row, role, conduct).map(
          (path) => `${row.method.toLowerCase()} ${path.replace('{protocol}', 'open-orders')}`,
        ),
      ),
    ),
  )
})

/** A document with every reference and id of every dialect. */
const everyDocument = roles.flatMap((role) =>
  [{ name: 'the protocol', conduct: {} }, ...dialects].map(({ name, conduct }) => ({
    title: `the ${role} in ${name}`,
    document: describe(role, { conduct: Conduct.parse(conduct) }),
  })),
)

test.each(everyDocument)('every reference resolves, every id is unique: $title', ({ document }) => {
  const lost = referencesIn(document).filter((reference) => {
    let here: unknown = document
    for (const key of reference.replace('#/', '').split('/'))
      here = (here as Record<string, unknown> | undefined)?.[key]
    return typeof here !== 'object'
  })
  expect(lost).toEqual([])
  // A reference into another schema has no name of its own.
  expect(
    referencesIn(document).filter((each) => !/^#\/components\/\w+\/[\w.-]+$/.test(each)),
  ).toEqual([])
  const ids = operationsIn(document).map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[A-Za-z0-9]+$/.test(id))).toEqual([])
})

test('a recursive schema is a component that refers to itself', () => {
  const { schemas } = describe('ordering-application').components
  expect(schemas['ItemOption']).toMatchObject({
    properties: { options: { items: { $ref: '#/components/schemas/ItemOption' } } },
  })
})

test('an operation lists the scopes of which one suffices, and an open one none', () => {
  const { paths } = describe('ordering-application')
  expect(paths['/orders/{orderId}/confirm']?.['post']?.security).toEqual([
    { oauth: ['oo.orders'] },
    { oauth: ['oo.all'] },
    { bearer: [] },
  ])
  expect(paths['/.well-known/open-orders']?.['get']?.security).toEqual([])
  expect(paths['/merchants']?.['get']?.security).toEqual([{ oauth: [] }, { bearer: [] }])
  const strict = describe('delivery-platform', { conduct: Conduct.parse({ strict: true }) })
  expect(strict.paths['/logistics/delivery']?.['post']?.security).toEqual([
    { oauth: ['logistics.write'] },
    { bearer: [] },
  ])
})

test('a webhook takes the signature where that is enough, and is at its configured path', () => {
  const conduct = Conduct.parse({ webhookAccess: 'signature' })
  const served = operationsHostedInDialect('software-service', conduct).map((row) =>
    row.webhook === 'orders' ? { ...row, path: '/hooks/orders' } : row,
  )
  const described = describe('software-service', { conduct, served })
  expect(described.paths['/hooks/orders']?.['post']?.security).toEqual([{ signature: [] }])
  expect(described.components.securitySchemes['signature']).toMatchObject({
    type: 'apiKey',
    name: 'X-App-Signature',
  })
  expect(describe('software-service').components.securitySchemes['signature']).toBeUndefined()
})

test('query and header parameters are described, with enums', () => {
  const { paths } = describe('ordering-application')
  const poll = paths['/events:polling']?.['get']?.parameters ?? []
  expect(poll).toMatchObject([
    {
      name: 'eventType',
      in: 'query',
      required: false,
      schema: { type: 'array', items: { enum: expect.arrayContaining(['CREATED']) as unknown } },
    },
    { name: 'X-Polling-Merchants', in: 'header', required: false },
    { $ref: '#/components/parameters/RequestId' },
  ])
  const list = describe('crm').paths['/customers']?.['get']?.parameters ?? []
  expect(list.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['page', 'pageSize', 'createdFrom', 'updatedTo', 'merchantId']),
  )
})

test('the statuses of an operation follow from its row and the conduct', () => {
  const usual = describe('ordering-application')
  expect(statusesOf(usual, '/orders/{orderId}/confirm')).toEqual(
    '202 400 401 403 404 409 413 429 500 503'.split(' '),
  )
  expect(statusesOf(usual, '/events:polling', 'get').slice(0, 2)).toEqual(['200', '204'])
  const conduct = Conduct.parse({
    emptyPoll: 200,
    invalidTransition: { orders: 422 },
    passedTarget: 409,
  })
  const other = describe('ordering-application', { conduct })
  expect(statusesOf(other, '/events:polling', 'get').slice(0, 2)).toEqual(['200', '400'])
  expect(statusesOf(other, '/orders/{orderId}/confirm')).toContain('422')
  expect(statusesOf(describe('delivery-platform'), '/logistics/delivery/{orderId}/cancel')).toEqual(
    '202 400 401 403 404 409 413 422 429 500 503'.split(' '),
  )
})

test.each(errorShapes)('an error has the body of the conduct: %s', (errorBody) => {
  const conduct = Conduct.parse({ errorBody, errorCodes: { UNAUTHORIZED: 'NO_TOKEN' } })
  const { Unauthorized } = describe('crm', { conduct }).components.responses
  const [[type, content] = []] = Object.entries(Unauthorized?.content ?? {})
  expect(type).toBe(errorBody === 'problem+json' ? 'application/problem+json' : 'application/json')
  expect(content?.schema).toEqual({ $ref: '#/components/schemas/Error' })
  expect(content?.examples).toMatchObject({
    UNAUTHORIZED: {
      value: {
        wrapped: { error: { code: 'NO_TOKEN', retryable: false } },
        flat: { code: 'NO_TOKEN' },
        'flat-details': { code: 'NO_TOKEN', details: ['missing or invalid credentials'] },
        problem: { title: 'missing or invalid credentials', status: 401 },
        'problem+json': { title: 'NO_TOKEN', detail: 'missing or invalid credentials' },
      }[errorBody],
    },
  })
})

test('the server is the known URL, or a variable with the usual one', () => {
  expect(describe('crm', { url: 'http://127.0.0.1:7104/' }).servers).toEqual([
    { url: 'http://127.0.0.1:7104' },
  ])
  expect(describe('crm', { defaultUrl: 'http://127.0.0.1:7104' }).servers).toMatchObject([
    { url: '{baseUrl}', variables: { baseUrl: { default: 'http://127.0.0.1:7104' } } },
  ])
})

test('bodies have the fields and words of the dialect, and other statuses where it has them', () => {
  const conduct = Conduct.parse(dialects.find(({ name }) => name === 'opendelivery-v2')?.conduct)
  const crm = describe('crm', { conduct })
  expect(crm.components.schemas['GetLoyaltyAccountByIdResponse']).toMatchObject({
    properties: { balance: { type: 'number' } },
    required: ['customerId', 'programId', 'balance'],
  })
  expect(crm.components.schemas['GetLoyaltyAccountByIdResponse']).not.toHaveProperty(
    'properties.summary',
  )
  const text = JSON.stringify(crm.components.schemas['ReceiveLoyaltyEventRequest'])
  expect(text).toContain('loyalty.points.earned')
  expect(text).not.toContain('loyalty.points_accrued')
  const platform = describe('delivery-platform', { conduct })
  expect(platform.components.schemas['GetDeliveryResponse']).toMatchObject({
    properties: {
      deliveryId: { type: 'string' },
      deliveryPrice: { properties: { price: { properties: { value: { type: 'number' } } } } },
      problem: { items: { properties: { reason: { type: 'string' } } } },
    },
    required: expect.arrayContaining(['deliveryId']) as unknown,
  })
  const collected = platform.paths['/logistics/orderPicked/{orderId}']?.['post']
  expect(Object.keys(collected?.responses ?? {})[0]).toBe('200')
  expect(JSON.stringify(platform)).not.toMatch(/X-Request-Id/)
  const application = describe('ordering-application', { conduct })
  expect(JSON.stringify(application.components.schemas['GetOrderResponse'])).toContain('WHATSAPP')
  // What is not translated is a component as before, and a dialect without translations has those alone.
  expect(application.paths['/events:polling']?.['get']?.responses['200']).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/OrderEventList' } } },
  })
  expect(describe('crm').components.schemas).toHaveProperty('LoyaltyAccount.properties.summary')
})
