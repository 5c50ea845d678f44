// @module-tag slow
/** A day of V1: what clients and a marketplace that do as real ones do are told, word by word (fields.md, 4.3, 4.6, I#52). */
import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  aV1Order,
  createV1Originator,
  openBesideV1Originator,
} from '../../../test/support/scripted-v1-ordering-application.ts'
import { openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'
import type { OrderEvent } from '../protocol/orders/event.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from './options.ts'

/** Each failed rule, each advice and each reason in the log; not the haste of a test, which is by the wall. */
async function told(session: Session) {
  const { verdicts, traffic } = await session.look({ verdicts: true, traffic: { limit: 200 } })
  return {
    failed: (verdicts ?? []).flatMap(({ id, findings }) =>
      findings.map(({ because }) => `${id} ${because}`),
    ),
    log: [
      ...new Set(traffic.flatMap(({ advice, reason }) => [advice ?? [], reason ?? []].flat())),
    ].filter((line) => !line.includes('TRN-STA-10')),
  }
}

interface Habits {
  readonly calls: readonly string[]
  readonly typeOf?: (event: OrderEvent) => string
}

/** A client of V1 that polls, acknowledges and calls by its habit, until nothing comes any more. */
async function serve(wire: OrdersWire, { calls, typeOf = ({ eventType }) => eventType }: Habits) {
  const orderId = await wire.create({ type: 'DELIVERY' })
  const statuses: number[] = []
  const poll = async () => {
    const { status, json } = await wire.send('GET', '/v1/events:polling')
    const events = status === 204 ? [] : (json as readonly OrderEvent[])
    const body = events.map((event) => ({
      id: event.eventId,
      orderId: event.orderId,
      eventType: typeOf(event),
    }))
    if (body.length > 0)
      statuses.push((await wire.send('POST', '/v1/events/acknowledgment', { body })).status)
  }
  await poll()
  await wire.send('GET', `/v1/orders/${orderId}`)
  for (const call of calls) {
    const body =
      call === 'confirm' ? { createdAt: '2026-01-05T15:00:00Z', orderExternalCode: '7' } : undefined
    statuses.push((await wire.post(`/v1/orders/${orderId}/${call}`, body)).status)
    await wire.pass(2000)
    await poll()
  }
  for (let times = 0; times < 30; times++) {
    await wire.pass(10_000)
    await poll()
  }
  return statuses
}

const openHost = (): Promise<OrdersWire> => openOrdersWire({ dialect: 'v1', capabilities: {} })
const uuid = String.raw`[\da-f-]{36}`

test('a client that never calls readyForPickup ends its order, and no rule minds', async () => {
  await using wire = await openHost()
  const statuses = await serve(wire, { calls: ['confirm', 'dispatch', 'delivered'] })
  expect(statuses.filter((status) => status !== 202)).toEqual([])
  expect((await told(wire.session)).failed).toEqual([])
  const { orders } = await wire.session.look({ orders: { limit: 1 } })
  expect(orders[0]?.status).toBe('CONCLUDED')
})

test('a client that acknowledges with empty types is refused each time, and told the body that would do', async () => {
  await using wire = await openHost()
  await serve(wire, { calls: ['confirm', 'dispatch', 'delivered'], typeOf: () => '' })
  const { failed, log } = await told(wire.session)
  // AK-1 and AK-5 follow: what is refused acknowledges nothing.
  const others = failed.filter((line) => !line.startsWith('AK-3 '))
  expect(others.filter((line) => !line.includes('its last acknowledgment got a 400'))).toEqual([])
  expect(new Set(others.map((line) => line.slice(0, 4)))).toEqual(new Set(['AK-1', 'AK-5']))
  expect(failed.filter((line) => line.startsWith('AK-3 ')).slice(0, 2)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^AK-3 The service acknowledged CREATED of o1 as an empty type of order ${uuid}; it got a 400, and a partner that goes by order and type hands CREATED over again.$`,
      ),
    ),
    expect.stringMatching(/^AK-3 The service acknowledged CONFIRMED of o1 as an empty type/),
  ])
  expect(log).toEqual([
    'an acknowledgment is an array of { id, orderId, eventType } here; 0.eventType: expected at least 1 character long, received ""',
    expect.stringMatching(
      new RegExp(
        String.raw`^the same 1 event came 3 times \(CREATED ${uuid}\): acknowledge them with POST http://127.0.0.1:\d+/v1/events/acknowledgment \[\{"id":"${uuid}","orderId":"${uuid}","eventType":"CREATED"\}\], or they come with each poll \(ORD-OPS-02\)$`,
      ),
    ),
  ])
})

