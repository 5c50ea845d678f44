/** When a session is quiescent, with the reference service in process. */
import { describe, expect, test } from 'vitest'
import { openHarness, type Wire } from '../../../test/support/in-process-harness.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import { SessionObserver } from './observer.ts'
import { pendingWorkText } from './quiescence.ts'

const orderOfBefore = 'd3f1b0a8-5f43-4d0b-9a53-0f8a1b7f3c11'

/** With each poll an order of an earlier session is asked for, as a service does that is kept. */
const asking: Wire = async (request, next) => {
  const { url, headers } = request
  if (/events/.test(url) && request.method === 'GET') {
    const authorization = headers.get('authorization') ?? ''
    await next(
      new Request(new URL(`/orders/${orderOfBefore}`, url), { headers: { authorization } }),
    )
  }
  return next(request)
}

test('calls about orders of an earlier session are no work of this one', async () => {
  await using harness = await openHarness({ wire: asking })
  const { session } = harness
  using observer = new SessionObserver(session, 'software-service')
  await harness.order('TAKEOUT')
  await harness.pass(2000)
  expect(await pendingWorkText({ session, observer })).toBeDefined()
  await harness.pass(40_000)
  const query = { call: 'getOrder', orderId: orderOfBefore, counting: 'refusals' } as const
  expect(observer.countCalls(query)).toBeGreaterThan(30)
  expect(await pendingWorkText({ session, observer })).toBeUndefined()
})

describe('pauses between the tries of a call double', () => {
  const tryAt = (second: number, ok = false) =>
    ({
      caller: 'subject',
      operation: 'cancelDelivery',
      orderId: orderOfBefore,
      ok,
      began: second * 1000,
      ended: second * 1000,
    }) as ObservedExchange

  test('a service is waited for until the try after the last one, which may be spread by a fifth', async () => {
    await using harness = await openHarness()
    using observer = new SessionObserver(harness.session, 'software-service')
    const { idleDetector } = observer
    for (const second of [10, 11, 13, 17]) idleDetector.observe(tryAt(second))
    expect(idleDetector.idleFrom(17_000)).toBe(17_000 + 3 * 4000)
  })

  test('a call that came through is not tried again', async () => {
    await using harness = await openHarness()
    using observer = new SessionObserver(harness.session, 'software-service')
    const { idleDetector } = observer
    for (const second of [10, 11, 13]) idleDetector.observe(tryAt(second))
    idleDetector.observe(tryAt(17, true))
    expect(idleDetector.idleFrom(17_000)).toBe(17_000 + idleDetector.silenceMs())
  })
})
