/** CV-6 and CV-7: the newer of two reads counts, and in the end the service has the host's status. */
import { expect, test } from 'vitest'
import type { InProcessHarness } from '../../../../../../test/support/in-process-harness.ts'
import { openHarness } from '../../../../../../test/support/in-process-harness.ts'
import {
  overtakeSlowRead,
  testInvariant,
  runInvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'
import { createHostClient } from '../../../../../../test/support/host-client.ts'

const slowReading = (by: string, nth = 3) => ({
  'slow-response': { operation: 'getOrder', nth, by },
})

/** The order ends during its slow third read, and no event follows. */
const endsMeanwhile = async (harness: InProcessHarness): Promise<void> => {
  const orderId = await harness.order('TAKEOUT')
  for (const trigger of ['preparing', 'ready-for-pickup', 'delivered'] as const) {
    await harness.pass(trigger === 'preparing' ? 4000 : 2000)
    await harness.session.submit({ kind: 'order.apply', orderId, trigger })
  }
  await harness.pass(120_000)
}

const stale = {
  because: says('o1 is CONCLUDED since', 'later', 'reported PREPARING'),
  lines: ['GET /events:polling  200', 'GET /orders/…  200', 'GET /orders/…  200'],
}

testInvariant({
  id: 'CV-6',
  clauses: 'ORD-EVR-01',
  when: 'when an old answer comes after the last one',
  story: { faults: [slowReading('7s'), { drop: { event: 'CONCLUDED' } }], play: endsMeanwhile },
  caught: { 'last-answer-wins': stale },
})

testInvariant({
  id: 'CV-6',
  clauses: 'ORD-EVR-01',
  when: 'when an answer comes that was given up',
  story: { faults: [slowReading('20s'), { drop: { event: 'CONCLUDED' } }], play: endsMeanwhile },
  caught: { 'late-answers-count': stale },
})

testInvariant({
  id: 'CV-6',
  clauses: 'ORD-EVR-01, ORD-RUL-02',
  when: 'when a call is accepted and nothing comes of it',
  story: {
    faults: [{ 'no-effect': { trigger: 'delivered', limit: 1 } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  },
  caught: {
    'acts-on-202': {
      because: says('o1 is READY since', 'later', 'reported DELIVERED'),
      lines: ['GET /events:polling  200', 'GET /orders/…  200', 'POST /orders/…/delivered  202'],
      advice: true,
    },
  },
})

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
