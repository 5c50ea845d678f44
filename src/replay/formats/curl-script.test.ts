/** Runs the script in a real shell, against a server that issues other ids and tokens than the recorded ones. */
import { isUtf8 } from 'node:buffer'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleHeader, sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import {
  createExchangeFormatter,
  formatLine,
} from '../../core/traffic/recording/recording-lines.ts'
import { formats } from './catalogue.ts'
import { exportText } from '../../../test/support/round-trip.ts'
import { listenOnSocket, type OnSocket } from '../../../test/support/on-socket.ts'

const curl = formats.find(({ name }) => name === 'curl')!
const oldOrder = '0a1b2c3d-1111-4222-8333-444455556666'
const newOrder = 'ffffeeee-9999-4888-8777-666655554444'
const evil = `it's "$(touch pwned)" \`touch pwned\` $HOME \\ %s ; & | é`

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let folder = ''
let server: OnSocket
let base = ''
let seen: Seen[] = []
let confirmStatus = 202

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sparring-script-'))
  seen = []
  confirmStatus = 202
  server = await listenOnSocket((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body })
      response.setHeader('content-type', 'application/json')
      if (url.endsWith('/oauth/token')) return response.end('{"access_token":"fresh-token"}')
      if (url.endsWith('/events:polling'))
        return response.end(
          JSON.stringify(
            [
              { eventId: 'other', orderId: 'other-order' },
              { eventId: 'fresh-event', orderId: newOrder },
            ],
            null,
            2,
          ),
        )
      response.statusCode = url.endsWith('/confirm') ? confirmStatus : 202
      return response.end()
    })
  })
  base = server.url
})

afterEach(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

let seq = 0
function call(change: Partial<Exchange> & Pick<Exchange, 'request'>): Exchange {
  seq++
  return {
    seq,
    startedAt: sampleT0 + seq * 100,
    tookMs: 5,
    from: { role: 'software-service', party: 'subject' },
    to: { role: 'ordering-application', party: 'partner' },
    ...change,
  }
}

const partner = 'https://partner.example/v2'
const json = ['content-type', 'application/json'] as const
const auth = ['Authorization', 'Bearer recorded-token'] as const

/** Token request, poll with an order event, acknowledgement, and a call with the order id. */
const story = (): readonly Exchange[] => [
  call({
    operation: 'issueToken',
    request: {
      method: 'POST',
      url: `${partner}/oauth/token`,
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'grant_type=client_credentials&client_id=me&client_secret=recorded-secret',
    },
    reply: { status: 200, headers: [json], body: '{"access_token":"recorded-token"}' },
  }),
  call({
    operation: 'pollingEvents',
    eventIds: ['e-one', 'e-recorded-2'],
    request: { method: 'GET', url: `${partner}/events:polling`, headers: [auth] },
    reply: {
      status: 200,
      headers: [json],
      body: JSON.stringify([
        { eventId: 'e-recorded-1', orderId: '11111111-1111-4222-8333-444455556666' },
        { eventId: 'e-recorded-2', orderId: oldOrder },
      ]),
    },
  }),
  call({
    operation: 'acknowledgeEvents',
    eventIds: ['e-recorded-2'],
    request: {
      method: 'POST',
      url: `${partner}/events/acknowledgment`,
      headers: [json, auth],
      body: '[{"eventId":"e-recorded-2"}]',
    },
    reply: { status: 202, headers: [] },
  }),
  call({
    operation: 'confirmOrder',
    params: { orderId: oldOrder },
    orderId: oldOrder,
    request: {
      method: 'POST',
      url: `${partner}/orders/${oldOrder}/confirm`,
      headers: [json, auth, ['X-Note', `a ${evil}`.replace('é', 'e')], ['x-app-signature', 'abc']],
      body: JSON.stringify({ reason: evil, orderExternalCode: `x-${oldOrder}` }),
    },
    reply: { status: 202, headers: [] },
  }),
]

function scriptFor(exchanges: readonly Exchange[], options: { base?: string } = {}): string {
  const header = sampleHeader({ name: 'a bad\nname; touch pwned' })
  const lineFor = createExchangeFormatter({ header, t0: sampleT0 })
  return exportText(
    curl,
    formatLine(header) + exchanges.map((each) => lineFor(each)).join(''),
    options,
  )
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(script: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const file = join(folder, 'script.sh')
  writeFileSync(file, script)
  return new Promise((resolve) => {
    execFile(
      'sh',
      [file],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } },
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0
        resolve({ code, stdout, stderr })
      },
    )
  })
}

