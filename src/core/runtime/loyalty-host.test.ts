/**
 * The Loyalty host over sockets, as an Ordering Application sees it: balances, rewards, redemptions, coupons, and
 * events.
 */
import { compact } from '../base/compact.ts'
import { afterEach, expect, test } from 'vitest'
import { orderNotification, sampleProgram } from '../../../test/support/loyalty-transcript.ts'
import {
  type LoyaltyWire,
  type LoyaltyWireOptions,
  openLoyaltyWire,
} from '../../../test/support/loyalty-wire.ts'
import { signWebhook } from '../../../test/support/host-session.ts'

interface Page {
  readonly items: readonly Record<string, unknown>[]
  readonly page: number
  readonly pageSize: number
  readonly total: number
}

interface Account {
  readonly id: string
  readonly customerId: string
  readonly programId: string
  readonly status: string
  readonly balance: number
  readonly summary: {
    readonly pointsAvailable: number
    readonly pointsPending: number
    readonly pointsExpiringSoon: number
  }
}

const processed = 1000

const open: LoyaltyWire[] = []
afterEach(async () => {
  for (const wire of open.splice(0)) await wire[Symbol.asyncDispose]()
})

type LoyaltyOptions = NonNullable<NonNullable<LoyaltyWireOptions['conduct']>['loyalty']>

async function openWire(loyalty: LoyaltyOptions = {}, more: LoyaltyWireOptions = {}) {
  const wire = await openLoyaltyWire({
    ...more,
    conduct: { ...more.conduct, loyalty: { ...sampleProgram, ...loyalty } },
  })
  open.push(wire)
  return wire
}

const accountOf = (wire: LoyaltyWire, accountId: string): Promise<Account> =>
  wire.read<Account>(`/loyalty/accounts/${accountId}`)

const redeem = (wire: LoyaltyWire, accountId: string, more: Record<string, unknown> = {}) =>
  wire.send('POST', '/loyalty/redemptions', { body: { accountId, rewardId: 'coffee', ...more } })

const code = (json: unknown): string => (json as { error: { code: string } }).error.code

test('[LOY-FLW-01, LOY-REC-01, LOY-REC-02, LOY-ACC-01] a customer’s accounts: one in each program, with the documents’ fields', async () => {
  const programs = [
    { id: 'club', name: 'Clube' },
    { id: 'card', name: 'Cartão' },
  ]
  const wire = await openWire({ programs, rewards: [] })
  await wire.customer('ana')
  await wire.tell({ kind: 'loyalty.enroll', customerId: 'ana', programId: 'card' })
  await wire.customer('bia')
  const { items, ...rest } = await wire.read<{ items: Account[] }>(
    '/customers/ana/loyalty-accounts',
  )
  expect(rest).toEqual({})
  expect(items).toHaveLength(2)
  expect(items[0]).toMatchObject({
    customerId: 'ana',
    programId: 'club',
    status: 'ENROLLED',
    summary: { pointsAvailable: 0, pointsPending: 0, pointsExpiringSoon: 0 },
  })
  const one = await wire.read<{ items: Account[] }>(
    '/customers/ana/loyalty-accounts?programId=card',
  )
  expect(one.items.map(({ programId }) => programId)).toEqual(['card'])
  expect(await wire.read('/customers/nobody/loyalty-accounts')).toEqual({ items: [] })
  expect(await wire.read(`/loyalty/accounts/${items[0]!.id}/transactions`)).toMatchObject({
    items: [],
  })
})

test('[LOY-MAP-01, LOY-MAP-02, LOY-UND-04] every operation of the map is served, under its path and under the binding’s prefix', async () => {
  const wire = await openWire()
  const accountId = await wire.customer('ana', 60)
  const paths = [
    '/loyalty/programs',
    '/loyalty/programs/club',
    '/customers/ana/loyalty-accounts',
    `/loyalty/accounts/${accountId}`,
    `/loyalty/accounts/${accountId}/transactions`,
    '/loyalty/rewards',
    '/loyalty/coupons',
  ]
  for (const path of paths) {
    const flow = await wire.send('GET', path)
    const binding = await wire.send('GET', `/v1/customer${path}`)
    expect([path, flow.status, binding.status]).toEqual([path, 200, 200])
    expect(binding.json).toEqual(flow.json)
  }
  const body = { accountId, rewardId: 'coffee' }
  for (const prefix of ['', '/v1/customer'])
    expect((await wire.send('POST', `${prefix}/loyalty/redemptions`, { body })).status).toBe(202)
})

