/** False positives: delivery announcements and operator edits of events and orders are no missed events. */
import { expect, test } from 'vitest'
import { apply } from '../../engine/apply.ts'
import type { Fact } from '../../engine/fact.ts'
import type { FactOrigin } from '../../engine/journal.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import { createdFacts } from '../../../test/support/created-facts.ts'
import { createTestJudge } from '../../../test/support/judge-fixture.ts'
import { noon, transcript } from '../../../test/support/transcript.ts'

function opened() {
  const { engine } = transcript()
  const merchants = [{ merchantId: 'loja-1', name: 'Loja Um', status: 'OPEN' } as const]
  const settings = { ...engine.settings, merchants }
  let now = noon
  const judge = createTestJudge({ engine: { ...engine, settings }, now: () => now })
  let seq = 0
  function tell(fact: Fact, by: FactOrigin = 'session'): void {
    apply(engine.world, fact, now)
    judge.fact({ seq: ++seq, at: now, by, cause: 0, fact })
  }
  function call(operation: OperationId, status: number, answer?: unknown): void {
    judge.exchange(
      {
        seq: ++seq,
        startedAt: now,
        tookMs: 0,
        operation,
        from: { role: 'software-service', party: 'subject' },
        to: { role: 'ordering-application', party: 'sparring' },
        ...(operation === 'getOrder' ? { orderId: 'a' } : {}),
        request: { method: 'GET', url: 'http://oa.test/', headers: [] },
        reply: {
          status,
          headers: [],
          ...(answer === undefined ? {} : { body: JSON.stringify(answer) }),
        },
      },
      { began: now, ended: now },
    )
  }
  const poll = (...events: readonly (readonly [eventId: string, type: string, of: string])[]) =>
    call(
      'pollingEvents',
      200,
      events.map(([eventId, eventType, orderId]) => ({ eventId, eventType, orderId })),
    )
  function confirmed(eventId: string, orderId: string): void {
    const about = { orderId, merchantId: 'loja-1', createdAt: '2026-01-05T15:00:01.000Z' }
    tell({ kind: 'event.emitted', event: { eventId, eventType: 'CONFIRMED', ...about } })
  }
  function told(id: string) {
    const verdict = judge.verdicts().find((each) => each.id === id)
    return { outcome: verdict?.outcome, told: verdict?.findings.map(({ because }) => because) }
  }
  for (const orderId of ['a', 'b']) for (const fact of createdFacts(orderId)) tell(fact)
  poll(['event-of-a', 'CREATED', 'a'], ['event-of-b', 'CREATED', 'b'])
  const pass = (ms: number): void => void (now += ms)
  pass(1000)
  return { tell, call, poll, confirmed, told, pass }
}

test('[LOG-EVT-01] CV-3 does not count the CANCELLED of a delivery as an event of its order', () => {
  const { tell, told, pass } = opened()
  tell({
    kind: 'event.announced',
    event: {
      eventId: 'of-its-delivery',
      eventType: 'CANCELLED',
      from: 'delivery-platform',
      to: 'software-service',
      operation: 'receiveDeliveryEvent',
      entityId: 'a',
      orderId: 'a',
      body: {},
    },
  })
  pass(400_000)
  expect(told('CV-3')).toEqual({ outcome: 'not-exercised', told: [] })
})

test('[ORD-EVR-06] CV-3 counts an event that names another order on the wire for its own order', () => {
  const { confirmed, poll, told, pass } = opened()
  confirmed('confirmed-b', 'b')
  confirmed('confirmed-a', 'a')
  poll(['confirmed-a', 'CONFIRMED', 'b'])
  pass(400_000)
  expect(told('CV-3')).toEqual({
    outcome: 'failed',
    told: [expect.stringContaining('The event CONFIRMED of o2')],
  })
})

test.each(['asked for by hand and held back', undefined])(
  '[ORD-GEN-05] CV-13 while one order fails, a transition of the other was %s',
  (held) => {
    const { tell, call, told, pass } = opened()
    if (held) {
      const step = { orderId: 'b', trigger: 'confirm' } as const
      tell({ kind: 'order.requested', ...step }, 'operator')
      const command = { kind: 'order.apply', ...step } as const
      const place = { rank: 1, cause: 0, background: false, held: true } as const
      const item = { id: 1, due: noon + 1_000_000, command, ...place }
      tell({ kind: 'agenda.planned', item }, 'operator')
    }
    for (let tries = 0; tries < 20; tries++) {
      pass(20_000)
      call('getOrder', 503)
    }
    expect(told('CV-13').outcome).toBe(held ? 'passed' : 'failed')
  },
)
