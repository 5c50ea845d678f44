/**
 * The Ordering Application that we play as a guest, as a scripted Software Service with accounts sees it over the wire.
 */
import { describe, expect, test } from 'vitest'
import { behaviourNames } from '../partners/counterparts/behaviour.ts'
import type { HostReply } from '../../../test/support/scripted-host.ts'
import {
  type IndoorSession,
  type IndoorSessionOptions,
  openIndoorSession,
} from '../../../test/support/indoor-session.ts'

/** Guests without optional actions, whatever the seed. */
const plainly = (acts: readonly string[]): readonly string[] =>
  acts.filter((act) => !['cancel-item', 'transfer', 'unlock'].includes(act))

const wants = { fiscal: { shouldIssueDocument: true } }

/** An account at table 7 that the Ordering Application knows of. */
async function seated(options: IndoorSessionOptions = {}, block = {}): Promise<IndoorSession> {
  const guests = await openIndoorSession(options)
  const orderId = await guests.order('7', block)
  guests.host.open('a-1', { orders: [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }] })
  return guests
}

const table = async ({ session }: IndoorSession) =>
  (await session.look({ entities: { kind: 'account', limit: 10 } })).entities

describe('an account’s life', () => {
  test('[IND-GEN-04, IND-OPS-01, IND-OPS-03, IND-OPS-05, IND-OPS-08, IND-OPS-10, IND-OPS-12] from ACCOUNT_OPENED to the fiscal document: read, locked, paid, closed, invoiced', async () => {
    await using guests = await seated({}, wants)
    const { host } = guests
    const [opened] = host.news()
    expect(await guests.pushEvent(opened!)).toBe(204)
    await guests.settle()
    const acts = plainly(host.acts())
    expect(acts.filter((act) => act !== 'pay').filter((act) => act !== 'pre-close')).toEqual([
      'close',
      'fiscal',
    ])
    expect(acts.indexOf('pre-close')).toBeGreaterThanOrEqual(0)
    expect(acts.indexOf('pay')).toBeLessThan(acts.indexOf('close'))
    const account = host.accounts.get('a-1')!
    expect(account.status).toBe('CLOSED')
    expect(account.documents).toMatchObject([{ documentStatus: 'ISSUED' }])
    const paid = account.payments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    const due = account.items.filter(({ status }) => status === 'ACTIVE').length * 2000
    expect(paid).toBe(due)
    expect(await table(guests)).toMatchObject([{ id: 'a-1', label: 'TABLE 7', status: 'CLOSED' }])
    expect(guests.facts('table.left')).toMatchObject([{ because: 'gone' }])
    // The primary lookup comes first, and each step follows a fresh read.
    expect(host.calls[0]).toMatchObject({
      name: 'get',
      query: { operationMode: 'TABLE', identifier: '7' },
    })
    for (const [index, { name }] of host.calls.entries())
      if (!['get', 'by-id', 'documents'].includes(name))
        expect(host.calls[index - 1]?.name).toBe('get')
  })

  test('[IND-GEN-04] no call is made before there is an account, nor where the house declares none', async () => {
    await using guests = await openIndoorSession()
    await guests.order()
    await guests.pass(120_000)
    expect(guests.host.calls).toEqual([])
    await using without = await seated({ house: { indoor: null } })
    for (const event of without.host.news()) expect(await without.pushEvent(event)).toBe(204)
    await without.pass(600_000)
    expect(without.host.calls).toEqual([])
  })

  test('[IND-GEN-02] accounts of a house without active Orders are left alone', async () => {
    await using guests = await seated({ house: { orders: false } })
    await guests.settle()
    expect(guests.host.calls).toEqual([])
  })

  // A passive guest takes no step of its own.
  const active = behaviourNames.filter((name) => name !== 'passive')
  test.each(active)('a %s guest finishes every account', async (behaviour) => {
    await using guests = await openIndoorSession({
      counterparts: { 'ordering-application': { behaviour } },
    })
    for (let number = 1; number <= 12; number++) {
      const orderId = await guests.order(`${number}`, number % 2 === 0 ? wants : {})
      const orders = [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }]
      guests.host.open(`a-${number}`, { identifier: `${number}`, orders })
    }
    await guests.settle()
    const accounts = [...guests.host.accounts.values()]
    expect(new Set(accounts.map(({ status }) => status))).toEqual(new Set(['CLOSED']))
    for (const { items, payments } of accounts) {
      const due = items
        .filter(({ status }) => status === 'ACTIVE')
        .reduce((sum, { totalPrice }) => sum + totalPrice, 0)
      const paid = payments.reduce((sum, { amount }) => sum + amount, 0)
      // Payments made before an item was removed or cancelled are not refunded.
      expect(paid).toBeGreaterThanOrEqual(due - 0.001)
    }
    expect(guests.facts('table.left').map(({ because }) => because)).toEqual(
      Array.from({ length: 12 }, () => 'gone'),
    )
    // Only a hostile guest makes requests that the lifecycle does not allow.
    const refused = guests.facts('table.refused')
    if (behaviour !== 'hostile') expect(refused).toEqual([])
  })
})

