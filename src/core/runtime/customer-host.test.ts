/** The CRM that we play, as an Ordering Application sees it over the wire: what it accepts and what it shows. */
import { describe, expect, test } from 'vitest'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import {
  sampleCustomer,
  type CustomerWire,
  openCustomerWire,
  customerProcessingMs,
} from '../../../test/support/customer-wire.ts'

type Json = Readonly<Record<string, unknown>>

const flow = { customers: '/customers', leads: '/leads', orders: '/orders', reviews: '/reviews' }
const binding = {
  customers: '/v1/customer/customers:ingest',
  leads: '/v1/customer/leads:ingest',
  orders: '/v1/customer/orders:ingest',
  reviews: '/v1/customer/reviews:ingest',
}
const lists = {
  customers: ['/customers', '/v1/customer/customers'],
  leads: ['/leads', '/v1/customer/leads'],
  orders: ['/orders', '/v1/customer/orders'],
  reviews: ['/reviews', '/v1/customer/reviews'],
} as const

/** Sends a request, and lets the CRM process it. */
async function take(wire: CustomerWire, path: string, body: unknown): Promise<number> {
  const { status } = await wire.post(path, body)
  await wire.pass(customerProcessingMs)
  return status
}

const identifier = (value: string) => ({ type: 'phone', value })

const codeOf = (json: unknown): unknown => (json as { error?: Json }).error?.['code']

