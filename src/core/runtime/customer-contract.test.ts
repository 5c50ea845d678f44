/** What both hosts of Customer declare, their limits, and their errors. */
import { describe, expect, test } from 'vitest'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import {
  sampleCustomer,
  customerEvent,
  type CustomerWire,
  type CustomerWireOptions,
  openCustomerWire,
  customerProcessingMs,
} from '../../../test/support/customer-wire.ts'

const core = [
  'upsertCustomers',
  'upsertLeads',
  'upsertOrders',
  'listCustomers',
  'listLeads',
  'listOrders',
  'getOrderById',
  'receiveCustomerEvent',
]
const reviews = ['createReviews', 'listReviews', 'getReviewById']
const queries = [
  'listCustomers',
  'listLeads',
  'listOrders',
  'getOrderById',
  'listReviews',
  'getReviewById',
  'receiveCustomerEvent',
]

const sorted = (names: unknown): readonly string[] => [...(names as string[])].sort()
const ofCore = (names: unknown): readonly string[] =>
  sorted(names).filter((name) => !name.toLowerCase().includes('loyalty'))

/** One path of each operation, and what it needs to be served. */
const doors = [
  ['POST', '/customers', 'upsertCustomers'],
  ['POST', '/v1/customer/customers:ingest', 'upsertCustomers'],
  ['POST', '/leads', 'upsertLeads'],
  ['POST', '/v1/customer/leads:ingest', 'upsertLeads'],
  ['POST', '/orders', 'upsertOrders'],
  ['POST', '/v1/customer/orders:ingest', 'upsertOrders'],
  ['POST', '/reviews', 'createReviews'],
  ['POST', '/v1/customer/reviews:ingest', 'createReviews'],
  ['GET', '/customers', 'listCustomers'],
  ['GET', '/v1/customer/customers', 'listCustomers'],
  ['GET', '/leads', 'listLeads'],
  ['GET', '/v1/customer/leads', 'listLeads'],
  ['GET', '/orders', 'listOrders'],
  ['GET', '/v1/customer/orders', 'listOrders'],
  ['GET', '/reviews', 'listReviews'],
  ['GET', '/v1/customer/reviews', 'listReviews'],
  ['POST', '/events', 'receiveCustomerEvent'],
  ['POST', '/v1/customer/events', 'receiveCustomerEvent'],
] as const

/** A valid body. */
const bodies: Readonly<Record<string, unknown>> = {
  upsertCustomers: { customer: { identifier: { type: 'custom', value: 'x' } } },
  upsertLeads: { lead: { id: 'l', source: 's', status: 'x' } },
  upsertOrders: { order: minimalOrder('o-1') },
  createReviews: { review: { rating: 5 } },
  receiveCustomerEvent: customerEvent('customer.updated', { customerId: 'nobody' }),
}

/** The operations that a host serves by its answers; checks that they are those it declares. */
async function servesWhatItDeclares(wire: CustomerWire): Promise<readonly string[]> {
  const { operations, endpoint } = await wire.declared()
  const served = new Set<string>()
  for (const [method, path, name] of doors) {
    const answer = await wire.send(
      method,
      `${endpoint}${path}`,
      method === 'POST' ? { body: bodies[name] } : {},
    )
    expect([path, answer.status]).toEqual([
      path,
      (operations as string[]).includes(name)
        ? expect.toSatisfy((status: number) => status < 300)
        : 404,
    ])
    if (answer.status !== 404) served.add(name)
  }
  return [...served].sort()
}

const open = (options: CustomerWireOptions = {}) => openCustomerWire({ listen: false, ...options })

