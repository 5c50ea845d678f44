/**
 * The Ordering Application that we play as supplier of Customer: what it pushes, in which batches, and what it shows.
 */
import { describe, expect, test } from 'vitest'
import { Order } from '../protocol/orders/order.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import {
  openCustomerPartner,
  type CustomerPartner,
  type CustomerPartnerOptions,
} from '../../../test/support/scripted-customer-partner.ts'

type Json = Readonly<Record<string, unknown>>

const customersPath = '/v1/customer/customers:ingest'
const leadsPath = '/v1/customer/leads:ingest'
const ordersPath = '/v1/customer/orders:ingest'
const reviewsPath = '/v1/customer/reviews:ingest'

const open = (options: Partial<CustomerPartnerOptions> = {}): Promise<CustomerPartner> =>
  openCustomerPartner({ plays: 'crm', ...options })

const person = (id: string, more: Json = {}) => ({
  id,
  name: `Ana ${id}`,
  phone: { number: `+55119999${id.padStart(5, '0')}` },
  ordersCountOnMerchant: 3,
  ...more,
})

async function place(
  relation: CustomerPartner,
  id: string,
  customer: Json = person(id),
): Promise<void> {
  const made = await relation.session.createOrder({
    order: minimalOrder(id, 'DELIVERY', { customer }),
  })
  if (!made.ok) throw new Error(made.error.message)
}

const records = (
  relation: CustomerPartner,
  path: string,
  one: string,
  many: string,
): readonly Json[] => relation.of(path).flatMap(({ json }) => (json[many] ?? [json[one]]) as Json[])

const typesOf = (relation: CustomerPartner): readonly unknown[] =>
  relation.events().map(({ eventType }) => eventType)

