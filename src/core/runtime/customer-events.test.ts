/** Events of Customer over the wire: received once by either side, sent by the authoritative side. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { applicationIds } from '../protocol/discovery/application-id.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import {
  openCustomerPartner,
  type CustomerPartner,
} from '../../../test/support/scripted-customer-partner.ts'
import {
  sampleCustomer,
  customerEvent,
  openCustomerWire,
  customerProcessingMs,
} from '../../../test/support/customer-wire.ts'

type Json = Readonly<Record<string, unknown>>

const at = (clock: string) => `2026-01-05T${clock}:00.000Z`
const consentOf = (customer: Json): unknown => (customer['consent'] as Json)['marketing']

describe('a received event', () => {
  test('[CUS-TEN-05] is answered as configured', async () => {
    await using wire = await openCustomerWire({
      listen: false,
      conduct: { customer: { eventAnswer: { webhook: 202, binding: 204 } } },
    })
    const event = customerEvent('customer.updated', { customerId: 'c' })
    expect((await wire.post('/events', event)).status).toBe(202)
    expect((await wire.post('/v1/customer/events', event)).status).toBe(204)
  })

  test('must have a valid signature, if it has one', async () => {
    await using wire = await openCustomerWire({ listen: false })
    const text = JSON.stringify(customerEvent('customer.updated', { customerId: 'c' }))
    const signed = (signature: string) =>
      wire.send('POST', '/webhooks/customer', { text, headers: { 'x-app-signature': signature } })
    const right = createHmac('sha256', 'secret-of-crm').update(text).digest('hex')
    expect((await signed(right)).status).toBe(204)
    expect((await signed(right.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).status).toBe(
      401,
    )
  })

  test('[CUS-EVT-02, CUS-UND-07] is deduplicated by its id; without one, by type, customer and time', async () => {
    await using wire = await openCustomerWire({ listen: false })
    const said = (more: Json) =>
      customerEvent('order.created', { orderId: 'o-1', customerId: 'c' }, more)
    for (const [path, more] of [
      ['/events', { eventId: 'one' }],
      ['/v1/customer/events', { eventId: 'one' }],
      ['/webhooks/customer', { eventId: 'one', occurredAt: at('16:00') }],
      ['/events', { eventId: undefined }],
      ['/events', { eventId: undefined }],
      ['/events', { eventId: undefined, occurredAt: at('16:00') }],
      ['/events', { eventId: undefined, id: 'two' }],
    ] as const)
      expect((await wire.post(path, said(more))).status).toBeLessThan(300)
    expect(wire.facts('customer.heard').map(({ key }) => key)).toEqual([
      'one',
      `order.created|o-1|${at('15:00')}`,
      `order.created|o-1|${at('16:00')}`,
      'two',
    ])
    expect(wire.facts('customer.event-repeated')).toHaveLength(3)
    expect(wire.facts('customer.saved')).toHaveLength(1)
  })

  test('[CUS-EVT-01] is data only: it causes no calls and is not passed on', async () => {
    await using relation = await openCustomerPartner({
      plays: 'ordering-application',
      mode: 'hybrid',
      conduct: { customer: { pullEvery: '10h' } },
    })
    await relation.pass(5000)
    const before = relation.calls.length
    for (const type of [
      'customer.created',
      'customer.updated',
      'customer.opted_in',
      'customer.opted_out',
      'lead.created',
      'order.created',
      'order.completed',
      'order.canceled',
      'review.created',
      'cart.abandoned',
    ]) {
      const entityType = type.startsWith('cart') ? 'customer' : type.split('.')[0]
      const identifier = { type: 'phone', value: '11' }
      const event = customerEvent(
        type,
        { customerId: 'c', identifier, orderId: 'o', leadId: 'l', reviewId: 'r' },
        { entityType },
      )
      expect((await relation.post('/v1/customer/events', event)).status).toBe(202)
    }
    await relation.pass(60_000)
    expect(relation.calls.slice(before)).toEqual([])
    expect(relation.facts('customer.heard')).toHaveLength(10)
  })

  test('reports an order’s outcome and makes its customer active, before the order is pushed', async () => {
    await using wire = await openCustomerWire({ listen: false })
    const identifier = { type: 'phone', value: '1' }
    await wire.post('/customers', { customer: sampleCustomer('c', { identifier }) })
    await wire.pass(customerProcessingMs)
    await wire.post('/events', customerEvent('order.created', { orderId: 'o-1', customerId: 'c' }))
    expect(await wire.read('/customers/c')).toMatchObject({ status: 'active' })
    await wire.post('/events', customerEvent('order.canceled', { orderId: 'o-1' }))
    expect(await wire.list('/orders')).toEqual([])
    await wire.post('/orders', { order: minimalOrder('o-1') })
    await wire.pass(customerProcessingMs)
    expect(await wire.list('/orders')).toMatchObject([{ id: 'o-1' }])
    const { fate, customerId } =
      wire.session
        .facts()
        .flatMap(({ fact }) =>
          fact.kind === 'customer.saved' && fact.saved.entity === 'order' ? [fact.saved.order] : [],
        )
        .at(-1) ?? {}
    expect([fate, customerId]).toEqual(['canceled', 'c'])
  })
})

describe('consent', () => {
  const opted = (out: boolean, occurredAt: string, more: Json = {}) =>
    customerEvent(
      out ? 'customer.opted_out' : 'customer.opted_in',
      { customerId: 'c', ...more },
      {
        eventId: `${out}-${occurredAt}`,
        occurredAt,
      },
    )

  test('[CUS-EVR-01] withdrawn before the customer is known stays withdrawn when the customer arrives', async () => {
    for (const named of [
      { customerId: 'c' },
      { customerId: 'other', externalIds: ['app:c'] },
      { customerId: 'other', identifier: sampleCustomer('c')['identifier'] },
    ]) {
      await using wire = await openCustomerWire({ listen: false })
      await wire.post('/customers', { customer: sampleCustomer('c') })
      // Accepted, and not applied yet.
      await wire.post('/webhooks/customer', opted(true, at('14:30'), named))
      await wire.pass(customerProcessingMs)
      expect(consentOf(await wire.read('/customers/c'))).toBe(false)
    }
  })

  test('the Customer capability’s own consent event is understood', async () => {
    await using wire = await openCustomerWire({ listen: false })
    await wire.post('/customers', { customer: sampleCustomer('c') })
    await wire.pass(customerProcessingMs)
    const flat = {
      id: 'f-1',
      eventType: 'customer.consent.updated',
      occurredAt: at('15:00'),
      customerIdentifier: sampleCustomer('c')['identifier'],
      payload: { status: 'opt_out' },
    }
    expect((await wire.post('/events', flat)).status).toBe(204)
    expect(consentOf(await wire.read('/customers/c'))).toBe(false)
  })

  test('[CUS-EVR-01, CUS-GEN-08] the Ordering Application applies it too, by the CRM’s id of the customer', async () => {
    await using relation = await openCustomerPartner({ plays: 'crm', mode: 'hybrid' })
    const made = await relation.session.createOrder({ order: minimalOrder('o-1') })
    expect(made.ok).toBe(true)
    await relation.pass(10_000)
    const customers = async () =>
      (await relation.read<{ items: Json[] }>('/customer/customers')).items
    await relation.session.submit({ kind: 'relation.consent', customerId: 'c', marketing: true })
    await relation.pass(10_000)
    expect(consentOf((await customers())[0] ?? {})).toBe(true)
    const callsBefore = relation.calls.length
    const payload = { customerId: 'crm-77', externalIds: ['app:c'] }
    const event = customerEvent('customer.opted_out', payload, { occurredAt: at('15:20') })
    expect((await relation.post('/webhooks/customer', event)).status).toBe(204)
    expect(consentOf((await customers())[0] ?? {})).toBe(false)
    await relation.pass(60_000)
    expect(relation.calls.slice(callsBefore)).toEqual([])
  })
})

describe('an event that the CRM sends', () => {
  const open = (options = {}): Promise<CustomerPartner> =>
    openCustomerPartner({ plays: 'ordering-application', ...options })

  async function withCustomer(relation: CustomerPartner): Promise<void> {
    await relation.post('/customers', {
      customer: sampleCustomer('c', { status: 'active' }),
    })
    await relation.pass(customerProcessingMs)
  }

  test('[CUS-GEN-09, CUS-EVT-04, CUS-EVT-05, CUS-EVT-06, CUS-EVO-01, CUS-EVO-02, CUS-EVO-03, CUS-EVO-04] is about changes that originate there: consent, a status, a lead', async () => {
    await using relation = await open()
    await withCustomer(relation)
    expect(relation.events()).toEqual([])
    const { session } = relation
    await session.submit({ kind: 'customer.consent', customerId: 'c', marketing: false })
    await relation.pass(1000)
    await session.submit({ kind: 'customer.consent', customerId: 'c', marketing: true })
    await session.submit({ kind: 'customer.move', customerId: 'c', trigger: 'deactivate' })
    await session.submit({
      kind: 'customer.enter',
      entry: { entity: 'lead', record: { id: 'l-1', source: 'site', status: 'new' } },
    })
    await relation.pass(1000)
    const known = {
      customerId: 'c',
      identifier: sampleCustomer('c')['identifier'],
      externalIds: ['app:c'],
    }
    const expected = (eventType: string, payload: Json) => ({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      eventType,
      entityType: eventType.split('.')[0],
      occurredAt: expect.stringMatching(/^2026-01-05T15:00:0\d\.\d{3}Z$/),
      payload,
    })
    expect(relation.events()).toEqual([
      expected('customer.opted_out', { ...known, changedFields: ['consent.marketing'] }),
      expected('customer.opted_in', { ...known, changedFields: ['consent.marketing'] }),
      expected('customer.updated', { ...known, changedFields: ['status'] }),
      expected('lead.created', { leadId: 'l-1' }),
    ])
    const [first] = relation.of('/webhooks/customer')
    expect(first?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'content-type': 'application/json',
      'x-app-id': applicationIds.crm,
      'x-app-signature': createHmac('sha256', 'secret')
        .update(JSON.stringify(first?.json))
        .digest('hex'),
    })
  })

  test('[CUS-EVT-03, CUS-EVT-07, REV-EVT-01, CUS-EVT-08] reports profiles, conversions and reviews that originate there', async () => {
    await using relation = await open()
    await withCustomer(relation)
    const { session } = relation
    const enter = async (entry: Json) => {
      const done = await session.submit({ kind: 'customer.enter', entry } as never)
      expect(done.ok).toBe(true)
    }
    await enter({
      entity: 'customer',
      record: {
        identifier: { type: 'email', value: 'b@c' },
        name: 'Bia',
        consent: { marketing: true },
      },
    })
    await enter({
      entity: 'lead',
      record: { id: 'l-1', source: 's', status: 'new', name: 'Caio', contact: '11 9' },
    })
    await session.submit({ kind: 'customer.convert', leadId: 'l-1' })
    await enter({ entity: 'order', record: { id: 'o-9', customer: { externalIds: ['app:c'] } } })
    await session.submit({ kind: 'customer.review', customerId: 'c', orderId: 'o-9', rating: 4 })
    await relation.pass(1000)
    const sentEvents = relation.events().map(({ eventType, payload }) => [eventType, payload])
    expect(sentEvents).toEqual([
      [
        'customer.created',
        expect.objectContaining({ identifier: { type: 'email', value: 'b@c' } }),
      ],
      ['customer.opted_in', expect.objectContaining({ changedFields: ['consent.marketing'] })],
      ['lead.created', { leadId: 'l-1' }],
      [
        'customer.created',
        expect.objectContaining({ identifier: { type: 'phone', value: '11 9' } }),
      ],
      ['order.created', expect.objectContaining({ orderId: 'o-9', customerId: 'c' })],
      ['review.created', { reviewId: expect.stringMatching(/./), customerId: 'c', orderId: 'o-9' }],
    ])
    // A reported review can be read.
    const { reviewId } = (sentEvents.at(-1)?.[1] ?? {}) as { reviewId?: string }
    expect((await relation.send('GET', `/reviews/${reviewId ?? ''}`)).status).toBe(200)
    const twice = await session.submit({ kind: 'customer.convert', leadId: 'l-1' })
    expect(twice.ok).toBe(false)
  })

  test('[CUS-UND-03, CUS-EVT-04] reports as the CRM’s own conclusion that a lead became active by its first order', async () => {
    await using relation = await open()
    await relation.post('/customers', {
      customer: sampleCustomer('c', { identifier: { type: 'phone', value: '1' } }),
    })
    await relation.pass(customerProcessingMs)
    await relation.post('/orders', { order: minimalOrder('o-1') })
    await relation.pass(customerProcessingMs)
    expect(relation.events()).toMatchObject([
      { eventType: 'customer.updated', payload: { customerId: 'c', changedFields: ['status'] } },
    ])
  })

  test('[CUS-EVT-02] can be repeated on demand: the same bytes, under the same id', async () => {
    await using relation = await open()
    await withCustomer(relation)
    await relation.session.submit({ kind: 'customer.consent', customerId: 'c', marketing: false })
    await relation.pass(1000)
    const [{ event } = { event: undefined }] = relation.facts('event.announced')
    await relation.session.submit({ kind: 'event.push', eventId: event?.eventId ?? '', attempt: 1 })
    await relation.pass(1000)
    const [first, second, ...others] = relation.of('/webhooks/customer')
    expect(second?.json).toEqual(first?.json)
    expect(others).toEqual([])
  })

  test.each([
    ['binding', '/v1/customer/events', 202],
    ['flow', '/events', 204],
    ['webhook', '/hooks/crm', 202],
  ] as const)(
    '[CUS-BND-06, CUS-FLW-07, CUS-TEN-05, CUS-PAY-03] goes to the %s path, and either answer is success',
    async (eventTarget, path, status) => {
      await using relation = await open({
        conduct: { customer: { eventTarget } },
        subject: { webhooks: { customer: '/hooks/crm' } },
      })
      relation.script(path, () => ({ status }))
      await withCustomer(relation)
      await relation.session.submit({ kind: 'customer.consent', customerId: 'c', marketing: false })
      await relation.session.settle()
      expect(relation.of(path)).toHaveLength(1)
      expect(relation.facts('event.pushed')).toMatchObject([{ status }])
    },
  )

  test('[CUS-UND-07] has its id in another field, none, or a flat envelope, when configured', async () => {
    for (const [conduct, shape] of [
      [{ eventIdField: 'messageId' }, { event: { messageId: expect.stringMatching(/./) } }],
      [
        { eventIdField: false as const },
        { event: expect.not.objectContaining({ eventId: expect.anything() }) },
      ],
      [
        { eventEnvelope: 'flat' as const },
        {
          id: expect.stringMatching(/./),
          eventType: 'customer.opted_out',
          customerIdentifier: sampleCustomer('c')['identifier'],
          payload: { customerId: 'c' },
        },
      ],
    ] as const) {
      await using relation = await open({ conduct: { customer: conduct } })
      await withCustomer(relation)
      await relation.session.submit({ kind: 'customer.consent', customerId: 'c', marketing: false })
      await relation.pass(1000)
      expect(relation.of('/webhooks/customer')[0]?.json).toMatchObject(shape)
    }
  })

  test('is not sent without a declared receiver, nor with events switched off', async () => {
    for (const options of [
      { declares: { operations: ['listCustomers'], supportedOperations: ['listCustomers'] } },
      { declares: null },
      { conduct: { customer: { areas: { events: false } } } },
    ]) {
      await using relation = await open(options)
      await withCustomer(relation)
      await relation.session.submit({ kind: 'customer.consent', customerId: 'c', marketing: false })
      await relation.session.settle()
      expect(relation.calls).toEqual([])
    }
  })

  test('is not sent for a switched off part: no review.created without Reviews', async () => {
    await using relation = await open({ capabilities: { reviews: false } })
    await withCustomer(relation)
    const done = await relation.session.submit({
      kind: 'customer.review',
      customerId: 'c',
      rating: 5,
    })
    expect(done.ok).toBe(false)
    expect(relation.events()).toEqual([])
  })
})
