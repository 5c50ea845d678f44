/** Webhooks without a token: they are not sent, and what is told of them says so. */
import { expect, test } from 'vitest'
import { openSession } from '../../index.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'

test('a webhook for which there is no token is told as not sent, and no other one arrives', async () => {
  const arrived: string[] = []
  await using server = await listenOnSocket((request) => {
    arrived.push(request.url ?? '')
    request.socket.destroy()
  })
  await using session = await openSession({
    as: 'software-service',
    subject: { url: server.url },
    conduct: { manifest: 'trust' },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    capabilities: { customer: false, indoor: false, logistics: false },
    clock: 'virtual',
  })
  for (let count = 0; count < 5; count++) await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(1000)
  const reasons = session
    .facts()
    .flatMap(({ fact }) => (fact.kind === 'event.push-failed' ? [fact.because] : []))
  expect(reasons.length).toBeGreaterThanOrEqual(5)
  expect(new Set(reasons)).toEqual(
    new Set(['could not get an access token: the token endpoint gave no answer (socket hang up)']),
  )
  expect(new Set(arrived.map((url) => url.split('/').at(-1)))).toEqual(new Set(['token']))
})
