/** X-App-Id of webhooks: who sends, not who receives (fields.md, O17 and C17). */
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import { dialects } from '../protocol/dialects/catalogue.ts'
import { applicationIds } from '../protocol/discovery/application-id.ts'
import type { Role } from '../protocol/role.ts'
import { openSession } from '../session/open-session.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ownId = applicationIds['ordering-application']

test.each(dialects.map(({ name, conduct }) => ({ name, speaks: conduct.speaks ?? 'v2' })))(
  'in the dialect $name it is the sourceAppId of the event, a UUID',
  async ({ name }) => {
    await using receiver = await openReceiver()
    await using wire = await openOrdersWire({
      dialect: name,
      subject: { url: receiver.url, webhooks: { orders: '/webhooks/v1/newEvent' } },
      conduct: { manifest: 'trust' },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    await wire.create({ type: 'DELIVERY' })
    await wire.pass(1000)
    const [received] = receiver.received
    expect(received?.headers['x-app-id']).toMatch(uuid)
    expect(received?.headers['x-app-id']).toBe(ownId)
    expect(received?.event).toMatchObject({ sourceAppId: ownId })
  },
)

test('an order of another application names that one; an order that names none is of the sender’s', async () => {
  const other = '7b2897cf-5f1e-4c5b-9a39-2f4d7f0a11ce'
  for (const sourceAppId of [other, undefined]) {
    await using receiver = await openReceiver()
    await using wire = await openOrdersWire({
      subject: { url: receiver.url },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    const order = { ...plainOrder('a', 'DELIVERY'), ...(sourceAppId ? { sourceAppId } : {}) }
    await wire.create({ order })
    await wire.pass(1000)
    expect(receiver.received[0]?.headers['x-app-id']).toBe(sourceAppId ?? ownId)
  }
})

test('every counterpart has one of its own, the same for all receivers and in every session', async () => {
  const sent = new Map<Role, Set<string | null>>()
  for (const seed of [1, 2]) {
    await using session = await openSession({
      seed,
      clock: 'virtual',
      listen: false,
      counterparts: { 'ordering-application': { orders: { every: '20s' } } },
    })
    session.onExchange(({ from, request: { headers } }) => {
      const pair = headers.find(([name]) => name.toLowerCase() === 'x-app-id')
      if (pair) sent.set(from.role, (sent.get(from.role) ?? new Set()).add(pair[1]))
    })
    await session.advance(300_000)
  }
  expect(sent.size).toBeGreaterThan(1)
  for (const [role, ids] of sent) expect([...ids]).toEqual([applicationIds[role]])
})
