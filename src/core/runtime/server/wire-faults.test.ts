/**
 * Faults on a real socket as the subject sees them: status, headers, bytes, broken connections; and whether its request
 * took effect. Session time passes only when a test says so.
 */
import { expect, test, vi } from 'vitest'
import { journalText } from '../../engine/journal.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import {
  openRawClient,
  type RawAnswer,
  type RawClient,
} from '../../../../test/support/raw-client.ts'
import {
  openOrdersWire,
  orderProcessingMs,
  eventTypesOf,
  type OrdersWire,
} from '../../../../test/support/wire.ts'
import type { HostSessionOptions } from '../../../../test/support/host-session.ts'

interface Scene extends AsyncDisposable {
  readonly wire: OrdersWire
  readonly orderId: string
  readonly client: RawClient
  /** The logged exchanges of requests hit by a fault. */
  readonly faulted: readonly Exchange[]
  readonly bearer: string
  readonly get: (path?: string) => Promise<RawAnswer>
  readonly confirm: (headers?: Readonly<Record<string, string>>) => Promise<RawAnswer>
  readonly poll: () => Promise<RawAnswer>
  /** Resolves when a fault has hit the current request. */
  readonly met: () => Promise<void>
  readonly status: () => Promise<string | undefined>
}

/** A generous timeout, for a machine under load. */
const patiently = { timeout: 45_000, interval: 2 } as const

const fired = ({ session }: OrdersWire): number =>
  session.facts().filter(({ fact }) => fact.kind === 'fault.fired').length

/** A session with one order and active faults, and a client with a token. */
async function openScene(
  faults: NonNullable<HostSessionOptions['faults']>,
  options: HostSessionOptions = {},
): Promise<Scene> {
  const wire = await openOrdersWire({ seed: 5, ...options })
  const orderId = await wire.create({ type: 'DELIVERY' })
  const bearer = `Bearer ${await wire.token()}`
  const faulted: Exchange[] = []
  wire.session.onExchange((exchange) => {
    if (exchange.fault) faulted.push(exchange)
  })
  for (const spec of faults) {
    const added = await wire.session.submit({ kind: 'fault.add', spec })
    if (!added.ok) throw new Error(added.error.message)
  }
  const client = openRawClient(wire.base)
  const authorization = bearer
  let before = 0
  const asking = <Value>(value: Value): Value => {
    before = fired(wire)
    return value
  }
  return {
    wire,
    orderId,
    client,
    faulted,
    bearer,
    get: (path = `/orders/${orderId}`) => client.ask(asking({ path, headers: { authorization } })),
    confirm: (headers = {}) =>
      client.ask(
        asking({
          method: 'POST',
          path: `/orders/${orderId}/confirm`,
          headers: { authorization, ...headers },
        }),
      ),
    poll: () => client.ask(asking({ path: '/events:polling', headers: { authorization } })),
    met: () => vi.waitFor(() => expect(fired(wire)).toBeGreaterThan(before), patiently),
    async status() {
      await wire.pass(orderProcessingMs)
      return (await wire.session.look({ orderId })).order?.row.status
    },
    async [Symbol.asyncDispose]() {
      client.leave()
      await wire[Symbol.asyncDispose]()
    },
  }
}

const errorIn = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { error: unknown }).error

test('fail: 503 with the protocol’s error body, without effect; the next attempt is answered normally', async () => {
  await using scene = await openScene(['fail:operation=confirmOrder,limit=1'])
  const answer = await scene.confirm({ 'x-request-id': 'r1' })
  expect(answer).toMatchObject({ status: 503, end: 'whole' })
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'r1',
  })
  expect(errorIn(answer)).toMatchObject({ code: 'UNAVAILABLE', retryable: true })
  expect(await scene.status()).toBe('CREATED')
  expect(scene.faulted).toMatchObject([
    {
      operation: 'confirmOrder',
      orderId: scene.orderId,
      fault: 'fail on req(confirmOrder,o1)',
      reply: { status: 503 },
    },
  ])
  // The same connection and request id: the failure was not stored.
  expect(await scene.confirm({ 'x-request-id': 'r1' })).toMatchObject({ status: 202, end: 'whole' })
  expect(await scene.status()).toBe('CONFIRMED')
})

