/** Verdicts on a clock that goes faster than the wall's: the time between request and answer is time of the wall. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSession } from '../../sparring/library/index.ts'
import { prepareSession } from './session.ts'

test('[ORD-OPS-03] WH-2: at sixtyfold speed a webhook that is answered within a fifth of a second is in time', async () => {
  let webhooks = 0
  await using session = await openSession({
    as: 'software-service',
    subject: async (request) => {
      if (request.url.endsWith('/token'))
        return Response.json({ access_token: 'a', token_type: 'bearer', expires_in: 3600 })
      await pause(150)
      webhooks++
      return new Response(null, { status: 204 })
    },
    conduct: { manifest: 'trust' },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    capabilities: { customer: false, indoor: false, logistics: false },
    clock: 'real',
    speed: 60,
    port: 0,
  })
  await session.createOrder({ type: 'TAKEOUT' })
  await expect.poll(() => webhooks).toBeGreaterThan(0)
  const outcome = async () => {
    const { verdicts } = await session.look({ verdicts: true })
    return verdicts.find(({ id }) => id === 'WH-2')?.outcome
  }
  await expect.poll(outcome).toBe('passed')
})

test('[AUT-TOK-03] TK-1: tries of a token that waited for us before the session began are in doubt', async () => {
  await using session = await prepareSession({
    as: 'software-service',
    clock: 'real',
    speed: 10,
    listen: false,
  })
  const url = `${session.urls.get('ordering-application')}/oauth/token`
  const body = new URLSearchParams({ client_id: 'subject', client_secret: 'secret' })
  // Sparring is busy: a service has given up its first try by the time that both are taken.
  for (const end = performance.now() + 250; performance.now() < end;);
  const tries = [1, 2].map(() => session.fetch(new Request(url, { method: 'POST', body })))
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([200, 200])
  const [verdict] = (await session.judge()).filter(({ id }) => id === 'TK-1')
  expect(verdict?.findings.map(({ lagMs }) => (lagMs ?? 0) > 1000)).toEqual([true])
})
