/** Customers and orders in a store: lookup, upsert, merge, eviction. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minimalOrder } from '../../../../test/support/minimal-order.ts'
import { transcript, type TranscriptOptions } from '../../../../test/support/transcript.ts'
import { CustomerInput, customerStatuses } from '../../protocol/customer/customer.ts'
import {
  customerTriggers,
  customerStep,
  customerTriggerTarget,
} from '../../protocol/customer/lifecycle.ts'
import type { IngestEntry } from '../../protocol/customer/ingest-batch.ts'
import { RelatedOrder } from '../../protocol/customer/related-order.ts'
import type { Command } from '../command.ts'
import { apply } from '../fact.ts'
import { isoOf } from '../instant.ts'
import { createWorld } from '../world.ts'
import { customerById } from './store.ts'
import { customerBounds, type CustomerStore } from './world.ts'

const customer = (record: object): IngestEntry => ({
  entity: 'customer',
  record: CustomerInput.parse(record),
})
const order = (record: object): IngestEntry => ({
  entity: 'order',
  record: RelatedOrder.parse(record),
})

const applied = (entry: IngestEntry): Command => ({
  kind: 'customer.apply',
  entry,
  from: 'ordering-application',
})

function crmWith(entries: readonly IngestEntry[], options: TranscriptOptions = {}) {
  const session = transcript(options)
  for (const entry of entries) {
    session.engine.advanceTo(session.engine.now() + 1)
    session.given(applied(entry))
  }
  return { session, store: session.engine.world.customer.crm }
}

const all = ({ customers }: CustomerStore) => [...customers.values()]
const phone = (value: string) => ({ type: 'phone', value })

describe('customers', () => {
  test('one customer with ever new identifiers keeps its newest lookup keys only', () => {
    const count = customerBounds.keysOfOne + 50
    const { session, store } = crmWith(
      Array.from({ length: count }, (_, index) =>
        customer({
          identifier: phone(`11${10_000 + index}`),
          externalIds: ['erp:7'],
          status: index % 2 === 0 ? 'active' : 'inactive',
        }),
      ),
    )
    const [one] = all(store)
    expect(all(store)).toHaveLength(1)
    expect(one?.keys).toHaveLength(customerBounds.keysOfOne)
    expect(one?.way).toHaveLength(customerBounds.stepsOfOne)
    expect(store.keys.size).toBe(customerBounds.keysOfOne)
    // The id elsewhere came with every version: it is among the newest, and still finds the customer.
    session.given(
      applied(customer({ identifier: phone('22'), externalIds: ['erp:7'], name: 'Ana' })),
    )
    expect(all(store)).toMatchObject([{ document: { fields: { name: 'Ana' } } }])
  })

  test('[CUS-OVR-08, CUS-OVR-09] with one identifier are merged into one record; fields are added, none lost', () => {
    const { store } = crmWith([
      customer({ identifier: phone('11') }),
      customer({ identifier: phone('+1 1'), name: 'Ana', contacts: { email: 'a@b' } }),
      customer({ identifier: phone('11'), contacts: { phone: '11' }, metadata: { a: 1 } }),
      customer({ identifier: phone('11'), metadata: { b: 2 } }),
    ])
    expect(all(store)).toHaveLength(1)
    expect(all(store)[0]?.document.fields).toEqual({
      name: 'Ana',
      contacts: { email: 'a@b', phone: '11' },
      metadata: { b: 2 },
    })
  })

  test('`updatedAt` moves with every newer version: to what was sent, or else to the moment; an older version leaves it', () => {
    const [first, second] = ['2026-01-05T10:00:00.000Z', '2026-01-05T11:00:00.000Z']
    const versions: readonly [object, string | undefined][] = [
      [{ name: 'Ana', updatedAt: first }, first],
      [{ name: 'Ana Souza', updatedAt: second }, second],
      [{ metadata: { a: 1 }, updatedAt: first }, second],
      [{ name: 'Ana Maria' }, undefined],
    ]
    const { session, store } = crmWith([])
    for (const [more, expected] of versions) {
      session.engine.advanceTo(session.engine.now() + 1000)
      session.given(applied(customer({ identifier: phone('11'), ...more })))
      const now = isoOf(session.engine.now())
      expect(all(store)).toMatchObject([{ document: { updatedAt: expected ?? now } }])
    }
    session.engine.advanceTo(session.engine.now() + 1000)
    const { id } = all(store)[0]!.document
    session.given({ kind: 'customer.consent', customerId: id, marketing: true })
    expect(all(store)[0]?.document.updatedAt).toBe(isoOf(session.engine.now()))
  })

  test('[CUS-OVR-09] are matched by any shared external id, even with different identifiers', () => {
    const { store } = crmWith([
      customer({ identifier: phone('11'), externalIds: ['app:1'] }),
      customer({ identifier: { type: 'email', value: 'a@b' }, externalIds: ['pos:9', 'app:1'] }),
      customer({ identifier: { type: 'email', value: 'A@B' }, name: 'Ana' }),
      customer({ identifier: { type: 'external_id', value: 'pos:9' } }),
    ])
    expect(all(store)).toHaveLength(1)
    expect(all(store)[0]?.document).toMatchObject({
      externalIds: ['app:1', 'pos:9'],
      fields: { name: 'Ana' },
    })
  })

  test('[CUS-OVR-09] with identifiers that normalise to nothing are not merged', () => {
    const { store } = crmWith([
      customer({ identifier: phone('não informado'), name: 'Ana' }),
      customer({ identifier: phone('anônimo'), name: 'Bia' }),
      customer({ identifier: { type: 'document', value: '-' }, name: 'Caio' }),
      customer({ identifier: { type: 'document', value: '...' }, name: 'Davi' }),
      customer({ identifier: phone('anônimo'), metadata: { a: 1 } }),
    ])
    expect(all(store).map(({ document }) => document.fields['name'])).toEqual([
      'Ana',
      'Bia',
      'Caio',
      'Davi',
    ])
  })

  test('[CUS-OVR-09] with one id and different identifiers stay two; the first keeps the id', () => {
    const { store } = crmWith([
      customer({ id: 'c-1', identifier: phone('11') }),
      customer({ id: 'c-1', identifier: phone('22') }),
    ])
    const [first, second] = all(store)
    expect(first?.document.id).toBe('c-1')
    expect(second?.document.id).not.toBe('c-1')
    expect(second?.document.identifier.value).toBe('22')
  })

  test('[CUS-OVR-09] get ids of the CRM’s own with ids: own', () => {
    const { store } = crmWith([customer({ id: 'c-1', identifier: phone('11') })], {
      conduct: { customer: { ids: 'own' } },
    })
    expect(all(store)[0]?.document.id).not.toBe('c-1')
  })

  test('[CUS-OVR-09] found to be duplicates are merged with the data of both; the old id still leads to the result', () => {
    const { session, store } = crmWith([
      customer({ id: 'a', identifier: phone('11'), name: 'Ana' }),
      customer({
        id: 'b',
        identifier: { type: 'email', value: 'a@b' },
        demographics: { gender: 'F' },
      }),
      order({ id: 'o-1', customer: { identifier: { type: 'email', value: 'a@b' } } }),
      customer({ identifier: phone('11'), externalIds: ['app:1'] }),
      customer({ identifier: { type: 'email', value: 'a@b' }, externalIds: ['app:1'] }),
    ])
    expect(all(store)).toHaveLength(1)
    const [one] = all(store)
    expect(one?.document).toMatchObject({
      id: 'b',
      externalIds: ['app:1'],
      fields: { name: 'Ana', demographics: { gender: 'F' } },
    })
    expect(customerById('a', store)).toBe(one)
    session.given(applied(customer({ identifier: phone('11'), name: 'Ana Souza' })))
    expect(all(store)[0]?.document.fields['name']).toBe('Ana Souza')
  })

  test('lookup keys always lead to existing records, for any sequence of upserts and merges', () => {
    const id = fc.integer({ min: 1, max: 6 })
    const sent = fc.record({
      identifier: fc.option(id, { nil: undefined }),
      externalIds: fc.array(id, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 12 }), (many) => {
        const { store } = crmWith(
          many.map(({ identifier, externalIds }, index) =>
            customer({
              id: `c-${index}`,
              identifier: identifier
                ? phone(String(identifier))
                : { type: 'custom', value: `x-${index}` },
              externalIds: externalIds.map((each) => `app:${each}`),
            }),
          ),
        )
        const owners = new Map<string, string>()
        for (const { document, keys } of all(store))
          for (const key of keys) {
            if (key.startsWith('id of')) continue
            expect(owners.get(key) ?? document.id).toBe(document.id)
            owners.set(key, document.id)
            expect(store.keys.get(key)).toBe(document.id)
          }
        for (const target of store.keys.values()) expect(customerById(target, store)).toBeDefined()
      }),
      { numRuns: 60 },
    )
  })

  test('beyond the limit the oldest customer is evicted with its lookup keys', () => {
    const world = createWorld()
    const { customer: slice } = world
    const { session } = crmWith([customer({ identifier: phone('0') })])
    const [model] = all(session.engine.world.customer.crm)
    if (!model) throw new Error('no model')
    for (let number = 0; number <= customerBounds.customers; number++)
      apply(
        world,
        {
          kind: 'customer.saved',
          saved: {
            entity: 'customer',
            isNew: true,
            changed: [],
            customer: {
              ...model,
              keys: [`phone|${number}`],
              document: { ...model.document, id: String(number) },
            },
          },
        },
        1,
      )
    expect(slice.crm.customers.size).toBe(customerBounds.customers)
    expect(slice.crm.customers.has('0')).toBe(false)
    expect(slice.crm.keys.has('phone|0')).toBe(false)
    expect(slice.crm.keys.size).toBe(customerBounds.customers)
  })

  test('field names such as __proto__ and constructor do not pollute the prototype', () => {
    const sent: unknown = JSON.parse(
      '{"identifier":{"type":"custom","value":"x"},"__proto__":{"polluted":1},"constructor":{"a":1},"contacts":{"__proto__":{"polluted":1}}}',
    )
    const { store } = crmWith([customer(sent as object), customer(sent as object)])
    expect(all(store)).toHaveLength(1)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(all(store)[0]?.document.fields['constructor']).toEqual({ a: 1 })
  })
})

describe('a status', () => {
  const triggersTo = {
    lead: [],
    active: ['activate'],
    inactive: ['activate', 'deactivate'],
  } as const

  test.each(
    customerStatuses.flatMap((status) => customerTriggers.map((trigger) => ({ status, trigger }))),
  )(
    '[CUS-UND-03, CUS-STA-01] $status, $trigger: follows the transition table or is refused; force always moves',
    ({ status, trigger }) => {
      const { session, store } = crmWith([customer({ id: 'c-1', identifier: phone('11') })])
      const move = (nextTrigger: (typeof customerTriggers)[number], force = false): Command => ({
        kind: 'customer.move',
        customerId: 'c-1',
        trigger: nextTrigger,
        ...(force ? { force: true } : {}),
      })
      for (const nextTrigger of triggersTo[status]) session.given(move(nextTrigger))
      expect(customerById('c-1', store)?.status).toBe(status)
      const before = session.engine.journal.last()
      const decision = session.engine.submit(move(trigger))
      const step = customerStep(status, trigger)
      expect(decision.ok).toBe(step.kind !== 'refused')
      if (!decision.ok) expect(decision.error.code).toBe('INVALID_TRANSITION')
      const after = step.kind === 'moves' ? step.row.to : status
      expect(customerById('c-1', store)?.status).toBe(after)
      // Only a real move is announced.
      const factKinds = session.engine.journal.after(before, 100).map(({ fact }) => fact.kind)
      expect(factKinds.includes('event.announced')).toBe(step.kind === 'moves')
      session.given(move(trigger, true))
      expect(customerById('c-1', store)?.status).toBe(customerTriggerTarget[trigger])
    },
  )
})

describe('orders in customer context', () => {
  test('[CUS-UND-03] the first order makes a lead active, later ones change nothing', () => {
    const { store } = crmWith([
      customer({ id: 'c-1', identifier: phone('1') }),
      order(
        minimalOrder('o-1', 'DELIVERY', {
          customer: { id: 'c-1', name: 'Ana', phone: { number: '1' }, ordersCountOnMerchant: 0 },
        }),
      ),
      order(
        minimalOrder('o-2', 'DELIVERY', {
          customer: { id: 'c-1', name: 'Ana', phone: { number: '1' }, ordersCountOnMerchant: 1 },
        }),
      ),
    ])
    expect(customerById('c-1', store)?.way.map(({ status, trigger }) => [status, trigger])).toEqual(
      [
        ['lead', undefined],
        ['active', 'order'],
      ],
    )
    expect([...store.orders.values()].map(({ customerId }) => customerId)).toEqual(['c-1', 'c-1'])
  })

  test('a finished order does not reopen, and an order creates its unknown customer', () => {
    const { store } = crmWith([
      order(minimalOrder('o-1', 'DELIVERY', { status: 'DELIVERED' })),
      order(minimalOrder('o-1', 'DELIVERY', { status: 'CREATED' })),
    ])
    expect(store.orders.get('o-1')).toMatchObject({
      fate: 'completed',
      document: { status: 'DELIVERED' },
    })
    expect(all(store)).toHaveLength(1)
    expect(all(store)[0]).toMatchObject({ status: 'active', document: { fields: { name: 'Ana' } } })
  })

  test('[CUS-GEN-12, CUS-GEN-07] are separate from operational orders and never change them', () => {
    const { session } = crmWith([order(minimalOrder('o-1', 'DELIVERY', { status: 'DELIVERED' }))])
    expect(session.engine.world.ordering.orders.size).toBe(0)
    const kinds = session.engine.journal.after(0, 1000).map(({ fact }) => fact.kind)
    expect(kinds.every((kind) => kind.startsWith('customer.'))).toBe(true)
  })
})