describe('declaration', () => {
  test('[CUS-TEN-04] uses the binding catalog’s names, or both, when configured', async () => {
    const namesFor = async (declaredNames: 'binding' | 'both') => {
      await using wire = await open({ conduct: { customer: { declaredNames } } })
      return (await wire.declared())['operations'] as string[]
    }
    const ofBinding = await namesFor('binding')
    const ofCatalog = [
      'ingestCustomer',
      'getCustomers',
      'ingestOrdersForCRM',
      'getOrdersForCRM',
      'ingestLead',
      'ingestReview',
    ]
    expect(ofBinding).toEqual(expect.arrayContaining(ofCatalog))
    expect(ofBinding).not.toContain('upsertCustomers')
    expect(await namesFor('both')).toEqual(expect.arrayContaining([...ofCatalog, ...core]))
  })

  test.each([
    ['push', ['push'], [...core, ...reviews], ['receiveCustomerEvent']],
    ['pull', ['pull'], queries, queries],
    ['hybrid', ['push', 'pull'], [...core, ...reviews], queries],
  ] as const)(
    '[CUS-GEN-10, CUS-FLW-08, CUS-UND-01, CUS-GEN-02] in %s mode each side declares that mode and serves its operations',
    async (mode, modes, ofCrm, ofApplication) => {
      for (const [host, names] of [
        ['crm', ofCrm],
        ['ordering-application', ofApplication],
      ] as const) {
        await using wire = await open({ host, mode })
        const block = await wire.declared()
        expect(block['integrationModes']).toEqual(modes)
        expect(ofCore(block['operations'])).toEqual(sorted(names))
        await servesWhatItDeclares(wire)
      }
    },
  )

  test('[CUS-UND-01] the field for the mode has another name when configured', async () => {
    await using wire = await open({ mode: 'pull', conduct: { customer: { modeField: 'modes' } } })
    const block = await wire.declared()
    expect([block['modes'], block['integrationModes']]).toEqual([['pull'], undefined])
  })

  test.each([
    ['core-only', core],
    ['reviews-only', [...reviews, 'receiveCustomerEvent']],
    ['loyalty-only', ['receiveCustomerEvent']],
  ] as const)(
    '[CUS-GEN-05, CUS-GEN-03] with the preset %s exactly its parts are declared and served',
    async (offers, names) => {
      await using wire = await open({ conduct: { customer: { offers } } })
      const { operations } = await wire.declared()
      expect(ofCore(operations)).toEqual(sorted(names))
      expect((operations as string[]).some((name) => name.includes('Loyalty'))).toBe(
        offers === 'loyalty-only',
      )
      await servesWhatItDeclares(wire)
    },
  )

  test.each([
    ['customers', ['upsertCustomers', 'listCustomers']],
    ['leads', ['upsertLeads', 'listLeads']],
    ['orders', ['upsertOrders', 'listOrders', 'getOrderById']],
    ['events', ['receiveCustomerEvent']],
  ] as const)('[CUS-GEN-03] %s can be switched off on its own', async (area, without) => {
    await using wire = await open({ conduct: { customer: { areas: { [area]: false } } } })
    const { operations } = await wire.declared()
    const expected = [...core, ...reviews].filter(
      (name) => !(without as readonly string[]).includes(name),
    )
    expect(ofCore(operations)).toEqual(expected.sort())
    await servesWhatItDeclares(wire)
  })

  test('[CUS-GEN-03, CUS-GEN-04] Reviews and Loyalty can be switched off too', async () => {
    await using wire = await open({ capabilities: { reviews: false, loyalty: false } })
    const { operations } = await wire.declared()
    expect(sorted(operations)).toEqual([...core].sort())
    await servesWhatItDeclares(wire)
  })
})