test.for([500, 502, 503, 504])(
  'fail: %i after the effect; the second attempt gets the true answer',
  async (status) => {
    await using scene = await openScene([
      { fail: { operation: 'confirmOrder', status, effect: 'after', limit: 1 } },
    ])
    const answer = await scene.confirm({ 'x-request-id': 'r1' })
    expect(answer).toMatchObject({ status, end: 'whole' })
    expect(errorIn(answer)).toMatchObject({ retryable: true })
    expect(await scene.status()).toBe('CONFIRMED')
    // The true answer is stored under a request id.
    expect(await scene.confirm({ 'x-request-id': 'r1' })).toMatchObject({ status: 202 })
  },
)

test('fail: as a gateway would, with a page in place of the error body', async () => {
  await using scene = await openScene(['fail:operation=getOrder,status=502,page=true'])
  const answer = await scene.get()
  expect(answer).toMatchObject({ status: 502, end: 'whole' })
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.body).toContain('502 from the gateway')
})

test('fail: a burst counts attempts of the same call, and of no other', async () => {
  await using scene = await openScene(['fail:operation=getOrder|pollingEvents,burst=2'])
  const statuses: number[] = []
  for (const _try of [1, 2, 3]) statuses.push((await scene.get()).status)
  statuses.push((await scene.poll()).status)
  expect(statuses).toEqual([503, 503, 200, 503])
})

test('rate-limit: 429 without effect, with Retry-After in seconds, as a date, or absent', async () => {
  await using scene = await openScene([
    'rate-limit:operation=confirmOrder,by=2500ms,limit=1',
    'rate-limit:operation=confirmOrder,by=30s,retry=date,limit=1',
    'rate-limit:operation=confirmOrder,retry=absent,limit=1',
  ])
  const seconds = await scene.confirm()
  expect(seconds).toMatchObject({ status: 429, end: 'whole' })
  expect(errorIn(seconds)).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
  expect(seconds.headers['retry-after']).toBe('3')
  const date = await scene.confirm()
  // An external subject uses the wall clock, as does the Date header.
  const apart = Date.parse(date.headers['retry-after']!) - Date.parse(date.headers['date']!)
  expect(apart).toBeGreaterThanOrEqual(29_000)
  expect(apart).toBeLessThanOrEqual(32_000)
  const absent = await scene.confirm()
  expect(absent.status).toBe(429)
  expect(absent.headers['retry-after']).toBeUndefined()
  expect(await scene.status()).toBe('CREATED')
})

test.for(['before', 'after'] as const)(
  'hang: no byte is sent, %s effect, until the client disconnects',
  async (effect) => {
    await using scene = await openScene([{ hang: { operation: 'confirmOrder', effect } }])
    const answer = scene.confirm()
    await scene.met()
    await scene.wire.pass(120_000)
    expect(scene.client.heard()).toBe('')
    expect(scene.client.open()).toBe(true)
    expect(scene.faulted).toEqual([])
    scene.client.leave()
    await answer
    await vi.waitFor(() => expect(scene.faulted).toHaveLength(1), patiently)
    const [exchange] = scene.faulted
    expect(exchange).toMatchObject({
      failure: { code: 'HUNG' },
      fault: 'hang on req(confirmOrder,o1)',
    })
    expect(exchange?.reply).toBeUndefined()
    expect(await scene.status()).toBe(effect === 'after' ? 'CONFIRMED' : 'CREATED')
  },
)

test('hang: it ends after ten minutes of session time', async () => {
  await using scene = await openScene(['hang:operation=getOrder'])
  const answer = scene.get()
  await scene.met()
  await scene.wire.pass(600_000)
  expect(await answer).toMatchObject({ bytes: '', end: 'reset' })
  expect(scene.faulted).toMatchObject([{ failure: { code: 'HUNG' } }])
})

