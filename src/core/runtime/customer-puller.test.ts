/**
 * The CRM that we play as a client: it pulls the records of a scripted Ordering Application, page by page within the
 * limits.
 */
import { describe, expect, test } from 'vitest'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import {
  openCustomerPartner,
  type CustomerPartner,
  type CustomerPartnerOptions,
} from '../../../test/support/scripted-customer-partner.ts'
import type { HostCall, HostReply } from '../../../test/support/scripted-host.ts'
import { sampleCustomer } from '../../../test/support/customer-wire.ts'

type Json = Readonly<Record<string, unknown>>

const customers = '/v1/customer/customers'
const paths = [customers, '/v1/customer/leads', '/v1/customer/orders', '/v1/customer/reviews']

const open = (options: Partial<CustomerPartnerOptions> = {}): Promise<CustomerPartner> =>
  openCustomerPartner({ plays: 'ordering-application', mode: 'pull', ...options })

const held = async (relation: CustomerPartner, path: string): Promise<readonly Json[]> => {
  return (await relation.read<{ items: Json[] }>(`${path}?pageSize=500`)).items
}

/** Answers the requested page of these records. */
const pagesOf =
  (all: readonly Json[], shape: (items: readonly Json[], asked: Json) => unknown) =>
  ({ query }: HostCall): HostReply => {
    const page = Number(query['page'])
    const pageSize = Number(query['pageSize'])
    const items = all.slice((page - 1) * pageSize, page * pageSize)
    return { status: 200, body: shape(items, { page, pageSize, total: all.length }) }
  }

const crowd = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `c-${number}`,
    identifier: { type: 'custom', value: `x-${number}` },
    name: `N ${number}`,
  }))