describe('limits', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, number) => ({
      identifier: { type: 'custom', value: `c-${number}` },
    }))

  test('[LIM-CUS-01, LIM-UND-01] a batch over the declared size is 400 and has no effect', async () => {
    await using wire = await open({ conduct: { customer: { maxBatchSize: 5 } } })
    expect((await wire.declared())['maxBatchSize']).toBe(5)
    for (const body of [{ customers: many(6) }, { items: many(6) }, many(6)]) {
      const answer = await wire.post('/customers', body)
      expect([answer.status, answer.json]).toMatchObject([
        400,
        { error: { code: 'BATCH_TOO_LARGE' } },
      ])
      expect(answer.text).toContain('customers')
    }
    expect((await wire.post('/customers', { customers: many(5) })).status).toBe(202)
    await wire.pass(customerProcessingMs)
    expect(await wire.list('/customers')).toHaveLength(5)
  })

  test('[LIM-CUS-04] without batches, single records are accepted and sent', async () => {
    await using wire = await open({
      conduct: { customer: { supportsBatchPost: false, supportsBatchGet: false } },
    })
    expect(await wire.declared()).toMatchObject({
      supportsBatchPost: false,
      supportsBatchGet: false,
    })
    const two = await wire.post('/v1/customer/customers:ingest', { customers: many(2) })
    expect([two.status, two.json]).toMatchObject([400, { error: { code: 'BATCH_NOT_SUPPORTED' } }])
    for (const customer of many(2))
      expect((await wire.post('/customers', { customers: [customer] })).status).toBe(202)
    await wire.pass(customerProcessingMs)
    expect(await wire.read('/customers?page=2')).toMatchObject({
      items: [{}],
      pageSize: 1,
      total: 2,
    })
    const page = await wire.get('/customers?pageSize=2')
    expect([page.status, page.json]).toMatchObject([
      400,
      { error: { code: 'BATCH_NOT_SUPPORTED' } },
    ])
  })

  test('[LIM-CUS-02, LIM-UND-01] a period over the declared days is 400, with or without its end', async () => {
    await using wire = await open({ conduct: { customer: { maxGetPeriodDays: 10 } } })
    expect((await wire.declared())['maxGetPeriodDays']).toBe(10)
    // It is noon in São Paulo on 5 January 2026.
    for (const [query, status] of [
      ['updatedFrom=2025-12-26T15:00:00Z', 200],
      ['updatedFrom=2025-12-26T14:59:59Z', 400],
      ['from=2025-01-01&to=2025-01-11', 200],
      ['from=2025-01-01&to=2025-01-12', 400],
      ['createdFrom=2025-01-01&createdTo=2025-02-01', 400],
      ['to=2025-01-01', 200],
    ] as const)
      for (const path of ['/customers', '/v1/customer/orders', '/leads', '/reviews']) {
        const answer = await wire.get(`${path}?${query}`)
        expect([path, query, answer.status]).toEqual([path, query, status])
        if (status === 400)
          expect(answer.json).toMatchObject({ error: { code: 'PERIOD_TOO_LONG' } })
      }
  })

  test('[LIM-CUS-03, LIM-UND-01, LIM-UND-03] above the declared rate a client gets 429 with Retry-After; a second later it is served', async () => {
    await using wire = await open({ conduct: { customer: { requestsPerSecond: 3 } } })
    expect((await wire.declared())['requestsPerSecond']).toBe(3)
    const statuses = async (count: number) => {
      const all: number[] = []
      for (let request = 0; request < count; request++)
        all.push((await wire.get(request % 2 === 0 ? '/customers' : '/v1/customer/orders')).status)
      return all
    }
    expect(await statuses(5)).toEqual([200, 200, 200, 429, 429])
    const turnedAway = await wire.post('/customers', bodies['upsertCustomers'])
    expect(turnedAway.status).toBe(429)
    expect(turnedAway.headers.get('retry-after')).toBe('1')
    expect(turnedAway.json).toMatchObject({ error: { code: 'RATE_LIMITED', retryable: true } })
    // Operations without a capability do not count, nor do other clients.
    expect((await wire.get('/merchants')).status).toBe(200)
    await wire.pass(1000)
    expect(await statuses(4)).toEqual([200, 200, 200, 429])
    await wire.pass(customerProcessingMs)
    expect(await wire.list('/customers')).toEqual([])
  })

  test('[LIM-CUS-03] a rate-limited request may be repeated under its X-Request-Id; malformed ones do not count', async () => {
    await using wire = await open({ conduct: { customer: { requestsPerSecond: 1 } } })
    for (let request = 0; request < 5; request++)
      expect((await wire.send('POST', '/customers', { text: '{' })).status).toBe(400)
    const customer = { identifier: { type: 'custom', value: 'x' } }
    const push = async (id: string) => {
      const sending = { body: { customer }, headers: { 'x-request-id': id } }
      return (await wire.send('POST', '/customers', sending)).status
    }
    expect([await push('one'), await push('two'), await push('one')]).toEqual([202, 429, 202])
    await wire.pass(1000)
    expect(await push('two')).toBe(202)
  })

  test('[LIM-UND-01] a body over the declared size is 413', async () => {
    await using wire = await open({ conduct: { customer: { maxPayloadSizeKb: 2 } } })
    const customer = sampleCustomer('a', { metadata: { note: 'ã'.repeat(1000) } })
    const answer = await wire.post('/customers', { customer })
    expect([answer.status, answer.json]).toMatchObject([
      413,
      { error: { code: 'PAYLOAD_TOO_LARGE' } },
    ])
  })

  test('[LIM-CUS-03, LIM-UND-01] limits that are declared and not enforced have no effect', async () => {
    const limits = {
      requestsPerSecond: 2,
      maxBatchSize: 2,
      maxGetPeriodDays: 1,
      maxPayloadSizeKb: 1,
    }
    await using wire = await open({
      conduct: { customer: { ...limits, supportsBatchPost: false, enforceLimits: false } },
    })
    expect(await wire.declared()).toMatchObject(limits)
    for (let request = 0; request < 5; request++)
      expect((await wire.post('/customers', { customers: many(40) })).status).toBe(202)
    expect((await wire.get('/customers?from=2020-01-01')).status).toBe(200)
  })
})

describe('errors', () => {
  test('[CUS-ERR-02] an expired token is rejected', async () => {
    await using wire = await open({ conduct: { tokenLife: '1m' } })
    const token = await wire.token()
    await wire.pass(60_001)
    expect((await wire.send('GET', '/customers', { token })).status).toBe(401)
  })

  test('[CUS-ERR-01] an invalid record of a batch is named by its index, and the whole batch is rejected', async () => {
    await using wire = await open()
    const right = { identifier: { type: 'custom', value: 'x' } }
    const answer = await wire.post('/customers', {
      customers: [right, { identifier: { type: 'x' } }],
    })
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('customers.1.identifier.type'),
    ])
    await wire.pass(customerProcessingMs)
    expect(await wire.list('/customers')).toEqual([])
  })

  test('[CUS-ERR-04, CUS-UND-08] an unknown path and an unknown id are 404, each with its code; codes are configurable', async () => {
    await using wire = await open({
      conduct: { errorCodes: { LEAD_NOT_FOUND: 'X', CUSTOMER_NOT_FOUND: 'NO_SUCH_CUSTOMER' } },
    })
    for (const [path, code] of [
      ['/customers/x', 'NO_SUCH_CUSTOMER'],
      ['/v1/customer/customers/x', 'NO_SUCH_CUSTOMER'],
      ['/orders/x', 'ORDER_NOT_FOUND'],
      ['/reviews/x', 'REVIEW_NOT_FOUND'],
      ['/v2/customer/customers', 'NOT_FOUND'],
      ['/customers/x/y', 'NOT_FOUND'],
      ['/v1/customer/customers:ingest', 'NOT_FOUND'],
    ] as const) {
      const answer = await wire.get(path)
      expect([path, answer.status, answer.json]).toMatchObject([path, 404, { error: { code } }])
    }
  })
})
