/** A scripted judge that knows two orders, a and b, whose CREATED was polled a second ago. */
import { createScriptedJudge } from './scripted-judge.ts'

export function createTimedJudge() {
  const merchants = [{ merchantId: 'loja-1', name: 'Loja Um', status: 'OPEN' } as const]
  const judge = createScriptedJudge({ merchants })
  const poll = (...events: readonly (readonly [eventId: string, type: string, of: string])[]) =>
    judge.call({
      operation: 'pollingEvents',
      answer: events.map(([eventId, eventType, orderId]) => ({ eventId, eventType, orderId })),
    })
  function confirmed(eventId: string, orderId: string): void {
    const about = { orderId, merchantId: 'loja-1', createdAt: '2026-01-05T15:00:01.000Z' }
    judge.tell({ kind: 'event.emitted', event: { eventId, eventType: 'CONFIRMED', ...about } })
  }
  judge.created('a').created('b')
  poll(['event-of-a', 'CREATED', 'a'], ['event-of-b', 'CREATED', 'b']).pass(1000)
  return { ...judge, poll, confirmed }
}
