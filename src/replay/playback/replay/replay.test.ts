import { expect, test } from 'vitest'
import { selfReplay, differencesOf } from '../../../../test/support/self-replay.ts'
import { sampleCustomer, openCustomerWire } from '../../../../test/support/customer-wire.ts'
import { accountQuery, openIndoorWire } from '../../../../test/support/indoor-wire.ts'
import { openLogisticsWire } from '../../../../test/support/logistics-wire.ts'
import { openLoyaltyWire } from '../../../../test/support/loyalty-wire.ts'
import { openOrdersWire, orderProcessingMs } from '../../../../test/support/wire.ts'

/** Machine-like ids: short ones are indistinguishable from words. */
const one = 'd3b7c1a4-5e2f-4c8a-9b6d-0f1e2d3c4b5a'
const nobody = '6f1c9a2e-8d4b-4e7a-b5c3-9a8b7c6d5e4f'

test('Orders: a recording replayed to the counterpart that recorded it has no differences', async () => {
  const report = await selfReplay({
    open: () => openOrdersWire({ listen: false }),
    host: 'ordering-application',
    client: 'software-service',
    async story(wire, operate) {
      await wire.send('GET', '/.well-known/protocol', { token: null })
      await operate((each) => each.create({ type: 'DELIVERY' }))
      await operate((each) => each.create({ type: 'TAKEOUT' }))
      await wire.pass(1000)
      const [first, second] = await wire.drain()
      const delivery = first?.orderId ?? ''
      const other = second?.orderId ?? ''
      for (const call of ['confirm', 'preparing', 'ready-for-pickup', 'dispatch', 'delivered']) {
        await wire.read(delivery)
        await wire.ask(delivery, call)
        await wire.pass(orderProcessingMs)
        await wire.drain()
      }
      await wire.ask(other, 'dispatch')
      await wire.ask(other, 'requestCancellation', { reason: 'no stock', code: 'ITEM_UNAVAILABLE' })
      await wire.send('GET', `/orders/${nobody}`)
      await wire.send('POST', `/orders/${other}/confirm`, { token: 'forged' })
      await wire.pass(60_000)
      await wire.drain()
    },
  })
  expect(differencesOf(report)).toEqual([])
  expect(report.exchanges.length).toBeGreaterThan(25)
})

test('Indoor: an account from its first order to its end', async () => {
  const report = await selfReplay({
    open: () => openIndoorWire(),
    host: 'software-service',
    client: 'ordering-application',
    async story(wire, operate) {
      await operate((each) => each.order({ identifier: '7' }))
      await wire.read('7')
      await wire.post(`/accounts/payments?${accountQuery('7')}`, {
        amount: { value: 10, currency: 'BRL' },
      })
      await wire.post(`/accounts/pre-close?${accountQuery('7')}`)
      const { totals } = await wire.read('7')
      const body = { amount: totals.due, methodInfo: { method: 'PIX' } }
      await wire.post(`/accounts/payments?${accountQuery('7')}`, body)
      await wire.post(`/accounts/close?${accountQuery('7')}`)
      await wire.pass(5000)
      await wire.documents('7')
      await wire.send('GET', `/accounts?${accountQuery('99')}`)
    },
  })
  expect(differencesOf(report)).toEqual([])
  expect(report.exchanges.length).toBeGreaterThan(8)
})

test('Logistics: a quote, a delivery to its end, and calls out of order', async () => {
  const report = await selfReplay({
    open: () => openLogisticsWire(),
    host: 'delivery-platform',
    client: 'ordering-application',
    async story(wire) {
      await wire.create(one)
      await wire.read(one)
      await wire.pass(200_000)
      await wire.read(one)
      await wire.create(one)
      await wire.ask(one, 'cancel', { reason: 'no stock' })
      await wire.pass(2_000_000)
      await wire.read(one)
      await wire.send('GET', `/logistics/delivery/${nobody}`)
    },
  })
  expect(differencesOf(report)).toEqual([])
  expect(report.exchanges.length).toBeGreaterThan(7)
})

test('Customer and Reviews: records pushed, notified by event, merged and read', async () => {
  const report = await selfReplay({
    open: () => openCustomerWire({ listen: false }),
    host: 'crm',
    client: 'ordering-application',
    async story(wire) {
      await wire.post('/customers', sampleCustomer(one, { externalIds: ['app:c-1'] }))
      await wire.pass(1000)
      await wire.get(`/customers/${one}`)
      await wire.post(
        '/customers',
        sampleCustomer(one, { externalIds: ['app:c-1'], name: 'Ana Lima' }),
      )
      await wire.pass(1000)
      await wire.get('/customers?limit=5')
      await wire.get('/reviews')
      await wire.get(`/customers/${nobody}`)
      await wire.post('/customers', { id: 3 })
    },
  })
  expect(differencesOf(report)).toEqual([])
  expect(report.exchanges.length).toBeGreaterThan(7)
})

test('Loyalty: programs, an account, and a reward that is redeemed', async () => {
  const report = await selfReplay({
    open: () => openLoyaltyWire(),
    host: 'crm',
    client: 'ordering-application',
    // Its customer existed before recording began.
    options: { sameIds: true },
    async story(wire, operate) {
      await wire.send('GET', '/loyalty/programs')
      const programId = 'clube-da-cidade'
      await operate((each) => each.tell({ kind: 'loyalty.enroll', customerId: one, programId }))
      const answer = await wire.send('GET', `/customers/${one}/loyalty-accounts`)
      const { items } = answer.json as { items: { id: string }[] }
      const id = items[0]?.id ?? ''
      await operate((each) => each.tell({ kind: 'loyalty.adjust', accountId: id, points: 500 }))
      await wire.send('GET', `/loyalty/accounts/${id}`)
      await wire.send('GET', `/loyalty/accounts/${id}/transactions`)
      await wire.send('GET', `/loyalty/accounts/${nobody}`)
    },
  })
  expect(differencesOf(report)).toEqual([])
  expect(report.exchanges.length).toBeGreaterThan(5)
})

test('Discovery and auth: manifests, tokens of several scopes, and refusals stay refusals', async () => {
  const report = await selfReplay({
    open: () => openOrdersWire({ listen: false }),
    host: 'ordering-application',
    client: 'software-service',
    async story(wire) {
      await wire.send('GET', '/.well-known/protocol', { token: null })
      await wire.send('GET', '/merchants', { token: null })
      await wire.send('GET', '/merchants')
      const narrow = await wire.token('proto.menu')
      await wire.send('GET', '/merchants', { token: narrow })
      await wire.send('POST', '/orders/x/confirm', { token: narrow })
      await wire.send('POST', '/oauth/token', {
        token: null,
        body: { grant_type: 'client_credentials', client_id: 'subject', client_secret: 'wrong' },
      })
      await wire.send('POST', '/oauth/token', {
        token: null,
        body: { grant_type: 'password', client_id: 'subject', client_secret: 'secret' },
      })
      await wire.pass(4_000_000)
      await wire.send('GET', '/merchants', { token: narrow })
      await wire.send('GET', '/merchants')
    },
  })
  expect(differencesOf(report)).toEqual([])
  expect(report.exchanges.length).toBeGreaterThan(10)
})