test.for(['before', 'after'] as const)(
  'reset: the connection is reset before the first byte, %s effect',
  async (effect) => {
    await using scene = await openScene([{ reset: { operation: 'confirmOrder', effect } }])
    expect(await scene.confirm()).toMatchObject({ bytes: '', end: 'reset' })
    expect(scene.faulted).toMatchObject([
      { failure: { code: 'RESET' }, fault: 'reset on req(confirmOrder,o1)' },
    ])
    expect(await scene.status()).toBe(effect === 'after' ? 'CONFIRMED' : 'CREATED')
  },
)

test('truncate: complete headers with the true length, half of the body, and then the end', async () => {
  await using scene = await openScene(['truncate:operation=getOrder,limit=1'])
  const answer = await scene.get()
  expect(answer).toMatchObject({ status: 200, end: 'closed' })
  const length = Number(answer.headers['content-length'])
  expect(answer.body).toHaveLength(length >> 1)
  expect(scene.faulted).toMatchObject([
    {
      failure: { code: 'CUT' },
      reply: { status: 200, body: answer.text },
    },
  ])
  const again = openRawClient(scene.wire.base)
  const whole = await again.ask({
    path: `/orders/${scene.orderId}`,
    headers: { authorization: scene.bearer },
  })
  again.leave()
  expect(whole.body.startsWith(answer.body)).toBe(true)
  expect(whole.body).toHaveLength(length)
})

test('truncate: an answer without a body is reset before its first byte, after the effect', async () => {
  await using scene = await openScene(['truncate:operation=confirmOrder'])
  expect(await scene.confirm()).toMatchObject({ bytes: '', end: 'reset' })
  expect(await scene.status()).toBe('CONFIRMED')
})

test('truncate: a truncated poll handed over nothing, and its events are returned again', async () => {
  await using scene = await openScene(['truncate:operation=pollingEvents,limit=1'])
  expect(await scene.poll()).toMatchObject({ status: 200, end: 'closed' })
  expect(scene.faulted[0]?.eventIds).toBeUndefined()
  expect(eventTypesOf(await scene.wire.poll())).toEqual(['CREATED'])
})

test('slow-body: the headers at once, the body piece by piece, complete and correct', async () => {
  await using scene = await openScene(['slow-body:operation=getOrder,by=5s'])
  const answer = scene.get()
  await scene.met()
  const sizes: number[] = []
  for (const _piece of [1, 2, 3, 4, 5]) {
    await vi.waitFor(() => expect(scene.client.heard()).toContain('\r\n\r\n'), patiently)
    const before = scene.client.heard().length
    sizes.push(before)
    await scene.wire.pass(1000)
    await vi.waitFor(() => expect(scene.client.heard().length).toBeGreaterThan(before), patiently)
  }
  expect(new Set(sizes).size).toBe(5)
  const { status, text, end } = await answer
  expect({ status, end }).toEqual({ status: 200, end: 'whole' })
  expect(JSON.parse(text)).toMatchObject({ id: scene.orderId })
  // The connection serves the next request normally.
  await scene.wire.session.submit({ kind: 'fault.end' })
  expect(await scene.get()).toMatchObject({ status: 200, end: 'whole' })
})

test('slow-body: a client that disconnects in the middle is logged as such', async () => {
  await using scene = await openScene(['slow-body:operation=getOrder,by=5s'])
  const answer = scene.get()
  await scene.met()
  await scene.wire.pass(2000)
  await vi.waitFor(() => expect(scene.client.heard()).toContain('\r\n\r\n{'), patiently)
  scene.client.leave()
  await answer
  await vi.waitFor(() => expect(scene.faulted).toHaveLength(1), patiently)
  expect(scene.faulted[0]).toMatchObject({ failure: { code: 'CUT' }, reply: { status: 200 } })
})

test('slow-response: the answer is composed at once and sent late, so its content is out of date', async () => {
  await using scene = await openScene(['slow-response:operation=getOrder,by=3s,limit=1'])
  const stale = scene.get()
  await scene.met()
  expect(await scene.wire.ask(scene.orderId, 'confirm')).toBe(202)
  await scene.wire.pass(2999)
  expect(scene.client.heard()).toBe('')
  // Another answer overtakes it.
  expect(await scene.wire.read(scene.orderId)).toMatchObject({ status: 'CONFIRMED' })
  await scene.wire.pass(1)
  const answer = await stale
  expect(answer).toMatchObject({ status: 200, end: 'whole' })
  expect(JSON.parse(answer.text)).toMatchObject({
    status: 'CREATED',
  })
  expect(scene.faulted).toMatchObject([
    { fault: 'slow-response on req(getOrder,o1)', reply: { status: 200 } },
  ])
})