test('[LOY-UND-01] programs, rewards and transactions have the default shape, and programs can be created', async () => {
  const wire = await openWire()
  const accountId = await wire.customer('ana', 60)
  expect(await wire.read('/loyalty/programs/club')).toEqual({ id: 'club', name: 'Clube' })
  expect(await wire.read<Page>('/loyalty/rewards')).toMatchObject({
    items: [
      { id: 'coffee', programId: 'club', name: 'Café', cost: 30 },
      { id: 'dinner', cost: 500 },
    ],
    page: 1,
    total: 2,
  })
  const { items } = await wire.read<Page>(`/loyalty/accounts/${accountId}/transactions`)
  expect(items[0]).toMatchObject({
    id: expect.any(String),
    accountId,
    type: 'adjust',
    amount: 60,
    points: 60,
    occurredAt: '2026-01-05T15:00:00.000Z',
  })
  expect(items[0]).not.toHaveProperty('orderId')
  const order = { orderId: 'o-1', merchantId: 'loja-1', customerId: 'ana', amount: 62.9 }
  await wire.tell({ kind: 'loyalty.order-news', news: 'completed', ...order })
  await wire.pass(processed)
  const { items: all } = await wire.read<Page>(`/loyalty/accounts/${accountId}/transactions`)
  // An order is named in the default shape and in the documents'.
  expect(all[1]).toMatchObject({ type: 'earn', orderId: 'o-1', relatedOrderId: 'o-1' })
  const store = (body: unknown) => wire.send('POST', '/loyalty/programs', { body })
  expect((await store({ id: 'new', name: 'Novo', tiers: ['gold'] })).status).toBe(202)
  expect((await store({ items: [{ id: 'newer', name: 'Mais novo' }] })).status).toBe(202)
  expect(await wire.read('/loyalty/programs/new')).toMatchObject({ tiers: ['gold'] })
  expect((await wire.read<Page>('/loyalty/programs')).total).toBe(3)
})

test('[LOY-UND-01] configured programs and rewards are served with whatever fields they have, and a redemption with those listed', async () => {
  const wire = await openWire({
    programs: [{ id: 'club', name: 'Clube', tiers: ['gold'] }],
    rewards: [{ id: 'tea', programId: 'club', name: 'Chá', cost: 20, pointsCost: 20, hot: true }],
  })
  const accountId = await wire.customer('ana', 60)
  expect(await wire.read('/loyalty/programs/club')).toMatchObject({ tiers: ['gold'] })
  expect(await wire.read<Page>('/loyalty/rewards')).toMatchObject({
    items: [{ id: 'tea', cost: 20, pointsCost: 20, hot: true }],
  })
  const answer = await redeem(wire, accountId, { rewardId: 'tea', table: 7 })
  expect(answer.status).toBe(202)
  const receipt = { customerId: 'ana', rewardId: 'tea', status: 'ACCEPTED', points: 20 }
  expect(answer.json).toMatchObject({ ...receipt, correlationId: expect.stringMatching(/./) })
})

test('[LOY-FLW-02] rewards are listed, of one program or of all', async () => {
  const wire = await openWire()
  expect((await wire.send('GET', '/loyalty/rewards')).status).toBe(200)
  expect((await wire.read<Page>('/loyalty/rewards?programId=club')).total).toBe(2)
  expect((await wire.read<Page>('/loyalty/rewards?programId=none')).items).toEqual([])
})

