/**
 * Mistakes that a service makes while it is written: each is made against a real session, over sockets, and told in one line
 * of the log that names it and its remedy.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import type { Session } from '../../core/session-api/session.ts'
import { openSession } from '../../core/session/open-session.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import { createSessionLogFormatter } from './log-lines.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'

/** The lines that `sparring up` logs of the exchanges of a session. */
async function loggedLines(session: Session): Promise<readonly string[]> {
  const { traffic, info } = await session.look({ traffic: { limit: 100 } })
  const changes = { exchanges: traffic, facts: [], missed: 0, cursor: { fact: 0, exchange: 0 } }
  return createSessionLogFormatter().lines({ ...changes, info }, false)
}

/** The one line that has all of these words; all lines where there is none, or more than one. */
function tellingLine(lines: readonly string[], says: readonly RegExp[]): readonly string[] {
  const telling = lines.filter((line) => says.every((words) => words.test(line)))
  return telling.length === 1 ? telling : [`${telling.length} lines tell it`, ...lines]
}

const unwanted = /\n|undefined/

const open = (options: SessionOptions): Promise<Session> =>
  openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    as: 'software-service',
    capabilities: ordersOnly,
    ...options,
  })

interface CallInit {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Poller {
  readonly session: Session
  /** The base URL of the Ordering Application. */
  readonly base: string
  /** Calls with the token of the service, unless other headers are given. */
  readonly call: (method: string, path: string, init?: CallInit) => Promise<Response>
  readonly poll: (query?: string, headers?: Record<string, string>) => Promise<Response>
  readonly acknowledge: (body: unknown) => Promise<Response>
  readonly token: () => Promise<string>
}

const form = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})
const credentials = {
  client_id: 'subject',
  client_secret: 'secret',
  grant_type: 'client_credentials',
}