test('slow-response: the request takes effect at once, however late its answer', async () => {
  await using scene = await openScene(['slow-response:operation=confirmOrder,by=60s'])
  const answer = scene.confirm()
  await scene.met()
  expect(await scene.status()).toBe('CONFIRMED')
  expect(scene.client.heard()).toBe('')
  await scene.wire.pass(60_000)
  expect(await answer).toMatchObject({ status: 202, end: 'whole' })
})

test('unauthorized: 401 for a valid token, which is accepted the next time', async () => {
  await using scene = await openScene(['unauthorized:operation=confirmOrder,limit=1'])
  const answer = await scene.confirm()
  expect(answer).toMatchObject({ status: 401, end: 'whole' })
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(errorIn(answer)).toMatchObject({ code: 'UNAUTHORIZED', retryable: false })
  expect(await scene.status()).toBe('CREATED')
  expect(await scene.confirm()).toMatchObject({ status: 202 })
})

test('unauthorized, revoked: the old token is rejected everywhere from then on; a new one is accepted', async () => {
  await using scene = await openScene(['unauthorized:operation=confirmOrder,limit=1,revoke=true'])
  expect((await scene.confirm()).status).toBe(401)
  expect((await scene.get()).status).toBe(401)
  const authorization = `Bearer ${await scene.wire.token()}`
  expect(await scene.confirm({ authorization })).toMatchObject({ status: 202 })
})

test('unauthorized: does not affect operations without a token', async () => {
  await using scene = await openScene(['unauthorized'])
  expect((await scene.get('/.well-known/protocol')).status).toBe(200)
  expect(await scene.wire.token()).not.toBe('')
  expect((await scene.get()).status).toBe(401)
})

test('token-outage: issued tokens stay valid, new ones are refused', async () => {
  await using scene = await openScene(['token-outage:limit=1'])
  await expect(scene.wire.token()).rejects.toThrow('no token: 503')
  expect((await scene.get()).status).toBe(200)
  expect(await scene.wire.token()).not.toBe('')
})

test('token-outage: slow, so that a token arrives late', async () => {
  await using scene = await openScene(['token-outage:how=slow,by=5s'])
  let token: string | undefined
  const asked = scene.wire.token().then((each) => (token = each))
  await scene.met()
  await scene.wire.pass(4999)
  expect(token).toBeUndefined()
  await scene.wire.pass(1)
  await asked
  expect(token).not.toBe('')
})

test.for([400, 403, 404, 409, 422])(
  'refuse: %i for every attempt, without effect',
  async (status) => {
    await using scene = await openScene([{ refuse: { operation: 'confirmOrder', status } }])
    const answer = await scene.confirm()
    expect(answer).toMatchObject({ status, end: 'whole' })
    expect(errorIn(answer)).toMatchObject({ retryable: false })
    expect(await scene.status()).toBe('CREATED')
  },
)

test('unusual-response: unknown fields beside the known ones', async () => {
  await using scene = await openScene(['unusual-response:operation=getOrder|pollingEvents'])
  const { text } = await scene.get()
  expect(JSON.parse(text)).toMatchObject({
    id: scene.orderId,
    x_flag: true,
  })
  const events = JSON.parse((await scene.poll()).body) as unknown[]
  expect(events).toMatchObject([{ eventType: 'CREATED', x_unknown: { nested: [1, 'two', null] } }])
  expect(scene.faulted[1]?.eventIds).toHaveLength(1)
})