describe('events', () => {
  test('[IND-EVR-04] a lost ACCOUNT_OPENED is recovered: the account is looked up when the order is confirmed', async () => {
    await using guests = await seated()
    const { host, session } = guests
    host.news()
    await session.submit({ kind: 'order.apply', orderId: 'o-1', trigger: 'confirm' })
    await guests.pass(20_000, true)
    expect(host.calls[0]).toMatchObject({
      name: 'get',
      query: { merchantId: 'loja-1', operationMode: 'TABLE', identifier: '7' },
    })
    // From here on every event is lost.
    for (let minute = 0; minute < 10; minute++) await guests.pass(60_000, true)
    expect(host.accounts.get('a-1')?.status).toBe('CLOSED')
  })

  test('[IND-EVR-04, IND-TEN-05, IND-EVT-08] no step waits for its event: the account is read before the next one', async () => {
    await using guests = await openIndoorSession({ seed: 7 })
    const { host } = guests
    for (let number = 1; number <= 20; number++) {
      const orderId = await guests.order(`${number}`)
      const orders = [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }]
      await guests.pushEvent(host.open(`a-${number}`, { identifier: `${number}`, orders }))
    }
    host.news()
    await guests.pass(600_000, true)
    expect(host.of('unlock').length).toBeGreaterThan(0)
    const ends = [...host.accounts.values()].map(({ status }) => status)
    expect(new Set(ends)).toEqual(new Set(['CLOSED']))
  })

  test('[IND-EVR-04] without an account nothing is done; an old account is not taken for the new one', async () => {
    await using guests = await openIndoorSession()
    const { host, session } = guests
    const orderId = await guests.order('8')
    await session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
    host.open('old', { identifier: '8', status: 'CLOSED' })
    host.news()
    await guests.pass(60_000, true)
    expect(host.of('get')).toHaveLength(1)
    expect(guests.facts('table.missing')).toHaveLength(1)
    expect(host.acts()).toEqual([])
  })

  test('[IND-UND-05] any event with an id and a type is accepted; others are refused', async () => {
    await using guests = await seated()
    expect(await guests.pushEvent({ eventId: 'e-1', eventType: 'SOMETHING_NEW', more: [1] })).toBe(
      204,
    )
    expect(await guests.pushEvent({ eventId: 'e-2', eventType: 'PAYMENT_CREATED' })).toBe(204)
    expect(await guests.pushEvent({ eventType: 'PAYMENT_CREATED' })).toBe(400)
    expect(await guests.pushEvent({ eventId: 'e-3' })).toBe(400)
    expect(guests.facts('table.heard')).toHaveLength(2)
    expect(guests.host.calls).toEqual([])
  })
})