test('the script obtains a token, extracts new ids from responses and substitutes them in later requests', async () => {
  const { code, stdout, stderr } = await run(scriptFor(story()), {
    ORDERING_APPLICATION_URL: base,
    CLIENT_SECRET: 'my & own = secret',
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n').filter((line) => line.startsWith('ok'))).toHaveLength(4)
  const [token, poll, ack, confirm] = seen
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'me',
    client_secret: 'my & own = secret',
  })
  expect(poll).toMatchObject({ method: 'GET', url: '/v2/events:polling' })
  expect(poll?.headers.authorization).toBe('Bearer fresh-token')
  expect(ack?.body).toBe('[{"eventId":"fresh-event"}]')
  expect(confirm?.url).toBe(`/v2/orders/${newOrder}/confirm`)
  expect(JSON.parse(confirm?.body ?? '')).toMatchObject({ reason: evil })
  expect(confirm?.headers['x-app-signature']).toBeUndefined()
})

test('no recorded value is interpreted by the shell', async () => {
  const script = scriptFor(story())
  await run(script, { ORDERING_APPLICATION_URL: base, CLIENT_SECRET: 's' })
  const { stdout } = await run('ls', {})
  expect(stdout.trim()).toBe('script.sh')
  expect(script).not.toContain('recorded-secret')
  expect(script).not.toContain('Bearer recorded-token')
})

test('a different status is printed, and the script exits with 1', async () => {
  confirmStatus = 500
  const { code, stdout } = await run(scriptFor(story(), { base }), { CLIENT_SECRET: 's' })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^DIFF {2}500 {2}4\. confirmOrder.*\(expected 202\)$/m)
  expect(stdout).toContain('1 of 4 differ')
})

test('a recorded origin other than loopback is never called unless the user sets the URL', async () => {
  const { code, stderr } = await run(scriptFor(story()), { CLIENT_SECRET: 's' })
  expect(code).not.toBe(0)
  expect(stderr).toContain('say where')
  expect(seen).toEqual([])
})

test('an id missing from the response stops the script with its name', async () => {
  const [token, , ...rest] = story()
  const poll = call({
    operation: 'pollingEvents',
    request: { method: 'GET', url: `${partner}/somewhere-else`, headers: [] },
    reply: {
      status: 202,
      headers: [],
      body: JSON.stringify([{ eventId: 'e-recorded-2', orderId: oldOrder }]),
    },
  })
  const { code, stderr } = await run(scriptFor([token!, poll, ...rest], { base }), {
    CLIENT_SECRET: 's',
  })
  expect(code).toBe(4)
  expect(stderr).toMatch(/STOP .* does not bring [A-Z]+_1/)
})

test('if the recording has no token response, a token is obtained with client credentials', async () => {
  const [, poll] = story()
  const { code } = await run(scriptFor([poll!], { base }), {
    CLIENT_ID: 'me',
    CLIENT_SECRET: 's&t',
  })
  expect(code).toBe(0)
  expect(seen[0]?.body).toBe('grant_type=client_credentials&client_id=me&client_secret=s%26t')
  expect(seen[1]?.headers.authorization).toBe('Bearer fresh-token')
})

test('a request whose answer is not recorded may be answered in any way, but has to be answered', async () => {
  const unanswered = call({
    request: { method: 'POST', url: `${partner}/orders/o1/confirm`, headers: [] },
  })
  const script = scriptFor([unanswered], { base })
  expect(script).toContain('its answer is not recorded')
  for (const status of [202, 500]) {
    confirmStatus = status
    const { code, stdout } = await run(script, {})
    expect(stdout).toMatch(new RegExp(`^ok {4}${status}  `))
    expect(code).toBe(0)
  }
  const nowhere = await run(scriptFor([unanswered], { base: 'http://127.0.0.1:9' }), {})
  expect(nowhere.stdout).toMatch(/^DIFF {2}000 .*\(expected any\)$/m)
  expect(nowhere.code).toBe(1)
})

