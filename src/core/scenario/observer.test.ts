/** What a scenario counts of the calls of a service. */
import { expect, test } from 'vitest'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { SessionObserver } from './observer.ts'

test.each([
  ['the same request, since its answer was late', undefined, 1],
  ['another request', 'another', 2],
])('[ORD-RUL-01] a confirm that comes again as %s', async (_, requestId, successes) => {
  await using harness = await openHarness({
    async wire(request, next) {
      if (!request.url.endsWith('/confirm')) return next(request)
      const again = request.clone()
      if (requestId !== undefined) again.headers.set('x-request-id', requestId)
      await next(request)
      return next(again)
    },
  })
  using observer = new SessionObserver(harness.session, 'software-service')
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(60_000)
  const count = (counting: 'successes' | 'tries') =>
    observer.countCalls({ call: 'confirmOrder', orderId, counting })
  expect([count('successes'), count('tries')]).toEqual([successes, 2])
})

test('[AUT-TOK-03] each host issues tokens of its own: as many are counted as the service got of one of them', async () => {
  for (const [repeats, expected] of [
    [false, 1],
    [true, 2],
  ] as const) {
    await using harness = await openHarness({
      delivers: true,
      session: { capabilities: { logistics: true } },
      async wire(request, next) {
        if (repeats && request.url.includes('/oauth/token')) await next(request.clone())
        return next(request)
      },
    })
    using observer = new SessionObserver(harness.session, 'software-service')
    await harness.order('DELIVERY')
    await harness.pass(60_000)
    expect(observer.countCalls({ call: 'createDelivery' })).toBe(1)
    expect(observer.countCalls({ call: 'issueToken' })).toBe(expected)
  }
})
