/** False positives: delivery announcements and operator edits of events and orders are no missed events. */
import { expect, test } from 'vitest'
import { createTimedJudge } from '../../../../../test/support/timed-judge.ts'
import { noon } from '../../../../../test/support/transcript.ts'

test('[LOG-EVT-01] CV-3 does not count the CANCELLED of a delivery as an event of its order', () => {
  const { tell, verdict, pass } = createTimedJudge()
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
  expect(verdict('CV-3')).toMatchObject({ outcome: 'not-exercised', reported: [] })
})

test('[ORD-EVR-06] CV-3 counts an event that names another order on the wire for its own order', () => {
  const { confirmed, poll, verdict, pass } = createTimedJudge()
  confirmed('confirmed-b', 'b')
  confirmed('confirmed-a', 'a')
  poll(['confirmed-a', 'CONFIRMED', 'b'])
  pass(400_000)
  expect(verdict('CV-3')).toMatchObject({
    outcome: 'failed',
    reported: [expect.stringContaining('The event CONFIRMED of o2')],
  })
})

test.each(['asked for by hand and held back', undefined])(
  '[ORD-GEN-05] CV-13 while one order fails, a transition of the other was %s',
  (held) => {
    const { tell, call, verdict, pass } = createTimedJudge()
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
      call({ operation: 'getOrder', order: 'a', status: 503 })
    }
    expect(verdict('CV-13').outcome).toBe(held ? 'passed' : 'failed')
  },
)