function createPoller(session: Session): Poller {
  const base = session.urls.get('ordering-application') ?? ''
  let known: string | undefined
  async function newToken(): Promise<string> {
    const reply = await fetch(`${base}/oauth/token`, form(credentials))
    return ((await reply.json()) as { access_token: string }).access_token
  }
  const token = async (): Promise<string> => (known ??= await newToken())
  async function call(method: string, path: string, init: CallInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${await token()}`, ...init.headers }
    const reply = await fetch(`${base}${path}`, { method, ...init, headers })
    return new Response(await reply.text(), { status: reply.status === 204 ? 200 : reply.status })
  }
  return {
    session,
    base,
    token,
    call,
    poll: (query = '', headers = {}) => call('GET', `/events:polling${query}`, { headers }),
    acknowledge: (body) =>
      call('POST', '/events/acknowledgment', {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
  }
}

interface PollerMistake {
  readonly mistake: string
  readonly options?: SessionOptions
  readonly make: (poller: Poller) => Promise<unknown>
  readonly says: readonly RegExp[]
}

const withAuthorization =
  (authorization: (token: string) => string) =>
  async ({ call, token }: Poller): Promise<unknown> =>
    call('GET', '/events:polling', { headers: { authorization: authorization(await token()) } })

const pollerMistakes: readonly PollerMistake[] = [
  {
    mistake: 'it speaks V1',
    make: ({ call }) => call('GET', '/v1/events:polling'),
    says: [/GET \/v1\/events:polling {2}404/, /looks like V1: start with --dialect v1/],
  },
  {
    mistake: 'a path of its own',
    make: ({ call }) => call('GET', '/events'),
    says: [/GET \/events {2}404/, /did you mean GET \/events:polling\?/],
  },
  {
    mistake: 'the other method',
    make: ({ call }) => call('POST', '/events:polling'),
    says: [/404/, /send GET \/events:polling, not POST/],
  },
  {
    mistake: 'a slash too much, and another one',
    make: ({ call }) => call('GET', '//events:polling/'),
    says: [/did you mean GET \/events:polling\?/, /two slashes in a row and a slash at its end/],
  },
  {
    mistake: 'upper case in a path',
    make: ({ call }) => call('POST', '/Events/Acknowledgment'),
    says: [/did you mean POST \/events\/acknowledgment\?/, /upper and lower case/],
  },
  {
    mistake: 'a base path that is not there',
    make: ({ call }) => call('GET', '/api/v2/events:polling'),
    says: [/did you mean GET \/events:polling\?/, /Leave out \/api\/v2: the base URL is http:/],
  },
  {
    mistake: 'the port of another role',
    options: { capabilities: {} },
    make: ({ session }) =>
      fetch(`${session.urls.get('delivery-platform')}/orders/o1/confirm`, { method: 'POST' }),
    says: [/POST \/orders\/o1\/confirm {2}404/, /operation of the Ordering Application, at http:/],
  },
  {
    mistake: 'polling where events come by webhook',
    options: { counterparts: { 'ordering-application': { channel: 'webhook' } } },
    make: ({ poll }) => poll(),
    says: [/404/, /delivers events by webhook: start it with --channel polling, or both/],
  },
  {
    mistake: 'https where plain HTTP is spoken',
    make: ({ base }) =>
      fetch(base.replace('http:', 'https:')).catch((error: unknown) => String(error)),
    says: [/ {2}400 {2}/, /plain HTTP is spoken here: use http:\S+ as its base URL, or .* --tls/],
  },
  {
    mistake: 'a wrong client secret',
    make: ({ base }) => fetch(`${base}/oauth/token`, form({ ...credentials, client_secret: 'x' })),
    says: [
      /401/,
      /client secret of subject is wrong/,
      /client_id=subject and client_secret=secret/,
    ],
  },
  {
    mistake: 'a wrong client id',
    make: ({ base }) => fetch(`${base}/oauth/token`, form({ ...credentials, client_id: 'pos' })),
    says: [/401/, /no client "pos" here/, /client_id=subject and client_secret=secret/],
  },
  {
    mistake: 'another grant type',
    make: ({ base }) =>
      fetch(`${base}/oauth/token`, form({ ...credentials, grant_type: 'password' })),
    says: [/400/, /grant_type "password" is not served: send grant_type=client_credentials/],
  },
  {
    mistake: 'credentials in another place',
    make: ({ base }) =>
      fetch(`${base}/oauth/token`, {
        ...form({ grant_type: 'client_credentials' }),
        headers: { authorization: `Basic ${btoa('subject:secret')}` },
      }),
    says: [/400/, /Authorization: Basic/, /send client_id, client_secret .* in the body/],
  },
  {
    mistake: 'no token',
    make: ({ base }) => fetch(`${base}/events:polling`),
    says: [/401/, /no Authorization header: get a token with POST http:\S+\/oauth\/token/],
  },
  {
    mistake: 'a misspelt scheme',
    make: withAuthorization((token) => `Baerer ${token}`),
    says: [/401/, /the scheme is Bearer, not "Baerer": send the header Authorization: Bearer/],
  },
  {
    mistake: 'no scheme at all',
    make: withAuthorization((token) => token),
    says: [/401/, /no scheme: send Authorization: Bearer <token>/],
  },
  {
    mistake: 'an expired token',
    options: { conduct: { tokenLife: '60s' } },
    make: async ({ session, poll }) => {
      await poll()
      await session.advance(61_000)
      return poll()
    },
    says: [/401/, /the token expired at .*: request another with POST/],
  },
  {
    mistake: 'a token without the scope',
    make: async ({ base }) => {
      const reply = await fetch(
        `${base}/oauth/token`,
        form({ ...credentials, scope: 'proto.logistics' }),
      )
      const { access_token: token } = (await reply.json()) as { access_token: string }
      return fetch(`${base}/events:polling`, { headers: { authorization: `Bearer ${token}` } })
    },
    says: [
      /403/,
      /pollingEvents needs the scope proto\.orders/,
      /request it with scope=proto\.orders/,
    ],
  },
  {
    mistake: 'a merchant that is not there',
    make: async ({ session, poll }) => {
      await session.createOrder({ type: 'TAKEOUT' })
      await session.advance(1000)
      return poll('', { 'x-polling-merchants': 'foo' })
    },
    says: [/204/, /no merchant foo here/, /merchants are \S+,/, /1 event waits for others/],
  },
  {
    mistake: 'a filter that names no type',
    make: ({ poll }) => poll('?eventType=CREATD'),
    says: [/400/, /eventType CREATD is no event type; is CREATED meant\?/],
  },
  {
    mistake: 'a filter under another name',
    make: ({ poll }) => poll('?types=CREATED'),
    says: [/204/, /types, which is not read: polls are filtered by eventType/],
  },
  {
    mistake: 'an acknowledgment without ids',
    make: ({ acknowledge }) => acknowledge({}),
    says: [
      /400/,
      /eventIds: expected an array, received nothing: send \{"eventIds": \["…"\]\}, with the eventId/,
    ],
  },
  {
    mistake: 'an acknowledgment that is cut off',
    make: ({ call }) =>
      call('POST', '/events/acknowledgment', {
        body: '{"eventIds":',
        headers: { 'content-type': 'application/json' },
      }),
    says: [/400/, /the body is no JSON: .*: send one JSON document, whole/],
  },
  {
    mistake: 'a body of another shape',
    make: async ({ session, call }) => {
      const made = await session.createOrder({ type: 'TAKEOUT' })
      return call('POST', `/orders/${made.ok ? made.value.orderId : ''}/requestCancellation`, {
        body: '{"reason": 7}',
        headers: { 'content-type': 'application/json' },
      })
    },
    says: [/400/, /the body is invalid at .*: sparring schema openapi --role ordering-application/],
  },
  {
    mistake: 'an acknowledgment of nothing',
    make: ({ acknowledge }) => acknowledge({ eventIds: [] }),
    says: [/202/, /every partner refuses this: eventIds: expected 1 to 1000 ids of events/],
  },
  {
    mistake: 'an acknowledgment of an order',
    make: async ({ session, poll, acknowledge }) => {
      const made = await session.createOrder({ type: 'TAKEOUT' })
      await session.advance(1000)
      await poll()
      return acknowledge({ eventIds: [made.ok ? made.value.orderId : ''] })
    },
    says: [/202/, /is the id of an order, not of an event/, /such as \S+ for its CREATED/],
  },
  {
    mistake: 'no acknowledgment',
    make: async ({ session, poll }) => {
      await session.createOrder({ type: 'TAKEOUT' })
      await session.advance(1000)
      for (let times = 0; times < 5; times++) await poll()
    },
    says: [/200/, /the same 1 event came 3 times/, /acknowledge them with POST \S+\/events\/ack/],
  },
  {
    mistake: 'an acknowledgment twice',
    make: async ({ session, poll, acknowledge }) => {
      await session.createOrder({ type: 'TAKEOUT' })
      await session.advance(1000)
      const [event] = (await (await poll()).json()) as readonly { eventId: string }[]
      await acknowledge({ eventIds: [event?.eventId] })
      return acknowledge({ eventIds: [event?.eventId] })
    },
    says: [/202/, /acknowledged before, or not returned by a poll yet; once is enough/],
  },
  {
    mistake: 'polls without a pause',
    make: async ({ poll }) => {
      for (let times = 0; times < 8; times++) await poll()
    },
    says: [/204/, /polls in a row came less than 500 ms .*: wait some seconds between two polls/],
  },
  {
    mistake: 'a token for each call',
    make: async ({ base }) => {
      for (let times = 0; times < 6; times++) {
        const reply = await fetch(`${base}/oauth/token`, form(credentials))
        const { access_token: token } = (await reply.json()) as { access_token: string }
        await fetch(`${base}/orders/x`, { headers: { authorization: `Bearer ${token}` } })
      }
    },
    says: [/200/, /a token is requested for each call .*: keep it .* 3600 s/],
  },
  {
    mistake: 'an id that was not filled in',
    make: ({ call }) => call('POST', '/orders/null/confirm'),
    says: [/404/, /the path has null where a value belongs: fill in orderId/],
  },
  {
    mistake: 'the id of an event in place of the order’s',
    make: async ({ session, poll, call }) => {
      await session.createOrder({ type: 'TAKEOUT' })
      await session.advance(1000)
      const [event] = (await (await poll()).json()) as readonly { eventId: string }[]
      return call('GET', `/orders/${event?.eventId}`)
    },
    says: [/404/, /is the id of an event, CREATED: its order is \S+ \(orderId of the event\)/],
  },
]

describe('a service that polls', () => {
  test.for(pollerMistakes)('$mistake', async ({ options, make, says }) => {
    await using session = await open({ ...options })
    await make(createPoller(session))
    const told = tellingLine(await loggedLines(session), says)
    expect(told).toEqual([expect.not.stringMatching(unwanted)])
  })
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

interface ReceiverMistake {
  readonly mistake: string
  /** How the service answers webhooks; undefined leaves nothing listening. */
  readonly answer: Answer | undefined
  readonly scheme?: 'https'
  readonly options?: SessionOptions
  readonly says: readonly RegExp[]
}

const reply =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

const json = { 'content-type': 'application/json' } as const
const bearer: SessionOptions = { conduct: { manifest: 'trust', webhookAccess: 'bearer' } }

const receiverMistakes: readonly ReceiverMistake[] = [
  {
    mistake: 'it is not started',
    answer: undefined,
    says: [
      /ECONNREFUSED/,
      /nothing listens at http:\S+: start your service, or .* --subject <url>/,
    ],
  },
  {
    mistake: 'another path',
    answer: reply(404, '<html><title>Not Found</title></html>'),
    says: [/404/, /has no POST \/webhooks\/orders: serve it, or .* subject\.webhooks\.orders/],
  },
  {
    mistake: 'another way to check the signature',
    answer: reply(401, JSON.stringify({ message: 'bad signature' }), json),
    says: [
      /401/,
      /refuses the signature of the webhook \(it says: bad signature\)/,
      /X-App-Signature is the HMAC-SHA256 of the raw body in hexadecimal/,
      /the client secret secret as its key/,
    ],
  },
  {
    mistake: 'another idea of the event',
    answer: reply(400, JSON.stringify({ errors: [{ detail: 'data.id is required' }] }), json),
    says: [
      /400/,
      /calls the event invalid \(it says: data\.id is required\)/,
      /JSON object with eventId, eventType and orderId/,
    ],
  },
  {
    mistake: 'a redirect',
    answer: (request, response) =>
      reply(308, '', { location: `${request.url}/` })(request, response),
    says: [
      /308/,
      /redirects POST \/webhooks\/orders to \/webhooks\/orders\/, and redirects are not followed/,
      /name that path in subject\.webhooks\.orders/,
    ],
  },
  {
    mistake: 'a redirect to https',
    answer: reply(301, '', { location: 'https://pos.example/webhooks/orders' }),
    says: [/301/, /not followed: start with --subject https:\/\/pos\.example/],
  },
  {
    mistake: 'work before the answer',
    answer: () => undefined,
    options: { conduct: { answerTimeout: 200 } },
    says: [
      /TIMEOUT/,
      /no answer within 0\.2 s to POST \/webhooks\/orders: store the event, answer 2xx at once/,
    ],
  },
  {
    mistake: 'a crash',
    answer: (request) => request.socket.destroy(),
    says: [/ECONNRESET/, /closed the connection without an answer .*: see its log/, /https:/],
  },
  {
    mistake: 'https in the address of plain HTTP',
    answer: reply(204),
    scheme: 'https',
    says: [/does not speak TLS, so https fails: start with --subject http:\/\/127/],
  },
  {
    mistake: 'no JSON taken',
    answer: reply(415, 'Unsupported Media Type'),
    says: [/415/, /does not take JSON .*Content-Type: application\/json; read them as JSON/],
  },
  {
    mistake: 'an exception',
    answer: reply(
      500,
      JSON.stringify({ error: { message: 'relation "orders" is missing' } }),
      json,
    ),
    says: [
      /500/,
      /failed at POST \/webhooks\/orders \(it says: relation "orders" is missing\): see its log/,
    ],
  },
  {
    mistake: 'a web server that answers every path',
    answer: reply(200, '<!doctype html>', { 'content-type': 'text/html; charset=utf-8' }),
    says: [
      /200/,
      /with an HTML page: is --subject the right address, and the path the right one\?/,
    ],
  },
  {
    mistake: 'the same without its media type',
    answer: reply(200, '\uFEFF\n<html><body>It works!</body></html>'),
    says: [/200/, /with an HTML page: is --subject the right address/],
  },
  {
    mistake: 'no token endpoint',
    answer: reply(404),
    options: bearer,
    says: [/POST \/oauth\/token {2}404/, /no token endpoint .* conduct\.webhookAccess: signature/],
  },
  {
    mistake: 'our credentials unknown to it',
    answer: reply(401, JSON.stringify({ error: 'invalid_client' }), json),
    options: bearer,
    says: [
      /POST \/oauth\/token {2}401/,
      /gives no token to client_id=sparring-ordering-application \(it says: invalid_client\)/,
      /counterparts\.ordering-application\.credentials/,
    ],
  },
]

/** A service that answers all webhooks in one way; its address also where nothing listens. */
async function receiver(answer: Answer | undefined) {
  const server = await listenOnSocket((request, response) => {
    request.resume()
    request.on('end', () => answer?.(request, response))
  })
  if (!answer) await server[Symbol.asyncDispose]()
  return { ...server, address: new URL(server.url).host }
}

describe('a service that receives webhooks', () => {
  test.for(receiverMistakes)('$mistake', async ({ answer, scheme, options, says }) => {
    await using service = await receiver(answer)
    await using session = await open({
      ...options,
      subject: `${scheme ?? 'http'}://${service.address}`,
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      conduct: {
        manifest: 'trust',
        webhookAccess: 'signature',
        webhookRetry: 'never',
        ...options?.conduct,
      },
    })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(2000)
    const told = tellingLine(await loggedLines(session), says)
    expect(told).toEqual([expect.not.stringMatching(unwanted)])
  })
})
