/** Customer and Loyalty in the dialect opendelivery-v2, from both ends: our hosts and our clients. */
import { describe, expect, test } from 'vitest'
import { openCustomerWire, customerProcessingMs } from '../../../test/support/customer-wire.ts'
import { openCustomerPartner } from '../../../test/support/scripted-customer-partner.ts'
import { openLoyaltyPartner } from '../../../test/support/scripted-loyalty-host.ts'
import { standardBlocks, standardManifest } from '../../../test/support/standard-manifest.ts'
import { openLoyaltyWire } from '../../../test/support/loyalty-wire.ts'

type Json = Readonly<Record<string, unknown>>

const dialect = 'opendelivery-v2'
const phone = { type: 'phone', value: '+5511999990000' }
const occurredAt = '2026-01-05T15:00:00.000Z'

/** A customer as the standard has it. */
const customer = {
  id: 'c-1',
  identifier: phone,
  externalIds: [{ source: 'pos', value: '17' }],
  name: 'Ana Souza',
  contacts: [
    { type: 'phone', value: '+5511999990000' },
    { type: 'email', value: 'ana@example.com' },
  ],
}

describe('customers at our CRM (rows 15, 16, 17)', () => {
  test('an identifier is enough, lists of contacts and external ids are understood and answered, and there is no status', async () => {
    await using wire = await openCustomerWire({ dialect })
    const accepted = await wire.post('/customers', {
      items: [customer, { identifier: { type: 'email', value: 'b@example.com' } }],
    })
    expect([accepted.status, accepted.json]).toMatchObject([202, { status: 'ACCEPTED' }])
    const { externalIds, name, contacts } = customer
    const seven = {
      id: 'c-2',
      externalIds,
      name,
      contacts,
      consent: {},
      createdAt: occurredAt,
      updatedAt: occurredAt,
    }
    expect((await wire.post('/customers', { items: [seven] })).status).toBe(400)
    await wire.pass(customerProcessingMs)
    const [shown, second] = await wire.list('/customers')
    expect(shown).toMatchObject(customer)
    expect(second).toMatchObject({ identifier: { type: 'email', value: 'b@example.com' } })
    for (const each of [shown, second])
      for (const field of ['status', 'document']) expect(each).not.toHaveProperty(field)
  })

  test('a lead needs no stage', async () => {
    await using wire = await openCustomerWire({ dialect })
    const lead = { id: 'l-1', name: 'Rui', source: 'site', contact: { type: 'phone', value: '1' } }
    expect((await wire.post('/leads', { items: [lead] })).status).toBe(202)
    await wire.pass(customerProcessingMs)
    const [shown] = await wire.list('/leads')
    expect(shown).toMatchObject(lead)
    expect(shown).not.toHaveProperty('status')
    expect(wire.facts('relation.saved')).toEqual([])
    expect(wire.facts('customer.saved')).toMatchObject([
      { saved: { lead: { document: { status: 'new' } } } },
    ])
  })
})

describe('customer events (rows 18, 21)', () => {
  test('order.delivered, order.cancelled and customer.consent.updated are what ours are, and 204', async () => {
    await using wire = await openCustomerWire({ dialect })
    await wire.post('/customers', {
      items: [
        {
          ...customer,
          consents: [
            { purpose: 'marketing', status: 'opt_in', grantedAt: '2026-01-05T14:00:00.000Z' },
          ],
        },
      ],
    })
    await wire.pass(customerProcessingMs)
    const event = (eventType: string, more: Json) => ({
      id: `e-${eventType}`,
      eventType,
      occurredAt,
      customerIdentifier: phone,
      ...more,
    })
    const heard = [
      event('order.delivered', { orderId: 'o-1' }),
      event('order.cancelled', { orderId: 'o-2' }),
      event('customer.consent.updated', { payload: { status: 'opt_out' } }),
      event('cart.abandoned', { payload: {} }),
    ]
    for (const each of heard) {
      expect((await wire.push(each, '/webhooks/customer')).status).toBe(204)
      expect((await wire.post('/v1/customer/events', { ...each, id: `${each.id}-2` })).status).toBe(
        204,
      )
    }
    const saved = wire.facts('customer.saved').map(({ saved: record }) => record)
    const fates = saved.flatMap((record) => (record.entity === 'order' ? [record.order.fate] : []))
    expect(fates).toEqual(['completed', 'canceled'])
    const [shown] = await wire.list('/customers')
    expect(shown).toMatchObject({ consents: [{ purpose: 'marketing', status: 'opt_out' }] })
    const names = wire.facts('customer.heard').map(({ eventType }) => eventType)
    expect(names).toEqual([
      'order.completed',
      'order.completed',
      'order.canceled',
      'order.canceled',
      'customer.opted_out',
      'customer.opted_out',
      'cart.abandoned',
      'cart.abandoned',
    ])
  })
})

