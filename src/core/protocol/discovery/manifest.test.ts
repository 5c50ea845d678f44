/** Manifests: required and optional fields, and parsing of both notations into one model. */
import { describe, expect, test } from 'vitest'
import { type CapabilityDeclaration, composeManifest } from './compose-manifest.ts'
import { Manifest } from './manifest.ts'
import { parseManifest } from './parse-manifest.ts'

const orders: CapabilityDeclaration = {
  name: 'orders',
  role: 'ORIGINATOR',
  operations: ['getOrder'],
  endpoint: 'https://marketplace.example/api',
}

const compose = (
  declarations: readonly CapabilityDeclaration[] = [orders],
  more: Partial<Parameters<typeof composeManifest>[0]> = {},
) =>
  composeManifest({
    participantId: 'somebody',
    version: 'v2',
    supportedVersions: ['v2'],
    grantTypes: ['client_credentials'],
    credentialModels: ['by_app'],
    notation: 'array',
    declarations,
    ...more,
  })

type Json = { [field: string]: Json } | readonly Json[] | string | number | boolean | null

/** A JSON round trip, as over the wire. */
const jsonRoundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A valid manifest with the value at a path replaced, or removed when none is given. */
function withValueAt(path: string, value?: Json): unknown {
  const manifest = jsonRoundTrip(compose())
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const place = keys.reduce((here, key) => Reflect.get(here as object, key) as unknown, manifest)
  if (value === undefined) Reflect.deleteProperty(place as object, last)
  else Reflect.set(place as object, last, value)
  return manifest
}

const errorOf = (value: unknown): string => {
  const read = parseManifest(value)
  if (read.ok) throw new Error('the manifest is valid')
  return read.error
}

/** A manifest after a JSON round trip, checked to be valid. */
function roundTrip(manifest: unknown): unknown {
  const received = jsonRoundTrip(manifest)
  expect(Manifest.safeParse(received).error).toBeUndefined()
  return received
}

const block = { supported: true, supportsWebhook: true, supportsPolling: false }

describe('required fields', () => {
  test.each<[string, string, Json?]>([
    ['DIS-FLD-01', 'participantId'],
    ['DIS-FLD-01', 'participantId', 7],
    ['DIS-FLD-02', 'protocolVersion'],
    ['DIS-FLD-03', 'capabilities'],
    ['DIS-FLD-03', 'capabilities', 'orders'],
    ['DIS-FLD-04', 'capabilities.0.name'],
    ['DIS-FLD-05', 'capabilities.0.role'],
    ['DIS-FLD-05', 'capabilities.0.role', 'HOST'],
    ['DIS-FLD-06', 'capabilities.0.operations'],
    ['DIS-FLD-06', 'capabilities.0.operations', ['getOrder', 1]],
    ['DIS-FLD-07', 'capabilities.0.extensions', 'indoor'],
    ['DIS-FLD-08', 'capabilities.0.endpoint', 1],
    ['DIS-FLD-09', 'compatibility', ['v1']],
    ['DIS-FLD-10', 'protocol'],
    ['DIS-FLD-10', 'protocol.supportedVersions', 'v2'],
    ['DIS-FLD-10', 'protocol.supportedVersions', []],
    ['DIS-FLD-11', 'authentication'],
    ['DIS-FLD-11', 'authentication.supportedGrantTypes', []],
    ['DIS-FLD-12', 'authentication.clientIdGeneration', []],
    ['DIS-FLD-12', 'authentication.clientIdGeneration', ['by_store']],
  ])(
    '[%s] a missing or invalid %s (%j) makes it invalid, and the error names the path',
    (_, path, value) => {
      expect(errorOf(withValueAt(path, value))).toContain(`it is invalid at ${path}`)
    },
  )

  test('[DIS-FLD-04] a capability that is declared twice is invalid', () => {
    expect(errorOf(jsonRoundTrip(compose([orders, orders])))).toContain(
      'a capability is declared twice',
    )
  })

  test('[DIS-ORD-02] an operation must not be both supported and unsupported, and a role block needs its booleans', () => {
    const contradiction = {
      ...block,
      supportedOperations: ['confirmOrder', 'getOrder'],
      unsupportedOperations: ['getOrder'],
    }
    expect(errorOf(withValueAt('capabilities.0.receiver', contradiction))).toContain(
      'both supported and unsupported',
    )
    for (const field of ['supported', 'supportsWebhook', 'supportsPolling']) {
      const { [field as keyof typeof block]: _left, ...less } = block
      expect(errorOf(withValueAt('capabilities.0.originator', less))).toContain(
        `capabilities.0.originator.${field}`,
      )
    }
  })

  test('[AUT-CRE-03] authorization_code requires client_credentials', () => {
    const grants = (names: string[]) => withValueAt('authentication.supportedGrantTypes', names)
    expect(errorOf(grants(['authorization_code']))).toContain('client_credentials')
    expect(parseManifest(grants(['client_credentials', 'authorization_code'])).ok).toBe(true)
  })

  test.each([[null], ['a text'], [42], [[]], [{}], [undefined]])(
    '%j is an invalid manifest, reported without an exception',
    (value) => expect(errorOf(value)).toMatch(/^it is invalid at /),
  )
})

