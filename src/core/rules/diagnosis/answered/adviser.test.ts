/** Advice on valid requests: once, or from time to time, never for what a fault did, and never on the wire. */
import { expect, test } from 'vitest'
import { ordersOnly } from '../../../../../test/support/orders-only.ts'
import { openSession } from '../../../session/open-session.ts'
import type { SessionOptions } from '../../../session/options.ts'

async function openPolled(options: SessionOptions = {}) {
  const session = await openSession({
    clock: 'virtual',
    automatic: false,
    listen: false,
    as: 'software-service',
    capabilities: ordersOnly,
    ...options,
  })
  const base = session.urls.get('ordering-application') ?? ''
  // The service is on the session's clock.
  session.clock.now()
  const issued = await session.fetch(
    new Request(`${base}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'subject', client_secret: 'secret' }),
    }),
  )
  const { access_token: token } = (await issued.json()) as { access_token: string }
  const authorization = `Bearer ${token}`
  const poll = (headers: Readonly<Record<string, string>> = {}) =>
    session.fetch(new Request(`${base}/events:polling`, { headers: { authorization, ...headers } }))
  const acknowledge = (eventIds: readonly string[]) =>
    session.fetch(
      new Request(`${base}/events/acknowledgment`, {
        method: 'POST',
        body: JSON.stringify({ eventIds }),
        headers: { authorization, 'content-type': 'application/json' },
      }),
    )
  const order = async () => {
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(5000)
  }
  /** Whether each poll and acknowledgment so far has advice. */
  const advised = async (): Promise<readonly boolean[]> => {
    const { traffic } = await session.look({ traffic: { limit: 100, filter: 'events' } })
    return traffic.map(({ advice }) => advice !== undefined)
  }
  return {
    session,
    poll,
    acknowledge,
    order,
    advised,
    [Symbol.asyncDispose]: () => session.close(),
  }
}

test('a mistake that goes on is told from time to time, and its poll is not idle then', async () => {
  await using polled = await openPolled()
  const foo = { 'x-polling-merchants': 'foo' }
  for (let times = 0; times < 3; times++) {
    await polled.session.advance(5000)
    expect((await polled.poll(foo)).status).toBe(204)
  }
  await polled.session.advance(60_000)
  await polled.poll(foo)
  expect(await polled.advised()).toEqual([true, false, false, true])
  const { traffic } = await polled.session.look({ traffic: { limit: 100, filter: 'idle' } })
  expect(traffic).toHaveLength(2)
})

test('[ORD-OPS-02] what is never acknowledged is told once, and again after an acknowledgment', async () => {
  await using polled = await openPolled()
  const pollOften = async (): Promise<readonly { readonly eventId: string }[]> => {
    let events: readonly { readonly eventId: string }[] = []
    for (let times = 0; times < 5; times++) {
      await polled.session.advance(5000)
      events = (await (await polled.poll()).json()) as typeof events
    }
    return events
  }
  await polled.order()
  const events = await pollOften()
  await polled.acknowledge(events.map(({ eventId }) => eventId))
  await polled.order()
  await pollOften()
  const told = [false, false, true, false, false]
  expect(await polled.advised()).toEqual([...told, false, ...told])
})

test('while a fault is active nothing is advised: it may come of the fault', async () => {
  await using polled = await openPolled({ faults: ['drop:event=CONFIRMED'] })
  await polled.poll({ 'x-polling-merchants': 'foo' })
  expect(await polled.advised()).toEqual([false])
})

test('a poll on the session’s clock with regular pauses is not too fast, whatever the wall says', async () => {
  await using polled = await openPolled()
  for (let times = 0; times < 10; times++) {
    await polled.session.advance(1000)
    await polled.poll()
  }
  expect(await polled.advised()).toEqual(Array.from({ length: 10 }, () => false))
})
