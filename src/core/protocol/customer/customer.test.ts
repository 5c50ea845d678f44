/** Customers, leads, reviews and orders in customer context, in every wire shape read and written. */
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { minimalOrder } from '../../../../test/support/minimal-order.ts'
import { batchKeys, batchOf, ingestBodyOf } from './batch.ts'
import { CustomerInput, readCustomer } from './customer.ts'
import { type CustomerDocument, customerView } from './customer-view.ts'
import { formatExternalId, identifierKey, identifierTypes } from './identifier.ts'
import { AnyLead, Lead } from './lead.ts'
import {
  customerOfOrder,
  orderOutcomeOf,
  type RelatedOrder as RelatedOrderType,
  RelatedOrder,
  toReducedOrder,
} from './related-order.ts'
import { ratingOf, Review, reviewView } from './review.ts'
import { Order } from '../orders/order.ts'

const identifier = { type: 'email', value: 'Ana@Example.com' } as const

/** Dotted path of the first schema issue; undefined if the value is valid. */
function wrongAt(schema: z.ZodType, value: unknown): string | undefined {
  const parsed = schema.safeParse(value)
  return parsed.success ? undefined : parsed.error.issues[0]?.path.join('.')
}

describe('a customer', () => {
  const whole = {
    id: 'c-1',
    externalIds: ['app:1'],
    name: 'Ana',
    contacts: { email: 'ana@example.com' },
    consent: { marketing: true, updatedAt: '2026-01-05T10:00:00Z' },
    createdAt: '2026-01-05T10:00:00Z',
    updatedAt: '2026-01-05T10:00:00-03:00',
  }

  test('[CUS-OVR-08, CUS-TEN-01] is valid with its identifier alone (overview) or with the binding’s seven fields', () => {
    expect(wrongAt(CustomerInput, { identifier })).toBeUndefined()
    expect(wrongAt(CustomerInput, whole)).toBeUndefined()
    for (const field of Object.keys(whole)) {
      const { [field as keyof typeof whole]: _, ...less } = whole
      expect(wrongAt(CustomerInput, less)).toBe('identifier')
      expect(CustomerInput.safeParse(less).error?.issues[0]?.message).toContain(field)
    }
    expect(wrongAt(CustomerInput, { name: 'Ana' })).toBe('identifier')
  })

  test('[CUS-OVR-02, CUS-OVR-03] requires one of five identifier types and a non-blank value', () => {
    for (const type of identifierTypes)
      expect(wrongAt(CustomerInput, { identifier: { type, value: 'x' } })).toBeUndefined()
    for (const [wrong, where] of [
      [{ type: 'cpf', value: '1' }, 'identifier.type'],
      [{ type: 'Document', value: '1' }, 'identifier.type'],
      [{ value: '1' }, 'identifier.type'],
      [{ type: 'phone' }, 'identifier.value'],
      [{ type: 'phone', value: ' ' }, 'identifier.value'],
      [{ type: 'phone', value: 5511 }, 'identifier.value'],
      ['ana@example.com', 'identifier'],
    ] as const)
      expect(wrongAt(CustomerInput, { identifier: wrong })).toBe(where)
  })

  test.each([null, 0, false, 'text', ['a', { b: 1 }], { deep: { er: [1] } }])(
    '[CUS-OVR-04, CUS-UND-02] accepts and keeps %j as name, document, address or metadata',
    (value) => {
      const input = { identifier, name: value, document: value, address: value, metadata: value }
      const { fields } = readCustomer(CustomerInput.parse(input))
      const { identifier: _, ...sent } = input
      expect(fields).toEqual(value === null ? {} : sent)
    },
  )

  test('[CUS-OVR-05, CUS-OVR-06, CUS-OVR-07] may lack contacts, demographics and external ids; an invalid one is reported by path', () => {
    expect(readCustomer(CustomerInput.parse({ identifier })).fields).toEqual({})
    for (const [more, where] of [
      [{ contacts: 'x' }, 'contacts'],
      [{ externalIds: 'app:1' }, 'externalIds'],
      [{ externalIds: [7] }, 'externalIds.0'],
      [{ consent: { marketing: 'yes' } }, 'consent.marketing'],
      [{ consent: { updatedAt: 'soon' } }, 'consent.updatedAt'],
      [{ status: 'ACTIVE' }, 'status'],
      [{ createdAt: 'yesterday' }, 'createdAt'],
      [{ updatedAt: 5 }, 'updatedAt'],
      [{ id: 7 }, 'id'],
    ] as const)
      expect(wrongAt(CustomerInput, { identifier, ...more })).toBe(where)
  })

  test('the field’s typed lists are read into the documents’ fields', () => {
    const read = readCustomer(
      CustomerInput.parse({
        identifier,
        externalIds: [
          { source: 'app', value: '1' },
          { source: 'pos', sourceName: 'Caixa', key: '2', value: '2' },
          { source: 'erp', key: '3' },
          { source: '', value: 'x' },
          'app:1',
        ],
        contacts: [
          { type: 'phone', value: '11' },
          { type: 'email', value: 'a@b' },
          { type: 'phone', value: '22' },
          { type: 'other', value: '@ana' },
        ],
        birthDate: '1990-05-17',
        addresses: [{ street: 'Rua A' }, { street: 'Rua B' }],
        consents: [
          { purpose: 'analytics', status: 'opt_in' },
          { purpose: 'marketing', status: 'revoked', revokedAt: '2026-01-05T10:00:00Z' },
        ],
      }),
    )
    expect(read.externalIds).toEqual(['app:1', 'pos:2', 'erp:3', 'x'])
    expect(read.fields).toEqual({
      contacts: {
        phone: '11',
        email: 'a@b',
        others: [
          { type: 'phone', value: '22' },
          { type: 'other', value: '@ana' },
        ],
      },
      demographics: { birthDate: '1990-05-17' },
      address: { street: 'Rua A' },
      addresses: [{ street: 'Rua A' }, { street: 'Rua B' }],
    })
    expect(read.consent).toEqual({ marketing: false, updatedAt: '2026-01-05T10:00:00Z' })
  })

  test('[CUS-UND-03] has its status in the configured field', () => {
    const input = CustomerInput.parse({ identifier, stage: 'inactive' })
    expect(readCustomer(input).status).toBeUndefined()
    expect(readCustomer(input, 'stage').status).toBe('inactive')
  })

  const document: CustomerDocument = {
    id: 'c-1',
    identifier: { type: 'document', value: '39053344705' },
    externalIds: ['app:1', 'x'],
    fields: {
      name: 'Ana',
      contacts: { phone: '11', email: 'a@b', fax: 7, others: [{ type: 'other', value: '@ana' }] },
      demographics: { birthDate: '1990-05-17', gender: 'FEMALE' },
      address: { street: 'Rua A' },
      metadata: { tags: ['vip'] },
    },
    consent: { marketing: true, updatedAt: '2026-01-05T10:00:00Z' },
    createdAt: '2026-01-05T10:00:00Z',
    updatedAt: '2026-01-05T11:00:00Z',
  }
  const view = (customerShape: Parameters<typeof customerView>[1]['customerShape']) =>
    customerView({ document, status: 'active' }, { customerShape, statusField: 'status' })

  test('[CUS-TEN-01, CUS-STA-01] is written as union, overview, binding or lists, always with id and status', () => {
    const { fields, ...rest } = document
    expect(view('union')).toEqual({ ...rest, ...fields, status: 'active' })
    expect(view('overview')).toEqual({
      id: 'c-1',
      identifier: document.identifier,
      externalIds: document.externalIds,
      ...fields,
      status: 'active',
    })
    expect(view('binding')).toEqual({
      id: 'c-1',
      externalIds: document.externalIds,
      name: 'Ana',
      contacts: fields['contacts'],
      consent: document.consent,
      createdAt: document.createdAt,
      updatedAt: document.updatedAt,
      status: 'active',
    })
    expect(view('lists')).toMatchObject({
      externalIds: [
        { source: 'app', value: '1' },
        { source: 'unknown', value: 'x' },
      ],
      contacts: [
        { type: 'phone', value: '11' },
        { type: 'email', value: 'a@b' },
        { type: 'other', value: '7' },
        { type: 'other', value: '@ana' },
      ],
      birthDate: '1990-05-17',
      addresses: [{ street: 'Rua A' }],
      consents: [{ purpose: 'marketing', status: 'opt_in', grantedAt: '2026-01-05T10:00:00Z' }],
      metadata: { tags: ['vip'] },
    })
  })

  test('every written shape is valid input', () => {
    for (const shape of ['union', 'overview', 'binding', 'lists'] as const) {
      const parsed = CustomerInput.safeParse(view(shape))
      expect([shape, parsed.success]).toEqual([shape, true])
    }
  })

  test('identifier keys ignore punctuation and differ by type', () => {
    const key = (type: (typeof identifierTypes)[number], value: string) =>
      identifierKey({ type, value })
    expect(key('document', '390.533.447-05')).toBe(key('document', ' 39053344705'))
    expect(key('phone', '+55 (11) 99999-0000')).toBe(key('phone', '5511999990000'))
    expect(key('email', 'Ana@Example.com')).toBe(key('email', 'ana@example.com'))
    expect(key('custom', 'A')).not.toBe(key('custom', 'a'))
    expect(key('custom', '1')).not.toBe(key('external_id', '1'))
    expect(formatExternalId({ source: 'app', value: '1' })).toBe('app:1')
  })
})