describe('an order', () => {
  test('[CUS-GEN-08, CUS-FLW-01, CUS-BND-02, CUS-BND-04, CUS-ING-01, CUS-ING-02, CUS-ING-03, CUS-ING-04, CUS-ING-05, CUS-ING-06, CUS-ING-07, CUS-TEN-01, CUS-TEN-03, CUS-PAY-01, CUS-PAY-04, CUS-GEN-07, CUS-OVR-01, CUS-OVR-02, CUS-OVR-03] pushes its customer and itself to the CRM, under their keys, by the binding’s paths, with a token', async () => {
    await using relation = await open()
    const documentNumber = '39053344705'
    await place(
      relation,
      '1',
      person('1', {
        documentNumber,
        email: 'ana@example.com',
        birthDate: '1990-05-17',
        gender: 'FEMALE',
      }),
    )
    await relation.pass(10_000)
    const [pushed] = relation.of(customersPath)
    expect(pushed?.headers['authorization']).toBe('Bearer token-1')
    const time = expect.stringMatching(/^2026-01-05T15:00:00\.000Z$/)
    expect(pushed?.json).toEqual({
      customer: {
        id: '1',
        identifier: { type: 'document', value: documentNumber },
        externalIds: ['app:1'],
        name: 'Ana 1',
        contacts: { phone: '+5511999900001', email: 'ana@example.com' },
        document: documentNumber,
        demographics: { birthDate: '1990-05-17', gender: 'FEMALE' },
        consent: { marketing: expect.any(Boolean), updatedAt: time },
        status: 'active',
        createdAt: time,
        updatedAt: time,
      },
    })
    const [sent] = records(relation, ordersPath, 'order', 'orders')
    expect(Order.safeParse(sent).success).toBe(true)
    expect(sent).toMatchObject({ id: '1', status: 'CREATED' })
    expect(relation.of('/orders')).toEqual([])
  })

  test('without a customer is not pushed', async () => {
    await using relation = await open()
    await relation.session.createOrder({ order: minimalOrder('1', 'TAKEOUT') })
    await relation.session.settle()
    expect(relation.calls).toEqual([])
  })

  test('[CUS-EVT-04, CUS-OVR-09, CUS-ING-07] of a known customer pushes the customer only if it changed, with the changes', async () => {
    await using relation = await open()
    await place(relation, '1')
    await relation.pass(10_000)
    await place(relation, '2', person('1', { ordersCountOnMerchant: 4 }))
    await relation.pass(10_000)
    expect(relation.of(customersPath)).toHaveLength(1)
    await place(relation, '3', person('1', { name: 'Ana Maria', email: 'ana@example.com' }))
    await relation.pass(10_000)
    expect(
      records(relation, customersPath, 'customer', 'customers').map(({ name }) => name),
    ).toEqual(['Ana 1', 'Ana Maria'])
    const [first, changed] = records(relation, customersPath, 'customer', 'customers').map(
      ({ createdAt, updatedAt }) => [createdAt, updatedAt].map((time) => Date.parse(String(time))),
    )
    expect(changed?.[0]).toBe(first?.[0])
    expect(changed?.[1]).toBe((first?.[1] ?? 0) + 20_000)
    expect(
      relation.events().filter(({ eventType }) => eventType === 'customer.updated'),
    ).toMatchObject([{ payload: { customerId: '1', changedFields: ['name', 'contacts.email'] } }])
    expect(typesOf(relation).filter((type) => type === 'customer.created')).toHaveLength(1)
  })

  test('[CUS-FLW-01, CUS-UND-03, CUS-STA-01, CUS-FLW-04, CUS-BND-07, CUS-LED-01, CUS-LED-02, CUS-LED-03, CUS-LED-04, CUS-EVT-07] of a new customer pushes a lead, then the customer named by the lead, and the customer again when the order makes it active', async () => {
    await using relation = await open({ conduct: { customer: { leadStatus: 'quente' } } })
    // Half of the new customers were captured as leads before; eight of them are enough.
    for (let number = 1; number <= 8; number++) {
      await place(relation, String(number), person(String(number), { ordersCountOnMerchant: 0 }))
      await relation.pass(10_000)
    }
    const statuses = records(relation, customersPath, 'customer', 'customers').map(
      ({ id, status }) => `${String(id)} ${String(status)}`,
    )
    for (let number = 1; number <= 8; number++)
      expect(statuses.filter((each) => each.startsWith(`${number} `))).toEqual([
        `${number} lead`,
        `${number} active`,
      ])
    const leads = records(relation, leadsPath, 'lead', 'leads')
    expect(leads.length).toBeGreaterThan(0)
    for (const lead of leads) {
      expect(lead).toMatchObject({
        id: expect.any(String),
        source: expect.any(String),
        status: 'quente',
      })
      const before = relation.calls.findIndex(
        ({ json }) => (json['lead'] as Json | undefined)?.['id'] === lead['id'],
      )
      const known = relation.calls
        .slice(0, before)
        .map(({ json }) => (json['customer'] as Json | undefined)?.['id'])
      expect(known).toContain(lead['customerRef'])
      expect(lead['customerRef']).toEqual(expect.any(String))
    }
    // A lead that is no customer yet has no reference.
    const entry = {
      entity: 'lead',
      record: { id: 'l-1', source: 's', status: 'new', name: 'Caio' },
    }
    await relation.session.submit({ kind: 'relation.enter', entry } as never)
    await relation.pass(10_000)
    const alone = records(relation, leadsPath, 'lead', 'leads').find(({ id }) => id === 'l-1')
    expect(alone).toMatchObject({ source: 's' })
    expect(alone).not.toHaveProperty('customerRef')
    expect(typesOf(relation).filter((type) => type === 'lead.created')).toHaveLength(
      leads.length + 1,
    )
  })

  test.each([
    ['document', { type: 'document', value: '39053344705' }],
    ['phone', { type: 'phone', value: '+5511999900001' }],
    ['email', { type: 'email', value: 'a@b' }],
    ['external_id', { type: 'external_id', value: 'app:1' }],
    ['custom', { type: 'custom', value: '1' }],
  ] as const)('[CUS-OVR-02] identifies customers by their %s', async (type, identifier) => {
    await using relation = await open({ conduct: { customer: { identifier: type } } })
    await place(relation, '1', person('1', { documentNumber: '39053344705', email: 'a@b' }))
    await relation.pass(10_000)
    expect(records(relation, customersPath, 'customer', 'customers')[0]).toMatchObject({
      identifier,
    })
  })

  test.each([
    ['overview', ['consent', 'createdAt'], ['identifier']],
    ['binding', ['identifier', 'document'], ['consent', 'createdAt', 'name', 'contacts']],
  ] as const)(
    '[CUS-TEN-01, CUS-OVR-04, CUS-OVR-05, CUS-OVR-06, CUS-OVR-07] is sent as the %s set when configured',
    async (customerShape, without, within) => {
      await using relation = await open({ conduct: { customer: { customerShape } } })
      await place(relation, '1')
      await relation.pass(10_000)
      const [sent = {}] = records(relation, customersPath, 'customer', 'customers')
      for (const field of without) expect(sent).not.toHaveProperty(field)
      for (const field of within) expect(sent).toHaveProperty(field)
    },
  )

  test('[CUS-UND-05, CUS-GEN-07] is sent bare and reduced when configured', async () => {
    await using relation = await open({
      conduct: { customer: { wrapper: 'bare', orderShape: 'reduced' } },
    })
    await place(relation, '1')
    await relation.pass(10_000)
    expect(relation.of(ordersPath)[0]?.json).toMatchObject({
      id: '1',
      storeId: 'loja-1',
      totalAmount: 40,
      customer: { externalIds: [{ source: 'app', value: '1' }] },
    })
    expect(relation.of(customersPath)[0]?.json).toHaveProperty('identifier')
  })
})

