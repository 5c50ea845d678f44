import { expect, test } from 'vitest'
import {
  openReceiver,
  type Receiver,
  type ReceiverOptions,
} from '../../../../test/support/webhook-receiver.ts'
import {
  openOrdersWire,
  orderProcessingMs,
  eventTypesOf,
  type OrdersWire,
} from '../../../../test/support/wire.ts'
import type { HostSessionOptions } from '../../../../test/support/host-session.ts'
import { orderTypes } from '../../protocol/orders/order.ts'

interface Pair extends AsyncDisposable {
  readonly wire: OrdersWire
  readonly receiver: Receiver
}

/** An Ordering Application and the service that it calls, after both have read the other's manifest. */
async function openPair(
  options: HostSessionOptions & { readonly receiver?: ReceiverOptions } = {},
): Promise<Pair> {
  const { receiver: receives, subject, counterparts, ...session } = options
  const receiver = await openReceiver(receives)
  const wire = await openOrdersWire({
    ...session,
    subject: { ...subject, url: receiver.url },
    counterparts: counterparts ?? { 'ordering-application': { channel: 'webhook' } },
  })
  await wire.pass(0)
  return {
    wire,
    receiver,
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

const heard = ({ received }: Receiver): readonly string[] =>
  received.map(({ event }) => event.eventType)

/** When the webhooks of one event went out, in milliseconds after the first. */
function instants({ session }: OrdersWire): readonly number[] {
  const calls = session
    .facts()
    .filter(
      ({ fact }) => fact.kind === 'call.placed' && fact.call.operation === 'receiveOrderEvent',
    )
    .map(({ at }) => at)
  return calls.map((at) => at - calls[0]!)
}

test('[ORD-OPS-03, ORD-CHN-02] each event is POSTed to the service’s webhook once, and is done with 204', async () => {
  await using pair = await openPair()
  const { wire, receiver } = pair
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.bring(orderId, 'DELIVERED')
  await wire.pass(600_000)
  expect(heard(receiver)).toEqual([
    'CREATED',
    'CONFIRMED',
    'PREPARING',
    'READY_FOR_PICKUP',
    'DELIVERED',
    'CONCLUDED',
  ])
  expect(new Set(receiver.received.map(({ event }) => event.orderId))).toEqual(new Set([orderId]))
  expect(receiver.received[0]!.headers['content-type']).toBe('application/json')
})

test('[ORD-FLO-01, ORD-FLO-02, ORD-EVF-03] the service may read the order while it handles the CREATED webhook', async () => {
  const reads: number[] = []
  let wire: OrdersWire | undefined
  await using pair = await openPair({
    receiver: {
      reply: async (_nth, event) => {
        const answer = await wire!.send('GET', event.orderURL!)
        reads.push(answer.status)
        return { status: 204 }
      },
    },
  })
  wire = pair.wire
  for (const type of orderTypes) await wire.create({ type })
  expect(heard(pair.receiver)).toEqual(['CREATED', 'CREATED', 'CREATED'])
  expect(reads).toEqual([200, 200, 200])
})

test('[ORD-UND-10] the webhook’s URL is the service’s base URL with the configured path', async () => {
  await using usual = await openPair()
  await usual.wire.create()
  expect(usual.receiver.received.map(({ path }) => path)).toEqual(['/webhooks/orders'])
  await using chosen = await openPair({ subject: { webhooks: { orders: '/webhooks/v2/new' } } })
  await chosen.wire.create()
  expect(chosen.receiver.received.map(({ path }) => path)).toEqual(['/webhooks/v2/new'])
})

test('[ORD-GEN-02, ORD-EVF-01, ORD-FLO-02] an event is the same on both channels, byte for byte', async () => {
  await using pair = await openPair({
    counterparts: { 'ordering-application': { channel: 'both' } },
  })
  const { wire, receiver } = pair
  const orderId = await wire.create()
  await wire.bring(orderId, 'DELIVERED')
  const polled = (await wire.send('GET', '/events:polling')).text
  expect(`[${receiver.received.map(({ text }) => text).join(',')}]`).toBe(polled)
  expect(receiver.received.length).toBe(5)
})

test('[TRN-STA-10] while the receiver asks for a pause, no other event goes out either', async () => {
  const pause = { status: 429, headers: { 'retry-after': '30' } }
  await using pair = await openPair({
    receiver: { reply: (nth) => (nth === 1 ? pause : { status: 204 }) },
  })
  const { wire, receiver } = pair
  await wire.create()
  await wire.create()
  await wire.pass(29_000)
  expect(heard(receiver)).toEqual(['CREATED'])
  await wire.pass(2000)
  expect(heard(receiver)).toEqual(['CREATED', 'CREATED', 'CREATED'])
})

test('[ORD-CHN-01] webhook only: it is declared, and polling is not served', async () => {
  await using pair = await openPair()
  const { wire } = pair
  expect((await wire.send('GET', '/events:polling')).status).toBe(404)
  expect((await wire.send('POST', '/events/acknowledgment', { body: [] })).status).toBe(404)
  const { text } = await wire.send('GET', '/.well-known/protocol')
  expect(text).toContain('"supportsWebhook":true,"supportsPolling":false')
})

test('[ORD-CHN-01] a receiver that declares no webhook is not called, not even with events that waited for its manifest', async () => {
  let published = false
  await using pair = await openPair({
    receiver: { supportsWebhook: false, published: () => published },
    conduct: { manifest: 'require' },
  })
  const { wire, receiver } = pair
  await wire.create()
  published = true
  await wire.pass(10_000)
  await wire.create()
  await wire.pass(600_000)
  expect(receiver.received).toEqual([])
  const waits = wire.session.facts().filter(({ fact }) => fact.kind === 'event.waiting')
  expect(waits).toHaveLength(1)
})

test('[ORD-CHN-01] a receiver that declares no Orders at all is not called', async () => {
  await using pair = await openPair({ receiver: { declaresOrders: false } })
  await pair.wire.create()
  await pair.wire.pass(600_000)
  expect(pair.receiver.received).toEqual([])
})

test('no webhook is sent before the service’s manifest is known where it is required; then all waiting ones are sent in order', async () => {
  let published = false
  await using pair = await openPair({
    receiver: { published: () => published },
    conduct: { manifest: 'require' },
  })
  const { wire, receiver } = pair
  const orderId = await wire.create()
  await wire.bring(orderId, 'PREPARING')
  expect(receiver.received).toEqual([])
  published = true
  await wire.pass(30_000)
  expect(heard(receiver)).toEqual(['CREATED', 'CONFIRMED', 'PREPARING'])
})

test('[ORD-GEN-07, ORD-CAN-01] from creation to the end, cancelled or not, the service gets no calls but its webhook', async () => {
  await using pair = await openPair()
  const { wire, receiver } = pair
  await wire.bring(await wire.create({ type: 'DELIVERY' }), 'CONCLUDED')
  await wire.bring(await wire.create({ type: 'INDOOR' }), 'CANCELLED')
  const asked = await wire.create()
  await wire.ask(asked, 'requestCancellation', {})
  await wire.pass(5000)
  expect(new Set(receiver.others)).toEqual(
    new Set(['GET /.well-known/protocol', 'POST /oauth/token', 'GET /merchants']),
  )
  expect(heard(receiver)).toContain('CANCELLED')
})

test('a failed webhook is sent again by the retry plan: same content, same request id', async () => {
  await using pair = await openPair({
    receiver: { reply: (nth) => ({ status: nth < 4 ? 500 : 204 }) },
  })
  const { wire, receiver } = pair
  await wire.create()
  await wire.pass(60_000)
  expect(instants(wire)).toEqual([0, 1000, 3000, 7000])
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['x-request-id'])).size).toBe(1)
})

