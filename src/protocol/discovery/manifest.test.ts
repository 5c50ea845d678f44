/** What a manifest must have, what it may carry, and how either notation is read into one model. */
import { describe, expect, test } from 'vitest'
import { type CapabilityDeclaration, composeManifest } from './compose.ts'
import { Manifest } from './manifest.ts'
import { readManifest } from './read.ts'

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

/** As it would come over the wire. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A valid manifest with another value at a path, or nothing there. */
function changed(path: string, value?: Json): unknown {
  const manifest = wire(compose())
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const place = keys.reduce((here, key) => Reflect.get(here as object, key) as unknown, manifest)
  if (value === undefined) Reflect.deleteProperty(place as object, last)
  else Reflect.set(place as object, last, value)
  return manifest
}

const why = (value: unknown): string => {
  const read = readManifest(value)
  if (read.ok) throw new Error('the manifest is valid')
  return read.error
}

/** A valid manifest, as it would come over the wire. */
function roundTrip(manifest: unknown): unknown {
  const received = wire(manifest)
  expect(Manifest.safeParse(received).error).toBeUndefined()
  return received
}

const block = { supported: true, supportsWebhook: true, supportsPolling: false }

describe('what a manifest must have', () => {
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
    '[%s] without a right %s (%j) it is invalid, and the sentence says where',
    (_, path, value) => {
      expect(why(changed(path, value))).toContain(`the manifest is invalid at ${path}`)
    },
  )

  test('[DIS-FLD-04] a capability that is declared twice is none', () => {
    expect(why(wire(compose([orders, orders])))).toContain('a capability is declared twice')
  })

  test('[DIS-ORD-02] an operation that is supported and unsupported is a contradiction', () => {
    const contradiction = {
      ...block,
      supportedOperations: ['confirmOrder', 'getOrder'],
      unsupportedOperations: ['getOrder'],
    }
    expect(why(changed('capabilities.0.receiver', contradiction))).toContain(
      'both supported and unsupported',
    )
    for (const field of ['supported', 'supportsWebhook', 'supportsPolling']) {
      const { [field as keyof typeof block]: _left, ...less } = block
      expect(why(changed('capabilities.0.originator', less))).toContain(
        `capabilities.0.originator.${field}`,
      )
    }
  })

  test('[AUT-CRE-03] authorization_code is declared along with client_credentials or not at all', () => {
    const grants = (names: string[]) => changed('authentication.supportedGrantTypes', names)
    expect(why(grants(['authorization_code']))).toContain('client_credentials')
    expect(readManifest(grants(['client_credentials', 'authorization_code'])).ok).toBe(true)
  })

  test.each([[null], ['a text'], [42], [[]], [{}], [undefined]])(
    '%j is no manifest, and that is no crash',
    (value) => expect(why(value)).toMatch(/^the manifest is invalid at /),
  )
})