describe('a lead', () => {
  test('[CUS-LED-01, CUS-LED-02, CUS-LED-03, CUS-LED-04] requires id, source and a stage of any name; the customer is optional', () => {
    const lead = { id: 'l-1', source: 'site', status: 'whatever' }
    for (const schema of [Lead, AnyLead]) {
      expect(wrongAt(schema, lead)).toBeUndefined()
      expect(wrongAt(schema, { ...lead, customerRef: 'c-1' })).toBeUndefined()
      expect(wrongAt(schema, { ...lead, customerRef: 7 })).toBe('customerRef')
      for (const field of ['id', 'source', 'status'] as const) {
        const { [field]: _, ...less } = lead
        expect(wrongAt(schema, less)).toBe(field)
        expect(wrongAt(schema, { ...lead, [field]: 7 })).toBe(field)
      }
    }
  })

  test('on the flow’s path needs only a contact, as a string or with its type', () => {
    for (const contact of ['ana@example.com', { type: 'phone', value: '11' }]) {
      expect(wrongAt(AnyLead, { name: 'Ana', contact })).toBeUndefined()
      expect(wrongAt(Lead, { name: 'Ana', contact })).toBe('id')
    }
  })
})

describe('a review', () => {
  test('[REV-UND-01] is any non-empty object', () => {
    for (const review of [
      { rating: 5 },
      { ratings: [{ value: true }] },
      { anything: { at: 'all' } },
    ])
      expect(wrongAt(Review, review)).toBeUndefined()
    for (const wrong of [{}, [], 'five stars', 5, null])
      expect(Review.safeParse(wrong).success).toBe(false)
    expect(wrongAt(Review, { orderId: 7 })).toBe('orderId')
  })

  test('[REV-UND-01] has one resulting rating, and is written in the configured shape', () => {
    expect(ratingOf({ rating: 4 })).toBe(4)
    expect(ratingOf({ ratings: [{ value: 2 }, { value: 9, isOverall: true }] })).toBe(9)
    expect(ratingOf({ overallRating: { ratingStyle: 'STAR', value: 3 } })).toBe(3)
    expect(ratingOf({ comment: 'bom' })).toBeUndefined()
    const ours = { id: 'r', rating: 4, comment: 'bom' }
    expect(reviewView(ours, { reviewShape: 'rating', ratingValue: 'number' })).toBe(ours)
    expect(reviewView(ours, { reviewShape: 'ratings', ratingValue: 'number' })).toEqual({
      id: 'r',
      comment: 'bom',
      ratings: [
        {
          method: 'stars',
          value: 4,
          scaleMin: 1,
          scaleMax: 5,
          isOverall: true,
          comment: 'bom',
        },
      ],
    })
  })
})