describe('our Ordering Application at a CRM (rows 5, 16, 17, 18, 21)', () => {
  test('pushes batches to the paths of the standard, and announces flat events by its names', async () => {
    await using partner = await openCustomerPartner({
      plays: 'crm',
      dialect,
      counterparts: { 'ordering-application': { orders: { every: 1000, limit: 12 } } },
    })
    const manifest = standardManifest({ customer: standardBlocks.customer })
    partner.script('manifest', () => ({ status: 200, body: manifest }))
    await partner.pass(60_000)
    for (const { order } of partner.facts('order.created'))
      for (const trigger of ['confirm', 'ready-for-pickup', 'delivered'] as const)
        await partner.session.submit({ kind: 'order.apply', orderId: order.id, trigger })
    await partner.pass(600_000)
    const posted = partner.calls.filter(({ method }) => method === 'POST')
    expect(new Set(posted.map(({ path }) => path))).toEqual(
      new Set(['/customers', '/orders', '/leads', '/reviews', '/webhooks/customer']),
    )
    expect(posted.filter(({ headers }) => 'x-request-id' in headers)).toEqual([])
    const items = (path: string) =>
      posted.flatMap((each) => (each.path === path ? (each.json['items'] as readonly Json[]) : []))
    for (const each of items('/customers')) {
      expect(each).toMatchObject({
        identifier: { type: expect.any(String) as string },
        contacts: expect.any(Array) as unknown[],
        externalIds: expect.arrayContaining([
          // That of a loyalty card is another channel's (CUS-OVR-09).
          expect.objectContaining({
            source: expect.stringMatching(/^(app|fidelidade)$/) as string,
          }),
        ]) as unknown[],
      })
      expect(each).not.toHaveProperty('status')
    }
    for (const each of items('/orders'))
      expect(each).toMatchObject({
        storeId: expect.any(String) as string,
        totalAmount: expect.any(Number) as number,
      })
    for (const each of items('/reviews'))
      expect(each).toMatchObject({
        ratings: [{ value: expect.stringMatching(/^[1-5]$/) as string }],
      })
    const events = partner.of('/webhooks/customer').map(({ json }) => json)
    expect(new Set(events.map(({ eventType }) => eventType))).toEqual(
      new Set([
        'customer.updated',
        'customer.consent.updated',
        'order.created',
        'order.delivered',
        'review.created',
      ]),
    )
    for (const { eventType, payload } of events)
      if (eventType === 'customer.consent.updated')
        expect((payload as Json)['status']).toMatch(/^opt_(in|out)$/)
    for (const field of ['event', 'entityType'])
      expect(events.filter((each) => field in each)).toEqual([])
  })
})

describe('loyalty at our CRM (rows 19, 20, 22, 23)', () => {
  test('an account has a balance, a transaction is redeem, a coupon can be used, and events have the names of the standard', async () => {
    await using wire = await openLoyaltyWire({ dialect })
    const accountId = await wire.customer('c-1', 500)
    const account = await wire.read(`/loyalty/accounts/${accountId}`)
    expect(account).toEqual({
      id: accountId,
      customerId: 'c-1',
      programId: expect.any(String) as string,
      balanceType: 'points',
      balance: 500,
    })
    const { items: rewards } = await wire.read<{
      items: { id: string; programId: string; cost: number }[]
    }>('/loyalty/rewards')
    const reward = rewards.find(({ programId }) => programId === account['programId'])
    const redeemed = await wire.post('/loyalty/redemptions', { accountId, rewardId: reward?.id })
    expect([redeemed.status, redeemed.json]).toMatchObject([202, { status: 'ACCEPTED' }])
    await wire.pass(10_000)
    const { items: transactions } = await wire.read<{ items: Json[] }>(
      `/loyalty/accounts/${accountId}/transactions`,
    )
    expect(transactions.map(({ type }) => type)).toEqual(['adjust', 'redeem'])
    expect(await wire.read(`/customers/c-1/loyalty-accounts`)).toMatchObject({
      items: [{ id: accountId, balance: 500 - (reward?.cost ?? 0) }],
    })
    const { items: coupons } = await wire.read<{ items: { id: string }[] }>(
      '/loyalty/coupons?customerId=c-1',
    )
    const used = await wire.post(`/loyalty/coupons/${coupons[0]?.id}/use`, {
      relatedOrderId: 'o-1',
    })
    expect([used.status, used.json]).toMatchObject([200, { status: 'used' }])
    await wire.pass(1000)
    const heard = wire.received.map(({ json }) => json)
    expect(heard.map(({ eventType }) => eventType)).toEqual([
      'loyalty.points.earned',
      'loyalty.redemption.created',
      'loyalty.coupon.used',
    ])
    expect(heard.filter((each) => 'entityType' in each || 'event' in each)).toEqual([])
  })
})

describe('our Ordering Application at a loyalty host (rows 19, 20, 22)', () => {
  test('reads a balance, and hears the events of the standard as ours', async () => {
    const accounts = [
      {
        id: 'a-1',
        customerId: 'customer-1',
        programId: 'gold',
        balanceType: 'points',
        balance: 300,
      },
    ]
    await using partner = await openLoyaltyPartner({
      dialect,
      replyTo: ({ path }) =>
        path.endsWith('/loyalty-accounts')
          ? { status: 200, body: { items: accounts } }
          : path === '/loyalty/accounts/a-1'
            ? { status: 200, body: accounts[0] }
            : undefined,
    })
    const read = await partner.session.submit({
      kind: 'reward.read',
      what: 'account',
      accountId: 'a-1',
    })
    expect(read.ok).toBe(true)
    await partner.pass(1000)
    expect(partner.facts('reward.account-read')).toMatchObject([
      { account: { id: 'a-1', summary: { pointsAvailable: 300, pointsPending: 0 } } },
    ])
    for (const [index, eventType] of [
      'loyalty.points.earned',
      'loyalty.redemption.created',
      'loyalty.tier.changed',
    ].entries())
      expect(
        await partner.push({ id: `e-${index}`, eventType, occurredAt, accountId: 'a-1' }),
      ).toBe(204)
    expect(partner.facts('reward.heard').map(({ eventType }) => eventType)).toEqual([
      'loyalty.points_accrued',
      'loyalty.points_redeemed',
      'loyalty.tier.changed',
    ])
  })
})