describe('optional fields', () => {
  test('[DIS-FLD-07, DIS-FLD-08, DIS-FLD-09] extensions, endpoint and compatibility are optional', () => {
    const full = compose([{ ...orders, extensions: ['indoor'] }], { compatibility: 'speaks v2' })
    expect(roundTrip(full)).toMatchObject({
      capabilities: [{ extensions: ['indoor'], endpoint: 'https://marketplace.example/api' }],
      compatibility: 'speaks v2',
    })
    const bare = roundTrip(compose([{ name: 'orders', role: 'BOTH', operations: [] }]))
    expect(bare).toMatchObject({ capabilities: [{ name: 'orders', role: 'BOTH', operations: [] }] })
    expect(bare).not.toHaveProperty('compatibility')
  })

  test('[DIS-CUS-01] the Customer block: endpoint and supportedOperations', () => {
    const customer = {
      name: 'customer',
      role: 'RECEIVER',
      operations: [],
      endpoint: 'https://crm.example',
      supportedOperations: ['ingestCustomers', 'getCustomer'],
    } as const
    const declared = {
      ...customer,
      operations: [],
      supportedOperations: [...customer.supportedOperations],
    }
    const keyed = roundTrip(compose([declared], { notation: 'keyed' }))
    expect(keyed).toHaveProperty('capabilities.customer.endpoint', 'https://crm.example')
    expect(keyed).toHaveProperty('capabilities.customer.supportedOperations', [
      'ingestCustomers',
      'getCustomer',
    ])
    const read = parseManifest(keyed)
    expect(read.ok && read.value.capabilities['customer']).toMatchObject({
      endpoint: 'https://crm.example',
      operations: ['ingestCustomers', 'getCustomer'],
    })
  })

  const indoor = {
    name: 'indoor',
    role: 'RECEIVER',
    operations: ['getAccount'],
    version: 'v2',
    supported: true,
    endpoint: 'https://store.example',
    invoiceIssuer: 'pos',
    invoiceIssueMoment: 'account_closing',
    usesAccountId: true,
  } as const satisfies Omit<CapabilityDeclaration, 'operations'> & { operations: readonly string[] }
  const withIndoor = (change: object = {}): unknown =>
    jsonRoundTrip(compose([orders, { ...indoor, operations: ['getAccount'], ...change }]))

  test('[DIS-IND-01, DIS-IND-02, DIS-IND-03, DIS-IND-04] the Indoor block: version, supported, endpoint, who issues invoices and when, and whether accounts have ids', () => {
    const keyed = roundTrip(
      compose([orders, { ...indoor, operations: ['getAccount'] }], { notation: 'keyed' }),
    )
    const { name: _name, ...block_ } = indoor
    expect(keyed).toHaveProperty('capabilities.indoor', block_)
    for (const invoiceIssuer of ['pos', 'app', 'platform'])
      expect(parseManifest(withIndoor({ invoiceIssuer })).ok).toBe(true)
    for (const invoiceIssueMoment of ['account_closing', 'item_addition', 'payment'])
      expect(parseManifest(withIndoor({ invoiceIssueMoment })).ok).toBe(true)
    for (const wrong of [
      { version: 2 },
      { supported: 'yes' },
      { endpoint: null },
      { invoiceIssuer: 'bank' },
      { invoiceIssueMoment: 'tomorrow' },
      { usesAccountId: 'true' },
    ])
      expect(parseManifest(withIndoor(wrong)).ok).toBe(false)
  })

  test('[DIS-LOG-01, DIS-LOG-02, DIS-LOG-03, DIS-TEN-02] the Logistics block: baseUrl and endpoint with one value, operations, and trackingMode', () => {
    const logistics = (more: Partial<CapabilityDeclaration>): CapabilityDeclaration => ({
      name: 'logistics',
      role: 'RECEIVER',
      operations: ['availability', 'delivery', 'tracking'],
      trackingMode: 'push',
      ...more,
    })
    for (const url of [
      { endpoint: 'https://couriers.example' },
      { baseUrl: 'https://couriers.example' },
    ])
      for (const notation of ['array', 'keyed'] as const) {
        const manifest = roundTrip(compose([logistics(url)], { notation }))
        const place = notation === 'array' ? 0 : 'logistics'
        expect(manifest).toHaveProperty(['capabilities', place], {
          ...(notation === 'array' ? { name: 'logistics' } : {}),
          role: 'RECEIVER',
          endpoint: 'https://couriers.example',
          baseUrl: 'https://couriers.example',
          operations: ['availability', 'delivery', 'tracking'],
          trackingMode: 'push',
        })
      }
    expect(parseManifest(compose([logistics({ trackingMode: 'pull' })])).ok).toBe(true)
    expect(
      parseManifest(
        jsonRoundTrip({ ...compose(), capabilities: { logistics: { trackingMode: 'poll' } } }),
      ).ok,
    ).toBe(false)
  })

  test('[DIS-TEN-02] baseUrl takes precedence for Logistics, endpoint for the others', () => {
    const both = { endpoint: 'https://endpoint.example', baseUrl: 'https://base.example' }
    const read = parseManifest({
      ...compose(),
      capabilities: { logistics: both, orders: both, customer: { baseUrl: both.baseUrl } },
    })
    expect(read.ok && read.value.capabilities).toMatchObject({
      logistics: { endpoint: 'https://base.example' },
      orders: { endpoint: 'https://endpoint.example' },
      customer: { endpoint: 'https://base.example' },
    })
  })

  test('[DIS-FLD-13] a merchant block has three booleans', () => {
    const merchant = {
      name: 'merchant',
      role: 'BOTH',
      operations: [],
      supported: true,
      supportsPartialUpdate: true,
      supportsFullGetByOriginator: false,
    } satisfies CapabilityDeclaration
    const keyed = roundTrip(compose([orders, merchant], { notation: 'keyed' }))
    const { name: _name, ...declared } = merchant
    expect(keyed).toHaveProperty('capabilities.merchant', declared)
    for (const field of ['supported', 'supportsPartialUpdate', 'supportsFullGetByOriginator']) {
      const manifest = { ...compose(), capabilities: { merchant: { ...declared, [field]: 'yes' } } }
      expect(errorOf(manifest)).toContain(`capabilities.merchant.${field}`)
    }
  })

  test('[DIS-UND-02] each of the three roles is accepted, with or without role blocks', () => {
    for (const role of ['ORIGINATOR', 'RECEIVER', 'BOTH'] as const) {
      const read = parseManifest(compose([{ ...orders, role }]))
      expect(read.ok && read.value.capabilities['orders']?.role).toBe(role)
    }
  })
})

