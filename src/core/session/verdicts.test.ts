/** Verdicts on a clock that goes faster than the wall's: the time between request and answer is time of the wall. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSession } from '../../sparring/library/index.ts'

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
