/**
 * Faults on our calls to the subject, as seen on its socket: which webhooks arrive, their headers and how much of their
 * bodies; a distorted call has failed and is retried by its plan.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import type { Exchange } from '../../traffic/exchange.ts'
import { ordersOnly } from '../../../../test/support/orders-only.ts'
import { signatureForms } from '../../protocol/signature.ts'
import { isSignatureValid } from './signature.ts'
import type { Session } from '../../session-api/session.ts'
import type { SessionOptions } from '../../session/options.ts'
import { openSession } from '../../session/open-session.ts'
import { listenOnSocket, type OnSocket } from '../../../../test/support/on-socket.ts'

interface Came {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Whether the whole body arrived, with the length announced. */
  readonly whole: boolean
}

interface Scene extends AsyncDisposable {
  readonly session: Session
  readonly orderId: string
  /** The webhooks received. */
  readonly came: readonly Came[]
  /** The logged exchanges of calls hit by a fault. */
  readonly faulted: readonly Exchange[]
  readonly facts: (kind: string) => readonly unknown[]
}

const answerEmpty = (response: ServerResponse): void => void response.writeHead(204).end()

/** A server that records the requests to its webhook, complete or not, and answers them. */
const openService = (came: Came[], answer: typeof answerEmpty): Promise<OnSocket> =>
  listenOnSocket((request, response) => {
    const chunks: Buffer[] = []
    const keep = (whole: boolean): void => {
      const text = Buffer.concat(chunks).toString('utf8')
      if (request.method === 'POST') came.push({ headers: request.headers, text, whole })
    }
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      keep(true)
      if (request.method === 'POST') answer(response)
      else response.writeHead(404).end()
    })
    request.on('error', () => keep(false))
  })

