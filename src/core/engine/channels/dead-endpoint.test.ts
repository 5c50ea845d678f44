/** conduct.webhookDisableAfter: an endpoint that fails too often in a row is switched off, and comes back. */
import { expect, test } from 'vitest'
import { openFaultyWebhooks } from '../../../../test/support/faulty-wire.ts'

/** A receiver that fails its first webhooks; two failures in a row switch it off. */
const openDead = (failing: number, conduct: Readonly<Record<string, unknown>> = {}) =>
  openFaultyWebhooks([], 'webhook', {
    reply: (nth) => ({ status: nth <= failing ? 500 : 204 }),
    conduct: { webhookDisableAfter: 2, webhookRetry: [1000, 1000, 1000], ...conduct },
  })

test('two failures switch it off; what was kept comes when an operator switches it on', async () => {
  await using called = await openDead(2)
  const { wire, receiver } = called
  const orderId = await wire.create()
  await wire.pass(5000)
  await wire.bring(orderId, 'CONFIRMED')
  await wire.pass(60_000)
  expect(receiver.received).toHaveLength(2)
  expect(wire.facts('webhook.disabled')).toMatchObject([
    { webhook: 'software-service receiveOrderEvent', failures: 2 },
  ])
  await wire.session.submit({ kind: 'webhook.enable', webhook: 'crm receiveOrderEvent' })
  expect(wire.facts('webhook.enabled')).toEqual([])
  await wire.session.submit({ kind: 'webhook.enable' })
  await wire.pass(1000)
  expect(called.eventTypes().slice(2)).toEqual(['CREATED', 'CONFIRMED'])
  const again = await wire.session.submit({ kind: 'webhook.enable' })
  expect(again).toMatchObject({ ok: false, error: { message: 'no webhooks are switched off' } })
})

test('it is tried again by itself, and one more failure switches it off once more', async () => {
  await using called = await openDead(3, { webhookEnableAfter: '1m' })
  await called.wire.create()
  await called.wire.pass(3000)
  expect(called.receiver.received).toHaveLength(2)
  await called.wire.pass(60_000)
  expect(called.receiver.received).toHaveLength(3)
  await called.wire.pass(60_000)
  expect(called.eventTypes()).toEqual(['CREATED', 'CREATED', 'CREATED', 'CREATED'])
  expect(called.wire.facts('webhook.disabled')).toHaveLength(2)
})

test('where events are dropped, none of them comes', async () => {
  await using called = await openDead(2, { disabledWebhooks: 'dropped', webhookEnableAfter: '1m' })
  const { wire } = called
  const orderId = await wire.create()
  await wire.pass(5000)
  await wire.bring(orderId, 'CONFIRMED')
  await wire.pass(70_000)
  await wire.bring(orderId, 'PREPARING')
  await wire.pass(1000)
  expect(called.eventTypes().slice(2)).toEqual(['PREPARING'])
})
