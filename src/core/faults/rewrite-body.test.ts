/** Bodies as other implementations of the same partner write them. */
import { expect, test } from 'vitest'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { signWebhook } from '../../../test/support/host-session.ts'
import { openFaultyWebhooks } from '../../../test/support/faulty-wire.ts'
import { Order } from '../protocol/orders/order.ts'
import { bodyFormNames, bodyForms } from './rewrite-body.ts'

const text = JSON.stringify({
  name: 'Feijão à moda/casa <2>',
  price: { value: 12.5, whole: 20, none: 0, id: '1200' },
  at: ['2026-01-05T02:00:00.120Z', '2026-01-05T15:00:00.000Z', '2026-01-05T15:00:00Z'],
})

test.each([
  ['escapes', String.raw`"Feij\u00e3o \u00e0 moda\/casa \u003c2\u003e"`],
  ['blanks', String.raw`, "price": {"value": 12.5, "whole": 20, `],
  ['members', String.raw`"price":{"id":"1200","none":0,"whole":20,"value":12.5}`],
  ['numbers', String.raw`"price":{"value":12.50,"whole":2E+1,"none":0,"id":"1200"}`],
  ['instants', '2026-01-04T23:00:00.120-03:00'],
  ['object', '"x_details":{"since":"v2.1","flags":[true]}'],
] as const)('%s: the same values in other characters', (form, part) => {
  const written = bodyForms[form].rewrite(text, 1)
  expect(written).toContain(part)
  if (form === 'instants' || form === 'object') return
  expect(JSON.parse(written)).toEqual(JSON.parse(text))
})

test('instants: each is the same moment, whatever is written', () => {
  const written = JSON.parse(bodyForms.instants.rewrite(text, 1)) as { at: string[] }
  const before = JSON.parse(text) as typeof written
  expect(written.at).not.toEqual(before.at)
  expect(written.at.map(Date.parse)).toEqual(before.at.map(Date.parse))
})

test.each(bodyFormNames)('%s: an order stays JSON, and the draw alone decides', (form) => {
  const order = JSON.stringify(minimalOrder('o-1', 'DELIVERY'))
  const { rewrite, legal } = bodyForms[form]
  expect(rewrite(order, 7)).toBe(rewrite(order, 7))
  const { success } = Order.safeParse(JSON.parse(rewrite(order, 7)))
  expect(success || !legal).toBe(true)
})

test('missing, null and value leave alone what is no order, and what a service sends on', () => {
  for (const form of ['missing', 'null', 'value'] as const)
    expect(bodyForms[form].rewrite(text, 1)).toBe(text)
  const order = minimalOrder('o-1', 'DELIVERY')
  const less: unknown = JSON.parse(bodyForms.missing.rewrite(JSON.stringify(order), 1))
  expect(less).toMatchObject({ fulfillment: order['fulfillment'], items: [{ id: 'x-burger' }, {}] })
})

test('[ORD-OPS-03] a webhook in another form is signed over the bytes that are sent', async () => {
  await using called = await openFaultyWebhooks(['evolve:how=blanks'], 'webhook')
  await called.wire.create()
  await called.wire.pass(1000)
  const [first] = called.receiver.received
  expect(first?.text).toContain('", "')
  expect(first?.headers['x-app-signature']).toBe(signWebhook(first?.text ?? ''))
})
