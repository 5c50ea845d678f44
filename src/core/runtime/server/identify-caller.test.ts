/** Calls between our own roles are not attributed to the subject, even without a token. */
import { expect, test } from 'vitest'
import type { Exchange } from '../../traffic/exchange.ts'
import { openSession } from '../../session/open-session.ts'

const lead = { id: 'l-1', source: 's', status: 'new', name: 'Caio', contact: '11 9' } as const

test('a webhook with a signature and no token comes from the role that sends it, never from its own host', async () => {
  await using session = await openSession({
    as: 'software-service',
    conduct: { manifest: 'trust', webhookAccess: 'signature' },
    clock: 'virtual',
    automatic: false,
    listen: false,
  })
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(exchange))
  await session.createOrder({ type: 'DELIVERY' })
  await session.advance(30_000)
  await session.submit({ kind: 'customer.enter', entry: { entity: 'lead', record: lead } })
  await session.advance(30_000)

  const webhooks = exchanges.filter(({ operation }) => operation === 'receiveCustomerEvent')
  expect(webhooks.map(({ from, to }) => `${from.role} > ${to.role}`)).toContain(
    'crm > ordering-application',
  )
  expect(exchanges.filter(({ from, to }) => from.role === to.role)).toEqual([])
})

test('a subject that never calls is in no exchange, while our own roles read manifests and get tokens', async () => {
  await using session = await openSession({
    as: 'software-service',
    clock: 'virtual',
    automatic: false,
    port: 0,
  })
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(exchange))
  await session.createOrder({ type: 'DELIVERY' })
  await session.advance(30_000)

  const operations = exchanges.map(({ operation }) => operation)
  expect(operations).toContain('getManifest')
  expect(operations).toContain('issueToken')
  expect(exchanges.filter(({ from }) => from.party === 'subject')).toEqual([])
})