test('[LOY-RUL-01] fifty concurrent redemptions on one balance: none counted twice, no negative balance', async () => {
  const wire = await openWire()
  const accountId = await wire.customer('ana', 200)
  const seen: number[] = []
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { status, json } = await redeem(wire, accountId, index % 5 === 0 ? { quantity: 2 } : {})
      const { summary } = await accountOf(wire, accountId)
      seen.push(summary.pointsAvailable)
      return { status, points: status === 202 ? (json as { points: number }).points : 0, json }
    }),
  )
  const accepted = answers.filter(({ status }) => status === 202)
  const spent = accepted.reduce((sum, { points }) => sum + points, 0)
  expect(spent).toBe(180)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(50 - accepted.length)
  expect(
    new Set(answers.flatMap(({ status, json }) => (status === 409 ? code(json) : []))),
  ).toEqual(new Set(['INSUFFICIENT_BALANCE']))
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0)
  await wire.pass(processed)
  const account = await accountOf(wire, accountId)
  expect(account).toMatchObject({ balance: 20, summary: { pointsAvailable: 20 } })
  const { items } = await wire.read<Page>(`/loyalty/accounts/${accountId}/transactions`)
  expect(items.filter(({ type }) => type === 'burn')).toHaveLength(accepted.length)
  expect(items.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(20)
  const coupons = await wire.read<Page>('/loyalty/coupons')
  expect(coupons.total).toBe(accepted.length)
  expect(wire.types().filter((type) => type === 'points_redeemed')).toHaveLength(accepted.length)
})

test('a redemption repeated under its X-Request-Id happens once', async () => {
  const wire = await openWire()
  const accountId = await wire.customer('ana', 100)
  const sending = { body: { accountId, rewardId: 'coffee' }, headers: { 'x-request-id': 'r-1' } }
  const all = await Promise.all(
    Array.from({ length: 5 }, () => wire.send('POST', '/loyalty/redemptions', sending)),
  )
  expect(new Set(all.map(({ text }) => text)).size).toBe(1)
  await wire.pass(processed)
  expect((await accountOf(wire, accountId)).summary.pointsAvailable).toBe(70)
})

test('[LOY-RUL-01, LOY-UND-02] a redemption over the balance is 409 without effect', async () => {
  const wire = await openWire()
  const accountId = await wire.customer('ana', 29)
  const answer = await redeem(wire, accountId)
  expect([answer.status, code(answer.json)]).toEqual([409, 'INSUFFICIENT_BALANCE'])
  await wire.pass(processed)
  expect(await accountOf(wire, accountId)).toMatchObject({ balance: 29 })
  expect(wire.types()).toEqual(['account_linked', 'points_accrued'])
})

