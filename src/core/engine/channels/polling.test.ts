import { expect, test } from 'vitest'
import { createChance } from '../chance.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import { noon, transcript } from '../../../../test/support/transcript.ts'
import { openOrdersWire, orderProcessingMs, eventTypesOf } from '../../../../test/support/wire.ts'
import { planHandovers, pollingReactor } from './polling.ts'

const create = { kind: 'order.create', order: plainOrder('a') } as const
const at = (delayMs: number, repeatsOneIn = 0) => ({ delayMs: () => delayMs, repeatsOneIn })

test('an emitted event is offered to polls after the delay, and not before', () => {
  const session = transcript({ reactors: [pollingReactor(at(1500))] }).given(create)
  expect(session.engine.world.ordering.mailbox.size).toBe(0)
  expect(session.take()).toEqual(['taken #1', 'CREATED queued for polling'])
  expect(session.engine.now()).toBe(noon + 1500)
})

test('with a duplicate odds of one in one every event is offered twice', () => {
  const session = transcript({ reactors: [pollingReactor(at(0, 1))] }).given(create)
  session.take()
  session.take()
  expect([...session.engine.world.ordering.mailbox.values()]).toEqual([2])
})

test('a duplicate is the same plan as the original', () => {
  const planned = { command: { kind: 'event.offer', eventId: 'x' }, afterMs: 7 } as const
  expect(planHandovers(planned, at(7, 1), createChance(1))).toEqual([planned, planned])
  expect(planHandovers(planned, at(7, 0), createChance(1))).toEqual([planned])
})

test('a session that declares webhooks only puts nothing into the mailbox', () => {
  const session = transcript({ channel: 'webhook', reactors: [pollingReactor(at(0))] }).given(
    create,
  )
  expect(session.take()).toEqual([])
})

test('[ORD-CHN-01] polling only: it is declared and served, and the service is never called', async () => {
  await using receiver = await openReceiver()
  await using wire = await openOrdersWire({ subject: { url: receiver.url } })
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  expect(eventTypesOf(await wire.drain())).toEqual(['CREATED', 'CONFIRMED'])
  expect([...receiver.received, ...receiver.others]).toEqual([])
  const facts = wire.session.facts().map(({ fact }) => fact.kind)
  expect(facts).not.toContain('event.waiting')
  const { text } = await wire.send('GET', '/.well-known/protocol')
  expect(text).toContain('"supportsWebhook":false,"supportsPolling":true')
})

test('[ORD-CHN-01] for a receiver that declares no polling nothing is put into the mailbox', async () => {
  await using receiver = await openReceiver({ supportsPolling: false })
  await using wire = await openOrdersWire({
    subject: { url: receiver.url },
    counterparts: { 'ordering-application': { channel: 'both' } },
  })
  await wire.pass(orderProcessingMs)
  await wire.create()
  await wire.pass(orderProcessingMs)
  expect(await wire.poll()).toEqual([])
  expect(receiver.received.map(({ event }) => event.eventType)).toEqual(['CREATED'])
})
