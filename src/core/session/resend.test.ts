/** Exchanges sent again by hand, over sockets: calls of ours with fresh credentials, calls of the service unjudged. */
import { expect, test } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { startControl } from '../runtime/control/control.ts'
import { openRemoteSession } from '../runtime/control-client/remote-session.ts'
import { savedScenario } from '../scenario/save.ts'
import type { SessionApi, TrafficRow } from '../session-api/session-api.ts'
import { resendOf } from '../traffic/resend.ts'
import type { SessionOptions } from './options.ts'
import { openSession } from './open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

const opened = (options: SessionOptions) =>
  openSession({
    as: 'software-service',
    clock: 'stepped',
    port: 0,
    seed: 7,
    capabilities: ordersOnly,
    ...options,
  })

const rows = async (session: SessionApi): Promise<readonly TrafficRow[]> =>
  (await session.look({ traffic: { limit: 100 } })).traffic

async function seqOf(session: SessionApi, operation: string): Promise<number> {
  const found = (await rows(session)).findLast((row) => row.operation === operation)
  if (!found) throw new Error(`there was no ${operation}`)
  return found.seq
}

const exchangeOf = async (session: SessionApi, seq: number) =>
  (await session.look({ exchange: seq })).exchange

test('[ORD-GEN-02] a webhook goes out again as the same event, with a token, request id and signature of its own', async () => {
  await using receiver = await openReceiver({ supportsPolling: false })
  await using session = await opened({
    subject: { url: receiver.url },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
  })
  await session.createOrder({ type: 'TAKEOUT' })
  for (let steps = 0; steps < 30 && receiver.received.length === 0; steps++) await session.step()
  const first = await seqOf(session, 'receiveOrderEvent')

  const sent = await session.resend(first)
  expect(sent).toMatchObject({ ok: true, value: { status: 204 } })
  const [one, again] = receiver.received
  expect(again?.text).toBe(one?.text)
  expect(again?.headers['x-request-id']).not.toBe(one?.headers['x-request-id'])
  expect(again?.headers['x-app-signature']).toMatch(/^[\da-f]{64}$/)
  // The channel knows of it, and it is a step of a saved scenario.
  expect(session.facts().filter(({ fact }) => fact.kind === 'event.pushed')).toHaveLength(2)
  const { steps } = await savedScenario(session)
  expect(steps?.at(-1)).toEqual({
    command: { kind: 'event.push', eventId: one?.event.eventId, attempt: 1 },
  })

  // The token request too: later calls have the new token.
  const asked = receiver.others.filter((call) => call === 'POST /oauth/token').length
  expect(await session.resend(await seqOf(session, 'issueToken'))).toMatchObject({
    ok: true,
    value: { status: 200 },
  })
  expect(receiver.others.filter((call) => call === 'POST /oauth/token')).toHaveLength(asked + 1)

  // What is repeated by itself would be repeated twice as often.
  expect(await session.resend(await seqOf(session, 'getManifest'))).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('getManifest is repeated by itself') as string },
  })
})

test('the query of a receiver’s own URL, such as the key of a gateway, is no part of the call that is made again', () => {
  const exchange = sampleExchange(1, {
    from: { role: 'software-service', party: 'sparring' },
    to: { role: 'ordering-application', party: 'subject' },
    operation: 'listMerchants',
    request: { method: 'GET', url: 'http://shop.test/api/merchants?key=1&page=2', headers: [] },
  })
  const queryAt = (base: string): unknown => {
    const made = resendOf(exchange, { base })
    const command = made.ok && made.value.kind === 'call' ? made.value.command : undefined
    return command?.kind === 'call.place' ? command.call.query : undefined
  }
  expect(queryAt('http://shop.test/api?key=1')).toEqual({ page: '2' })
  expect(queryAt('http://shop.test/api')).toEqual({ key: '1', page: '2' })
})

test('a call of the service is answered again as it was sent: marked, unjudged, unrecorded in counts, and no reason for a refusal of the next', async () => {
  await using session = await opened({})
  const base = session.urls.get('ordering-application') ?? ''
  const { value: order } = (await session.createOrder({ type: 'TAKEOUT' })) as {
    value: { orderId: string }
  }
  const client = createHostClient({ fetch, base })
  const token = await client.token()
  const confirm = `/orders/${order.orderId}/confirm`
  const body = JSON.stringify({ createdAt: new Date(0).toISOString() })
  expect((await client.send('POST', confirm, { text: body, token: 'no' })).status).toBe(401)
  expect((await client.send('POST', confirm, { text: body, token })).status).toBe(202)

  const before = (await session.look({})).info.counts
  const judgedBefore = await session.judge()
  const [refused, accepted] = (await rows(session)).slice(-2).map(({ seq }) => seq)
  const again = await session.resend(refused!)
  expect(again).toMatchObject({ ok: true, value: { status: 401 } })
  const second = await session.resend(accepted!)
  expect(second).toMatchObject({ ok: true })
  const { value } = second as { value: { seq: number } }
  expect(await exchangeOf(session, value.seq)).toMatchObject({
    resendOf: accepted,
    from: { role: 'software-service' },
    request: { body },
  })
  const marked = (await rows(session)).filter((row) => row.resendOf !== undefined)
  expect(marked.map((row) => row.resendOf)).toEqual([refused, accepted])

  const after = (await session.look({})).info.counts
  expect(after.failed).toEqual(before.failed)
  expect(after.actions).toBe(before.actions)
  expect(await session.judge()).toEqual(judgedBefore)
  // What it changed is the operator's doing.
  const doneBy = session.facts().filter(({ fact }) => fact.kind === 'order.requested')
  expect(doneBy.map(({ by }) => by)).toEqual(['subject', 'operator'])
  const { about, steps } = await savedScenario(session)
  expect(about).toContain(`POST /orders/${order.orderId}/confirm (#${accepted})`)
  expect(steps?.some((step) => 'command' in step)).toBe(false)
})

test('what cannot be sent again is refused in one sentence, over the control API as well', async () => {
  await using session = await opened({})
  const base = session.urls.get('ordering-application')
  await fetch(`${base}/orders/o-1/confirm`, {
    method: 'POST',
    body: 'x'.repeat(10 * 1024 * 1024 + 1),
  }).catch(() => undefined)
  const large = (await rows(session)).at(-1)
  expect(large?.status).toBe(413)
  expect(await session.resend(large!.seq)).toMatchObject({
    error: {
      message: `#${large!.seq} cannot be sent again: its body was not kept, since it is too large`,
    },
  })
  expect(await session.resend(999)).toMatchObject({
    error: { code: 'NOT_FOUND', message: expect.stringContaining('it is not in memory') as string },
  })
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  try {
    const remote = openRemoteSession({ url: control.url })
    expect(await remote.resend(999)).toEqual(await session.resend(999))
  } finally {
    await control.close()
  }
})