test('a client that calls out of turn is told what is possible, in the words of V1', async () => {
  await using wire = await openHost()
  await serve(wire, { calls: ['dispatch', 'pickedUp', 'confirm', 'delivered', 'readyForPickup'] })
  const { log } = await told(wire.session)
  expect(log.map((line) => line.replaceAll(new RegExp(uuid, 'g'), 'ID'))).toEqual([
    'dispatch is not possible for the DELIVERY order ID in CREATED: the lifecycle has no such transition; possible now: confirm, requestCancellation',
    'the order ID does not ask for this call: sendPickedUp is false',
    'readyForPickup is not possible for the DELIVERY order ID in DELIVERED: it is past it',
  ])
})

const webhookText = JSON.stringify({
  eventId: 'e-1',
  eventType: 'CREATED',
  orderId: 'o-1',
  orderURL: 'http://ordering-application.test/v1/orders/o-1',
  createdAt: '2026-01-05T15:00:00Z',
  sourceAppId: '5a1f0c52-6c1e-4a55-9d0b-2f7f6a0e1b01',
})
/** The members in order, as RFC 8785 has it for an object of texts. */
const canonicalText = JSON.stringify(
  Object.fromEntries(
    Object.entries(JSON.parse(webhookText) as object).toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    ),
  ),
)
const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('base64')

const proofs = {
  'hmac-sha256-request-base64': (url: string) => ({
    'x-app-signature': hmac(`${url}&${canonicalText}`),
  }),
  'md5-hex': () => ({
    'didi-header-sign': createHash('md5').update(`${webhookText}secret`).digest('hex'),
  }),
} as const

/** The answer to a webhook of a marketplace, and what is said. */
async function webhookAnswer(
  options: Pick<SessionOptions, 'dialect' | 'conduct'>,
  proofOf: (url: string) => Readonly<Record<string, string>>,
) {
  const originator = createV1Originator({ lastEvent: false, silent: false })
  originator.place(aV1Order('o-1'))
  await using session = await openBesideV1Originator(originator, {
    ...options,
    counterparts: { 'ordering-application': { channel: 'webhook' } },
  })
  const url = `${session.urls.get('software-service')}/v1/newEvent`
  const headers = { 'content-type': 'application/json', ...proofOf(url) }
  const reply = await session.fetch(
    new Request(url, { method: 'POST', body: webhookText, headers }),
  )
  return [reply.status, await reply.text()]
}

test.each([
  [
    'keeta',
    'hmac-sha256-request-base64',
    'hmac-sha256-base64',
    'X-App-Signature does not fit the body',
  ],
  ['99food', 'md5-hex', 'hmac-sha256-hex', 'the webhook has no X-App-Signature'],
] as const)(
  'in the dialect %s a webhook signed as by %s is refused with that name, and taken with it',
  async (...[dialect, signature, own, problem]) => {
    expect(await webhookAnswer({ dialect }, proofs[signature])).toEqual([
      401,
      JSON.stringify({
        title: `${problem}: it is signed as by conduct.signature: ${signature}, and here that is ${own}`,
        status: 401,
      }),
    ])
    const taken = await webhookAnswer({ dialect, conduct: { signature } }, proofs[signature])
    expect(taken).toEqual([200, ''])
  },
)

test('in the dialect cardapio-web a token without a signature is refused with the setting that takes it', async () => {
  const bearer = () => ({ authorization: 'Bearer abc' })
  const [status, text] = await webhookAnswer({ dialect: 'cardapio-web' }, bearer)
  expect([status, text]).toEqual([
    401,
    '{"title":"the webhook has no X-App-Signature; a token is enough with conduct.signature: none","status":401}',
  ])
  const none = { dialect: 'cardapio-web', conduct: { signature: 'none' } } as const
  expect(await webhookAnswer(none, bearer)).toEqual([
    401,
    '{"title":"the token is unknown here","status":401}',
  ])
})

test('a marketplace whose orders have no items, and whose confirm is 404, is told both, each once', async () => {
  const originator = createV1Originator({ lastEvent: false, silent: false })
  await using session = await openBesideV1Originator(originator)
  originator.place(aV1Order('o-1', 'DELIVERY', { items: [] }))
  originator.answer = (_, call) => (call === 'confirm' ? 404 : undefined)
  await session.advance(600_000)
  expect(originator.callNames('o-1').length).toBeLessThan(20)
  expect(await told(session)).toEqual({
    failed: [
      'HO-1 The service shows an order without what V1 requires: items: expected at least 1 entry long, received an empty array.',
      expect.stringMatching(
        /^HO-2 Sparring confirmed order o-1 10 times, first at 15:00:\d\d\.\d{3} and last at 15:0\d:\d\d\.\d{3}, and the service answered 404 at last, took none of them, and no event said why\.$/,
      ),
    ],
    log: [],
  })
})