test('a call that was not answered when it was recorded is expected to fail again', async () => {
  const refused = call({
    request: { method: 'POST', url: `${partner}/orders/o1/confirm`, headers: [] },
    failure: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
  })
  const script = scriptFor([refused], { base })
  expect(script).toContain('there was no answer')
  expect((await run(script, {})).code).toBe(1)
})

test('a body that is no text is sent byte by byte', async () => {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0x00, 0x27, 0x0a, 0x0a])
  const picture = call({
    request: {
      method: 'PUT',
      url: `${partner}/picture`,
      headers: [['Content-Type', 'image/jpeg']],
      wire: { base64: bytes.toString('base64') },
    },
    reply: { status: 202, headers: [] },
  })
  expect((await run(scriptFor([picture], { base }), {})).code).toBe(0)
  expect(seen[0]?.body).toBe(bytes.toString('latin1'))
})

test('a body too long for a command line argument is sent from a file', async () => {
  const long = call({
    request: {
      method: 'PUT',
      url: `${partner}/menu`,
      headers: [json],
      body: `"${'é'.repeat(200_000)}"`,
    },
    reply: { status: 202, headers: [] },
  })
  expect((await run(scriptFor([long], { base }), {})).code).toBe(0)
  expect(seen[0]?.body).toBe(long.request.body)
})

/** The script of a webhook that the service answered 500, which asks for a token where `asksForToken`. */
function failureScriptFor(asksForToken: boolean): string {
  const own = { role: 'ordering-application', party: 'sparring' } as const
  const to = { role: 'software-service', party: 'subject' } as const
  const [token] = story()
  const webhook = call({
    from: own,
    to,
    operation: 'receiveOrderEvent',
    orderId: oldOrder,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/webhooks/orders',
      headers: [json, auth],
      body: JSON.stringify({ eventId: 'e-1', eventType: 'CREATED', orderId: oldOrder }),
    },
    reply: { status: 500, headers: [] },
  })
  const asked = {
    ...token!,
    from: own,
    to,
    request: { ...token!.request, url: 'http://127.0.0.1:3000/oauth/token' },
  }
  const { _rec, ...rest } = sampleHeader({ name: 'small' })
  const failure = {
    kind: 'answer',
    operation: 'receiveOrderEvent',
    status: 500,
    by: 'subject',
    event: 'CREATED',
    order: oldOrder,
  } as const
  const header = { ...rest, _rec: { ..._rec, failure } }
  const lineFor = createExchangeFormatter({ header, t0: sampleT0 })
  const exchanges = asksForToken ? [asked, webhook] : [webhook]
  return exportText(curl, formatLine(header) + exchanges.map((each) => lineFor(each)).join(''), {
    base,
  })
}

/** A service without a token endpoint, which answers webhooks with this status. */
const serviceWithoutTokens = (status: number) =>
  listenOnSocket((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body })
      response.statusCode = url === '/webhooks/orders' ? status : 404
      response.end()
    })
  })

test.each([true, false])(
  'the script of a failure needs no token where the service checks none, asked for as recorded: %s',
  async (asksForToken) => {
    for (const [status, code] of [
      [500, 1],
      [202, 0],
    ] as const) {
      seen = []
      await using service = await serviceWithoutTokens(status)
      base = service.url
      const ended = await run(failureScriptFor(asksForToken), {})
      expect({ status, code: ended.code }).toEqual({ status, code })
      expect(seen.at(-1)).toMatchObject({ url: '/webhooks/orders' })
      expect(seen.at(-1)?.headers.authorization).toBeUndefined()
    }
  },
)

test('a token that the service issues is sent with it', async () => {
  const { code } = await run(failureScriptFor(false), {})
  expect(code).toBe(0)
  expect(seen.map(({ url }) => url)).toEqual(['/oauth/token', '/webhooks/orders'])
  expect(seen.at(-1)?.headers.authorization).toBe('Bearer fresh-token')
})

test('a service that takes no credentials of ours shows neither the failure nor its absence', async () => {
  await using service = await serviceWithoutTokens(401)
  base = service.url
  const { code, stderr } = await run(failureScriptFor(true), {})
  expect(code).toBe(4)
  expect(stderr).toContain('STOP  401  2. receiveOrderEvent')
})