test('unusual-response: an empty poll is 200 [] or 204, whichever is not the default; one with events is unchanged', async () => {
  await using scene = await openScene(['unusual-response:how=empty-list'])
  expect(await scene.poll()).toMatchObject({ status: 200 })
  expect(scene.faulted).toEqual([])
  await scene.wire.drain()
  expect(await scene.poll()).toMatchObject({ status: 200, body: '[]', end: 'whole' })
  await using other = await openScene(['unusual-response:how=no-content'], {
    conduct: { emptyPoll: 200 },
  })
  await other.wire.acknowledge(await other.wire.poll())
  const empty = await other.poll()
  expect(empty).toMatchObject({ status: 204, body: '', end: 'whole' })
  expect(empty.headers['content-length']).toBeUndefined()
})

test('unusual-response: a chunked body; a connection closed after the answer', async () => {
  await using scene = await openScene([
    'unusual-response:how=chunked,limit=1',
    'unusual-response:how=close',
  ])
  const chunked = await scene.get()
  expect(chunked).toMatchObject({ status: 200, end: 'whole' })
  expect(chunked.headers['transfer-encoding']).toBe('chunked')
  expect(chunked.headers['content-length']).toBeUndefined()
  expect(JSON.parse(chunked.text)).toMatchObject({
    id: scene.orderId,
  })
  const last = await scene.get()
  expect(last.headers['connection']).toBe('close')
  await vi.waitFor(() => expect(scene.client.open()).toBe(false), patiently)
})

test('unusual-response: an answer without a body is not chunked either', async () => {
  await using scene = await openScene(['unusual-response:how=chunked'])
  await scene.wire.drain()
  const empty = await scene.poll()
  expect(empty).toMatchObject({ status: 204, body: '', end: 'whole' })
  expect(empty.headers['transfer-encoding']).toBeUndefined()
})

test('a true refusal stays: no fault hits requests that the host itself refuses', async () => {
  await using scene = await openScene(['fail'])
  const stranger = await scene.client.ask({ path: `/orders/${scene.orderId}` })
  expect(stranger.status).toBe(401)
  expect((await scene.get('/nowhere')).status).toBe(404)
  expect(scene.faulted).toEqual([])
})

test('a fault selects by events: those that a poll would return, or that an acknowledgment names', async () => {
  await using scene = await openScene(['fail:event=CONFIRMED'])
  expect((await scene.poll()).status).toBe(200)
  await scene.wire.ask(scene.orderId, 'confirm')
  await scene.wire.pass(orderProcessingMs)
  expect((await scene.poll()).status).toBe(503)
  await scene.wire.session.submit({ kind: 'fault.remove', id: 1 })
  const events = await scene.wire.poll()
  await scene.wire.session.submit({ kind: 'fault.add', spec: 'fail:event=CONFIRMED' })
  const [created, confirmed] = events
  expect((await scene.wire.acknowledge([created!])).status).toBe(202)
  expect((await scene.wire.acknowledge([confirmed!])).status).toBe(503)
})

test('delayed answers are sent when the faults end', async () => {
  await using scene = await openScene(['slow-response:operation=getOrder,by=1h'])
  const answer = scene.get()
  await scene.met()
  await scene.wire.session.submit({ kind: 'fault.end' })
  await scene.wire.pass(0)
  expect(await answer).toMatchObject({ status: 200, end: 'whole' })
})

test('a delayed answer is an item on the agenda: dropping it means that it is never sent', async () => {
  await using scene = await openScene(['slow-response:operation=getOrder,by=1h'])
  const answer = scene.get()
  await scene.met()
  const { agenda } = await scene.wire.session.look({ agenda: { limit: 100 } })
  const [waits] = agenda.filter(({ kind }) => kind === 'pause.end')
  expect(waits).toMatchObject({ orderId: scene.orderId })
  await scene.wire.session.submit({ kind: 'agenda.drop', id: waits!.id })
  expect(await answer).toMatchObject({ bytes: '', end: 'reset' })
  expect(scene.faulted).toMatchObject([{ failure: { code: 'HUNG' } }])
})

test('on the wall clock it waits for the stated time', async () => {
  await using scene = await openScene(['slow-response:operation=getOrder,by=150ms'], {
    clock: 'real',
  })
  const order: string[] = []
  const earlier = new Promise<void>((resolve) => {
    setTimeout(() => resolve(void order.push('100 ms')), 100)
  })
  expect(await scene.get()).toMatchObject({ status: 200, end: 'whole' })
  order.push('the answer')
  await earlier
  expect(order).toEqual(['100 ms', 'the answer'])
})

