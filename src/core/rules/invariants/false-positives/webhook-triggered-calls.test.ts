/**
 * A stateless service reads an order at each webhook and refuses the webhook if it cannot: the host's webhook retries
 * set its pace.
 */
import { expect, test } from 'vitest'
import { createSoftwareService } from '../../../../demo/software-service.ts'
import { ordersOnly } from '../../../../../test/support/orders-only.ts'
import { openSession } from '../../../session/open-session.ts'

const credentials = 'grant_type=client_credentials&client_id=subject&client_secret=secret'

/** Number of reads before it refuses the webhook. */
async function judged(triesOfOne: number) {
  const discovery = { fetch: (_request: Request) => Promise.resolve(new Response()) }
  let token: string | undefined
  let reads = 0
  await using session = await openSession({
    seed: 1,
    clock: 'virtual',
    automatic: false,
    as: 'software-service',
    subject: { webhooks: { orders: '/webhooks/orders' } },
    async handler(request) {
      if (!request.url.endsWith('/webhooks/orders')) return discovery.fetch(request)
      const { orderId } = (await request.json()) as { readonly orderId: string }
      token ??= await fetchToken()
      for (let each = 0; each < triesOfOne; each++) {
        reads++
        const headers = { authorization: `Bearer ${token}` }
        const answer = await session.fetch(new Request(`${host}/orders/${orderId}`, { headers }))
        if (answer.ok) return new Response(null, { status: 204 })
      }
      return new Response(null, { status: 503 })
    },
    listen: false,
    capabilities: ordersOnly,
    counterparts: { 'ordering-application': { channel: 'webhook', deliveries: false } },
    faults: [
      { fail: { operation: 'getOrder' } },
      { duplicate: { event: 'CREATED', times: 3, limit: 1 } },
    ],
  })
  const host = session.urls.get('ordering-application') ?? ''
  async function fetchToken(): Promise<string> {
    const answer = await session.fetch(
      new Request(`${host}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${credentials}&scope=proto.orders`,
      }),
    )
    return ((await answer.json()) as { readonly access_token: string }).access_token
  }
  const { fetch } = createSoftwareService({
    partner: host,
    base: 'http://software-service.test',
    channel: 'webhook',
    clock: session.clock,
    fetch: (request) => session.fetch(request),
  })
  discovery.fetch = fetch
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(20_000)
  const verdicts = await session.judge()
  const outcomeOf = (id: string) => verdicts.find((each) => each.id === id)?.outcome
  return { reads, 'RT-1': outcomeOf('RT-1'), 'RT-3': outcomeOf('RT-3') }
}

test('[TRN-STA-12] one read per webhook violates no retry rule, however often the host sends', async () => {
  expect(await judged(1)).toEqual({ reads: 15, 'RT-1': 'passed', 'RT-3': 'passed' })
})

test('[TRN-STA-12] three simultaneous reads per webhook are reported', async () => {
  expect(await judged(3)).toEqual({ reads: 45, 'RT-1': 'failed', 'RT-3': 'failed' })
})
