/** Webhooks of the service under test: each comes under a new event id, and those of several orders come mixed. */
import { expect, test } from 'vitest'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { createHostClient } from '../../../../test/support/host-client.ts'
import { sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { contentOfExchanges, differencesOf } from '../../../../test/support/self-replay.ts'
import { openPlayback, type Playback } from './replay.ts'

interface Webhook {
  readonly event: string
  readonly order: string
  readonly type: string
}

const pending = (event: string, order: string): Webhook => ({ event, order, type: 'PENDING' })
const picked = (event: string, order: string): Webhook => ({ event, order, type: 'ORDER_PICKED' })

/** The ids that the service makes up begin with `own`. */
const bodyOf = ({ event, order, type }: Webhook, orderId: string, own = ''): string =>
  JSON.stringify({
    eventId: `${own}event-${event}`,
    eventType: type,
    deliveryId: `${own}delivery-${order}`,
    orderId,
    status: type === 'ORDER_PICKED' ? 'IN_TRANSIT' : 'PENDING',
    occurredAt: new Date(sampleT0).toISOString(),
  })

const recordedWebhook = (webhook: Webhook, index: number): Exchange => ({
  seq: index + 1,
  startedAt: sampleT0 + index * 1000,
  tookMs: 1,
  from: { role: 'delivery-platform', party: 'subject' },
  to: { role: 'ordering-application', party: 'sparring' },
  operation: 'receiveDeliveryEvent',
  request: {
    method: 'POST',
    url: 'http://shop.test/webhooks/delivery',
    headers: [['content-type', 'application/json']],
    body: bodyOf(webhook, `order-${webhook.order}`),
  },
  reply: { status: 204, headers: [] },
})

const opened = (recorded: readonly Webhook[], hoursLater = 0) =>
  openPlayback({
    recording: contentOfExchanges(recorded.map(recordedWebhook), [
      { party: 'subject', role: 'delivery-platform' },
      { party: 'sparring', role: 'ordering-application' },
    ]),
    serves: {},
    clock: 'virtual',
    automatic: false,
    listen: false,
    origin: new Date(sampleT0 + hoursLater * 3_600_000).toISOString(),
  })

function clientOf({ session }: Playback, clientSecret = 'secret') {
  const base = session.urls.get('ordering-application') ?? ''
  return createHostClient({ fetch: session.fetch, base, clientSecret })
}

/** The report of a service that sends these webhooks where those were recorded. */
async function replayed(recorded: readonly Webhook[], live: readonly Webhook[], hoursLater = 0) {
  await using playback = await opened(recorded, hoursLater)
  const { send } = clientOf(playback)
  for (const webhook of live) {
    const orderId = playback.binding.newName('order', `order-${webhook.order}`) ?? ''
    await send('POST', '/webhooks/delivery', { text: bodyOf(webhook, orderId, 'live-') })
  }
  playback.stop()
  return playback.run()
}

test('ids that the service makes up for a webhook are no differences', async () => {
  const webhooks = [pending('a1', 'a'), picked('a2', 'a')]
  const report = await replayed(webhooks, webhooks)
  expect(differencesOf(report)).toEqual([])
  expect(report.strategies).toEqual({ exact: 2 })
})

test('a retry under another event id is one', async () => {
  const report = await replayed(
    [pending('a1', 'a'), pending('a1', 'a')],
    [pending('a1', 'a'), pending('a9', 'a')],
  )
  expect(differencesOf(report)).toMatchObject([
    { standing: 'changed', differences: [['/body/eventId', 'event-a1', 'live-event-a9']] },
  ])
})

test('webhooks of two orders are compared with those of the same order, in whatever turn', async () => {
  const [a1, b1, a2, b2] = [
    pending('a1', 'a'),
    pending('b1', 'b'),
    picked('a2', 'a'),
    picked('b2', 'b'),
  ]
  expect(differencesOf(await replayed([a1, b1, a2, b2], [a1, b1, b2, a2]))).toEqual([])
  const wrong = { ...b2, type: 'CANCELLED' }
  expect(differencesOf(await replayed([a1, b1, a2, b2], [a1, b1, wrong]))).toMatchObject([
    {
      differences: [
        ['/body/eventType', 'ORDER_PICKED', 'CANCELLED'],
        ['/body/status', 'IN_TRANSIT', 'PENDING'],
      ],
    },
  ])
})

test('a time that the service keeps and sends again is no difference, however old the recording is', async () => {
  const webhooks = [pending('a1', 'a'), picked('a2', 'a')]
  expect(differencesOf(await replayed(webhooks, webhooks, 5))).toEqual([])
})

test('what is not recorded is reported in the order in which it came, a refused token too', async () => {
  await using playback = await opened([pending('a1', 'a')])
  const stranger = clientOf(playback, 'wrong')
  await expect(stranger.token()).rejects.toThrow('401')
  for (const path of ['/nowhere', '/elsewhere']) await stranger.send('GET', path, { token: null })
  playback.stop()
  const { exchanges, first } = await playback.run()
  const paths = exchanges.map(({ live }) => live && new URL(live.request.url).pathname)
  expect(paths).toEqual(['/oauth/token', '/nowhere', '/elsewhere'])
  expect(first).toBe(0)
})