test('[LOY-UND-02, LOY-PRM-03] it is 202 without effect when configured', async () => {
  const wire = await openWire({ insufficientBalance: 202, blockedMovement: 422 })
  const accountId = await wire.customer('ana', 29)
  const answer = await redeem(wire, accountId)
  expect([answer.status, answer.json]).toEqual([202, { status: 'ACCEPTED' }])
  await wire.pass(processed)
  expect(await accountOf(wire, accountId)).toMatchObject({ balance: 29 })
  await wire.tell({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  const blocked = await redeem(wire, accountId)
  expect([blocked.status, code(blocked.json)]).toEqual([422, 'LOYALTY_ACCOUNT_SUSPENDED'])
})

test('[LOY-UND-03] a coupon’s use is answered 200, counted once per order, and 409 for another order', async () => {
  const wire = await openWire()
  const accountId = await wire.customer('ana', 1)
  await wire.tell({ kind: 'loyalty.grant-coupon', accountId, type: 'discount' })
  const [coupon] = (await wire.read<Page>('/loyalty/coupons')).items
  const use = (body?: unknown, id = String(coupon!['id'])) =>
    wire.send('POST', `/loyalty/coupons/${id}/use`, body === undefined ? {} : { body })
  const first = await use({ relatedOrderId: 'o' })
  expect(first).toMatchObject({ status: 200, json: { status: 'used', relatedOrderId: 'o' } })
  expect(await use({ relatedOrderId: 'o' })).toMatchObject({ status: 200, json: first.json })
  const other = await use({ relatedOrderId: 'p' })
  expect([other.status, code(other.json)]).toEqual([409, 'COUPON_NOT_USABLE'])
  expect((await use({}, 'nothing')).status).toBe(404)
  await wire.pass(0)
  expect(wire.types().filter((type) => type === 'coupon_applied')).toHaveLength(1)
})

test('[LOY-EVT-01, LOY-EVT-02, LOY-EVT-03, LOY-EVT-04, LOY-EVT-05, LOY-EVT-06, LOY-EVT-07, LOY-EVT-08, LOY-EVR-03, LOY-GEN-01] every transaction is announced to the Ordering Application, by an event with a unique id', async () => {
  const wire = await openWire()
  const accountId = await wire.customer('ana', 30)
  const step = async (command: Parameters<LoyaltyWire['tell']>[0]) => {
    await wire.tell(command)
    await wire.pass(processed)
  }
  await step(orderNotification('o', 'open'))
  await redeem(wire, accountId, { relatedOrderId: 'o' })
  await wire.pass(processed)
  await step(orderNotification('o', 'canceled'))
  await step(orderNotification('p', 'open'))
  await step(orderNotification('p', 'completed'))
  await step({ kind: 'loyalty.expire', accountId, points: 80 })
  expect(wire.types()).toEqual([
    'account_linked',
    'points_accrued',
    'points_pending',
    'points_redeemed',
    'coupon_applied',
    'points_pending',
    'redemption_reversed',
    'coupon_cancelled',
    'points_pending',
    'points_accrued',
    'points_expired',
  ])
  expect(new Set(wire.events().map(({ eventId }) => eventId)).size).toBe(11)
  // Each has the balance that GET shows afterwards.
  expect(wire.events().map(({ payload }) => payload['balance'])).toEqual([
    0, 30, 30, 0, 0, 0, 30, 30, 30, 80, 0,
  ])
  const { items } = await wire.read<Page>(`/loyalty/accounts/${accountId}/transactions`)
  expect(items.map(({ type, amount }) => [type, amount])).toEqual([
    ['adjust', 30],
    ['burn', -30],
    ['adjust', 30],
    ['earn', 50],
    ['expire', -80],
  ])
})

test('[LOY-UND-06] an event has the documents’ wrapper with an id, or the flat envelope when configured', async () => {
  const wire = await openWire()
  await wire.customer('ana', 10)
  const { json, path, headers, text } = wire.received[1]!
  expect(path).toBe('/webhooks/loyalty')
  expect(json).toEqual({
    event: {
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      eventType: 'loyalty.points_accrued',
      entityType: 'loyalty',
      occurredAt: '2026-01-05T15:00:00.000Z',
      payload: expect.objectContaining({
        customerId: 'ana',
        programId: 'club',
        points: 10,
        balance: 10,
        reason: 'by_hand',
      }),
    },
  })
  expect(headers['x-app-signature']).toBe(signWebhook(text))
  expect(headers['authorization']).toBe('Bearer token-1')

  const flat = await openWire({ eventBody: 'flat' })
  await flat.customer('ana', 10)
  expect(flat.received[1]?.json).toMatchObject({
    id: expect.any(String),
    eventType: 'loyalty.points_accrued',
    occurredAt: expect.any(String),
    customerId: 'ana',
    programId: 'club',
    accountId: expect.any(String),
    payload: { points: 10 },
  })
  expect(flat.received[1]?.json).not.toHaveProperty('event')
})

test('an event that is not accepted is sent again, the same bytes under the same id', async () => {
  const wire = await openWire({}, { reply: (nth) => (nth <= 2 ? 503 : 204) })
  await wire.customer('ana')
  await wire.pass(10_000)
  expect(wire.received).toHaveLength(3)
  expect(new Set(wire.received.map(({ text }) => text)).size).toBe(1)
})

test('[LOY-GEN-02] costs, points and lifetimes are configurable; without configuration there are default programs', async () => {
  const wire = await openLoyaltyWire()
  open.push(wire)
  const programs = await wire.read<Page>('/loyalty/programs')
  const rewards = await wire.read<Page>('/loyalty/rewards')
  expect(programs.total).toBe(2)
  const known = new Set(programs.items.map(({ id }) => id))
  expect(rewards.items.length).toBeGreaterThan(3)
  for (const { programId, cost } of rewards.items) {
    expect(known).toContain(programId)
    expect(cost).toBeGreaterThan(0)
  }
  const other = await openWire({ rewards: [{ id: 'x', programId: 'club', name: 'X', cost: 7 }] })
  const accountId = await other.customer('ana', 10)
  expect((await redeem(other, accountId, { rewardId: 'x' })).json).toMatchObject({ points: 7 })
})

test('a credential of one store sees no other store’s programs, accounts and coupons', async () => {
  const programs = [
    { id: 'club', name: 'Clube' },
    { id: 'card', name: 'Cartão', merchantId: 'merchant-1' },
  ]
  const rewards = [{ id: 'tea', programId: 'card', name: 'Chá', cost: 1 }]
  const wire = await openWire(
    { programs, rewards },
    {
      clients: [
        {
          clientId: 'store-2',
          clientSecret: 's',
          role: 'ordering-application',
          merchants: ['merchant-2'],
        },
      ],
    },
  )
  await wire.tell({ kind: 'loyalty.enroll', customerId: 'ana', programId: 'card' })
  const { items } = await wire.read<{ items: Account[] }>('/customers/ana/loyalty-accounts')
  const accountId = items[0]!.id
  await wire.tell({ kind: 'loyalty.adjust', accountId, points: 9 })
  await wire.tell({ kind: 'loyalty.grant-coupon', accountId, type: 'discount' })
  const [coupon] = (await wire.read<Page>('/loyalty/coupons')).items
  const issued = await wire.send('POST', '/oauth/token', {
    body: { client_id: 'store-2', client_secret: 's' },
    token: null,
  })
  const { access_token: token } = issued.json as { access_token: string }
  const seen = async (path: string) => (await wire.send('GET', path, { token })).json as Page
  expect((await seen('/loyalty/programs')).items.map(({ id }) => id)).toEqual(['club'])
  expect((await seen('/loyalty/rewards')).items).toEqual([])
  expect((await seen('/loyalty/coupons')).items).toEqual([])
  expect((await seen('/customers/ana/loyalty-accounts')).items).toEqual([])
  const redemption = { rewardId: 'tea' }
  for (const [method, path, body] of [
    ['GET', '/loyalty/programs/card', undefined],
    ['GET', `/loyalty/accounts/${accountId}`, undefined],
    ['GET', `/loyalty/accounts/${accountId}/transactions`, undefined],
    ['POST', `/loyalty/coupons/${String(coupon!['id'])}/use`, {}],
    ['POST', '/loyalty/redemptions', { ...redemption, accountId }],
    ['POST', '/loyalty/redemptions', { ...redemption, customerId: 'ana', programId: 'card' }],
  ] as const)
    expect([path, (await wire.send(method, path, { token, ...compact({ body }) })).status]).toEqual(
      [path, 404],
    )
})

test('[LOY-UND-04] the CRM accepts loyalty events too, each once, and answers 204', async () => {
  const wire = await openWire()
  const event = {
    eventId: 'e-1',
    eventType: 'loyalty.points_accrued',
    entityType: 'loyalty',
    occurredAt: '2026-01-05T15:00:00.000Z',
    payload: {},
  }
  for (const path of ['/webhooks/loyalty', '/loyalty/events', '/v1/customer/loyalty/events']) {
    const answer = await wire.send('POST', path, { body: { event } })
    expect([path, answer.status, answer.text]).toEqual([path, 204, ''])
  }
  const kinds = wire.session.facts().map(({ fact }) => fact.kind)
  expect(kinds.filter((kind) => kind === 'loyalty.event-heard')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'loyalty.event-repeated')).toHaveLength(2)
})

test('switched off, Loyalty is not served and sends no events', async () => {
  const wire = await openLoyaltyWire({ capabilities: { loyalty: false } })
  open.push(wire)
  for (const path of ['/loyalty/programs', '/loyalty/rewards', '/customers/ana/loyalty-accounts'])
    expect((await wire.send('GET', path)).status).toBe(404)
  expect(wire.received).toEqual([])
})
