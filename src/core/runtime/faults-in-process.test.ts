/**
 * Faults with an in-process subject: its `fetch` fails as the platform's would, its handler gets half a body or a late
 * one, and all waiting is in session time.
 */
import { expect, test } from 'vitest'
import { journalText } from '../engine/journal.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

test('rate-limit: between our own roles a Retry-After date is in session time, so a seed yields one journal', async () => {
  const journal = async (): Promise<string> => {
    await using session = await openSession({
      seed: 7,
      clock: 'virtual',
      automatic: false,
      listen: false,
      capabilities: ordersOnly,
      faults: ['rate-limit:retry=date,by=2500ms,limit=3'],
    })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.settle()
    return journalText(session.facts())
  }
  const once = await journal()
  await new Promise((resolve) => setTimeout(resolve, 3))
  expect(await journal()).toBe(once)
  // Dates have whole seconds: rounded up, late rather than early.
  expect(once).toContain('"retryAfterMs":3000')
})

interface Scene extends AsyncDisposable {
  readonly session: Session
  readonly orderId: string
  readonly faulted: readonly Exchange[]
  /** A request to the Ordering Application, as `fetch` would make it. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly order: () => Promise<Response>
}

async function openScene(
  faults: NonNullable<SessionOptions['faults']>,
  options: SessionOptions = {},
): Promise<Scene> {
  const session = await openSession({
    seed: 5,
    clock: 'virtual',
    automatic: false,
    listen: false,
    as: 'software-service',
    capabilities: ordersOnly,
    conduct: { manifest: 'trust', webhookAccess: 'signature', webhookRetry: [1000, 5000] },
    ...options,
  })
  const faulted: Exchange[] = []
  session.onExchange((exchange) => {
    if (exchange.fault) faulted.push(exchange)
  })
  const base = session.urls.get('ordering-application') ?? ''
  const made = await session.createOrder({ type: 'TAKEOUT' })
  if (!made.ok) throw new Error(made.error.message)
  const token = await createHostClient({ fetch: session.fetch, base }).token()
  for (const spec of faults) {
    const added = await session.submit({ kind: 'fault.add', spec })
    if (!added.ok) throw new Error(added.error.message)
  }
  const ask: Scene['fetch'] = (path, init = {}) =>
    session.fetch(
      new Request(`${base}${path}`, { headers: { authorization: `Bearer ${token}` }, ...init }),
    )
  const { orderId } = made.value
  return {
    session,
    orderId,
    faulted,
    fetch: ask,
    order: () => ask(`/orders/${orderId}`),
    [Symbol.asyncDispose]: () => session.close(),
  }
}

test('reset: fetch rejects as on a network failure, with the cause', async () => {
  await using scene = await openScene(['reset:operation=getOrder'])
  const error: unknown = await scene.order().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  expect(scene.faulted).toMatchObject([{ failure: { code: 'RESET' } }])
})

test('hang: fetch rejects when its signal aborts, with the signal’s reason', async () => {
  await using scene = await openScene(['hang:operation=getOrder'])
  const stop = new AbortController()
  const asked = scene.fetch(`/orders/${scene.orderId}`, { signal: stop.signal })
  const answered = asked.then(
    () => 'answered',
    (reason: unknown) => reason,
  )
  await scene.session.advance(60_000)
  expect(scene.faulted).toEqual([])
  const reason = new Error('that is enough')
  stop.abort(reason)
  expect(await answered).toBe(reason)
  expect(scene.faulted).toMatchObject([{ failure: { code: 'HUNG' } }])
  // The request is aborted, so nothing is pending.
  await using other = await openScene(['hang:operation=getOrder'])
  const hanging = other.order().catch((each: unknown) => each)
  await other.session.advance(600_000)
  expect(await hanging).toMatchObject({ cause: { code: 'ECONNRESET' } })
})

test('ending the faults releases delayed answers, and answers no hanging ones', async () => {
  await using scene = await openScene([
    'hang:operation=getOrder,limit=1',
    'slow-response:operation=getOrder,by=5m',
  ])
  let hung: unknown = 'waits'
  const stop = new AbortController()
  const first = scene
    .fetch(`/orders/${scene.orderId}`, { signal: stop.signal })
    .catch((reason: unknown) => (hung = reason))
  const second = scene.order()
  await scene.session.advance(1000)
  await scene.session.submit({ kind: 'fault.end' })
  await scene.session.advance(100)
  expect((await second).status).toBe(200)
  await scene.session.advance(120_000)
  expect(hung).toBe('waits')
  // New requests are answered; hanging ones end when their client aborts.
  expect((await scene.order()).status).toBe(200)
  stop.abort(new Error('enough'))
  await first
  expect(hung).toMatchObject({ message: 'enough' })
  expect(scene.faulted.map(({ failure }) => failure?.code)).toEqual([undefined, 'HUNG'])
})

test('truncate: the headers have the full length, half of the body can be read, and then the body fails', async () => {
  await using scene = await openScene(['truncate:operation=getOrder,limit=1'])
  const response = await scene.order()
  const length = Number(response.headers.get('content-length'))
  expect(response.status).toBe(200)
  const reader = response.body!.getReader()
  const first = await reader.read()
  expect(first.value).toHaveLength(length >> 1)
  await expect(reader.read()).rejects.toMatchObject({
    message: 'terminated',
    cause: { code: 'UND_ERR_SOCKET' },
  })
  await using other = await openScene(['truncate:operation=getOrder'])
  await expect((await other.order()).json()).rejects.toThrow(TypeError)
  expect(other.faulted).toMatchObject([{ failure: { code: 'CUT' }, reply: { status: 200 } }])
})

test('slow-body: the body arrives as session time passes', async () => {
  await using scene = await openScene(['slow-body:operation=getOrder,by=5s'])
  const response = await scene.order()
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (const _piece of [1, 2, 3, 4, 5]) {
    const next = reader.read()
    await scene.session.advance(1000)
    text += decoder.decode((await next).value, { stream: true })
  }
  expect((await reader.read()).done).toBe(true)
  expect(JSON.parse(text)).toMatchObject({ id: scene.orderId })
  expect(scene.faulted).toMatchObject([{ reply: { status: 200, body: text } }])
})

test('slow-response: the answer has the state at the time of the request', async () => {
  await using scene = await openScene(['slow-response:operation=getOrder,by=3s,limit=1'])
  const asked = scene.order()
  await scene.session.submit({ kind: 'order.apply', orderId: scene.orderId, trigger: 'confirm' })
  await scene.session.advance(3000)
  expect(await (await asked).json()).toMatchObject({ status: 'CREATED' })
  expect(await (await scene.order()).json()).toMatchObject({ status: 'CONFIRMED' })
})

test('rate-limit: a date is on the subject’s clock', async () => {
  await using scene = await openScene(['rate-limit:retry=date,by=10s'])
  const before = Date.now()
  const byTheWall = Date.parse((await scene.order()).headers.get('retry-after') ?? '')
  // The date is in whole seconds.
  expect(byTheWall).toBeGreaterThanOrEqual(before + 9000)
  expect(byTheWall).toBeLessThanOrEqual(Date.now() + 11_000)
  const now = scene.session.clock.now()
  const byTheSession = Date.parse((await scene.order()).headers.get('retry-after') ?? '')
  expect(byTheSession).toBe(Math.ceil((now + 10_000) / 1000) * 1000)
})

const push = { operation: 'receiveOrderEvent', limit: 1 } as const
const byWebhook = { counterparts: { 'ordering-application': { channel: 'webhook' } } } as const

test('truncate and slow-body of a call: a handler gets half a body, or a slow one', async () => {
  const came: string[] = []
  await using scene = await openScene(
    [{ truncate: push }, { 'slow-body': { ...push, by: '4s' } }],
    {
      ...byWebhook,
      handler: async (request) => {
        const text = await request.text().catch((error: Error) => `failed: ${error.message}`)
        came.push(
          text.startsWith('failed')
            ? 'half'
            : (JSON.parse(text) as { eventType: string }).eventType,
        )
        return new Response(null, { status: 204 })
      },
    },
  )
  await scene.session.advance(4999)
  expect(came).toEqual(['half'])
  expect(scene.faulted).toMatchObject([{ failure: { code: 'TRUNCATED' } }])
  await scene.session.advance(1)
  expect(came).toEqual(['half', 'CREATED'])
  expect(scene.faulted).toMatchObject([{}, { reply: { status: 204 }, attempt: 2 }])
})

// The timeout of 10 s on the wall clock would not end within the time limit.
const beforeTimeout = { timeout: 9000 } as const
test(
  'a subject on the session’s clock has the timeout in session time, whatever the wall clock shows',
  beforeTimeout,
  async () => {
    let session: Session | undefined
    await using scene = await openScene([], {
      ...byWebhook,
      handler: async () => {
        await session?.clock.sleep(15_000)
        return new Response(null, { status: 204 })
      },
    })
    session = scene.session
    expect(session.clock.now()).toBeGreaterThan(0)
    const codes: string[] = []
    session.onExchange(({ failure }) => codes.push(failure?.code ?? 'answered'))
    await session.advance(9999)
    expect(codes).toEqual([])
    await session.advance(1)
    expect(codes).toEqual(['TIMEOUT'])
  },
)

test('an answer in time leaves no timeout pending', async () => {
  await using duel = await openHarness({ channel: 'webhook' })
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
  const { session } = duel
  const { agenda } = await session.look({ agenda: { limit: 100 } })
  expect(agenda.map(({ text }) => text).filter((text) => text.includes('time-out'))).toEqual([])
  const facts = session.facts().map(({ fact }) => fact)
  const begun = facts.filter(
    (fact) =>
      fact.kind === 'agenda.planned' &&
      fact.item.command.kind === 'pause.end' &&
      fact.item.command.whose === 'call',
  )
  expect(begun.length).toBeGreaterThan(0)
  expect(facts.some((fact) => fact.kind === 'pause.ended' && fact.whose === 'call')).toBe(false)
})

test('a webhook whose handler waits for an answer that we delay does not stop session time', async () => {
  const statuses: number[] = []
  let ask: Scene['order'] = () => Promise.resolve(new Response())
  await using scene = await openScene(['slow-response:operation=getOrder,by=3s'], {
    ...byWebhook,
    handler: async () => {
      statuses.push((await ask()).status)
      return new Response(null, { status: 204 })
    },
  })
  ask = scene.order
  await scene.session.advance(4000)
  expect(statuses).toEqual([200])
})

test('without a subject a fault may hit any call between roles, and time goes on', async () => {
  const faulted: Exchange[] = []
  await using session = await openSession({
    seed: 5,
    clock: 'virtual',
    automatic: false,
    listen: false,
    capabilities: ordersOnly,
    faults: ['slow-response:operation=getOrder,by=4s', 'hang:operation=confirmOrder,burst=1'],
  })
  session.onExchange((exchange) => {
    if (exchange.fault) faulted.push(exchange)
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(900_000)
  const orderId = made.ok ? made.value.orderId : ''
  expect((await session.look({ orderId })).order?.row.status).toBe('CONCLUDED')
  expect(new Set(faulted.map(({ fault }) => fault))).toEqual(
    new Set(['slow-response on req(getOrder,o1)', 'hang on req(confirmOrder,o1)']),
  )
})

test('with a subject, calls between our own roles are not hit', async () => {
  await using duel = await openHarness({ delivers: true })
  await duel.pass(60_000)
  const { session } = duel
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(exchange))
  const operations = ['getManifest', 'issueToken', 'listMerchants'] as const
  await session.submit({ kind: 'fault.add', spec: { fail: { operation: operations } } })
  // Forces a new token request.
  const [host, clientId] = ['delivery-platform', 'sparring-ordering-application'] as const
  await session.submit({ kind: 'token.revoke', host, clientId })
  for (const operation of ['getManifest', 'listMerchants'] as const)
    await session.submit({
      kind: 'call.place',
      call: { from: 'ordering-application', to: 'delivery-platform', operation, attempt: 1 },
    })
  await duel.pass(0)
  const asked = exchanges.filter(({ operation }) => operations.some((each) => each === operation))
  expect(asked.map(({ operation, reply }) => `${operation} ${reply?.status}`).toSorted()).toEqual([
    'getManifest 200',
    'issueToken 200',
    'listMerchants 200',
    'listMerchants 401',
  ])
  expect(asked.filter(({ fault }) => fault)).toEqual([])
})

test('the same seed yields the same journal, byte for byte, with any faults', async () => {
  const stories: string[] = []
  for (let run = 0; run < 2; run++) {
    const heard: unknown[] = []
    await using duel = await openHarness({
      seed: 9,
      channel: 'both',
      faults: [
        'fail:percent=15,effect=after',
        'slow-response:percent=15',
        'truncate:percent=10',
        'hang:percent=5',
        'slow-body:percent=10',
        'unauthorized:percent=5,revoke=true',
        'rate-limit:percent=5,retry=date',
        'drop-response:percent=10',
        'wrong-signature:percent=10',
      ],
    })
    duel.session.onExchange(({ startedAt: _at, tookMs: _took, wall: _wall, ...exchange }) =>
      heard.push(exchange),
    )
    await duel.order('DELIVERY')
    await duel.order('TAKEOUT')
    await duel.pass(300_000)
    stories.push(JSON.stringify([heard, duel.session.facts()]))
  }
  expect(stories[1]).toBe(stories[0])
})
