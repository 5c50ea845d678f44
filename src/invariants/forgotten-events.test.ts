/** Under load thousands of orders end between a poll and its acknowledgment: what we forget is nobody else's mistake. */
import { expect, test } from 'vitest'
import type { Fact } from '../engine/fact.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Order } from '../protocol/orders/order.ts'
import { anOrder } from '../testing/an-order.ts'
import { noon, transcript } from '../testing/transcript.ts'
import { invariants } from './catalogue.ts'
import { createJudge } from './judge.ts'

function opened() {
  const { engine } = transcript()
  const patience = { convergeMs: 120_000, graceMs: 10_000, pollGapMs: 500, webhookMs: 5000 }
  const judge = createJudge({
    subject: 'software-service',
    settings: engine.settings,
    patience: { ...patience, tries: 6, inFlightMs: 1000 },
    world: engine.world,
    now: () => noon,
    invariants,
  })
  let seq = 0
  const tell = (fact: Fact): void =>
    judge.fact({ seq: ++seq, at: noon, by: 'session', cause: 0, fact })
  function call(operation: OperationId, body: unknown, answer?: unknown): void {
    judge.exchange(
      {
        seq: ++seq,
        startedAt: noon,
        tookMs: 0,
        operation,
        from: { role: 'software-service', party: 'subject' },
        to: { role: 'ordering-application', party: 'sparring' },
        request: {
          method: 'POST',
          url: 'http://oa.test/events',
          headers: [],
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        reply: {
          status: 200,
          headers: [],
          ...(answer === undefined ? {} : { body: JSON.stringify(answer) }),
        },
      },
      { began: noon, ended: noon },
    )
  }
  function order(orderId: string): void {
    tell({ kind: 'order.created', order: anOrder(orderId, 'TAKEOUT') as unknown as Order })
    tell({
      kind: 'event.emitted',
      event: {
        eventId: `event-of-${orderId}`,
        eventType: 'CREATED',
        orderId,
        merchantId: 'loja-1',
        createdAt: '2026-01-05T15:00:00.000Z',
      },
    })
  }
  const cancel = (orderId: string): void =>
    tell({ kind: 'order.moved', orderId, trigger: 'cancel', from: 'CREATED', to: 'CANCELLED' })
  const told = (id: string) => {
    const verdict = judge.verdicts().find((each) => each.id === id)
    return { outcome: verdict?.outcome, told: verdict?.findings.map(({ because }) => because) }
  }
  return { call, order, cancel, told }
}

test('[ORD-OPS-02] AK-3 an event whose order was forgotten since a poll brought it was delivered all the same', () => {
  const { call, order, cancel, told } = opened()
  order('first')
  call('pollingEvents', undefined, [
    { eventId: 'event-of-first', eventType: 'CREATED', orderId: 'first' },
  ])
  cancel('first')
  for (let each = 0; each < 2100; each++) {
    order(`o-${each}`)
    cancel(`o-${each}`)
  }
  call('acknowledgeEvents', { eventIds: ['event-of-first'] })
  expect(told('AK-3')).toEqual({ outcome: 'held', told: [] })

  call('acknowledgeEvents', { eventIds: ['event-of-nobody'] })
  expect(told('AK-3')).toMatchObject({
    outcome: 'broken',
    told: [expect.stringContaining('"event-of-nobody"')],
  })
})