async function openScene(
  faults: NonNullable<SessionOptions['faults']>,
  options: SessionOptions = {},
  answer = answerEmpty,
): Promise<Scene> {
  const came: Came[] = []
  const service = await openService(came, answer)
  const session = await openSession({
    seed: 5,
    port: 0,
    clock: 'virtual',
    automatic: false,
    capabilities: ordersOnly,
    subject: { role: 'software-service', url: service.url },
    conduct: { manifest: 'trust', webhookAccess: 'signature', webhookRetry: [1000, 5000] },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    faults,
    ...options,
  })
  const faulted: Exchange[] = []
  session.onExchange((exchange) => {
    if (exchange.fault) faulted.push(exchange)
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  if (!made.ok) throw new Error(made.error.message)
  return {
    session,
    orderId: made.value.orderId,
    came,
    faulted,
    facts: (kind) =>
      session
        .facts()
        .map(({ fact }) => fact)
        .filter((fact) => fact.kind === kind),
    async [Symbol.asyncDispose]() {
      await session.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

/** A generous timeout, for a machine under load. */
const patiently = { timeout: 45_000, interval: 2 } as const
const webhook = { operation: 'receiveOrderEvent', limit: 1 } as const
const eventIn = ({ text }: Came): Readonly<Record<string, unknown>> =>
  JSON.parse(text) as Record<string, unknown>
const signed = ({ text, headers }: Came): boolean =>
  isSignatureValid(
    { url: '', body: text },
    'secret',
    String(headers['x-app-signature'] ?? ''),
    signatureForms['hmac-sha256-hex'],
  )

test('drop-response: the webhook arrives, is accepted, and is sent again with the same id', async () => {
  await using scene = await openScene([{ 'drop-response': webhook }])
  await scene.session.advance(999)
  expect(scene.came).toHaveLength(1)
  await scene.session.advance(1)
  expect(scene.came).toHaveLength(2)
  const [first, second] = scene.came
  expect(second?.text).toBe(first?.text)
  expect(second?.headers['x-request-id']).toBe(first?.headers['x-request-id'])
  expect(scene.faulted).toMatchObject([
    {
      operation: 'receiveOrderEvent',
      fault: 'drop-response on call(receiveOrderEvent,o1,CREATED)',
      failure: { code: 'LOST' },
      eventIds: [eventIn(first!)['eventId']],
    },
  ])
  expect(scene.faulted[0]?.reply).toBeUndefined()
  expect(scene.facts('event.push-failed')).toMatchObject([{ attempt: 1, retry: true }])
  expect(scene.facts('event.pushed')).toHaveLength(1)
})

test('drop-response with hang: it is sent again after the answer timeout', async () => {
  await using scene = await openScene([{ 'drop-response': { ...webhook, how: 'hang' } }], {
    conduct: {
      manifest: 'trust',
      webhookAccess: 'signature',
      webhookRetry: [1000],
      answerTimeout: 4000,
    },
  })
  await scene.session.advance(4999)
  expect(scene.came).toHaveLength(1)
  await scene.session.advance(1)
  expect(scene.came).toHaveLength(2)
})

test.for([
  { name: 'reset', spec: { reset: webhook }, again: 1000 },
  { name: 'hang', spec: { hang: webhook }, again: 11_000 },
])('$name: the webhook is not sent, and the next attempt is complete', async ({ spec, again }) => {
  await using scene = await openScene([spec])
  await scene.session.advance(again - 1)
  expect(scene.came).toEqual([])
  expect(scene.faulted).toMatchObject([{ failure: { code: 'UNSENT' } }])
  await scene.session.advance(1)
  expect(scene.came).toHaveLength(1)
  expect(signed(scene.came[0]!)).toBe(true)
})

test('truncate: half of the body arrives with the full Content-Length, and the next attempt is complete', async () => {
  await using scene = await openScene([{ truncate: webhook }])
  await scene.session.advance(0)
  await vi.waitFor(() => expect(scene.came).toHaveLength(1), patiently)
  const [half] = scene.came
  await scene.session.advance(1000)
  const whole = scene.came[1]!
  expect(half?.whole).toBe(false)
  expect(whole.whole).toBe(true)
  expect(half?.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)))
  expect(half?.text).toBe(whole.text.slice(0, whole.text.length >> 1))
  expect(scene.faulted).toMatchObject([
    { failure: { code: 'TRUNCATED' }, request: { body: half?.text } },
  ])
})

test('slow-body: the body arrives in pieces over time, complete and correctly signed', async () => {
  await using scene = await openScene([{ 'slow-body': { ...webhook, by: '5s' } }])
  const passing = scene.session.advance(4999)
  await passing
  expect(scene.came).toEqual([])
  await scene.session.advance(1)
  await vi.waitFor(() => expect(scene.came).toHaveLength(1), patiently)
  expect(scene.came[0]?.whole).toBe(true)
  expect(signed(scene.came[0]!)).toBe(true)
  await vi.waitFor(
    () => expect(scene.faulted).toMatchObject([{ reply: { status: 204 }, attempt: 1 }]),
    patiently,
  )
})

test('slow-response: the call is sent late, and the delay does not count for the answer timeout', async () => {
  await using scene = await openScene([{ 'slow-response': { ...webhook, by: '20s' } }])
  const spans: number[] = []
  scene.session.onExchange(({ fault }, { began, ended }) => {
    if (fault) spans.push(ended - began)
  })
  await scene.session.advance(19_999)
  expect(scene.came).toEqual([])
  await scene.session.advance(1)
  expect(scene.came).toHaveLength(1)
  expect(spans).toEqual([0])
})

test('wrong-signature: a webhook with an invalid or missing signature is sent instead of the true one', async () => {
  await using scene = await openScene([{ 'wrong-signature': webhook }])
  await scene.session.advance(0)
  const [forged] = scene.came
  expect(forged?.headers['x-app-signature']).toMatch(/^[0-9a-f]{64}$/)
  expect(signed(forged!)).toBe(false)
  expect(eventIn(forged!)).toMatchObject({ eventType: 'CREATED', orderId: scene.orderId })

  await using other = await openScene([{ 'wrong-signature': { ...webhook, how: 'none' } }])
  await other.session.advance(0)
  const [bare] = other.came
  expect(bare?.headers).not.toHaveProperty('x-app-signature')
  expect(bare?.headers).toHaveProperty('x-app-merchantid')
})

test('[ORD-OPS-03] wrong-signature: whatever the forgery is answered, the next attempt is the true one', async () => {
  for (const status of [400, 401, 422]) {
    /** Whether each received webhook has a valid signature. */
    const heard: boolean[] = []
    await using service = await listenOnSocket((request, response) => {
      request.resume()
      heard.push('x-app-signature' in request.headers)
      response.writeHead(heard.length === 1 ? status : 204).end()
    })
    await using scene = await openScene([{ 'wrong-signature': { ...webhook, how: 'none' } }], {
      subject: { role: 'software-service', url: service.url },
    })
    await scene.session.advance(2000)
    expect(heard).toEqual([false, true])
  }
})

test('wrong-signature: the id of another store, with a valid signature', async () => {
  await using scene = await openScene([
    { 'wrong-signature': { ...webhook, how: 'merchant' } },
    { 'slow-response': { ...webhook, by: 0 } },
  ])
  await scene.session.advance(0)
  const [forged] = scene.came
  const stores = (await scene.session.look({ orderId: scene.orderId })).order?.row
  expect(stores).toBeDefined()
  expect(forged?.headers['x-app-merchantid']).toMatch(/^[0-9a-f-]{36}$/)
  expect(signed(forged!)).toBe(true)
  await scene.session.submit({ kind: 'order.apply', orderId: scene.orderId, trigger: 'cancel' })
  await scene.session.advance(1000)
  expect(scene.came[1]?.headers['x-app-merchantid']).not.toBe(forged?.headers['x-app-merchantid'])
})

test('a forged webhook that is refused is sent again, correctly', async () => {
  const statuses: number[] = []
  await using service = await listenOnSocket((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const status = signed({ headers: request.headers, text, whole: true }) ? 204 : 401
      statuses.push(status)
      response.writeHead(status).end()
    })
  })
  await using scene = await openScene([{ 'wrong-signature': webhook }], {
    subject: { role: 'software-service', url: service.url },
  })
  await scene.session.advance(1000)
  expect(statuses).toEqual([401, 204])
})

test('faults apply to token and manifest requests too', async () => {
  await using scene = await openScene(['reset:operation=getManifest,limit=1'], { conduct: {} })
  await scene.session.advance(0)
  expect(scene.faulted).toMatchObject([
    { operation: 'getManifest', fault: 'reset on call(getManifest)', failure: { code: 'UNSENT' } },
  ])
})

test('the same seed yields the same calls, byte for byte', async () => {
  const heard: (readonly Came[])[] = []
  for (let run = 0; run < 2; run++) {
    await using scene = await openScene([
      'wrong-signature:percent=50',
      'drop-response:percent=50',
      'truncate:percent=30',
    ])
    for (const _order of [2, 3, 4]) await scene.session.createOrder({ type: 'TAKEOUT' })
    await scene.session.advance(60_000)
    const local = scene.session.urls.get('ordering-application') ?? ''
    heard.push(
      scene.came.map((each) => ({
        ...each,
        // Ports are assigned by the system: values that depend on them are left out.
        headers: { ...each.headers, host: '', 'x-app-signature': '' },
        text: each.whole ? each.text.replaceAll(local, '') : '',
      })),
    )
  }
  expect(heard[0]?.length).toBeGreaterThan(4)
  expect(heard[1]).toEqual(heard[0])
})

test.for([
  { when: 'before-ack', failed: { failure: { code: 'LOST' } }, sent: 2 },
  { when: 'after-ack', failed: { reply: { status: 204 } }, sent: 1 },
])(
  'crash: $when, the process is ended with the webhook in its hands',
  async ({ when, failed, sent }) => {
    const done: string[] = []
    const service = {
      end: (signal: string) => void done.push(`ended by SIG${signal}`),
      start: () => void done.push('started'),
    }
    await using scene = await openScene([], { service })
    scene.session.faults.add({ crash: { ...webhook, when, down: '3s' } })
    await scene.session.advance(0)
    await vi.waitFor(() => expect(scene.faulted).toMatchObject([failed]), patiently)
    expect(done).toEqual(['ended by SIGKILL'])
    await scene.session.advance(6000)
    expect(done).toEqual(['ended by SIGKILL', 'started'])
    expect(scene.came).toHaveLength(sent)
    expect(scene.facts('event.pushed')).toHaveLength(1)
  },
)

test('a body behind a 204 is advised against, but not where a fault has hit the call', async () => {
  const slow = { 'slow-body': { ...webhook, by: '1s' } }
  const answer = (response: ServerResponse) =>
    void response.socket?.end('HTTP/1.1 204 No Content\r\n\r\n{}')
  await using scene = await openScene([slow], {}, answer)
  const advice: unknown[] = []
  scene.session.onExchange((exchange) => advice.push([exchange.fault, exchange.advice]))
  await scene.session.advance(5000)
  await scene.session.createOrder({ type: 'TAKEOUT' })
  await scene.session.advance(0)
  await vi.waitFor(
    () =>
      expect(advice).toEqual([
        ['slow-body on call(receiveOrderEvent,o1,CREATED)', undefined],
        [undefined, expect.stringContaining('a body with status 204, which has none')],
      ]),
    patiently,
  )
})
