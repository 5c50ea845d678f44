/**
 * The Loyalty host over sockets, as an Ordering Application sees it: balances, rewards, redemptions, coupons, and
 * events.
 */
import { compact } from '../base/compact.ts'
import { afterEach, expect, test } from 'vitest'
import { loyaltyTests } from '../../../test/support/loyalty-conversation.ts'
import { sampleProgram } from '../../../test/support/loyalty-transcript.ts'
import {
  type LoyaltyWire,
  type LoyaltyWireOptions,
  openLoyaltyWire,
} from '../../../test/support/loyalty-wire.ts'
import { signWebhook } from '../../../test/support/host-session.ts'

loyaltyTests(`
# [LOY-MAP-01, LOY-MAP-02, LOY-UND-04] <path> is served under its path and under the binding’s prefix
customer ana, 60 as id
GET <path> => 200 as flow
GET /v1/customer<path> => 200 is $flow
| path
| /loyalty/programs
| /loyalty/programs/club
| /customers/ana/loyalty-accounts
| /loyalty/accounts/$id
| /loyalty/accounts/$id/transactions
| /loyalty/rewards
| /loyalty/coupons

# [LOY-MAP-01, LOY-MAP-02, LOY-UND-04] redemptions are accepted under both paths
customer ana, 60 as id
POST /loyalty/redemptions {accountId: $id, rewardId: coffee} => 202
POST /v1/customer/loyalty/redemptions {accountId: $id, rewardId: coffee} => 202

# [LOY-UND-01] programs, rewards and transactions have the default shape, and programs can be created
customer ana, 60 as id
read /loyalty/programs/club => is {id: club, name: Clube}
read /loyalty/rewards
=> {items: [{id: coffee, programId: club, name: Café, cost: 30}, {id: dinner, cost: 500}], page: 1, total: 2}
read /loyalty/accounts/$id/transactions
=> {items: [{id: TEXT, accountId: $id, type: adjust, amount: 60, points: 60,
  occurredAt: "2026-01-05T15:00:00.000Z"}]} as page
value $page.items.0 => not {orderId: ANY}
tell {kind: loyalty.order-news, news: completed, orderId: o-1, merchantId: loja-1, customerId: ana, amount: 62.9}
pass 1s
// An order is named in the default shape and in the documents'.
read /loyalty/accounts/$id/transactions
=> {items: [{}, {type: earn, orderId: o-1, relatedOrderId: o-1}]}
POST /loyalty/programs {id: new, name: Novo, tiers: [gold]} => 202
POST /loyalty/programs {items: [{id: newer, name: Mais novo}]} => 202
read /loyalty/programs/new => {tiers: [gold]}
read /loyalty/programs => {total: 3}

# [LOY-UND-01] configured programs and rewards are served with whatever fields they have, and a redemption with those listed
with {loyalty: {programs: [{id: club, name: Clube, tiers: [gold]}],
  rewards: [{id: tea, programId: club, name: Chá, cost: 20, pointsCost: 20, hot: true}]}}
customer ana, 60 as id
read /loyalty/programs/club => {tiers: [gold]}
read /loyalty/rewards => {items: [{id: tea, cost: 20, pointsCost: 20, hot: true}]}
POST /loyalty/redemptions {accountId: $id, rewardId: tea, table: 7}
=> 202 {customerId: ana, rewardId: tea, status: ACCEPTED, points: 20, correlationId: /./}

# [LOY-RUL-01, LOY-UND-02] a redemption over the balance is 409 without effect
customer ana, 29 as id
POST /loyalty/redemptions {accountId: $id, rewardId: coffee} => 409 INSUFFICIENT_BALANCE
pass 1s
account $id => {balance: 29}
events => is [account_linked, points_accrued]

# [LOY-UND-02, LOY-PRM-03] it is 202 without effect when configured
with {loyalty: {insufficientBalance: 202, blockedMovement: 422}}
customer ana, 29 as id
POST /loyalty/redemptions {accountId: $id, rewardId: coffee} => 202 is {status: ACCEPTED}
pass 1s
account $id => {balance: 29}
tell {kind: loyalty.move-account, accountId: $id, trigger: suspension}
POST /loyalty/redemptions {accountId: $id, rewardId: coffee} => 422 LOYALTY_ACCOUNT_SUSPENDED

# [LOY-PRM-01, LOY-PRM-02, LOY-PRM-03, LOY-PRM-04, LOY-ACC-03, LOY-ACC-04] a SUSPENDED account can be read and not changed; reactivated it can be changed again
customer ana as id
account $id => {status: ENROLLED}
tell {kind: loyalty.adjust, accountId: $id, points: 100}
POST /loyalty/redemptions {accountId: $id, rewardId: coffee} => 202
pass 1s
read /loyalty/coupons => {items: [{}]} as coupons
account $id => {status: ACTIVE}
tell {kind: loyalty.move-account, accountId: $id, trigger: suspension}
account $id => {status: SUSPENDED}
transactions $id as before
events as announced
POST /loyalty/redemptions {accountId: $id, rewardId: coffee} => 409 LOYALTY_ACCOUNT_SUSPENDED
POST /loyalty/coupons/$coupons.items.0.id/use {relatedOrderId: order-1}
=> 409 LOYALTY_ACCOUNT_SUSPENDED
order order-2, open
order order-2, completed
pass 1s
transactions $id => is $before
events => is $announced
tell {kind: loyalty.move-account, accountId: $id, trigger: reactivation}
account $id => {status: ACTIVE}
POST /loyalty/redemptions {accountId: $id, rewardId: coffee} => 202
POST /loyalty/coupons/$coupons.items.0.id/use {relatedOrderId: order-1} => 200 {status: used}
order order-3, completed
pass 1s
transactions $id => is [adjust 100, burn -30, earn 50, burn -30]

# [LOY-FLW-04, LOY-REC-04, LOY-REC-05, LOY-REC-06] coupons are listed with unique codes, of every type and status
customer ana, 1 as id
tell {kind: loyalty.grant-coupon, accountId: $id, type: discount, value: 5}
tell {kind: loyalty.grant-coupon, accountId: $id, type: free_item, value: 5}
tell {kind: loyalty.grant-coupon, accountId: $id, type: cashback, value: 5}
tell {kind: loyalty.grant-coupon, accountId: $id, type: discount, value: 5}
tell {kind: loyalty.grant-coupon, accountId: $id, type: discount, value: 5}
read /loyalty/coupons as all
tell {kind: loyalty.move-coupon, couponId: $all.items.1.id, trigger: apply, orderId: o}
tell {kind: loyalty.move-coupon, couponId: $all.items.2.id, trigger: use, orderId: o}
tell {kind: loyalty.move-coupon, couponId: $all.items.3.id, trigger: expire, orderId: o}
tell {kind: loyalty.move-coupon, couponId: $all.items.4.id, trigger: cancel, orderId: o}
read /loyalty/coupons?customerId=ana => {items: [{type: discount, status: available},
  {type: free_item, status: applied, relatedOrderId: o, value: 5, currency: BRL}, {type: cashback, status: used},
  {type: discount, status: expired}, {type: discount, status: cancelled}]}
coupon-codes => 5
read /loyalty/coupons?customerId=bia => {items: []}
read /loyalty/coupons?programId=x => {items: []}
read /loyalty/coupons?merchantId=x => {items: []}

# [LOY-UND-03] a coupon’s use is answered 200, counted once per order, and 409 for another order
customer ana, 1 as id
tell {kind: loyalty.grant-coupon, accountId: $id, type: discount}
read /loyalty/coupons => {items: [{}]} as coupons
POST /loyalty/coupons/$coupons.items.0.id/use {relatedOrderId: o}
=> 200 {status: used, relatedOrderId: o} as first
POST /loyalty/coupons/$coupons.items.0.id/use {relatedOrderId: o} => 200 $first
POST /loyalty/coupons/$coupons.items.0.id/use {relatedOrderId: p} => 409 COUPON_NOT_USABLE
POST /loyalty/coupons/nothing/use {} => 404
pass 0s
events => is [account_linked, points_accrued, coupon_applied]

# [LOY-EVT-01, LOY-EVT-02, LOY-EVT-03, LOY-EVT-04, LOY-EVT-05, LOY-EVT-06, LOY-EVT-07, LOY-EVT-08, LOY-EVR-03, LOY-GEN-01] every transaction is announced to the Ordering Application, by an event with a unique id
customer ana, 30 as id
order o, open
pass 1s
POST /loyalty/redemptions {accountId: $id, rewardId: coffee, relatedOrderId: o}
pass 1s
order o, canceled
pass 1s
order p, open
pass 1s
order p, completed
pass 1s
tell {kind: loyalty.expire, accountId: $id, points: 80}
pass 1s
events
=> is [account_linked, points_accrued, points_pending, points_redeemed, coupon_applied, points_pending,
  redemption_reversed, coupon_cancelled, points_pending, points_accrued, points_expired]
ids => 11
// Each has the balance that GET shows afterwards.
balances => is [0, 30, 30, 0, 0, 0, 30, 30, 30, 80, 0]
transactions $id => is [adjust 30, burn -30, adjust 30, earn 50, expire -80]

# an event that is not accepted is sent again, the same bytes under the same id
with {failures: 2}
customer ana
pass 10s
events => is [account_linked, account_linked, account_linked]
texts => [TEXT]

# [LOY-UND-04] the CRM accepts loyalty events too, each once, and answers 204
POST /webhooks/loyalty {event: {eventId: e-1, eventType: loyalty.points_accrued, entityType: loyalty,
  occurredAt: "2026-01-05T15:00:00.000Z", payload: {}}} => 204 NO_BODY
POST /loyalty/events {event: {eventId: e-1, eventType: loyalty.points_accrued, entityType: loyalty,
  occurredAt: "2026-01-05T15:00:00.000Z", payload: {}}} => 204 NO_BODY
POST /v1/customer/loyalty/events {event: {eventId: e-1, eventType: loyalty.points_accrued, entityType: loyalty,
  occurredAt: "2026-01-05T15:00:00.000Z", payload: {}}} => 204 NO_BODY
facts loyalty.event-heard => 1
facts loyalty.event-repeated => 2

# switched off, Loyalty is not served and sends no events
with {capabilities: {loyalty: false}}
GET /loyalty/programs => 404
GET /loyalty/rewards => 404
GET /customers/ana/loyalty-accounts => 404
events => is []
`)

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