describe('a pull round', () => {
  test.each([
    ['items with a total', (items: readonly Json[], asked: Json) => ({ items, ...asked })],
    ['the name of the resource', (items: readonly Json[]) => ({ customers: items })],
    ['a pagination block', (items: readonly Json[], pagination: Json) => ({ items, pagination })],
    ['a bare array', (items: readonly Json[]) => items],
  ] as const)(
    '[CUS-UND-04, CUS-FLW-02, CUS-BND-03, CUS-GEN-02, CUS-GEN-09, CUS-GEN-10] follows the pages to their end, as %s',
    async (_, shape) => {
      await using relation = await open({ conduct: { customer: { pageSize: 10 } } })
      relation.script(customers, pagesOf(crowd(25), shape))
      await relation.pass(10_000)
      expect(relation.of(customers).map(({ query }) => query['page'])).toEqual(['1', '2', '3'])
      expect((await held(relation, '/customers')).map(({ id }) => id)).toEqual(
        crowd(25).map(({ id }) => id),
      )
      const [first] = relation.of(customers)
      expect([first?.method, first?.headers['authorization']]).toEqual(['GET', 'Bearer token-1'])
    },
  )

  test('[CUS-GEN-08, CUS-BND-05, CUS-FLW-06] pulls customers, leads, orders and reviews, each once, however often they are listed', async () => {
    await using relation = await open()
    const shown: Readonly<Record<string, Json>> = {
      [customers]: sampleCustomer('c'),
      '/v1/customer/leads': { id: 'l', source: 's', status: 'new' },
      '/v1/customer/orders': minimalOrder('o-1'),
      '/v1/customer/reviews': { id: 'r', orderId: 'o-1', rating: 5 },
    }
    for (const path of paths)
      relation.script(path, () => ({ status: 200, body: { items: [shown[path]], total: 1 } }))
    await relation.pass(125_000)
    for (const path of paths) {
      expect(relation.of(path).length).toBeGreaterThan(3)
      expect(await held(relation, path.replace('/v1/customer', ''))).toHaveLength(1)
    }
    const saved = relation.facts('customer.saved').length
    await relation.pass(60_000)
    expect(relation.facts('customer.saved')).toHaveLength(saved)
    // The records are the other side's; that a lead has ordered is concluded here, once.
    expect(relation.events().map(({ eventType }) => eventType)).toEqual(['customer.updated'])
  })

  test('[LIM-CUS-02] requests no longer period than declared, and after the first round only new records', async () => {
    await using relation = await open({ declares: { maxGetPeriodDays: 7 } })
    await relation.pass(65_000)
    const asked = relation.of(customers).map(({ query }) => ({
      from: Date.parse(query['updatedFrom'] ?? ''),
      to: Date.parse(query['updatedTo'] ?? ''),
    }))
    const day = 86_400_000
    expect((asked[0]?.to ?? 0) - (asked[0]?.from ?? 0)).toBe(7 * day)
    for (const [index, { from, to }] of asked.entries()) {
      expect(to - from).toBeLessThanOrEqual(7 * day)
      const before = asked[index - 1]
      // Periods overlap a little, so that no record falls between two.
      if (before) expect(from).toBe(before.to - 60_000)
    }
    for (const { query } of relation.of('/v1/customer/reviews'))
      expect(['createdFrom' in query, 'updatedFrom' in query]).toEqual([true, false])
  })

  test('[LIM-CUS-01, LIM-CUS-04] requests no larger batches than declared, and single records without batches', async () => {
    for (const [declares, size] of [
      [{ maxBatchSize: 20 }, '20'],
      [{ supportsBatchGet: false }, '1'],
      [{}, '50'],
    ] as const) {
      await using relation = await open({ declares })
      await relation.pass(5000)
      expect(new Set(relation.calls.map(({ query }) => query['pageSize']))).toEqual(new Set([size]))
    }
  })

  test('[LIM-CUS-03] keeps below the declared rate, page after page', async () => {
    await using relation = await open({
      declares: { requestsPerSecond: 4 },
      conduct: { customer: { pageSize: 5 } },
    })
    relation.script(
      customers,
      pagesOf(crowd(100), (items, asked) => ({ items, ...asked })),
    )
    await relation.pass(30_000)
    expect(relation.of(customers).length).toBeGreaterThanOrEqual(20)
    const seconds = new Map<number, number>()
    for (const { at } of relation.calls) {
      const second = Math.floor(at / 1000)
      seconds.set(second, (seconds.get(second) ?? 0) + 1)
    }
    expect(Math.max(...seconds.values())).toBeLessThanOrEqual(4)
    expect(await held(relation, '/customers')).toHaveLength(100)
  })

  test('ends when the same page is returned without end', async () => {
    await using relation = await open({ conduct: { customer: { pageSize: 2, pullEvery: '1h' } } })
    relation.script(customers, () => ({ status: 200, body: crowd(2) }))
    await relation.pass(60_000)
    expect(relation.of(customers).length).toBeLessThan(60)
    expect(await held(relation, '/customers')).toHaveLength(2)
  })

  test('skips invalid records and takes the others', async () => {
    await using relation = await open()
    relation.script(customers, () => ({
      status: 200,
      body: { items: [7, { name: 'nobody' }, sampleCustomer('c'), null] },
    }))
    relation.script('/v1/customer/leads', () => ({ status: 200, body: 'nonsense' }))
    await relation.pass(35_000)
    expect(await held(relation, '/customers')).toHaveLength(1)
    expect(relation.of('/v1/customer/leads').length).toBeGreaterThan(1)
    const { journal } = await relation.session.look({ journal: { limit: 1000 } })
    const unreadable = journal.filter(({ kind }) => kind === 'call.unreadable')
    expect(unreadable[0]?.text).toBe(
      'CRM > OA getLeads has an answer that cannot be read: it has no list "leads" or "items"',
    )
  })
})

describe('the pulled host', () => {
  test('[CUS-TEN-03] without binding paths is pulled by the flow’s', async () => {
    await using relation = await open()
    for (const path of paths) relation.script(path, () => ({ status: 404 }))
    await relation.pass(65_000)
    expect(relation.of(customers)).toHaveLength(1)
    expect(relation.of('/customers').length).toBeGreaterThan(0)
    expect(relation.of('/reviews').length).toBeGreaterThan(0)
  })

  test('[CUS-TEN-04, CUS-UND-01] is pulled for what it declares, under either name, and not at all where it declares push', async () => {
    const pulled = async (declares: Json) => {
      await using relation = await open({ declares })
      await relation.pass(65_000)
      return new Set(relation.calls.map(({ path }) => path))
    }
    expect(
      await pulled({ operations: ['getCustomers'], supportedOperations: ['listReviews'] }),
    ).toEqual(new Set([customers, '/v1/customer/reviews']))
    expect(await pulled({ integrationModes: ['push'] })).toEqual(new Set())
    expect(await pulled({ integrationModes: ['push', 'pull'] })).toEqual(new Set(paths))
  })

  test('[CUS-GEN-10] is not pulled in push mode', async () => {
    await using relation = await open({ mode: 'push' })
    await relation.pass(65_000)
    expect(relation.calls).toEqual([])
  })

  test('that never answers is asked without end, but the session settles', async () => {
    await using relation = await open()
    for (const path of paths) relation.script(path, () => ({ status: 500 }))
    await relation.session.settle()
    const before = relation.calls.length
    await relation.pass(300_000)
    expect(relation.calls.length).toBeGreaterThan(before)
  })
})
