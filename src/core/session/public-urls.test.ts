import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { Configuration, type ConfigurationInput } from '../session-api/configuration/schema.ts'
import type { Role } from '../protocol/role.ts'
import { openSession } from './open-session.ts'
import { checkPublicUrls, publicHostNames, publicUrlsOf } from './public-urls.ts'

const listening = new Map<Role, string>([
  ['ordering-application', 'http://127.0.0.1:7101'],
  ['crm', 'http://127.0.0.1:7104'],
])
const roles = [...listening.keys()]

const told = (input: ConfigurationInput, urls: ReadonlyMap<Role, string> = listening) => [
  ...publicUrlsOf(Configuration.parse(input), urls).values(),
]

test.each<[ConfigurationInput, readonly string[]]>([
  [{}, ['http://127.0.0.1:7101', 'http://127.0.0.1:7104']],
  [{ publicUrl: 'http://sparring' }, ['http://sparring:7101', 'http://sparring:7104']],
  [{ publicUrl: 'http://sparring/' }, ['http://sparring:7101', 'http://sparring:7104']],
  [{ publicUrl: 'http://[::1]' }, ['http://[::1]:7101', 'http://[::1]:7104']],
  [{ publicUrl: 'https://x', tls: true }, ['https://x:7101', 'https://x:7104']],
  [
    { publicUrl: 'https://{role}.example' },
    ['https://ordering-application.example', 'https://crm.example'],
  ],
  [
    { publicUrl: 'https://proxy.example/{role}/' },
    ['https://proxy.example/ordering-application', 'https://proxy.example/crm'],
  ],
  [{ publicUrl: 'http://box:1{port}' }, ['http://box:17101', 'http://box:17104']],
  [
    { counterparts: { 'ordering-application': { publicUrl: 'https://abc.tunnel.example' } } },
    ['https://abc.tunnel.example', 'http://127.0.0.1:7104'],
  ],
  [
    { publicUrl: 'http://sparring', counterparts: { crm: { publicUrl: 'http://crm:80' } } },
    ['http://sparring:7101', 'http://crm:80'],
  ],
])('%j tells each role’s URL', (input, urls) => {
  expect(told(input)).toEqual(urls)
  expect(() => checkPublicUrls(Configuration.parse(input), roles)).not.toThrow()
})

test.each(['https://abc.tunnel.example', 'http://proxy.example:8080', 'http://box:80'])(
  '%s leads to one role alone, and is refused for several',
  (publicUrl) => {
    const settings = Configuration.parse({ publicUrl })
    expect(told({ publicUrl }, new Map([['crm', 'http://127.0.0.1:7104']]))).toEqual([publicUrl])
    expect(() => publicHostNames(settings, ['crm'])).not.toThrow()
    expect(() => publicHostNames(settings, roles)).toThrow(
      'it cannot lead to 2 roles: ordering-application, crm. Say to which one with --public-url ordering-application=',
    )
  },
)

test.each([
  ['localhost:3000', 'is no http or https URL'],
  ['http://x/{name}', 'has {name}, and only {port} and {role} can stand in it'],
  ['http://x/?a=1', 'has more than scheme, host, port and path'],
  ['http://me:secret@x', 'has more than scheme, host, port and path'],
])('%s is refused', (publicUrl, why) => {
  expect(Configuration.safeParse({ publicUrl }).error?.issues[0]?.message).toBe(why)
})

const as = 'software-service'
const json = async (response: Response) => (await response.json()) as Record<string, unknown>

/** A request that comes through a proxy, which leaves the public host name and path as they are. */
const throughProxy = (
  local: string,
  host: string,
  path: string,
  options: { readonly method?: string; readonly headers?: object; readonly body?: string } = {},
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const sent = request(`${local}${path}`, { method, headers: { host, ...headers } }, (reply) => {
      text(reply).then(
        (content) => resolve(new Response(content, { status: reply.statusCode ?? 0 })),
        reject,
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

test('manifests and polled events name the public URL, and requests to its host and path are answered', async () => {
  await using session = await openSession({
    as,
    publicUrl: 'https://{role}.example/sandbox',
    port: 0,
  })
  const oa = 'https://ordering-application.example/sandbox'
  const local = session.urls.get('ordering-application')!
  expect(session.publicUrls.get('ordering-application')).toBe(oa)
  const manifest = JSON.stringify(await json(await fetch(`${local}/.well-known/protocol`)))
  expect(manifest).toContain(`"name":"orders","version":"v2","supported":true,"endpoint":"${oa}"`)
  expect(manifest).not.toContain('127.0.0.1')
  const platform = session.urls.get('delivery-platform')!
  expect(JSON.stringify(await json(await fetch(`${platform}/.well-known/protocol`)))).toContain(
    '"baseUrl":"https://delivery-platform.example/sandbox"',
  )

  const { value: created } = (await session.createOrder({ type: 'TAKEOUT' })) as {
    value: { orderId: string }
  }
  const host = 'ordering-application.example'
  const token = await throughProxy(local, host, '/sandbox/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=subject&client_secret=secret',
  })
  const headers = { authorization: `Bearer ${String((await json(token))['access_token'])}` }
  const poll = await throughProxy(local, host, '/sandbox/events:polling', { headers })
  expect(await poll.json()).toMatchObject([
    { eventType: 'CREATED', orderURL: `${oa}/orders/${created.orderId}` },
  ])
  // A proxy that takes the path away, and a foreign host.
  const order = await throughProxy(local, host, `/orders/${created.orderId}`, { headers })
  expect(order.status).toBe(200)
  expect((await throughProxy(local, 'other.example', '/.well-known/protocol')).status).toBe(421)
})

test('a webhook names the public URL', async () => {
  const received: unknown[] = []
  await using session = await openSession({
    as,
    subject: async (each) => {
      received.push(await each.json())
      return new Response(null, { status: 204 })
    },
    clock: 'virtual',
    publicUrl: 'http://sparring',
    counterparts: {
      'ordering-application': { channel: 'webhook', publicUrl: 'https://abc.tunnel.example' },
    },
    conduct: { manifest: 'trust', webhookAccess: 'signature' },
  })
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(1000)
  expect(received).toMatchObject([
    { orderURL: expect.stringMatching(/^https:\/\/abc\.tunnel\.example\/orders\//) as string },
  ])
})

test('four counterparts that are told public URLs still call each other where they listen', async () => {
  await using session = await openSession({
    publicUrl: 'http://nowhere.invalid',
    clock: 'virtual',
    automatic: false,
    port: 0,
  })
  const { value: made } = (await session.createOrder({ type: 'TAKEOUT' })) as {
    value: { orderId: string }
  }
  await session.advance(60_000)
  const { orders } = await session.look({ orders: { limit: 5 } })
  expect(orders).toMatchObject([{ orderId: made.orderId, status: 'CONCLUDED' }])
})