describe('the form of its calls', () => {
  test('[IND-TEN-02, IND-UND-03] flat paths with the key in the query by default', async () => {
    await using guests = await seated()
    await guests.settle()
    const key = { merchantId: 'loja-1', operationMode: 'TABLE', identifier: '7' }
    expect(guests.host.calls.length).toBeGreaterThan(4)
    for (const { name, path, query } of guests.host.calls) {
      expect(path).not.toContain('a-1/')
      if (name !== 'by-id') expect({ name, ...query }).toMatchObject(key)
    }
  })

  test('[IND-TEN-02] the account’s own paths when configured', async () => {
    await using guests = await seated({ conduct: { indoor: { accountPaths: 'scoped' } } }, wants)
    await guests.settle()
    const paths = new Set(
      guests.host.calls
        .filter(({ name }) => name !== 'get' && name !== 'by-id')
        .map(({ path }) => path),
    )
    for (const path of ['pre-close', 'payments', 'close', 'fiscal'])
      expect([...paths]).toContain(`/accounts/a-1/${path}`)
    expect([...paths].filter((path) => !path.startsWith('/accounts/a-1/'))).toEqual([])
    expect(guests.host.accounts.get('a-1')?.status).toBe('CLOSED')
  })

  test('[IND-UND-03] the key in the body and amounts as prices when configured', async () => {
    await using guests = await seated({
      conduct: { indoor: { accountNaming: 'body', paymentBody: 'price' } },
    })
    await guests.settle()
    const [paid] = guests.host.of('pay')
    expect(paid?.query).toEqual({})
    expect(paid?.json).toMatchObject({
      merchantId: 'loja-1',
      operationMode: 'TABLE',
      identifier: '7',
      amount: { value: expect.any(Number), currency: 'BRL' },
      method: expect.any(String),
    })
    expect(guests.host.accounts.get('a-1')?.status).toBe('CLOSED')
  })

  test('[IND-FLD-03] generated orders name the account of their table, once it is known', async () => {
    await using guests = await openIndoorSession({
      counterparts: {
        'ordering-application': { orders: { every: '1s', limit: 200, mix: { INDOOR: 1 } } },
      },
    })
    const { host, session } = guests
    const blockOf = async (orderId: string) => {
      const { order } = await session.look({ orderId })
      const { fulfillment, merchant } = order!.document as {
        fulfillment: { indoor: { operationMode: string; identifier: string; account?: unknown } }
        merchant: { id: string }
      }
      return { ...fulfillment.indoor, merchantId: merchant.id }
    }
    await guests.pass(10_000)
    const first = (await session.look({ orders: { limit: 100 } })).orders
    const places = new Map<string, string>()
    for (const { orderId } of first) {
      const { operationMode, identifier, account, merchantId } = await blockOf(orderId)
      expect(account).toBeUndefined()
      const place = `${merchantId} ${operationMode} ${identifier}`
      if (places.has(place)) continue
      places.set(place, `a-${orderId}`)
      host.open(`a-${orderId}`, {
        operationMode,
        identifier,
        orders: [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }],
      })
    }
    for (const event of host.news())
      await guests.pushEvent({ ...event, orderId: String(event['accountId']).slice(2) })
    await guests.pass(190_000)
    let named = 0
    for (const { orderId } of (await session.look({ orders: { limit: 1000 } })).orders) {
      const { operationMode, identifier, account, merchantId } = await blockOf(orderId)
      if (account === undefined) continue
      named++
      expect(account).toEqual({ id: places.get(`${merchantId} ${operationMode} ${identifier}`) })
    }
    expect(named).toBeGreaterThan(0)
  })
})