describe('occasional actions', () => {
  test('[REV-GEN-01, REV-BND-01, REV-EVT-01, REV-UND-01] a customer’s review is sent to the CRM as a rating of that order', async () => {
    for (const [reviewShape, rating] of [
      ['ratings', { ratings: [{ method: 'stars', value: 5, isOverall: true }] }],
      ['rating', { rating: 5 }],
    ] as const) {
      await using relation = await open({ conduct: { customer: { reviewShape } } })
      await place(relation, '1')
      await relation.pass(10_000)
      await relation.session.submit({
        kind: 'relation.review',
        customerId: '1',
        orderId: '1',
        rating: 5,
        comment: 'Ótimo',
      })
      await relation.pass(10_000)
      const [review] = records(relation, reviewsPath, 'review', 'reviews')
      expect(review).toMatchObject({
        customerId: '1',
        customerIdentifier: { type: 'phone' },
        orderId: '1',
        merchantId: 'loja-1',
        comment: 'Ótimo',
        createdAt: expect.stringMatching(/^2026-/),
        ...rating,
      })
      expect(relation.events().at(-1)).toMatchObject({
        eventType: 'review.created',
        entityType: 'review',
        payload: { reviewId: review?.['id'], customerId: '1', orderId: '1' },
      })
    }
  })

  test('[REV-EVT-01] a review is neither sent nor announced while Reviews is switched off', async () => {
    await using relation = await open({ capabilities: { reviews: false } })
    await place(relation, '1')
    await relation.pass(10_000)
    const review = { customerId: '1', orderId: '1', rating: 5 }
    await relation.session.submit({ kind: 'relation.review', ...review })
    await relation.pass(10_000)
    expect(typesOf(relation)).toContain('order.created')
    expect(typesOf(relation)).not.toContain('review.created')
    expect(relation.of(reviewsPath)).toEqual([])
  })

  test('[CUS-EVR-02] every change of a customer, a lead, an order or a review is announced, once', async () => {
    await using relation = await open()
    const { session } = relation
    await place(relation, '1')
    await relation.pass(10_000)
    const announced = async (act: () => Promise<unknown>): Promise<readonly unknown[]> => {
      const before = relation.events().length
      await act()
      await relation.pass(10_000)
      return typesOf(relation).slice(before)
    }
    const enter = (entry: Json) => () => session.submit({ kind: 'relation.enter', entry } as never)
    const known = { identifier: { type: 'phone', value: '+5511999900001' }, externalIds: ['app:1'] }
    const lead = { id: 'l-1', source: 's', status: 'new', name: 'Caio', contact: '11 9' }
    const cancel = { kind: 'order.apply', orderId: '1', trigger: 'cancel' } as const
    const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['customer.updated', enter({ entity: 'customer', record: { ...known, name: 'Ana Maria' } })],
      ['lead.created', enter({ entity: 'lead', record: lead })],
      [
        'review.created',
        () => session.submit({ kind: 'relation.review', customerId: '1', rating: 4 }),
      ],
      ['order.canceled', () => session.submit(cancel)],
    ]
    for (const [type, act] of changes) expect(await announced(act)).toEqual([type])
    expect(await announced(enter({ entity: 'customer', record: known }))).toEqual([])
  })

  test('[CUS-EVT-05, CUS-EVT-06, CUS-EVR-02] consent is withdrawn, reported to the CRM at once, and given again', async () => {
    await using relation = await open()
    await place(relation, '1')
    await relation.pass(10_000)
    const say = async (marketing: boolean): Promise<readonly unknown[]> => {
      const before = relation.calls.length
      await relation.session.submit({ kind: 'relation.consent', customerId: '1', marketing })
      await relation.pass(0)
      const atOnce = relation.calls.slice(before).map(({ path }) => path)
      await relation.pass(10_000)
      return atOnce
    }
    await say(true)
    expect(await say(false)).toEqual(['/webhooks/customer'])
    expect(await say(true)).toEqual([])
    expect(typesOf(relation).slice(-2)).toEqual(['customer.opted_out', 'customer.opted_in'])
    const consents = records(relation, customersPath, 'customer', 'customers').map(
      ({ consent }) => (consent as Json)['marketing'],
    )
    expect(consents.slice(-2)).toEqual([false, true])
  })

  test('over many orders reviews, leads and withdrawals occur without a command', async () => {
    await using relation = await open({
      counterparts: {
        'ordering-application': { orders: { every: '10s', limit: 150, mix: { DELIVERY: 1 } } },
      },
    })
    for (let round = 0; round < 150; round++) {
      await relation.pass(10_000)
      for (const { fact } of relation.session.facts().slice(-40))
        if (fact.kind === 'order.created')
          for (const trigger of ['confirm', 'ready-for-pickup', 'delivered'] as const)
            await relation.session.submit({ kind: 'order.apply', orderId: fact.order.id, trigger })
    }
    await relation.session.settle()
    const types = new Set(typesOf(relation))
    for (const type of [
      'customer.created',
      'customer.opted_in',
      'customer.opted_out',
      'lead.created',
      'order.created',
      'order.completed',
      'review.created',
    ])
      expect(types).toContain(type)
    expect(relation.of(reviewsPath).length).toBeGreaterThan(5)
    expect(relation.session.facts().filter(({ fact }) => fact.kind === 'agenda.refused')).toEqual(
      [],
    )
  })
})

