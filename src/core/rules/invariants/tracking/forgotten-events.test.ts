/** Under load thousands of orders end between a poll and its acknowledgment: evicted events cause no finding. */
import { expect, test } from 'vitest'
import { createScriptedJudge } from '../../../../../test/support/scripted-judge.ts'

function opened() {
  const judge = createScriptedJudge()
  const cancel = (orderId: string) =>
    judge.tell({
      kind: 'order.moved',
      orderId,
      trigger: 'cancel',
      from: 'CREATED',
      to: 'CANCELLED',
    })
  return { ...judge, cancel }
}

test('[ORD-OPS-02] AK-3 accepts the id of an event whose order was evicted after the poll', () => {
  const { call, created, cancel, verdict } = opened()
  created('first')
  call({
    operation: 'pollingEvents',
    answer: [{ eventId: 'event-of-first', eventType: 'CREATED', orderId: 'first' }],
  })
  cancel('first')
  for (let each = 0; each < 4100; each++) {
    created(`o-${each}`)
    cancel(`o-${each}`)
  }
  call({ operation: 'acknowledgeEvents', body: { eventIds: ['event-of-first'] } })
  expect(verdict('AK-3')).toMatchObject({ outcome: 'passed', reported: [] })

  call({ operation: 'acknowledgeEvents', body: { eventIds: ['event-of-nobody'] } })
  expect(verdict('AK-3')).toMatchObject({
    outcome: 'failed',
    reported: [expect.stringContaining('"event-of-nobody"')],
  })
})

test('[ORD-OPS-02] AK-3 accepts the id of an event of the oldest order when open orders exceed the bound', () => {
  const { call, created, verdict } = opened()
  for (let each = 0; each <= 20_000; each++) created(`o-${each}`)
  call({ operation: 'acknowledgeEvents', body: { eventIds: ['event-of-o-0'] } })
  expect(verdict('AK-3')).toMatchObject({ outcome: 'passed', reported: [] })
})