describe('other houses', () => {
  test('accounts without ids are identified by their key, one after the other', async () => {
    await using guests = await seated({ house: { usesAccountId: false } })
    await guests.settle()
    const { host } = guests
    expect(host.accounts.get('a-1')?.status).toBe('CLOSED')
    const orderId = await guests.order('7')
    host.open('a-2', { orders: [{ orderId, createdAt: '2026-01-05T16:00:00.000Z' }] })
    await guests.settle()
    expect(host.accounts.get('a-2')?.status).toBe('CLOSED')
    expect(host.of('by-id')).toEqual([])
  })

  test('events may name only an order', async () => {
    await using guests = await seated({ house: { usesAccountId: false } })
    const [opened] = guests.host.news()
    const { operationMode: _mode, identifier: _identifier, ...bare } = opened!
    expect(await guests.pushEvent(bare)).toBe(204)
    await guests.settle()
    expect(guests.host.accounts.get('a-1')?.status).toBe('CLOSED')
  })

  test('an account may be known only by its id', async () => {
    await using guests = await openIndoorSession()
    const { host } = guests
    host.open('stranger', { identifier: '99' })
    await guests.pushEvent(host.news()[0]!)
    await guests.settle()
    expect(host.calls[0]).toMatchObject({ name: 'by-id', path: '/accounts/stranger' })
    expect(host.accounts.get('stranger')?.status).toBe('CLOSED')
  })

  test('[IND-UND-01] an account may have another shape, with extra fields and without totals', async () => {
    await using guests = await seated()
    const { host } = guests
    host.script('get', () => {
      const account = host.accounts.get('a-1')!
      const { items, payments, status, lastEvent } = account
      const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
      return {
        status: 200,
        body: {
          accountId: 'a-1',
          status,
          lastEvent,
          total: {
            value: sum(
              items.filter((item) => item.status === 'ACTIVE').map((item) => item.totalPrice),
            ),
            currency: 'BRL',
          },
          paidTotal: sum(payments.map(({ amount }) => amount)),
          items: items.map((item) => ({ ...item, extra: { deep: true } })),
          waiter: 'Zé',
        },
      }
    })
    await guests.settle()
    expect(host.accounts.get('a-1')?.status).toBe('CLOSED')
  })

  test('a key that has another account by now: the account is read by its id', async () => {
    await using guests = await seated()
    const { host } = guests
    await guests.pushEvent(host.news()[0]!)
    await guests.pass(2000, true)
    // The house opens another account there before it closes the first, and its lookup by key ignores the id.
    host.open('a-2', { orders: [] })
    host.script('get', () => ({
      status: 200,
      body: { ...host.accounts.get('a-2'), totals: { due: 40, paid: 0 } },
    }))
    host.news()
    await guests.settle()
    expect(host.of('by-id').length).toBeGreaterThan(0)
    expect(host.accounts.get('a-1')?.status).toBe('CLOSED')
    // The other one is known by what was read, without an event of it.
    const known = expect.objectContaining({ accountId: 'a-2' })
    expect(guests.facts('table.read')).toContainEqual(expect.objectContaining({ table: known }))
  })

  test.each([
    ['accepts everything and does nothing', () => ({ status: 202 })],
    ['refuses everything', () => ({ status: 409 })],
    ['is out of order', () => ({ status: 500 })],
  ] as [string, () => HostReply][])('calls to a house that %s end', async (_what, reply) => {
    await using guests = await seated()
    for (const name of ['pre-close', 'unlock', 'pay', 'close', 'cancel-item', 'transfer'] as const)
      guests.host.script(name, reply)
    await guests.settle()
    expect(guests.facts('table.left')).toMatchObject([{ because: 'stuck' }])
    expect(await table(guests)).toMatchObject([{ text: expect.stringContaining('given up') }])
    expect(guests.host.calls.length).toBeLessThan(200)
  })

  test('calls to a house whose accounts cannot be read end', async () => {
    await using guests = await seated()
    guests.host.script('get', () => ({ status: 200, body: { status: 'ON_FIRE' } }))
    await guests.settle()
    expect(guests.facts('table.left')).toMatchObject([{ because: 'stuck' }])
    expect(guests.facts('table.refused')[0]?.because).toContain('status')
  })

  test('a payment without an answer is retried under its X-Request-Id; an accepted one is not repeated', async () => {
    await using guests = await seated({ seed: 3 })
    const { host } = guests
    host.next('pay', { status: 500 }, { status: 503 })
    await guests.settle()
    const [first, second, third] = host.of('pay')
    expect(new Set([first, second, third].map((call) => call?.headers['x-request-id'])).size).toBe(
      1,
    )
    const { payments } = host.accounts.get('a-1')!
    const paid = payments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    expect(paid).toBeLessThanOrEqual(4000)
    // Accepted without visible effect: no second attempt.
    await using blind = await seated({ seed: 3 })
    blind.host.script('pay', () => ({ status: 200, body: {} }))
    await blind.settle()
    expect(blind.host.of('pay')).toHaveLength(1)
    expect(blind.facts('table.left')).toMatchObject([{ because: 'stuck' }])
  })

  test('an account reported before the house may be called is read as soon as it may be', async () => {
    let published = false
    await using guests = await seated({
      house: { published: () => published },
      conduct: { manifest: 'require' },
    })
    const { host } = guests
    await guests.pushEvent(host.news()[0]!)
    await guests.pass(60_000)
    expect(host.calls).toEqual([])
    expect(guests.facts('table.put-off')).toHaveLength(1)
    published = true
    await guests.pass(600_000)
    expect(host.accounts.get('a-1')?.status).toBe('CLOSED')
  })
})

