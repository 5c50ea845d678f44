// @module-tag slow
/** Rules about irreversible effects: a delivery is requested once, and retried with the same key. */
import { expect, test } from 'vitest'
import type { Fact } from '../../../../engine/fact.ts'
import { openHarness } from '../../../../../../test/support/in-process-harness.ts'
import { createScriptedJudge } from '../../../../../../test/support/scripted-judge.ts'
import { oneEffectPerPurpose } from './one-effect-per-purpose.ts'
import { sameKeyOnRetry } from './same-key-on-retry.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { testInvariant } from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

const creation = 'POST /logistics/delivery  202'

testInvariants(`
  SE-1 [ORD-EVR-03] when CONFIRMED comes again after it was acknowledged
    with { delivers: true, faults: [{ duplicate-late: { event: CONFIRMED } }] }
    play order DELIVERY; 60000
    forgets-event-ids: delivery request for o1 … first at 15:00:02.000 … again at 15:00:03.000 with X-Request-Id => POST /logistics/delivery  202 x2

  SE-1 [ORD-EVR-03, ORD-CHN-01] when CONFIRMED comes by both channels
    with { delivers: true, channel: both }
    play order DELIVERY; 60000
    dedupes-per-channel: Duplicate delivery request for o1 => POST /logistics/delivery  202 x2

  SE-1 [ORD-EVR-06] when the order is read again and again
    with { delivers: true, faults: [{ delay: { event: CONFIRMED, by: 25s } }, { slow-effect: { trigger: preparing, by: 60s } }] }
    play order DELIVERY; 120000
    reconcile-reapplies: Duplicate delivery request for o1 => POST /logistics/delivery  202 x2
    keys-delivery-by-event: Duplicate delivery request for o1 => POST /logistics/delivery  202 x2

  CV-5 [ORD-EVR-06] when the order is read before its event comes, and again after that
    with { delivers: true, faults: [{ delay: { event: CONFIRMED, by: 25s } }, { slow-effect: { trigger: preparing, by: 60s } }] }
    play order DELIVERY; 120000
    reconcile-reapplies: Second delivery request for o1 … an event with what it had read before
      => POST /logistics/delivery  202; GET /orders/…  200; POST /logistics/delivery  202
    keys-delivery-by-event: Second delivery request for o1 … an event with what it had read before
      => POST /logistics/delivery  202; GET /orders/…  200; POST /logistics/delivery  202

  CV-5 [ORD-EVR-06] when nothing is heard of an order for a while
    with { delivers: true, faults: [{ slow-effect: { trigger: preparing, by: 60s } }] }
    play order DELIVERY; 120000
    reconcile-reapplies: Second delivery request for o1 … read the order again (GET at # … without a new event
      => POST /logistics/delivery  202; GET /orders/…  200; POST /logistics/delivery  202
`)

testInvariant({
  id: 'SE-2',
  clauses: 'TRN-HDR-04',
  when: 'when a creation is answered 503',
  story: {
    delivers: true,
    faults: [{ fail: { operation: 'createDelivery', burst: 1 } }],
    async play(harness) {
      await harness.order('DELIVERY')
      await harness.pass(60_000)
    },
  },
  caught: {
    'new-key-on-retry': {
      because: says('delivery request for o1', /X-Request-Id .*-2 instead of/, 'answered 503'),
      lines: ['POST /logistics/delivery  503', creation],
    },
    'grows-body-on-retry': {
      because: says('delivery request for o1', 'another body', 'answered 503'),
      lines: ['POST /logistics/delivery  503', creation],
    },
  },
})

testInvariants(`
  SE-2 [TRN-HDR-04] when creations fail until the service has given up once
    with { delivers: true, faults: [{ reset: { operation: createDelivery, effect: after, burst: outlast } }] }
    play order DELIVERY; 60000
    new-key-on-redrive: delivery request for o1 … instead of … not answered => POST /logistics/delivery  RESET x2
`)

test('SE-1 bounds the number of deliveries in its state', () => {
  const { start, facts } = oneEffectPerPurpose
  const state = start() as { readonly made: ReadonlySet<string> }
  for (let each = 0; each < maxTrackedKeys + 100; each++) {
    const fact = { kind: 'delivery.created', orderId: `order ${each}` }
    facts?.['delivery.created']?.(state, fact as never, {} as never, {} as never)
  }
  expect(state.made.size).toBe(maxTrackedKeys)
})

test.each([
  ['FAILED', 'passed', 0],
  ['CANCELLED', 'passed', 0],
  ['PICKED_UP', 'failed', 1],
] as const)(
  '[LOG-CON-03] SE-2 after a creation without a reply whose delivery is %s, another key is %s',
  (to, outcome, violations) => {
    const { call, judge, pass, tell } = createScriptedJudge({ invariants: [sameKeyOnRetry] })
    const create = (key: string, status: number) =>
      call({
        operation: 'createDelivery',
        order: 'a',
        headers: [['X-Request-Id', key]],
        body: { orderId: 'a' },
        status,
      })
    create('one', 503)
    pass(10_000)
    create('one', 503)
    pass(10_000)
    tell({ kind: 'delivery.moved', orderId: 'a', from: 'PENDING', to } as Fact)
    pass(10_000)
    create('two', 202)
    expect(judge.verdicts()).toMatchObject([{ outcome, violations, premises: 1 + violations }])
  },
)

test('[ORD-EVR-03] a second delivery because of a repeated event is not blamed on a reading', async () => {
  await using harness = await openHarness({
    delivers: true,
    defects: ['forgets-event-ids'],
    faults: [
      { duplicate: { event: 'CONFIRMED', times: 3 } },
      { 'duplicate-late': { event: 'CONFIRMED', when: 'acknowledged' } },
      { 'slow-effect': { trigger: 'preparing', by: '60s' } },
    ],
  })
  await harness.order('DELIVERY')
  await harness.pass(50_000)
  const verdicts = await harness.judgeAll()
  const outcomes = Object.fromEntries(verdicts.map(({ id, outcome }) => [id, outcome]))
  expect([outcomes['SE-1'], outcomes['CV-5']]).toEqual(['failed', 'passed'])
})