describe('an order in customer context', () => {
  test('[CUS-GEN-07, CUS-PAY-04] is a complete order in the Orders shape, or the reduced record', () => {
    expect(wrongAt(RelatedOrder, minimalOrder('o-1'))).toBeUndefined()
    expect(wrongAt(RelatedOrder, { id: 'o-1', totalAmount: 40 })).toBeUndefined()
    const { merchant: _, ...half } = minimalOrder('o-1')
    expect(wrongAt(RelatedOrder, half)).toBe('merchant')
    expect(wrongAt(RelatedOrder, { id: 'o-1', totalAmount: '40' })).toBe('totalAmount')
    for (const order of [{ totalAmount: 40 }, { id: null, totalAmount: 40 }, { id: '' }])
      expect(wrongAt(RelatedOrder, order)).toBe('id')
    expect(wrongAt(RelatedOrder, { id: 'o-1', originChannel: 'carrier pigeon' })).toBe(
      'originChannel',
    )
    for (const wrong of [{}, 7, [], null]) expect(RelatedOrder.safeParse(wrong).success).toBe(false)
  })

  test('has its outcome by status, and identifiers of its customer', () => {
    const order = (more: object): RelatedOrderType =>
      RelatedOrder.parse(minimalOrder('o-1', 'DELIVERY', more))
    expect(
      ['CREATED', 'READY', 'DELIVERED', 'CONCLUDED', 'CANCELLED'].map((status) =>
        orderOutcomeOf(order({ status })),
      ),
    ).toEqual(['created', 'created', 'completed', 'completed', 'canceled'])
    const customer = { id: 'c', name: 'Ana', phone: { number: '11' }, ordersCountOnMerchant: 0 }
    const identified = (more: object) =>
      customerOfOrder(order({ customer: { ...customer, ...more } }))?.identifier
    expect(identified({ documentNumber: '1' })).toEqual({ type: 'document', value: '1' })
    expect(identified({})).toEqual({ type: 'phone', value: '11' })
    // A number with an extension is a platform's, shared by many customers.
    const shared = { phone: { number: '0800', extension: '123' } }
    expect(identified({ ...shared, email: 'a@b' })).toEqual({ type: 'email', value: 'a@b' })
    expect(identified(shared)).toEqual({ type: 'external_id', value: 'app:c' })
    expect(customerOfOrder({ id: 'o', totalAmount: 1 })).toBeUndefined()
    expect(customerOfOrder({ id: 'o', customer: {} })).toBeUndefined()
  })

  test('converts to the field’s reduced record', () => {
    const order = Order.parse(minimalOrder('o-1'))
    const reduced = toReducedOrder(order, { type: 'phone', value: '1' })
    expect(reduced).toMatchObject({
      id: 'o-1',
      storeId: 'loja-1',
      totalAmount: 40,
      customer: {
        identifier: { type: 'phone', value: '1' },
        externalIds: [{ source: 'app', value: 'c' }],
      },
      items: [
        { sku: 'x-burger', quantity: 2, unitPrice: 10 },
        { sku: 'suco', quantity: 2, unitPrice: 10 },
      ],
    })
    expect(RelatedOrder.safeParse(reduced).success).toBe(true)
  })
})

