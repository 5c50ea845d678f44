/**
 * Subjects that are down, hang, or answer garbage, too much or half a body: Sparring keeps running, logs the call as
 * failed, retries by its plan, and gives up at the plan's end.
 */
import { createServer as createNetServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Exchange } from '../traffic/exchange.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import type { FetchHandler, Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

interface Outcome {
  /** The logged outcome of each attempt. */
  readonly codes: readonly string[]
  /** The failure codes in the journal. */
  readonly because: readonly string[]
  readonly givenUp: boolean
  readonly bugs: readonly unknown[]
}

const loggedOutcome = ({ failure, reply }: Exchange): string =>
  failure?.code ?? String(reply?.status)

const conduct: SessionOptions['conduct'] = {
  manifest: 'trust',
  webhookAccess: 'signature',
  webhookRetry: [1000],
}
/** A short answer timeout, for subjects that never answer. */
const impatient = { conduct: { ...conduct, answerTimeout: 150 } }

/** Sends one event to a subject, with two attempts, and checks that the session still serves afterwards. */
async function pushTo(
  subject: NonNullable<SessionOptions['subject']>,
  options: SessionOptions = {},
): Promise<Outcome> {
  const bugs: unknown[] = []
  const codes: string[] = []
  await using session: Session = await openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    as: 'software-service',
    subject,
    capabilities: ordersOnly,
    conduct,
    counterparts: { 'ordering-application': { channel: 'both' } },
    onBug: (error) => bugs.push(error),
    ...options,
  })
  session.onExchange((exchange) => {
    if (exchange.operation === 'receiveOrderEvent') codes.push(loggedOutcome(exchange))
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  expect(made.ok).toBe(true)
  await session.advance(5000)
  const base = session.urls.get('ordering-application') ?? ''
  const ask = (request: Request): Promise<Response> =>
    base.endsWith('.test') ? session.fetch(request) : fetch(request)
  expect((await ask(new Request(`${base}/.well-known/protocol`))).status).toBe(200)
  const facts = session.facts().map(({ fact }) => fact)
  return {
    codes,
    bugs,
    because: facts.flatMap((fact) => (fact.kind === 'event.push-failed' ? [fact.because] : [])),
    givenUp: facts.some(({ kind }) => kind === 'event.given-up'),
  }
}

const pushImpatiently = (subject: string): Promise<Outcome> => pushTo(subject, impatient)

/** A raw server that handles each connection as the test says. */
async function serving<Value>(
  serve: (socket: Socket) => void,
  use: (url: string) => Promise<Value>,
): Promise<Value> {
  const sockets = new Set<Socket>()
  const server: Server = createNetServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => serve(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

const failing = (code: string, because: RegExp): object => ({
  codes: [code, code],
  because: [expect.stringMatching(because), expect.stringMatching(because)],
  givenUp: true,
  bugs: [],
})

test('down: connection refused', async () => {
  const url = await serving(
    () => undefined,
    (there) => Promise.resolve(there),
  )
  expect(await pushTo(url)).toEqual(failing('ECONNREFUSED', /ECONNREFUSED/))
})

test('slow, but within the timeout: the event is accepted', async () => {
  const outcome = await serving(
    (socket) => setTimeout(() => socket.end('HTTP/1.1 204 No Content\r\n\r\n'), 60),
    pushTo,
  )
  expect(outcome).toEqual({ codes: ['204'], because: [], givenUp: false, bugs: [] })
})

test('hangs: fails after the configured timeout', async () => {
  expect(await serving(() => undefined, pushImpatiently)).toEqual(
    failing('TIMEOUT', /no answer within 0.15 s/),
  )
})

test('answers byte by byte without end: fails after the same timeout', async () => {
  const outcome = await serving((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(drip))
  }, pushImpatiently)
  expect(outcome).toEqual(failing('TIMEOUT', /no answer within 0.15 s/))
})

test.each([
  ['its headers byte by byte', 'HTTP/1.1 204 No Content\r\n', 'x-patience: please\r\n'],
  ['again and again that it is working on it', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('sends %s and no answer: fails after the same timeout', async (_what, first, again) => {
  const outcome = await serving((socket) => {
    socket.write(first)
    const drip = setInterval(() => socket.write(again), 20)
    socket.on('close', () => clearInterval(drip))
  }, pushImpatiently)
  expect(outcome).toEqual(failing('TIMEOUT', /no answer within 0.15 s/))
})

test('answers garbage: the call has failed', async () => {
  const outcome = await serving((socket) => socket.end('\u0016\u0003\u0001 what?\r\n\r\n'), pushTo)
  expect(outcome.codes).toHaveLength(2)
  expect(outcome.codes[0]).toMatch(/^HPE_/)
  expect(outcome).toMatchObject({ givenUp: true, bugs: [] })
})

test('redirects: not followed', async () => {
  let elsewhere = 0
  const outcome = await serving(
    (other) => {
      elsewhere++
      other.end('HTTP/1.1 204 No Content\r\n\r\n')
    },
    (there) =>
      serving(
        (socket) =>
          socket.end(
            `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${there}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
          ),
        pushTo,
      ),
  )
  expect(outcome).toEqual(failing('307', /answered 307/))
  expect(elsewhere).toBe(0)
})

test('answers 100 MB: reading stops at the limit', async () => {
  let sent = 0
  const outcome = await serving((socket) => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${100 * megabyte.length}\r\n\r\n`)
    const pour = (): void => {
      if (!socket.writable) return
      sent++
      socket.write(megabyte, pour)
    }
    pour()
  }, pushTo)
  expect(outcome).toEqual(failing('TOO_LARGE', /over 10 MB/))
  expect(sent).toBeLessThan(100)
})

test.for([
  { how: 'an orderly end', close: (socket: Socket) => socket.end() },
  { how: 'a reset', close: (socket: Socket) => socket.resetAndDestroy() },
])('closes in the middle of its body, with $how: the call has failed', async ({ close }) => {
  const outcome = await serving((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"half', () => close(socket))
  }, pushTo)
  expect(outcome.codes).toEqual(['ECONNRESET', 'ECONNRESET'])
  expect(outcome).toMatchObject({ givenUp: true, bugs: [] })
})

test('closes before it answers: the call has failed', async () => {
  expect(await serving((socket) => socket.destroy(), pushTo)).toEqual(
    failing('ECONNRESET', /socket hang up|ECONNRESET/),
  )
})

test('serves a page as its manifest although one is required: it is not called, and the reason is reported', async () => {
  const page = '<html>it works</html>'
  const outcome = await serving(
    (socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`,
      ),
    (url) => pushTo(url, { conduct: { manifest: 'require' } }),
  )
  expect(outcome).toEqual({ codes: [], because: [], givenUp: false, bugs: [] })
})

const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) })

const broken = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      controller.error(new Error('the database went away'))
    },
  })

const handlers: Readonly<Record<string, { handler: FetchHandler; code: string; because: RegExp }>> =
  {
    throws: {
      handler: () => {
        throw new Error('a bug in the service')
      },
      code: 'FAILED',
      because: /a bug in the service/,
    },
    'never answers': {
      handler: () => new Promise(() => undefined),
      code: 'TIMEOUT',
      because: /no answer within 0.15 s/,
    },
    'answers without end': {
      handler: () => Promise.resolve(new Response(endless())),
      code: 'TOO_LARGE',
      because: /over 10 MB/,
    },
    'breaks off in the middle of its body': {
      handler: () => Promise.resolve(new Response(broken())),
      code: 'FAILED',
      because: /the database went away/,
    },
  }

test.for(Object.entries(handlers))(
  'an in-process handler that %s',
  async ([, { handler, code, because }]) => {
    expect(await pushTo(handler, code === 'TIMEOUT' ? impatient : {})).toEqual(
      failing(code, because),
    )
  },
)
