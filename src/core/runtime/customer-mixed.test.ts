// @module-tag slow
/** Both sides of Customer played by us, in process: their data agree when the session is idle. */
import { describe, expect, test } from 'vitest'
import type { Fact } from '../engine/fact.ts'
import { isSoak, runsFor } from '../../../test/support/soak.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

type Json = Readonly<Record<string, unknown>>
type Mode = 'push' | 'pull' | 'hybrid'

const open = (
  options: SessionOptions = {},
  mode: Mode = 'push',
  limit = runsFor(24, 60),
): Promise<Session> =>
  openSession({
    clock: 'virtual',
    listen: false,
    ...options,
    capabilities: { indoor: false, logistics: false, loyalty: false, ...options.capabilities },
    counterparts: {
      ...options.counterparts,
      'ordering-application': {
        orders: { every: '500ms', ...(limit > 0 ? { limit } : { every: 0 }) },
        ...options.counterparts?.['ordering-application'],
      },
      crm: { mode, ...options.counterparts?.crm },
    },
  })

/** All records that a side lists under a path. */
async function listed(session: Session, role: string, path: string): Promise<readonly Json[]> {
  const { read } = createHostClient({ fetch: session.fetch, base: `http://${role}.test` })
  const all: Json[] = []
  for (let page = 1; ; page++) {
    const { items, total } = await read<{ items: Json[]; total: number }>(
      `${path}?pageSize=100&page=${page}`,
    )
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

const factsOf = <Kind extends Fact['kind']>(session: Session, kind: Kind) =>
  session
    .facts()
    .flatMap(({ fact }) => (fact.kind === kind ? [fact as Extract<Fact, { kind: Kind }>] : []))

const idsOf = (records: readonly Json[]): readonly string[] =>
  records.map(({ id }) => String(id)).sort()

describe('a session', () => {
  test.each(['pull', 'hybrid'] as const)(
    '[CUS-GEN-10, CUS-GEN-08, CUS-GEN-09, CUS-EVR-02] in %s mode ends with the CRM knowing all that the Ordering Application knows',
    async (mode) => {
      await using session = await open({}, mode)
      await session.settle()
      await session.advance(120_000)
      for (const path of ['/customers', '/leads', '/orders', '/reviews']) {
        const there = await listed(session, 'ordering-application', `/customer${path}`)
        const here = await listed(session, 'crm', path)
        expect(there.length).toBeGreaterThan(0)
        expect(idsOf(here)).toEqual(expect.arrayContaining([...idsOf(there)]))
      }
      const consents = (customers: readonly Json[]) =>
        Object.fromEntries(customers.map(({ id, consent }) => [id, (consent as Json)['marketing']]))
      expect(consents(await listed(session, 'crm', '/customers'))).toEqual(
        consents(await listed(session, 'ordering-application', '/customer/customers')),
      )
      expect(factsOf(session, 'agenda.refused')).toEqual([])
      expect(factsOf(session, 'event.given-up')).toEqual([])
    },
  )

  test('[CUS-GEN-10, CUS-GEN-07, CUS-GEN-12, LIM-CUS-03] in push mode all is shared when it settles: every order with its customer and outcome', async () => {
    await using session = await open({}, 'push', runsFor(30, 70))
    await session.settle()
    const orders = await listed(session, 'crm', '/orders')
    const { orders: rows } = await session.look({ orders: { limit: 1000 } })
    const withCustomer = rows.filter(({ customer }) => customer !== undefined)
    expect(idsOf(orders)).toEqual(withCustomer.map(({ orderId }) => orderId).sort())
    const ended = factsOf(session, 'relation.saved').flatMap(({ saved }) =>
      saved.entity === 'order' && saved.order.fate !== 'created' ? [saved.order] : [],
    )
    expect(ended).toHaveLength(withCustomer.length)
    const announcedTypes = factsOf(session, 'event.announced').map(({ event }) => event.eventType)
    const count = (type: string) => announcedTypes.filter((each) => each === type).length
    expect(count('order.created')).toBe(withCustomer.length)
    expect(count('order.completed') + count('order.canceled')).toBe(withCustomer.length)
    // Every push was accepted, no request refused, and nothing is pending.
    expect(new Set(factsOf(session, 'relation.answered').map(({ outcome }) => outcome))).toEqual(
      new Set(['taken']),
    )
    expect(factsOf(session, 'relation.rested')).toEqual([])
    const { traffic } = await session.look({ traffic: { limit: 1000, filter: 'status>=400' } })
    expect(traffic).toEqual([])
  })

  // The golden journals show it with every run of the tests.
  test.runIf(isSoak)(
    'is equal for equal seeds, byte for byte, in every mode and behaviour profile',
    async () => {
      for (const [mode, behaviour] of [
        ['hybrid', 'hostile'],
        ['push', 'forgetful'],
        ['pull', 'slow'],
      ] as const) {
        const journal = async (): Promise<string> => {
          await using session = await open(
            {
              counterparts: {
                'ordering-application': { behaviour, orders: { every: '500ms', limit: 25 } },
                crm: { behaviour, mode },
              },
            },
            mode,
          )
          await session.settle()
          return session
            .facts()
            .map((entry) => JSON.stringify(entry))
            .join('\n')
        }
        const first = await journal()
        expect(first.length).toBeGreaterThan(10_000)
        expect(await journal()).toBe(first)
      }
    },
  )
})

describe('operator view and commands', () => {
  async function withCustomer(): Promise<Session> {
    const session = await open({}, 'push', 0)
    const customer = { id: 'c', name: 'Ana', phone: { number: '1' }, ordersCountOnMerchant: 0 }
    await session.createOrder({ order: minimalOrder('o-1', 'DELIVERY', { customer }) })
    await session.advance(20_000)
    return session
  }

  test('[CUS-UND-03] every transition of a customer is offered, whichever side makes it; an invalid one has a reason', async () => {
    await using session = await withCustomer()
    const { entity, entities } = await session.look({
      entities: { kind: 'customer', limit: 9 },
      entity: { kind: 'customer', id: 'c' },
    })
    expect(entities).toMatchObject([{ id: 'c', label: 'Ana', status: 'active' }])
    expect(entity?.statusHistory.map(({ status }) => status)).toEqual(['lead', 'active'])
    const moves = entity?.moves ?? []
    expect(moves.map(({ trigger }) => trigger)).toEqual([
      'order',
      'activate',
      'deactivate',
      'opt-in',
      'opt-out',
      'review',
      'order@app',
      'activate@app',
      'deactivate@app',
      'opt-in@app',
      'opt-out@app',
      'review@app',
      'push@app',
    ])
    expect(moves.find(({ trigger }) => trigger === 'activate')?.invalid).toMatch(/active/)
    for (const { trigger, command, invalid } of moves) {
      const done = await session.submit(command)
      expect([trigger, done.ok, invalid]).toEqual([trigger, true, invalid])
      await session.advance(5000)
    }
    const after = await session.look({
      entities: { kind: 'review', limit: 9 },
      journal: { limit: 200 },
    })
    expect(after.entities).toMatchObject([{ label: 'Ana' }, { label: 'Ana' }])
    expect(after.journal.map(({ text }) => text).join('\n')).toMatch(/OA tells review.created/)
  })

  test('a lead is converted from its row', async () => {
    await using session = await withCustomer()
    await session.submit({
      kind: 'customer.enter',
      entry: {
        entity: 'lead',
        record: { id: 'l', source: 'site', status: 'new', name: 'Caio', contact: '11 9' },
      },
    })
    const { entity } = await session.look({ entity: { kind: 'lead', id: 'l' } })
    const [convert] = entity?.moves ?? []
    if (!convert) throw new Error('no move')
    expect(convert.invalid).toBeUndefined()
    expect((await session.submit(convert.command)).ok).toBe(true)
    const { entity: after, entities } = await session.look({
      entity: { kind: 'lead', id: 'l' },
      entities: { kind: 'customer', limit: 9, status: 'active' },
    })
    expect([after?.row.status, after?.moves[0]?.invalid]).toEqual([
      'converted',
      'it is converted already',
    ])
    expect(entities.map(({ label }) => label)).toContain('Caio')
  })

  test('where the subject plays the CRM, the Ordering Application’s own records are shown', async () => {
    await using session = await openSession({
      clock: 'virtual',
      listen: false,
      subject: { role: 'crm' },
      capabilities: { indoor: false, logistics: false },
    })
    await session.createOrder({ order: minimalOrder('o-1') })
    await session.settle()
    const { entities, entity } = await session.look({
      entities: { kind: 'customer', limit: 9 },
      entity: { kind: 'customer', id: 'c' },
    })
    expect(entities).toMatchObject([{ id: 'c' }])
    expect(new Set(entity?.moves.map(({ by }) => by))).toEqual(new Set(['ordering-application']))
    for (const { command } of entity?.moves ?? []) expect(command.kind).toMatch(/^relation\./)
  })

  test('every fact and every planned command has a text', async () => {
    await using session = await open({}, 'hybrid', 10)
    await session.advance(30_000)
    const journal = (
      await Promise.all(
        [0, 1000, 2000].map((after) => session.look({ journal: { limit: 1000, after } })),
      )
    ).flatMap((seen) => seen.journal)
    const { agenda } = await session.look({ agenda: { limit: 1000 } })
    for (const { text } of [...journal, ...agenda]) expect(text).toMatch(/^\S.*\S$/)
    const texts = journal.map(({ text }) => text).join('\n')
    for (const words of [
      /OA has customer /,
      /CRM received customer\.created/,
      /OA pushes 1 customer/,
      /accepted for later/,
      /CRM pulled page 1/,
    ])
      expect(texts).toMatch(words)
  })
})