describe('batching', () => {
  async function placeMany(relation: CustomerPartner, count: number): Promise<void> {
    for (let number = 1; number <= count; number++) await place(relation, String(number))
  }

  const secondsOf = (relation: CustomerPartner): readonly number[] => {
    const perSecond = new Map<number, number>()
    for (const { at } of relation.calls) {
      const second = Math.floor(at / 1000)
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
    }
    return [...perSecond.values()]
  }

  test('[LIM-CUS-01, LIM-UND-01] records of a short time are batched, within the CRM’s declared size', async () => {
    await using relation = await open({ declares: { maxBatchSize: 4, requestsPerSecond: 1000 } })
    await placeMany(relation, 10)
    await relation.session.settle()
    const sizes = (path: string, many: string) =>
      relation.of(path).map(({ json }) => (json[many] as Json[] | undefined)?.length ?? 1)
    expect(sizes(customersPath, 'customers')).toEqual([4, 4, 2])
    for (const size of sizes(ordersPath, 'orders')) expect(size).toBeLessThanOrEqual(4)
    expect(records(relation, customersPath, 'customer', 'customers')).toHaveLength(10)
  })

  test.each([
    ['plural', (json: Json) => json['customers']],
    ['items', (json: Json) => json['items']],
    ['array', (json: Json) => json],
  ] as const)('[LIM-UND-01] a batch has the shape %s when configured', async (batch, listIn) => {
    await using relation = await open({ conduct: { customer: { batch } } })
    await placeMany(relation, 3)
    await relation.pass(5000)
    expect(listIn(relation.of(customersPath)[0]?.json ?? {})).toHaveLength(3)
  })

  test('[LIM-CUS-04] records are sent one by one where the CRM accepts no batches', async () => {
    await using relation = await open({ declares: { supportsBatchPost: false } })
    await placeMany(relation, 5)
    await relation.session.settle()
    expect(relation.of(customersPath)).toHaveLength(5)
    for (const { json } of relation.calls) {
      expect(json).not.toHaveProperty('customers')
      expect(json).not.toHaveProperty('orders')
    }
  })

  test('[LIM-CUS-03] requests per second stay below the CRM’s declared rate, or a safe default', async () => {
    for (const [declares, most] of [
      [{ requestsPerSecond: 4, supportsBatchPost: false }, 4],
      [{ requestsPerSecond: 1 }, 1],
      [{}, 10],
    ] as const) {
      await using relation = await open({ declares })
      await placeMany(relation, 20)
      await relation.session.settle()
      expect(relation.of(customersPath).length).toBeGreaterThan(0)
      for (const count of secondsOf(relation)) expect(count).toBeLessThanOrEqual(most)
    }
  })
})