describe('a pushed record', () => {
  test('[CUS-FLW-04, CUS-BND-07, CUS-PAY-02, CUS-LED-01, CUS-LED-02, CUS-LED-03, CUS-LED-04, CUS-MAP-02, CUS-UND-06] leads', async () => {
    await using wire = await openCustomerWire()
    await take(wire, flow.customers, { customer: sampleCustomer('c') })
    const lead = { id: 'l-1', source: 'site', status: 'quente', customerRef: 'c' }
    expect(await take(wire, binding.leads, { lead })).toBe(202)
    const other = { id: 'l-2', source: 'app', status: 'novo', name: 'Caio' }
    expect(await take(wire, flow.leads, { lead: other })).toBe(202)
    for (const path of lists.leads) expect(await wire.list(path)).toEqual([lead, other])
    for (const field of ['id', 'source', 'status'] as const) {
      const { [field]: _, ...less } = lead
      for (const path of [flow.leads, binding.leads]) {
        const answer = await wire.post(path, { lead: less })
        expect([answer.status, answer.text]).toEqual([
          400,
          expect.stringContaining(`lead.${field}`),
        ])
      }
    }
    // A later push is merged into the lead.
    await take(wire, flow.leads, { lead: { ...lead, status: 'frio' } })
    expect((await wire.list('/leads')).map(({ status }) => status)).toEqual(['frio', 'novo'])
  })

  test('a lead without an id is identified by its contact', async () => {
    await using wire = await openCustomerWire()
    const contact = { type: 'phone', value: '+55 11 90000-0101' }
    await take(wire, flow.leads, { lead: { name: 'Caio', contact } })
    await take(wire, flow.leads, [
      { contact: { type: 'phone', value: '5511900000101' }, source: 'x' },
    ])
    const [lead, ...others] = await wire.list('/leads')
    expect(others).toEqual([])
    expect(lead).toMatchObject({ name: 'Caio', source: 'x', id: expect.stringMatching(/./) })
  })

  test('[CUS-FLW-05, CUS-FLW-06, CUS-BND-04, CUS-BND-05, CUS-PAY-04, CUS-MAP-03, CUS-UND-05, CUS-UND-06] orders in customer context are accepted in either shape, and read by id', async () => {
    await using wire = await openCustomerWire()
    const whole = minimalOrder('o-1')
    expect(await take(wire, flow.orders, { order: whole })).toBe(202)
    const reduced = {
      id: 'o-2',
      storeId: 'loja-1',
      customer: { identifier: identifier('1') },
      totalAmount: 12.5,
      items: [{ sku: 'x', name: 'X', quantity: 1, unitPrice: 12.5 }],
    }
    expect(await take(wire, binding.orders, reduced)).toBe(202)
    for (const path of lists.orders) expect(await wire.list(path)).toEqual([whole, reduced])
    for (const base of ['/orders', '/v1/customer/orders']) {
      expect(await wire.read(`${base}/o-1`)).toEqual(whole)
      expect((await wire.get(`${base}/o-3`)).status).toBe(404)
    }
    // Both have the same phone: one customer, with the name from the first order.
    const customers = await wire.list('/customers')
    expect(customers).toHaveLength(1)
    expect(customers[0]).toMatchObject({ name: 'Ana', status: 'active' })
  })

  test('[REV-GEN-01, REV-MAP-01, REV-UND-01, REV-UND-02, REV-BND-01] reviews of any fields are accepted, each with its customer, and read by id', async () => {
    await using wire = await openCustomerWire()
    await take(wire, flow.customers, { customer: sampleCustomer('c') })
    await take(wire, flow.orders, { order: minimalOrder('o-1') })
    const ratings = [{ method: 'nps', value: 9, isOverall: true }]
    const byCustomer = { id: 'r-1', customerId: 'c', ratings, comment: 'bom' }
    const byOrder = {
      id: 'r-2',
      orderId: 'o-1',
      overallRating: { value: true },
      whatever: { x: 1 },
    }
    expect(await take(wire, flow.reviews, { review: byCustomer })).toBe(202)
    expect(await take(wire, binding.reviews, { reviews: [byOrder] })).toBe(202)
    expect(await take(wire, '/v1/customer/reviews', { items: [{ rating: 3 }] })).toBe(202)
    for (const path of lists.reviews) {
      const [first, second, third] = await wire.list(path)
      expect([first, second]).toEqual([byCustomer, byOrder])
      expect(third).toMatchObject({ id: expect.stringMatching(/./), ratings: [{ value: 3 }] })
    }
    expect(await wire.read('/reviews/r-1')).toEqual(byCustomer)
    expect(await wire.read('/v1/customer/reviews/r-2')).toEqual(byOrder)
    expect((await wire.get('/reviews/r-9')).json).toMatchObject({
      error: { code: 'REVIEW_NOT_FOUND' },
    })
    const { entities } = await wire.session.look({ entities: { kind: 'review', limit: 9 } })
    expect(entities.map(({ label }) => label)).toEqual(['unknown', 'Ana Souza', 'Ana Souza'])
  })

  test('[REV-BND-01] the draft can be switched off without the rest of Reviews', async () => {
    await using wire = await openCustomerWire({ conduct: { customer: { draftReviews: false } } })
    expect(await take(wire, binding.reviews, { review: { rating: 5 } })).toBe(404)
    expect(await take(wire, flow.reviews, { review: { rating: 5 } })).toBe(202)
  })

  test('[CUS-RUL-01, CUS-PAY-01] 202 is sent at once, the effect follows after the configured time; the receipt may have a body', async () => {
    await using wire = await openCustomerWire({
      conduct: { customer: { processing: '10s', receipt: 'accepted' } },
    })
    const answer = await wire.post(binding.customers, { customer: sampleCustomer('a') })
    expect(answer.status).toBe(202)
    expect(answer.json).toEqual({ status: 'ACCEPTED', correlationId: expect.stringMatching(/./) })
    await wire.pass(9999)
    expect(await wire.list('/customers')).toEqual([])
    expect((await wire.get('/customers/a')).status).toBe(404)
    await wire.pass(1)
    expect(await wire.list('/customers')).toHaveLength(1)
  })

  test('[CUS-OVR-08, CUS-OVR-01, CUS-OVR-02, CUS-OVR-03, CUS-TEN-01] an identifier alone, of any type, is accepted in both notations and enriched later', async () => {
    await using wire = await openCustomerWire()
    for (const type of ['document', 'phone', 'email', 'external_id', 'custom'])
      for (const path of [flow.customers, binding.customers])
        expect(await take(wire, path, { customer: { identifier: { type, value: 'x1' } } })).toBe(
          202,
        )
    const first = await wire.list('/customers')
    expect(first.map((each) => (each['identifier'] as Json)['type'])).toEqual([
      'document',
      'phone',
      'email',
      'external_id',
      'custom',
    ])
    const more = { name: { first: 'Ana' }, metadata: { tags: ['vip'], deep: { er: null } } }
    await take(wire, flow.customers, {
      customer: { identifier: { type: 'email', value: 'X1' }, ...more },
    })
    const after = await wire.list('/customers')
    expect(after).toHaveLength(5)
    expect(after[2]).toMatchObject({ id: first[2]?.['id'], ...more })
  })

  test('[CUS-OVR-04, CUS-OVR-05, CUS-OVR-06, CUS-OVR-07, CUS-UND-02, CUS-ING-02, CUS-ING-03, CUS-ING-04, CUS-ING-05, CUS-ING-06, CUS-ING-07] the seven fields of the binding are sufficient without an identifier, with any other fields', async () => {
    await using wire = await openCustomerWire()
    const { identifier: _, ...seven } = sampleCustomer('a')
    const more = { document: 7, address: ['Rua A'], demographics: { birthDate: '1990-05-17' } }
    expect(await take(wire, binding.customers, { customer: { ...seven, ...more } })).toBe(202)
    const [shown] = await wire.list('/customers')
    expect(shown).toMatchObject({
      ...seven,
      ...more,
      identifier: { type: 'external_id', value: 'app:a' },
    })
    for (const field of [
      'id',
      'externalIds',
      'name',
      'contacts',
      'consent',
      'createdAt',
      'updatedAt',
    ]) {
      const { [field]: __, ...less } = seven
      const answer = await wire.post(binding.customers, { customer: less })
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)])
    }
  })

  test('[CUS-TEN-01] strict mode requires one of the two sets of fields', async () => {
    const bare = { identifier: identifier('1') }
    const { identifier: _, ...seven } = sampleCustomer('a')
    for (const [requiredFields, ...statuses] of [
      ['overview', 202, 400],
      ['binding', 400, 202],
      ['either', 202, 202],
    ] as const) {
      await using wire = await openCustomerWire({ conduct: { customer: { requiredFields } } })
      expect([
        await take(wire, flow.customers, bare),
        await take(wire, flow.customers, { customers: [seven] }),
      ]).toEqual(statuses)
    }
  })

  test.each(['union', 'overview', 'binding', 'lists'] as const)(
    '[CUS-TEN-01, CUS-UND-02] customers are shown as %s when configured',
    async (customerShape) => {
      await using wire = await openCustomerWire({ conduct: { customer: { customerShape } } })
      await take(wire, flow.customers, { customer: sampleCustomer('a') })
      const [shown = {}] = await wire.list('/customers')
      expect('identifier' in shown).toBe(customerShape !== 'binding')
      expect('createdAt' in shown).toBe(customerShape !== 'overview')
      expect(Array.isArray(shown['contacts'])).toBe(customerShape === 'lists')
      expect(await wire.read('/customers/a')).toEqual(shown)
    },
  )
})