test.each([
  [undefined, [0, 1000, 3000, 7000, 15_000, 31_000, 63_000]],
  ['three-more', [0, 1000, 6000, 21_000]],
  ['one-more', [0, 60_000]],
  ['never', [0]],
  [
    ['2s', 500],
    [0, 2000, 2500],
  ],
] as const)(
  'with the retry plan %j a dead receiver is tried at %j ms, and then given up',
  async (plan, times) => {
    await using pair = await openPair({
      conduct:
        plan === undefined ? {} : { webhookRetry: typeof plan === 'string' ? plan : [...plan] },
      receiver: { reply: () => ({ status: 503 }) },
    })
    const { wire } = pair
    await wire.create()
    await wire.pass(3_600_000)
    expect(instants(wire)).toEqual(times)
    const abandoned = wire.session.facts().filter(({ fact }) => fact.kind === 'event.given-up')
    expect(abandoned.map(({ fact }) => fact)).toEqual([
      { kind: 'event.given-up', eventId: expect.any(String), attempts: times.length },
    ])
  },
)

test('Retry-After of a receiver is respected, and never shortens the retry plan’s pause', async () => {
  await using pair = await openPair({
    receiver: {
      reply: (nth) =>
        nth === 1
          ? { status: 429, headers: { 'retry-after': '9' } }
          : { status: nth === 2 ? 503 : 204, headers: { 'retry-after': '1' } },
    },
  })
  const { wire } = pair
  await wire.create()
  await wire.pass(60_000)
  expect(instants(wire)).toEqual([0, 9000, 11_000])
})

