/** Explanations for a service that is neither side of an order. */
import { expect, test } from 'vitest'
import {
  conclusionText,
  explainInSession,
  explanationText,
} from '../../../test/support/explanation-text.ts'
import { startSessionService, type SessionService } from '../../../test/support/session-service.ts'
import { openSession } from '../session/open-session.ts'

/** A Delivery Platform that quotes, takes a delivery and then knows nothing of it. */
async function forgetfulCarrier(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.endsWith('/token'))
    return Response.json({ access_token: 'a', token_type: 'bearer', expires_in: 3600 })
  if (pathname.endsWith('/availability'))
    return Response.json({
      available: true,
      quoteId: 'q1',
      price: { amount: 5, currency: 'BRL' },
      eta: '2026-11-28T12:00:00Z',
    })
  if (request.method === 'POST' && pathname.endsWith('/delivery'))
    return Response.json({ deliveryId: 'd1' }, { status: 202 })
  return Response.json({ message: 'no such delivery' }, { status: 404 })
}

test('a Delivery Platform sees its calls, those it got and which failed', async () => {
  await using session = await openSession({
    as: 'delivery-platform',
    subject: forgetfulCarrier,
    conduct: { manifest: 'trust' },
    clock: 'virtual',
    automatic: false,
    listen: false,
  })
  const made = await session.createOrder({ type: 'DELIVERY' })
  await session.advance(30 * 60_000)
  expect(made.ok).toBe(true)
  const explanation = await explainInSession(session, 'o1')
  const text = explanationText(explanation)
  expect(text).toMatch(
    /^the Ordering Application calls createDelivery at your service \(#\d+\): 202$/m,
  )
  expect(text).toMatch(/^the \w+ \w+ calls getDelivery at your service \(#\d+\): 404/m)
  expect(conclusionText(explanation)).toMatch(
    /^Your service, the Delivery Platform, made 0 calls about it and got \d+ calls; #.* failed\.$/m,
  )
  const odd = explanation.lines.flatMap((line) => (line.odd ? [line.text] : []))
  expect(odd).toContainEqual(expect.stringMatching(/getDelivery/))
  const times = explanation.lines.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((one, two) => one - two))

  // A takeout order needs no courier.
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(60_000)
  expect(conclusionText(await explainInSession(session, 'o2'))).toContain(
    'Your service, the Delivery Platform, has had nothing to do with this order.',
  )
})

test('a marketplace sees what it asked the Delivery Platform, beside the two sides', async () => {
  let service: SessionService | undefined
  await using session = await openSession({
    as: 'ordering-application',
    subject: async (request) =>
      (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
    clock: 'virtual',
    listen: false,
  })
  const marketplace = { 'ordering-application': { deliveries: true } }
  service = startSessionService(
    {
      plays: 'ordering-application',
      partner: 'software-service',
      others: ['delivery-platform'],
      counterparts: marketplace,
    },
    session,
  )
  await using _running = service
  const made = await (await service.session).createOrder({ type: 'DELIVERY' })
  await session.advance(10 * 60_000)
  const orderId = made.ok ? made.value.orderId : ''
  const text = explanationText(await explainInSession(session, orderId))
  expect(text).toMatch(/^the Software Service calls confirm \(#\d+\): 202/m)
  expect(text).toMatch(
    /^your service calls createDelivery at the Delivery Platform \(#\d+\): 202$/m,
  )
  expect(conclusionText(await explainInSession(session, orderId))).toMatch(
    /^Your service, the Ordering Application, made \d+ calls about it elsewhere and got \d+ calls, none of which failed\.$/m,
  )
})