describe('the CRM', () => {
  test('[CUS-TEN-03] without binding paths is called there once, and from then on by the flow’s paths', async () => {
    await using relation = await open()
    for (const path of [customersPath, ordersPath, leadsPath, reviewsPath])
      relation.script(path, () => ({ status: 404 }))
    await place(relation, '1')
    await place(relation, '2', person('2'))
    await relation.session.settle()
    expect(relation.calls.filter(({ path }) => path.startsWith('/v1/'))).toHaveLength(1)
    expect(relation.of('/customers')[0]?.json).toHaveProperty('customers')
    expect(relation.of('/orders').length).toBeGreaterThan(0)
  })

  test('[CUS-TEN-03] with neither kind of paths is not called without end', async () => {
    await using relation = await open()
    for (const path of [customersPath, '/customers']) relation.script(path, () => ({ status: 404 }))
    await place(relation, '1')
    await relation.session.settle()
    expect(relation.of(customersPath)).toHaveLength(1)
    expect(relation.of('/customers')).toHaveLength(1)
    expect(relation.facts('relation.answered').at(1)).toMatchObject({ outcome: 'refused' })
  })

  test('[CUS-TEN-03, CUS-FLW-01, CUS-FLW-04, CUS-FLW-05] is called by the flow’s paths when configured', async () => {
    await using relation = await open({ conduct: { customer: { notation: 'flow' } } })
    await place(relation, '1', person('1', { ordersCountOnMerchant: 0 }))
    await relation.session.settle()
    expect(relation.calls.some(({ path }) => path.startsWith('/v1/'))).toBe(false)
    expect(relation.of('/customers').length).toBeGreaterThan(0)
    expect(relation.of('/orders').length).toBeGreaterThan(0)
  })

  test('[CUS-TEN-02] whose Customer shares its base with Orders gets orders by the binding’s path', async () => {
    const endpoint = 'http://crm.test'
    const orders = { name: 'orders', role: 'RECEIVER', operations: [], endpoint }
    for (const ordersAtSharedBase of [false, true]) {
      await using relation = await open({
        beside: [orders],
        conduct: { customer: { notation: 'flow', ordersAtSharedBase } },
      })
      await place(relation, '1')
      await relation.session.settle()
      expect(relation.of('/customers').length).toBeGreaterThan(0)
      expect(relation.of('/orders').length > 0).toBe(ordersAtSharedBase)
      expect(relation.of(ordersPath).length > 0).toBe(!ordersAtSharedBase)
    }
  })

  test('[CUS-TEN-04] may declare its operations by the names of the binding catalog', async () => {
    const operations = ['ingestCustomer', 'ingestOrdersForCRM', 'receiveCustomerEvent']
    await using relation = await open({ declares: { operations, supportedOperations: operations } })
    await place(relation, '1', person('1', { ordersCountOnMerchant: 0 }))
    await relation.session.settle()
    expect(relation.of(customersPath).length).toBeGreaterThan(0)
    expect(relation.of(ordersPath).length).toBeGreaterThan(0)
    // Leads are not declared, so none is sent.
    expect(relation.of(leadsPath)).toEqual([])
  })

  test('[CUS-UND-01, CUS-GEN-10] that declares pull only gets no pushes, but events', async () => {
    for (const options of [
      { declares: { integrationModes: ['pull'] } },
      { mode: 'pull' },
    ] as const) {
      await using relation = await open(options)
      await place(relation, '1')
      await relation.session.settle()
      expect(new Set(relation.calls.map(({ path }) => path))).toEqual(
        new Set(['/webhooks/customer']),
      )
    }
  })

  test('[CUS-TEN-06, CUS-PAY-01] that knows a record may answer 202 or 409, with any body: both are success', async () => {
    await using relation = await open()
    relation.script(customersPath, () => ({ status: 409, body: { error: { code: 'DUPLICATE' } } }))
    relation.script(ordersPath, () => ({ status: 202, body: 'whatever' }))
    await place(relation, '1')
    await relation.session.settle()
    expect(relation.of(customersPath)).toHaveLength(1)
    const outcomes = relation.facts('relation.answered').map(({ outcome }) => outcome)
    expect(new Set(outcomes)).toEqual(new Set(['known', 'taken']))
  })

  test('gets the records from before its manifest was valid as soon as it is', async () => {
    await using relation = await open({ declares: { maxBatchSize: 2 } })
    await place(relation, '1')
    expect(relation.calls).toEqual([])
    await relation.session.settle()
    expect(relation.of(customersPath)).toHaveLength(1)
  })

  test('gets a record again on an operator’s command', async () => {
    await using relation = await open()
    await place(relation, '1')
    await relation.session.settle()
    const before = relation.of(customersPath).length
    await relation.session.submit({ kind: 'relation.push', entity: 'customer', id: '1' })
    await relation.session.settle()
    expect(relation.of(customersPath)).toHaveLength(before + 1)
    const none = await relation.session.submit({ kind: 'relation.push', entity: 'order', id: 'x' })
    expect(none.ok).toBe(false)
  })
})