describe('the body of an ingest', () => {
  const customers = batchOf(CustomerInput, batchKeys.customer)
  const orders = batchOf(RelatedOrder, batchKeys.order)
  const one = { identifier }

  test.each([
    ['{customer}', { customer: one }],
    ['{customers: [...]}', { customers: [one] }],
    ['{items: [...]}', { items: [one] }],
    ['an array', [one]],
    ['a bare record', one],
    ['a list under the singular key', { customer: [one] }],
  ])('[CUS-UND-05, LIM-UND-01] is read as %s', (_, body) => {
    expect(customers.parse(body)).toEqual([one])
  })

  test('[CUS-UND-05] an order’s own items are not read as a batch; orders under items are', () => {
    const reduced = { id: 'o-1', items: [{ sku: 'x', quantity: 1 }] }
    expect(orders.parse(reduced)).toEqual([reduced])
    expect(orders.parse({ order: reduced })).toEqual([reduced])
    expect(orders.parse({ items: [reduced, minimalOrder('o-2')] })).toHaveLength(2)
    expect(orders.parse(minimalOrder('o-1'))).toHaveLength(1)
  })

  test.each([
    [{}, 'customer'],
    [[], 'customers'],
    [{ customers: [] }, 'customers'],
    [{ customers: 'x' }, 'customers'],
    [{ customer: 'x' }, 'customer'],
    [{ customer: null }, 'customer'],
    [{ customer: {} }, 'customer.identifier'],
    [{ customers: [one, { identifier: 7 }] }, 'customers.1.identifier'],
    [[one, 7], '1'],
    [{ items: [{}] }, 'items.0.identifier'],
    [{ name: 'Ana' }, 'identifier'],
    ['x', ''],
    [7, ''],
    [null, ''],
  ])('[CUS-ERR-01] %j is wrong at %j', (body, where) => {
    expect(wrongAt(customers, body)).toBe(where)
  })

  test('[LIM-UND-01] is written as one record under its key or bare, or several in the configured shape', () => {
    const keys = batchKeys.lead
    const usual = { wrapper: 'wrapped', batch: 'plural' } as const
    expect(ingestBodyOf([1], keys, usual)).toEqual({ lead: 1 })
    expect(ingestBodyOf([1], keys, { ...usual, wrapper: 'bare' })).toBe(1)
    expect(ingestBodyOf([1, 2], keys, usual)).toEqual({ leads: [1, 2] })
    expect(ingestBodyOf([1, 2], keys, { ...usual, batch: 'items' })).toEqual({ items: [1, 2] })
    expect(ingestBodyOf([1, 2], keys, { ...usual, batch: 'array' })).toEqual([1, 2])
  })
})