describe('parsing', () => {
  const receiver = { ...block, supportedOperations: ['confirmOrder'], unsupportedOperations: ['x'] }

  test('[DIS-TEN-01] array and keyed notation parse to the same model', () => {
    const declarations = [
      { ...orders, receiver },
      { ...orders, name: 'customer' },
    ]
    const array = parseManifest(roundTrip(compose(declarations, { notation: 'array' })))
    const keyed = parseManifest(roundTrip(compose(declarations, { notation: 'keyed' })))
    expect(array.ok && Object.keys(array.value.capabilities)).toEqual(['orders', 'customer'])
    expect(keyed).toEqual(array)
  })

  test('[DIS-TEN-01, DIS-UND-03] mixed notations are parsed: role blocks, entry fields in keyed blocks, and operations in any list', () => {
    const read = parseManifest({
      ...compose(),
      capabilities: {
        orders: {
          version: 'v2',
          supported: true,
          receiver: { ...receiver, supportedOperations: ['confirmOrder', 'getOrder'] },
        },
        customer: { name: 'customer', role: 'BOTH', operations: ['getCustomer'] },
        logistics: { baseUrl: 'https://l.example', supportedOperations: ['delivery'] },
        menu: { supported: false },
      },
    })
    expect(read.ok && read.value.capabilities).toEqual({
      orders: {
        name: 'orders',
        operations: ['confirmOrder', 'getOrder'],
        receiver: { ...receiver, supportedOperations: ['confirmOrder', 'getOrder'] },
      },
      customer: { name: 'customer', role: 'BOTH', operations: ['getCustomer'] },
      logistics: { name: 'logistics', endpoint: 'https://l.example', operations: ['delivery'] },
    })
  })

  test('operations declared unsupported are removed from the listed ones', () => {
    const originator = { ...block, unsupportedOperations: ['getOrder'] }
    const read = parseManifest(compose([{ ...orders, originator }]))
    expect(read.ok && read.value.capabilities['orders']?.operations).toEqual([])
  })

  test('capabilities named constructor, toString or __proto__ do not pollute prototypes', () => {
    const text = `{"capabilities":{"constructor":{"operations":["a"]},"__proto__":{"operations":["b"]},"toString":{}}}`
    const { capabilities } = JSON.parse(text) as { capabilities: unknown }
    const read = parseManifest({ ...compose(), capabilities })
    expect(read.ok && Object.keys(read.value.capabilities)).toEqual(
      expect.arrayContaining(['constructor', 'toString']),
    )
    expect(({} as Record<string, unknown>)['operations']).toBeUndefined()
    expect(Object.prototype).toEqual({})
  })
})