test('delayed answers are dropped when the session is reset, and do not keep it from closing', async () => {
  const scene = await openScene([
    'hang:operation=getOrder',
    'slow-response:operation=pollingEvents,by=1h',
  ])
  const hanging = scene.get()
  await scene.met()
  const other = openRawClient(scene.wire.base)
  const late = other.ask({ path: '/events:polling', headers: { authorization: scene.bearer } })
  await vi.waitFor(() => expect(fired(scene.wire)).toBe(2), patiently)
  await scene.wire.session.reset()
  expect(await hanging).toMatchObject({ bytes: '', end: 'reset' })
  expect(await late).toMatchObject({ bytes: '', end: 'reset' })
  await scene[Symbol.asyncDispose]()

  const closing = await openScene(['hang:operation=getOrder'])
  const left = closing.get()
  await closing.met()
  // Open exchanges have a grace period, which would never end here: nothing waits for it.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await closing.wire.session.close()
  } finally {
    vi.useRealTimers()
  }
  expect(await left).toMatchObject({ bytes: '', end: 'reset' })
})

/** Everything that a client received, without values that depend on the wall clock. */
async function everythingSeen(
  seed: number,
): Promise<{ bytes: readonly string[]; journal: string }> {
  await using scene = await openScene(
    [
      'fail:operation=getOrder,percent=30,effect=after',
      'rate-limit:operation=getOrder,percent=30',
      'truncate:operation=getOrder,percent=30',
      'unusual-response:percent=40',
    ],
    { seed },
  )
  const bytes: string[] = []
  for (let turn = 0; turn < 12; turn++) {
    const client = openRawClient(scene.wire.base)
    const { bytes: seen, end } = await client.ask({
      path: turn % 3 === 0 ? '/events:polling' : `/orders/${scene.orderId}`,
      headers: { authorization: scene.bearer },
    })
    client.leave()
    bytes.push(
      `${seen.replace(/^date: .*$/gim, 'date')} ${end}`.replaceAll(scene.wire.base, '<base>'),
    )
  }
  const journal = journalText(scene.wire.session.facts()).replaceAll(scene.wire.base, '<base>')
  return { bytes, journal }
}

test('the same seed yields the same bytes and the same journal, another seed others', async () => {
  const once = await everythingSeen(11)
  const twice = await everythingSeen(11)
  const other = await everythingSeen(12)
  expect(twice).toEqual(once)
  expect(other.bytes).not.toEqual(once.bytes)
  const statuses = once.bytes.map((each) => each.slice(9, 12))
  expect(new Set(statuses).size).toBeGreaterThan(1)
})

/** The control of a process that a fault ends. */
function spyControl() {
  const done: string[] = []
  return {
    done,
    service: {
      end: (signal: string) => void done.push(`ended by SIG${signal}`),
      start: () => void done.push('started'),
    },
  }
}

test.for([
  { when: 'during-call', status: 'CREATED', answer: { end: 'reset' } },
  { when: 'before-answer', status: 'CONFIRMED', answer: { end: 'reset' } },
  { when: 'after-answer', status: 'CONFIRMED', answer: { status: 202, end: 'whole' } },
])(
  'crash: the caller is ended $when, and started again after its time, once',
  async ({ when, status, answer }) => {
    const { done, service } = spyControl()
    const spec = { crash: { operation: 'confirmOrder', when, down: '5s' } }
    await using scene = await openScene([spec], { service })
    expect(await scene.confirm()).toMatchObject(answer)
    await vi.waitFor(() => expect(done).toEqual(['ended by SIGKILL']), patiently)
    await scene.wire.pass(4999)
    // What is down is not ended once more.
    await scene.wire.ask(scene.orderId, 'confirm')
    expect(done).toHaveLength(1)
    await scene.wire.pass(1)
    expect(done).toEqual(['ended by SIGKILL', 'started'])
    if (when !== 'during-call') expect(await scene.status()).toBe(status)
    expect(scene.wire.facts('fault.fired')).toHaveLength(1)
    expect(scene.wire.facts('session.subject-ended')).toEqual([
      { kind: 'session.subject-ended', signal: 'KILL' },
    ])
    expect(scene.wire.facts('session.subject-renewed')).toHaveLength(1)
  },
)

