/** Under load thousands of orders end between a poll and its acknowledgment: evicted events cause no finding. */
import { expect, test } from 'vitest'
import { createdFacts } from '../../../test/support/created-facts.ts'
import { createTestJudgeWithWorld } from '../../../test/support/judge-fixture.ts'

function opened() {
  const { judge, tell, call } = createTestJudgeWithWorld()
  function order(orderId: string): void {
    for (const fact of createdFacts(orderId)) tell(fact)
  }
  const cancel = (orderId: string): void =>
    tell({ kind: 'order.moved', orderId, trigger: 'cancel', from: 'CREATED', to: 'CANCELLED' })
  const told = (id: string) => {
    const verdict = judge.verdicts().find((each) => each.id === id)
    return { outcome: verdict?.outcome, told: verdict?.findings.map(({ because }) => because) }
  }
  return { call, order, cancel, told }
}

test('[ORD-OPS-02] AK-3 accepts the id of an event whose order was evicted after the poll', () => {
  const { call, order, cancel, told } = opened()
  order('first')
  call('pollingEvents', {
    answered: [{ eventId: 'event-of-first', eventType: 'CREATED', orderId: 'first' }],
  })
  cancel('first')
  for (let each = 0; each < 4100; each++) {
    order(`o-${each}`)
    cancel(`o-${each}`)
  }
  call('acknowledgeEvents', { asked: { eventIds: ['event-of-first'] } })
  expect(told('AK-3')).toEqual({ outcome: 'passed', told: [] })

  call('acknowledgeEvents', { asked: { eventIds: ['event-of-nobody'] } })
  expect(told('AK-3')).toMatchObject({
    outcome: 'failed',
    told: [expect.stringContaining('"event-of-nobody"')],
  })
})

test('[ORD-OPS-02] AK-3 accepts the id of an event of the oldest order when open orders exceed the bound', () => {
  const { call, order, told } = opened()
  for (let each = 0; each <= 20_000; each++) order(`o-${each}`)
  call('acknowledgeEvents', { asked: { eventIds: ['event-of-o-0'] } })
  expect(told('AK-3')).toEqual({ outcome: 'passed', told: [] })
})