describe('known records', () => {
  test('[CUS-TEN-06, CUS-OVR-09] a duplicate is 202 without effect, or 409 when configured', async () => {
    for (const duplicate of [202, 409] as const) {
      await using wire = await openCustomerWire({ conduct: { customer: { duplicate } } })
      const body = { customer: sampleCustomer('a') }
      expect(await take(wire, flow.customers, body)).toBe(202)
      const before = await wire.list('/customers')
      const again = await wire.post(binding.customers, body)
      expect(again.status).toBe(duplicate)
      if (duplicate === 409) expect(codeOf(again.json)).toBe('DUPLICATE')
      await wire.pass(customerProcessingMs)
      expect(await wire.list('/customers')).toEqual(before)
      const news = { customer: sampleCustomer('a', { name: 'Ana Maria' }) }
      expect(await take(wire, flow.customers, news)).toBe(202)
      expect(await wire.list('/customers')).toHaveLength(1)
      for (const [path, same] of [
        [flow.leads, { lead: { id: 'l', source: 's', status: 'x' } }],
        [flow.orders, { order: minimalOrder('o-1') }],
        [flow.reviews, { review: { id: 'r', rating: 1 } }],
      ] as const) {
        expect(await take(wire, path, same)).toBe(202)
        expect(await take(wire, path, same)).toBe(duplicate)
      }
    }
  })

  test('[CUS-OVR-09, CUS-TEN-06] fifty concurrent pushes of one person, by phone, e-mail and external id, yield one record', async () => {
    await using wire = await openCustomerWire()
    const said = [
      { identifier: { type: 'phone', value: '+55 11 9' }, externalIds: ['app:1'] },
      { identifier: { type: 'email', value: 'a@b' }, externalIds: ['app:1'] },
      { identifier: { type: 'external_id', value: 'app:1' }, name: 'Ana' },
      { identifier: { type: 'email', value: 'A@B' }, contacts: { email: 'a@b' } },
    ]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        wire.post(number % 2 === 0 ? flow.customers : binding.customers, {
          customer: said[number % said.length],
        }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    await wire.pass(customerProcessingMs)
    const [one, ...others] = await wire.list('/customers')
    expect(others).toEqual([])
    expect(one).toMatchObject({ externalIds: ['app:1'], name: 'Ana', contacts: { email: 'a@b' } })
  })

  test('[CUS-ERR-05] 409 for a customer older than its sender’s last push; for a batch only if all records are older', async () => {
    await using wire = await openCustomerWire()
    const at = (minute: number, name: string) => ({
      ...sampleCustomer('a', { name }),
      updatedAt: `2026-01-05T14:${minute}:00.000Z`,
    })
    expect(await take(wire, flow.customers, { customer: at(30, 'new') })).toBe(202)
    const late = await wire.post(flow.customers, { customer: at(20, 'old') })
    expect([late.status, codeOf(late.json)]).toEqual([409, 'VERSION_CONFLICT'])
    expect(late.text).toContain('customer.updatedAt')
    expect(await take(wire, flow.customers, { customer: at(30, 'same') })).toBe(202)
    const batch = [at(10, 'older'), sampleCustomer('b')]
    expect(await take(wire, flow.customers, batch)).toBe(202)
    expect((await wire.list('/customers')).map(({ name }) => name)).toEqual(['same', 'Ana Souza'])
  })

  test('[CUS-ERR-05] an older record is merged instead, when configured', async () => {
    await using wire = await openCustomerWire({ conduct: { customer: { staleWrite: 202 } } })
    await take(wire, flow.customers, { customer: sampleCustomer('a') })
    const late = sampleCustomer('a', {
      name: 'older',
      demographics: { gender: 'FEMALE' },
      updatedAt: '2026-01-05T13:00:00.000Z',
    })
    expect(await take(wire, flow.customers, { customer: late })).toBe(202)
    expect(await wire.read('/customers/a')).toMatchObject({
      name: 'Ana Souza',
      demographics: { gender: 'FEMALE' },
    })
  })

  test('[CUS-OVR-09, CUS-FLW-03] a customer is found by the id in the list and by its sender’s id', async () => {
    await using wire = await openCustomerWire({ conduct: { customer: { ids: 'own' } } })
    await take(wire, flow.customers, { customer: sampleCustomer('mine') })
    const [shown = {}] = await wire.list('/customers')
    expect(shown['id']).not.toBe('mine')
    for (const path of ['/customers', '/v1/customer/customers'])
      for (const id of [shown['id'], 'mine'])
        expect(await wire.read(`${path}/${String(id)}`)).toEqual(shown)
    const unknown = await wire.get('/customers/nobody')
    expect([unknown.status, codeOf(unknown.json)]).toEqual([404, 'CUSTOMER_NOT_FOUND'])
  })

  test('[CUS-STA-01, CUS-UND-03, CUS-FLW-01] a pushed lead becomes active with its first order, and no order makes it a lead again', async () => {
    await using wire = await openCustomerWire({ conduct: { customer: { statusField: 'stage' } } })
    const known = sampleCustomer('a', { identifier: identifier('1'), stage: 'lead' })
    await take(wire, flow.customers, { customer: known })
    expect(await wire.read('/customers/a')).toMatchObject({ stage: 'lead' })
    await take(wire, flow.orders, { order: minimalOrder('o-1') })
    expect(await wire.read('/customers/a')).toMatchObject({ stage: 'active' })
    await take(wire, flow.customers, { customer: known })
    expect(await wire.read('/customers/a')).toMatchObject({ stage: 'active' })
    await take(wire, flow.customers, { customer: { ...known, stage: 'inactive' } })
    expect(await wire.read('/customers/a')).toMatchObject({ stage: 'inactive' })
  })

  test('[CUS-UND-03] orders do not change a status when configured', async () => {
    await using wire = await openCustomerWire({ conduct: { customer: { firstOrder: false } } })
    await take(wire, flow.customers, { customer: { identifier: identifier('1') } })
    await take(wire, flow.orders, { order: minimalOrder('o-1') })
    expect((await wire.list('/customers')).map(({ status }) => status)).toEqual(['lead'])
  })
})

describe('lists', () => {
  async function crowd(count: number, conduct = {}): Promise<CustomerWire> {
    const wire = await openCustomerWire({ conduct: { customer: conduct } })
    const customers = Array.from({ length: count }, (_, number) => ({
      id: `c-${number}`,
      identifier: identifier(String(100 + number)),
      externalIds: [`app:${number}`],
      merchantId: number % 2 === 0 ? 'even' : 'odd',
      updatedAt: `2026-01-05T14:${String(number).padStart(2, '0')}:00.000Z`,
    }))
    await take(wire, flow.customers, { customers })
    return wire
  }

  test('[CUS-UND-04, CUS-FLW-02] have pages that are complete together', async () => {
    await using wire = await crowd(25)
    const ids: unknown[] = []
    for (let page = 1; page <= 3; page++) {
      const body = await wire.read(`/customers?page=${page}&pageSize=10`)
      expect(body).toMatchObject({ page, pageSize: 10, total: 25 })
      ids.push(...(body['items'] as Json[]).map(({ id }) => id))
    }
    expect(ids).toEqual(Array.from({ length: 25 }, (_, number) => `c-${number}`))
    expect((await wire.read('/customers?page=9&pageSize=10'))['items']).toEqual([])
    expect(await wire.read('/customers')).toMatchObject({ page: 1, pageSize: 50, total: 25 })
  })

  test('[CUS-UND-04] have the configured shape', async () => {
    for (const [list, shape] of [
      ['items', { items: [{}], page: 1, pageSize: 1, total: 2 }],
      ['named', { customers: [{}], page: 1, pageSize: 1, total: 2 }],
      ['pagination', { items: [{}], pagination: { page: 1, pageSize: 1, total: 2 } }],
    ] as const) {
      await using wire = await crowd(2, { list })
      expect(await wire.read('/customers?pageSize=1')).toMatchObject(shape)
    }
    await using wire = await crowd(2, { list: 'array' })
    expect((await wire.get('/customers')).json).toHaveLength(2)
  })

  test('[CUS-UND-04] filter by identifier, external id, merchant, and period under either name', async () => {
    await using wire = await crowd(10)
    const ids = async (query: string) =>
      (await wire.list(`/customers?${query}`)).map(({ id }) => id)
    expect(await ids('customerIdentifierType=phone&customerIdentifierValue=1-03')).toEqual(['c-3'])
    expect(await ids('customerIdentifierType=email&customerIdentifierValue=103')).toEqual([])
    expect(await ids('externalId=app:7')).toEqual(['c-7'])
    expect(await ids('merchantId=odd&pageSize=2')).toEqual(['c-1', 'c-3'])
    const from = '2026-01-05T14:03:00Z'
    const to = encodeURIComponent('2026-01-05T11:05:00-03:00')
    expect(await ids(`updatedFrom=${from}&updatedTo=${to}`)).toEqual(['c-3', 'c-4', 'c-5'])
    expect(await ids(`from=${from}&to=${to}`)).toEqual(['c-3', 'c-4', 'c-5'])
    expect(await ids('from=2026-01-05T15:00:00Z')).toEqual([])
  })

  test('filter orders by customer and store, reviews by order', async () => {
    await using wire = await openCustomerWire()
    const customer = (number: string) => ({
      customer: { id: number, name: 'A', phone: { number }, ordersCountOnMerchant: 0 },
    })
    await take(wire, flow.orders, [
      minimalOrder('o-1', 'DELIVERY', customer('1')),
      minimalOrder('o-2', 'DELIVERY', customer('2')),
      { id: 'o-3', storeId: 'loja-2', originChannel: 'kiosk', createdAt: '2026-01-01T00:00:00Z' },
    ])
    await take(wire, flow.reviews, [
      { id: 'r-1', orderId: 'o-1' },
      { id: 'r-2', orderId: 'o-2' },
    ])
    const ids = async (path: string) => (await wire.list(path)).map(({ id }) => id)
    const second = 'customerIdentifierType=phone&customerIdentifierValue=2'
    expect(await ids(`/orders?${second}`)).toEqual(['o-2'])
    expect(await ids('/orders?storeId=loja-1')).toEqual(['o-1', 'o-2'])
    expect(await ids('/orders?originChannel=kiosk')).toEqual(['o-3'])
    expect(await ids('/orders?createdTo=2026-01-02')).toEqual(['o-3'])
    expect(await ids(`/reviews?${second}`)).toEqual(['r-2'])
    expect(await ids('/reviews?orderId=o-1')).toEqual(['r-1'])
  })

  test.each([
    'page=0',
    'page=x',
    'page=1.5',
    'pageSize=0',
    'pageSize=501',
    'pageSize=-1',
    'updatedFrom=yesterday',
    'updatedFrom=2026-02-30',
    'updatedFrom=2026-01-02&updatedTo=2026-01-01',
    'createdFrom=',
    'customerIdentifierType=phone',
    'customerIdentifierValue=1',
    'customerIdentifierType=cpf&customerIdentifierValue=1',
  ])('[CUS-ERR-01] ?%s is refused with the parameter’s name, or ignored', async (query) => {
    await using wire = await openCustomerWire({ listen: false })
    const name = query.split('=')[0] ?? ''
    const isEmpty = query.endsWith('=')
    for (const path of Object.values(lists).flat()) {
      const answer = await wire.get(`${path}?${query}`)
      expect([path, answer.status]).toEqual([path, isEmpty ? 200 : 400])
      if (!isEmpty) expect(answer.text).toContain(name.replace(/(Type|Value)$/, ''))
    }
  })
})