test.each([400, 422])('after an answer of %i the event is not sent again', async (status) => {
  await using pair = await openPair({ receiver: { reply: () => ({ status }) } })
  const { wire } = pair
  await wire.create()
  await wire.pass(3_600_000)
  expect(instants(wire)).toEqual([0])
})

test.each([200, 202, 204])('an answer of %i is success', async (status) => {
  await using pair = await openPair({ receiver: { reply: () => ({ status }) } })
  const { wire } = pair
  await wire.create()
  await wire.pass(600_000)
  expect(instants(wire)).toEqual([0])
  expect(wire.session.facts().some(({ fact }) => fact.kind === 'event.pushed')).toBe(true)
})

test('an unreachable receiver is retried like one that answers an error', async () => {
  const gone = await openReceiver()
  const { url } = gone
  await gone[Symbol.asyncDispose]()
  await using wire = await openOrdersWire({
    conduct: { manifest: 'trust', webhookAccess: 'signature', webhookRetry: 'three-more' },
    subject: { url },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
  })
  await wire.create()
  await wire.pass(600_000)
  expect(instants(wire)).toEqual([0, 1000, 6000, 21_000])
})

test('the retry of one event does not delay the next event', async () => {
  await using pair = await openPair({
    receiver: { reply: (_nth, event) => ({ status: event.eventType === 'CREATED' ? 500 : 204 }) },
  })
  const { wire, receiver } = pair
  await wire.bring(await wire.create(), 'CONFIRMED')
  await wire.pass(orderProcessingMs)
  expect(heard(receiver).filter((type) => type === 'CONFIRMED')).toHaveLength(1)
  expect(receiver.received.findIndex(({ event }) => event.eventType === 'CONFIRMED')).toBe(1)
})

test('[ORD-EVR-04, ORD-EVR-06, ORD-EVR-03] webhooks can be dropped, delayed behind others, and sent twice', async () => {
  await using pair = await openPair()
  const { wire, receiver } = pair
  const push = async (orderId: string): Promise<number> => {
    const { agenda } = await wire.session.look({ agenda: { limit: 20, orderId } })
    return agenda.find(({ kind }) => kind === 'event.push')!.id
  }
  const dropped = await wire.create()
  const moves = async (trigger: 'confirm' | 'preparing'): Promise<void> =>
    void (await wire.session.submit({ kind: 'order.apply', orderId: dropped, trigger }))
  await moves('confirm')
  await wire.session.submit({ kind: 'agenda.drop', id: await push(dropped) })
  await moves('preparing')
  await wire.session.submit({ kind: 'agenda.duplicate', id: await push(dropped) })
  await wire.pass(0)
  expect(heard(receiver)).toEqual(['CREATED', 'PREPARING', 'PREPARING'])
  expect(receiver.received[1]!.text).toBe(receiver.received[2]!.text)

  const late = await wire.create()
  await wire.session.submit({ kind: 'order.apply', orderId: late, trigger: 'confirm' })
  await wire.session.submit({ kind: 'agenda.delay', id: await push(late), byMs: 5000 })
  await wire.session.submit({ kind: 'order.apply', orderId: late, trigger: 'preparing' })
  await wire.pass(5000)
  expect(eventTypesOf(receiver.received.slice(-3).map(({ event }) => event))).toEqual([
    'CREATED',
    'PREPARING',
    'CONFIRMED',
  ])
  expect((await wire.read(late)).status).toBe('PREPARING')
})
