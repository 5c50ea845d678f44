/** Webhooks without a token: they are not sent, and what is told of them says so. */
import { expect, test } from 'vitest'
import type { InboundReply } from '../server/messages.ts'
import { createTokenCache } from './token-cache.ts'
import { openSession } from '../../../sparring/library/index.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'

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
    listen: false,
  })
  for (let count = 0; count < 5; count++) await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(1000)
  const reasons = session
    .facts()
    .flatMap(({ fact }) => (fact.kind === 'event.push-failed' ? [fact.because] : []))
  expect(reasons.length).toBeGreaterThanOrEqual(5)
  expect(new Set(reasons)).toEqual(
    new Set([
      'could not get an access token: the token endpoint gave no answer (socket hang up)',
      'could not get an access token: the token endpoint failed a moment ago',
    ]),
  )
  expect(new Set(arrived.map((url) => url.split('/').at(-1)))).toEqual(new Set(['token']))
})

/** A token endpoint that fails, and when it is asked while a token is wanted each second. */
async function asksOf(
  reply: () => Promise<InboundReply>,
  seconds: number,
): Promise<readonly number[]> {
  const asked: number[] = []
  let now = 0
  const clock = (): number => now
  const ask = (): Promise<InboundReply> => {
    asked.push(now / 1000)
    return reply()
  }
  const { get } = createTokenCache(ask, clock, clock)
  for (; now < seconds * 1000; now += 1000)
    await expect(get('host')).rejects.toThrow(/access token/)
  return asked
}

test('[TRN-STA-10, TRN-STA-12] a token is asked for again after the pause that the endpoint wants, and ever more rarely', async () => {
  const headers = [['Retry-After', '5']] as const
  const limited: InboundReply = { status: 429, headers, body: '' }
  expect(await asksOf(() => Promise.resolve(limited), 30)).toEqual([0, 5, 10, 16, 23])
  const gone = (): Promise<InboundReply> => Promise.reject(new Error('gone'))
  expect(await asksOf(gone, 100)).toEqual([0, 1, 2, 3, 5, 9, 17, 33, 63, 93])
})