test('crash: an acknowledgment is one by its events, and has no effect before it', async () => {
  for (const [when, left] of [
    ['before-ack', 1],
    ['after-ack', 0],
  ] as const) {
    const { done, service } = spyControl()
    const spec = `crash:event=CREATED,when=${when},signal=TERM`
    await using scene = await openScene([spec], { service })
    const events = await scene.wire.poll()
    await scene.wire.acknowledge(events).catch(() => undefined)
    await vi.waitFor(() => expect(done).toEqual(['ended by SIGTERM']), patiently)
    await scene.wire.pass(2000)
    expect(await scene.wire.poll()).toHaveLength(left)
  }
})

test('crash: only a session that starts the service has it', async () => {
  const refusal =
    'the fault crash ends your service, and only who started your service can end it and start it again: say with --start <command> how it is started'
  await expect(openScene(['crash:operation=getOrder,when=during-call'])).rejects.toThrow(refusal)
  await using scene = await openScene([])
  expect(
    await scene.wire.session.submit({ kind: 'session.end-subject', signal: 'KILL' }),
  ).toMatchObject({ ok: false, error: { code: 'CONFLICT' } })
})

test('crash: a moment that a message does not have matches nothing, and that is said', async () => {
  const { service } = spyControl()
  const specs = [
    'crash:operation=getOrder,when=after-ack',
    'crash:operation=acknowledgeEvents,when=after-ack',
    'crash:operation=receiveOrderEvent,when=during-call',
    'crash:when=during-call',
  ]
  await using scene = await openScene(specs, { service })
  expect(scene.wire.session.faults.list().map(({ idle }) => idle)).toEqual([
    'it matches nothing here: after-ack is a moment of acknowledgments, and of calls of ours alone',
    undefined,
    'it matches nothing here: during-call is a moment of calls of your service alone',
    undefined,
  ])
})

test.each(['gzip', 'br'] as const)(
  '%s: an answer is compressed where that is accepted, and recorded as it is read',
  async (how) => {
    await using scene = await openScene([{ 'unusual-response': { how, operation: 'getOrder' } }])
    const { wire, bearer, orderId, faulted } = scene
    const get = (accepted: string) =>
      fetch(`${wire.base}/orders/${orderId}`, {
        headers: { authorization: bearer, 'accept-encoding': accepted },
      })
    const compressed = await get('gzip, br')
    expect(compressed.headers.get('content-encoding')).toBe(how)
    expect(await compressed.json()).toMatchObject({ id: orderId })
    expect((await get('identity')).headers.get('content-encoding')).toBeNull()
    expect(
      faulted.map(({ reply }) => reply?.headers.some(([name]) => /encoding/i.test(name))),
    ).toEqual([false, false])
  },
)

test('redirect: the same resource under another address, once for each request', async () => {
  await using scene = await openScene([{ 'unusual-response': { how: 'redirect', status: 308 } }])
  const { wire, bearer, orderId, faulted } = scene
  const confirmed = await fetch(`${wire.base}/orders/${orderId}/confirm`, {
    method: 'POST',
    headers: { authorization: bearer },
  })
  expect([confirmed.status, confirmed.redirected]).toEqual([202, true])
  expect(faulted.map(({ reply }) => reply?.status)).toEqual([308])
})

test('conduct.clockSkew: the Date of answers and createdAt of events are those of a clock that is ahead', async () => {
  await using scene = await openScene([], { conduct: { clockSkew: '1h' } })
  const hours = (date = ''): number => Math.round(Date.parse(date) / 3_600_000)
  const now = new Date().toISOString()
  expect(hours((await scene.get()).headers['date']) - hours(now)).toBe(1)
  const [created] = await scene.wire.poll()
  const order = JSON.parse((await scene.get()).text) as { createdAt: string }
  expect(hours(created?.createdAt) - hours(order.createdAt)).toBe(1)
})
