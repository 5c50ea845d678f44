/** A retained snapshot of a GET equals its reply, whatever happens to the order later. */
import { expect, test } from 'vitest'
import { orderView } from '../../../engine/orders/record.ts'
import { createScriptedJudge } from '../../../../../test/support/scripted-judge.ts'
import { defineInvariant } from '../invariant.ts'
import type { OrderSnapshot } from '../tracking/tracker-state.ts'

function opened() {
  const kept: { readonly reading: OrderSnapshot; readonly text: string }[] = []
  const keeping = defineInvariant({
    id: 'T-1',
    name: 'keeping',
    sentence: 'Must be kept.',
    remedy: 'Keep it.',
    kind: 'safety',
    clauses: [],
    premise: 'there was one',
    binds: ['software-service'],
    calls: ['getOrder'],
    call: (_state, seen) =>
      void kept.push({ reading: seen.snapshot(), text: seen.exchange.reply?.body ?? '' }),
  })
  const { world, tell, call } = createScriptedJudge({ invariants: [keeping] }).created('a')
  /** The current body of the order, or the one given. */
  function read({
    body,
    ...about
  }: { readonly body?: string; readonly fault?: string } = {}): void {
    const record = world.ordering.orders.get('a')
    if (!record) throw new Error('there is no order')
    const answer = body ?? JSON.stringify(orderView(record))
    call({ operation: 'getOrder', order: 'a', answer, ...about })
  }
  return { tell, read, kept }
}

test('[ORD-EVR-01] a snapshot stays the same after transitions, amendments and item cancellations', () => {
  const { tell, read, kept } = opened()
  read()
  tell({ kind: 'order.moved', orderId: 'a', trigger: 'confirm', from: 'CREATED', to: 'CONFIRMED' })
  read()
  const details = { preparationStartDateTime: '2026-01-05T16:00:00.000Z', observations: 'no salt' }
  tell({ kind: 'order.amended', orderId: 'a', details })
  read()
  const total = { orderAmount: { value: 1, currency: 'BRL' } } as never
  tell({
    kind: 'item.cancelled',
    orderId: 'a',
    itemId: 'i',
    quantity: 1,
    items: [],
    total,
    payments: {} as never,
  })
  read()
  expect(new Set(kept.map(({ text }) => text)).size).toBe(4)
  for (const { reading, text } of kept) expect(reading.responseJson()).toEqual(JSON.parse(text))
})

test('a snapshot holds the body as a fault distorted it', () => {
  const { read, kept } = opened()
  for (const body of [
    '{"id":"a","displayId":"other","status":"CREATED","lastEvent":"CREATED"}',
    '{"id":"a","displayId":"other","status":"CREATED"}',
    '{"status":"CREATED","id":"a"}',
    'nothing that anybody could read',
  ])
    read({ body, fault: 'garble on req(getOrder,o1)' })
  expect(kept.map(({ reading }) => reading.responseJson())).toEqual([
    { id: 'a', displayId: 'other', status: 'CREATED', lastEvent: 'CREATED' },
    { id: 'a', displayId: 'other', status: 'CREATED' },
    { status: 'CREATED', id: 'a' },
    undefined,
  ])
})

test('a snapshot keeps an unknown lastEvent as written', () => {
  const { read, kept } = opened()
  const body = '{"id":"a","displayId":"other","status":"CREATED","lastEvent":"SOMETHING_NEW"}'
  read({ body })
  expect(kept[0]?.reading.responseJson()).toEqual(JSON.parse(body))
})
