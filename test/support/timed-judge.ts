/** A judge that is fed facts and calls on a clock of its own; two orders, a and b, whose CREATED was polled. */
import { apply } from '../../src/engine/fact.ts'
import type { Fact } from '../../src/engine/fact.ts'
import type { FactOrigin } from '../../src/engine/journal.ts'
import type { OperationId } from '../../src/protocol/catalogue.ts'
import type { Exchange } from '../../src/traffic/exchange.ts'
import { createdFacts } from './created-facts.ts'
import { createTestJudge } from './judge-fixture.ts'
import { noon, transcript } from './transcript.ts'

export function createTimedJudge() {
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
  function exchange(
    parties: Pick<Exchange, 'operation' | 'from' | 'to'>,
    status: number,
    answer?: unknown,
  ): void {
    judge.exchange(
      {
        seq: ++seq,
        startedAt: now,
        tookMs: 0,
        ...parties,
        ...(parties.operation === 'pollingEvents' ? {} : { orderId: 'a' }),
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
  /** A call of the subject; about the order a, unless it is a poll. */
  const call = (operation: OperationId, status: number, answer?: unknown): void =>
    exchange(
      {
        operation,
        from: { role: 'software-service', party: 'subject' },
        to: { role: 'ordering-application', party: 'sparring' },
      },
      status,
      answer,
    )
  /** A call of ours to the subject, about the order a. */
  const ownCall = (operation: OperationId, status: number): void =>
    exchange(
      {
        operation,
        from: { role: 'ordering-application', party: 'sparring' },
        to: { role: 'software-service', party: 'subject' },
      },
      status,
    )
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
  function findingsOf(id: string) {
    const verdict = judge.verdicts().find((each) => each.id === id)
    return { outcome: verdict?.outcome, reasons: verdict?.findings.map(({ because }) => because) }
  }
  for (const orderId of ['a', 'b']) for (const fact of createdFacts(orderId)) tell(fact)
  poll(['event-of-a', 'CREATED', 'a'], ['event-of-b', 'CREATED', 'b'])
  const pass = (ms: number): void => void (now += ms)
  pass(1000)
  return { tell, call, ownCall, poll, confirmed, findingsOf, pass }
}
