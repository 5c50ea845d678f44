/** CV-6 and CV-7: the newer of two reads counts, and in the end the service has the host's status. */
import { expect, test } from 'vitest'
import type { InProcessHarness } from '../../../../../../test/support/in-process-harness.ts'
import { openHarness } from '../../../../../../test/support/in-process-harness.ts'
import {
  overtakeSlowRead,
  runInvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'
import { createHostClient } from '../../../../../../test/support/host-client.ts'
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

const slowReading = (by: string, nth = 3) => ({
  'slow-response': { operation: 'getOrder', nth, by },
})

testInvariants(`
  CV-6 [ORD-EVR-01] when an old answer comes after the last one
    with { faults: [{ slow-response: { operation: getOrder, nth: 3, by: 7s } }, { drop: { event: CONCLUDED } }] }
    play order TAKEOUT; 4000; apply o1 preparing; 2000; apply o1 ready-for-pickup; 2000; apply o1 delivered; 120000
    last-answer-wins: o1 is CONCLUDED since … later … reported PREPARING => GET /events:polling  200; GET /orders/…  200 x2

  CV-6 [ORD-EVR-01] when an answer comes that was given up
    with { faults: [{ slow-response: { operation: getOrder, nth: 3, by: 20s } }, { drop: { event: CONCLUDED } }] }
    play order TAKEOUT; 4000; apply o1 preparing; 2000; apply o1 ready-for-pickup; 2000; apply o1 delivered; 120000
    late-answers-count: o1 is CONCLUDED since … later … reported PREPARING => GET /events:polling  200; GET /orders/…  200 x2

  CV-6 [ORD-EVR-01, ORD-RUL-02] when a call is accepted and nothing comes of it
    with { faults: [{ no-effect: { trigger: delivered, limit: 1 } }] }
    play order TAKEOUT; 60000
    acts-on-202 advice: o1 is READY since … later … reported DELIVERED => GET /events:polling  200; GET /orders/…  200; POST /orders/…/delivered  202
`)

const follows = says('o1 as ready at', 'based on PREPARING', 'returned READY')

/** An operator moves the order to READY while PREPARING is being read, so slowly that the read times out. */
const givenUp = async (harness: InProcessHarness): Promise<void> => {
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(4000)
  await harness.session.submit({ kind: 'order.apply', orderId, trigger: 'ready-for-pickup' })
  await harness.pass(120_000)
}

const lateDelivered = { 'slow-effect': { trigger: 'delivered', by: '30s' } }

test.each([
  ['last-answer-wins', overtakeSlowRead, [slowReading('7s'), slowReading('4s', 6), lateDelivered]],
  ['late-answers-count', givenUp, [slowReading('16s'), lateDelivered]],
] as const)(
  '[ORD-EVR-01] CV-7 reports %s when replies overtake each other',
  async (defect, tell, faults) => {
    const { outcome, caught } = await runInvariantStory(
      'CV-7',
      { faults: [...faults], play: tell },
      defect,
    )
    expect(outcome).toBe('failed')
    expect(caught[0]).toMatchObject({ slot: 'o1', because: expect.stringMatching(follows) })
    expect(caught[0]?.lines).toEqual([
      'GET /orders/…  200',
      'GET /orders/…  200',
      'POST /orders/…/ready-for-pickup  202',
    ])
  },
)

/** The correct service reads an order once at a time; a second, slow reader stands for another part of it. */
test('[ORD-EVR-01] CV-7 holds when replies overtake each other and the newer one is followed', async () => {
  await using harness = await openHarness({ faults: [slowReading('7s')] })
  const { session } = harness
  const base = session.urls.get('ordering-application') ?? ''
  const client = createHostClient({ fetch: session.fetch, base })
  const token = await client.token()
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(2500)
  const slow = client.send('GET', `/orders/${orderId}`, { token })
  await harness.pass(120_000)
  expect((await slow).json).toMatchObject({ status: 'CONFIRMED' })
  const verdict = (await harness.judgeAll()).find(({ id }) => id === 'CV-7')
  expect(verdict).toMatchObject({ outcome: 'passed', premises: 1, findings: [] })
  expect(await harness.status(orderId)).toBe('CONCLUDED')
})
