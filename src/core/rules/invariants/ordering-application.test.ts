/** An Ordering Application under test: rules for consumers of Logistics apply to it as well. */
import { says } from '../../../../test/support/says.ts'
import { expect, test } from 'vitest'
import type { DefectName } from '../../../demo/defects.ts'
import { createOrderingApplication } from '../../../demo/ordering-application.ts'
import type { InvariantStory } from '../../../../test/support/invariant-cases.ts'
import type { Verdict } from './verdict.ts'
import { openSession } from '../../session/open-session.ts'

const own = 'http://ordering-application.test'

/** A delivery order that the customer cancels on its way, and the resulting verdicts. */
async function givenUp(
  id: string,
  faults: NonNullable<InvariantStory['faults']>,
  ...defects: readonly DefectName[]
): Promise<Verdict | undefined> {
  let application: ReturnType<typeof createOrderingApplication> | undefined
  await using session = await openSession({
    seed: 3,
    clock: 'virtual',
    automatic: false,
    as: 'ordering-application',
    handler: async (request) =>
      (await application?.fetch(request)) ?? new Response(null, { status: 503 }),
    listen: false,
    capabilities: { customer: false },
    faults: [...faults],
  })
  const running = createOrderingApplication({
    partner: session.urls.get('software-service') ?? '',
    platform: session.urls.get('delivery-platform'),
    base: own,
    clock: session.clock,
    fetch: session.fetch,
    // It waits twice as long for the delivery, then cancels the order anyway.
    pace: { reconcileMs: 5000 },
    defects,
  })
  application = running
  running.start()
  await session.advance(1000)
  const orderId = running.place('DELIVERY') ?? ''
  await session.advance(11_000)
  const cancelled = running.fetch(
    new Request(`${own}/probe/orders/${orderId}/cancel`, { method: 'POST' }),
  )
  await session.advance(90_000)
  expect((await cancelled).status).toBe(202)
  await session.submit({ kind: 'fault.end' })
  await session.advance(180_000)
  const verdicts = await session.judge()
  const stopped = running.stop()
  await session.advance(0)
  await stopped
  return verdicts.find((verdict) => verdict.id === id)
}

const slowToCancel = [{ fail: { operation: 'cancelDelivery', burst: 6 } }]

test('[LOG-CON-04] SE-4 holds when cancelling a delivery succeeds after failures', async () => {
  const verdict = await givenUp('SE-4', slowToCancel)
  expect(verdict).toMatchObject({ outcome: 'passed', premises: 1, findings: [] })
})

test.each<DefectName>(['never-compensates', 'gives-up-undoing'])(
  '[LOG-CON-04] SE-4 reports the defect %s',
  async (defect) => {
    const verdict = await givenUp('SE-4', slowToCancel, defect)
    expect(verdict?.outcome).toBe('failed')
    expect(verdict?.findings[0]?.because).toMatch(
      says('was cancelled at', 'its delivery', 'still not cancelled'),
    )
    expect(verdict?.findings[0]?.evidence[0]?.line).toMatch(
      /OA > DP  POST \/logistics\/delivery  202/,
    )
  },
)

const failing = [{ fail: { operation: 'createDelivery', burst: 2, effect: 'after' } }]

test('[TRN-HDR-04] SE-1, SE-2 hold when a failed creation is retried with the same key', async () => {
  expect(await givenUp('SE-1', failing)).toMatchObject({ outcome: 'passed', premises: 1 })
  expect(await givenUp('SE-2', failing)).toMatchObject({ outcome: 'passed', premises: 2 })
})

test('[TRN-HDR-04] SE-1, SE-2 report the defect new-key-on-retry', async () => {
  for (const id of ['SE-1', 'SE-2']) {
    const verdict = await givenUp(id, failing, 'new-key-on-retry')
    expect(verdict?.outcome).toBe('failed')
    expect(verdict?.findings[0]?.evidence.map(({ line }) => line.slice(14))).toEqual([
      'OA > DP  POST /logistics/delivery  503',
      'OA > DP  POST /logistics/delivery  503',
    ])
  }
})