describe('fiscal documents', () => {
  test('[DIS-IND-02] none is requested where the app or a platform issues it', async () => {
    await using guests = await seated({ house: { indoor: { invoiceIssuer: 'app' } } }, wants)
    await guests.settle()
    expect(guests.host.accounts.get('a-1')?.status).toBe('CLOSED')
    expect(guests.host.of('fiscal')).toEqual([])
  })

  test('[DIS-IND-03] one due with the payment is requested before closing', async () => {
    await using guests = await seated(
      { house: { indoor: { invoiceIssueMoment: 'payment' } } },
      wants,
    )
    await guests.settle()
    const acts = guests.host.acts()
    expect(acts.indexOf('fiscal')).toBeGreaterThan(acts.lastIndexOf('pay'))
    expect(acts.indexOf('fiscal')).toBeLessThan(acts.indexOf('close'))
    expect(guests.host.of('fiscal')).toHaveLength(1)
  })

  test('[IND-OPS-11, IND-EVT-09] one whose event is lost is found in the list', async () => {
    await using guests = await seated({}, wants)
    const { host } = guests
    const news = (): void => {
      for (const event of host.news())
        if (!event.eventType.startsWith('FISCAL')) pending.push(event)
    }
    const pending: Parameters<IndoorSession['pushEvent']>[0][] = []
    host.script('get', () => {
      const account = host.accounts.get('a-1')!
      const { documents: _documents, ...rest } = account
      const active = account.items.filter(({ status }) => status === 'ACTIVE').length * 20
      const paid = account.payments.reduce((sum, { amount }) => sum + amount, 0)
      return { status: 200, body: { ...rest, totals: { due: active - paid, paid } } }
    })
    for (let round = 0; round < 60; round++) {
      news()
      for (const event of pending.splice(0)) await guests.pushEvent(event)
      await guests.pass(5000, true)
    }
    expect(host.of('documents').length).toBeGreaterThan(0)
    expect(guests.facts('table.left')).toMatchObject([{ because: 'gone' }])
  })

  test('[IND-EVT-10] a failed one is requested once more only', async () => {
    await using guests = await seated({}, wants)
    const { host } = guests
    host.script('fiscal', () => {
      const account = host.accounts.get('a-1')!
      account.documents.push({ documentId: 'd', documentStatus: 'ERROR' })
      host.event('a-1', 'FISCAL_ERROR', { documentId: 'd' })
      return { status: 202 }
    })
    await guests.settle()
    expect(host.of('fiscal')).toHaveLength(2)
    expect(guests.facts('table.left')).toMatchObject([{ because: 'gone' }])
  })

  test('one that never arrives is awaited for a limited time', async () => {
    await using guests = await seated({}, wants)
    guests.host.script('fiscal', () => ({ status: 202 }))
    await guests.settle()
    expect(guests.facts('table.left')).toMatchObject([{ because: 'stuck' }])
    expect(guests.host.accounts.get('a-1')?.status).toBe('CLOSED')
  })
})