describe('what a manifest may carry', () => {
  test('[DIS-FLD-07, DIS-FLD-08, DIS-FLD-09] extensions, an endpoint and a statement of compatibility, or none of them', () => {
    const full = compose([{ ...orders, extensions: ['indoor'] }], { compatibility: 'speaks v2' })
    expect(roundTrip(full)).toMatchObject({
      capabilities: [{ extensions: ['indoor'], endpoint: 'https://marketplace.example/api' }],
      compatibility: 'speaks v2',
    })
    const bare = roundTrip(compose([{ name: 'orders', role: 'BOTH', operations: [] }]))
    expect(bare).toMatchObject({ capabilities: [{ name: 'orders', role: 'BOTH', operations: [] }] })
    expect(bare).not.toHaveProperty('compatibility')
  })

  test('[DIS-CUS-01] the Customer block: its endpoint and its supportedOperations', () => {
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
    const read = readManifest(keyed)
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
    wire(compose([orders, { ...indoor, operations: ['getAccount'], ...change }]))

  test('[DIS-IND-01, DIS-IND-02, DIS-IND-03, DIS-IND-04] the Indoor block: version, supported, endpoint, who issues invoices and when, and whether accounts have ids', () => {
    const keyed = roundTrip(
      compose([orders, { ...indoor, operations: ['getAccount'] }], { notation: 'keyed' }),
    )
    const { name: _name, ...block_ } = indoor
    expect(keyed).toHaveProperty('capabilities.indoor', block_)
    for (const invoiceIssuer of ['pos', 'app', 'platform'])
      expect(readManifest(withIndoor({ invoiceIssuer })).ok).toBe(true)
    for (const invoiceIssueMoment of ['account_closing', 'item_addition', 'payment'])
      expect(readManifest(withIndoor({ invoiceIssueMoment })).ok).toBe(true)
    for (const wrong of [
      { version: 2 },
      { supported: 'yes' },
      { endpoint: null },
      { invoiceIssuer: 'bank' },
      { invoiceIssueMoment: 'tomorrow' },
      { usesAccountId: 'true' },
    ])
      expect(readManifest(withIndoor(wrong)).ok).toBe(false)
  })

  test('[DIS-LOG-01, DIS-LOG-02, DIS-LOG-03, DIS-TEN-02] the Logistics block: baseUrl and endpoint with one value, operations, and a mode of tracking', () => {
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
    expect(readManifest(compose([logistics({ trackingMode: 'pull' })])).ok).toBe(true)
    expect(
      readManifest(wire({ ...compose(), capabilities: { logistics: { trackingMode: 'poll' } } }))
        .ok,
    ).toBe(false)
  })

  test('[DIS-TEN-02] Logistics is read from baseUrl first, the others from endpoint first', () => {
    const both = { endpoint: 'https://endpoint.example', baseUrl: 'https://base.example' }
    const read = readManifest({
      ...compose(),
      capabilities: { logistics: both, orders: both, customer: { baseUrl: both.baseUrl } },
    })
    expect(read.ok && read.value.capabilities).toMatchObject({
      logistics: { endpoint: 'https://base.example' },
      orders: { endpoint: 'https://endpoint.example' },
      customer: { endpoint: 'https://base.example' },
    })
  })

  test('[DIS-FLD-13] a merchant block with its three booleans, beside the others', () => {
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
      expect(why(manifest)).toContain(`capabilities.merchant.${field}`)
    }
  })

  test('[DIS-UND-02] any of the three roles is taken, with or without blocks', () => {
    for (const role of ['ORIGINATOR', 'RECEIVER', 'BOTH'] as const) {
      const read = readManifest(compose([{ ...orders, role }]))
      expect(read.ok && read.value.capabilities['orders']?.role).toBe(role)
    }
  })
})

describe('how a manifest is read', () => {
  const receiver = { ...block, supportedOperations: ['confirmOrder'], unsupportedOperations: ['x'] }

  test('[DIS-TEN-01] array and keyed object say the same', () => {
    const declarations = [
      { ...orders, receiver },
      { ...orders, name: 'customer' },
    ]
    const array = readManifest(roundTrip(compose(declarations, { notation: 'array' })))
    const keyed = readManifest(roundTrip(compose(declarations, { notation: 'keyed' })))
    expect(array.ok && Object.keys(array.value.capabilities)).toEqual(['orders', 'customer'])
    expect(keyed).toEqual(array)
  })

  test('[DIS-TEN-01, DIS-UND-03] a mixture is read too: entries with role blocks, blocks with entries’ fields, and lists wherever they stand', () => {
    const read = readManifest({
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

  test('what a participant says it does not support is not taken for supported', () => {
    const originator = { ...block, unsupportedOperations: ['getOrder'] }
    const read = readManifest(compose([{ ...orders, originator }]))
    expect(read.ok && read.value.capabilities['orders']?.operations).toEqual([])
  })

  test('names that mean something to the language are names like any other', () => {
    const text = `{"capabilities":{"constructor":{"operations":["a"]},"__proto__":{"operations":["b"]},"toString":{}}}`
    const { capabilities } = JSON.parse(text) as { capabilities: unknown }
    const read = readManifest({ ...compose(), capabilities })
    expect(read.ok && Object.keys(read.value.capabilities)).toEqual(
      expect.arrayContaining(['constructor', 'toString']),
    )
    expect(({} as Record<string, unknown>)['operations']).toBeUndefined()
    expect(Object.prototype).toEqual({})
  })
})
