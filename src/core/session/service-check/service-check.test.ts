/**
 * Services with one mistake each: what `sparring doctor` says of them, and whether a session gets on with them. Both are
 * real, over sockets.
 */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type BareCall,
  type BareReply,
  type BareRoute,
  jsonReply,
  openBareService,
} from '../../../../test/support/bare-service.ts'
import { ordersOnly } from '../../../../test/support/orders-only.ts'
import { receiverManifest } from '../../../../test/support/webhook-receiver.ts'
import { compact } from '../../base/compact.ts'
import { Configuration, type ConfigurationInput } from '../../session-api/configuration/schema.ts'
import { roles, type Role } from '../../protocol/role.ts'
import { openSession } from '../open-session.ts'
import type { CheckFinding, FindingLevel } from './finding.ts'
import { checkService } from './service-check.ts'

const wellKnown = 'GET /.well-known/protocol'
const webhook = 'POST /webhooks/orders'
const token = 'POST /oauth/token'

/** Verifies the signature, and takes what is an event. */
const receiver =
  (secret: string) =>
  ({ headers, text }: BareCall): BareReply => {
    const expected = createHmac('sha256', secret).update(text).digest('hex')
    if (headers['x-app-signature'] !== expected) return { status: 401 }
    return { status: text.includes('"eventId"') ? 204 : 400 }
  }

const good: Readonly<Record<string, BareRoute>> = {
  [wellKnown]: jsonReply(receiverManifest()),
  [token]: jsonReply({ access_token: 'let-me-in', token_type: 'bearer', expires_in: 3600 }),
  [webhook]: receiver('secret'),
}

const store = (url: string, input: ConfigurationInput = {}): ConfigurationInput => ({
  capabilities: ordersOnly,
  counterparts: { 'ordering-application': { channel: 'webhook' } },
  ...input,
  subject: { role: 'software-service', url, ...input.subject },
})

const check = (input: ConfigurationInput): Promise<readonly CheckFinding[]> =>
  checkService(Configuration.parse(input))

/** Whether a session has handed an order over to the service. */
async function getsOn(input: ConfigurationInput): Promise<boolean> {
  await using session = await openSession({
    ...input,
    port: 0,
    clock: 'virtual',
    automatic: false,
    tolerances: { on: false },
  })
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(20_000)
  return (await session.look({})).info.contact?.connected !== undefined
}

const found = (findings: readonly CheckFinding[], level: FindingLevel): readonly string[] =>
  findings.flatMap((each) =>
    each.level === level ? [`${each.what} ${each.remedy ?? ''}`.trimEnd()] : [],
  )

const late = (): string => new Date(Date.now() - 600_000).toUTCString()

interface Mistake {
  readonly name: string
  /** Routes in place of the good ones; undefined for one that is not there. */
  readonly routes?: Readonly<Record<string, BareRoute | undefined>>
  readonly elsewhere?: BareReply
  readonly input?: ConfigurationInput
  /** Where --subject points, from the true address. */
  readonly address?: (url: string) => string
  readonly says: readonly [level: 'warn' | 'fail', text: string | RegExp]
  /** A session hands orders over all the same. */
  readonly getsOn?: true
}

const require = { conduct: { manifest: 'require' } } as const
const bearer = { conduct: { webhookAccess: 'bearer' } } as const
const none: BareRoute | undefined = undefined

/** A secret in the address of a service, which no finding may print. */
const gatewayKey = '8f14e45fceea167a'

const mistakes: readonly Mistake[] = [
  {
    name: 'is not started',
    address: () => 'http://127.0.0.1:1',
    says: ['fail', 'Nothing listens at http://127.0.0.1:1: start your service'],
  },
  {
    name: 'is called by https and speaks http',
    address: (url) => url.replace('http:', 'https:'),
    says: ['fail', 'does not speak TLS, so https fails: start with --subject http://'],
  },
  {
    name: 'is below another base path',
    address: (url) => `${url}/api`,
    says: ['fail', '/webhooks/orders: start with --subject http://127.0.0.1:'],
  },
  {
    name: 'is below another base path, behind a gateway',
    address: (url) => `${url}/api?key=${gatewayKey}`,
    says: ['fail', ' and the query that it has.'],
  },
  {
    name: 'has no manifest, which is required',
    routes: { [wellKnown]: none },
    input: require,
    says: ['fail', 'GET answers 404 (DIS-GEN-02). Your service is sent nothing'],
  },
  {
    name: 'has no manifest',
    routes: { [wellKnown]: none },
    says: ['warn', 'GET answers 404 (DIS-GEN-01). Going on without one'],
    getsOn: true,
  },
  {
    name: 'has a manifest without a field',
    routes: { [wellKnown]: jsonReply({ participantId: 'x', protocolVersion: 'v2', protocol: {} }) },
    says: ['fail', 'is refused: it is invalid at protocol.supportedVersions'],
  },
  {
    name: 'redirects its manifest',
    routes: { [wellKnown]: { status: 302, headers: { location: '/' } } },
    says: ['fail', 'is refused: it is a redirect (302)'],
  },
  {
    name: 'excludes webhooks in its manifest',
    routes: { [wellKnown]: jsonReply(receiverManifest({ supportsWebhook: false })) },
    says: ['fail', 'the manifest excludes webhook for orders (ORD-CHN-01)'],
  },
  {
    name: 'has no token endpoint, and a token is wanted',
    routes: { [token]: none },
    input: bearer,
    says: ['fail', 'conduct.webhookAccess: signature: the calls behind it are not sent'],
  },
  {
    name: 'has neither manifest nor token endpoint',
    routes: { [token]: none, [wellKnown]: none },
    says: ['warn', 'answers 404 to client_id=sparring-ordering-application'],
    getsOn: true,
  },
  {
    name: 'does not know our client',
    routes: { [token]: jsonReply({ error: 'invalid_client' }, 401) },
    says: [
      'fail',
      'answers 401 to client_id=sparring-ordering-application Your service gives no token',
    ],
  },
  {
    name: 'fails at its token endpoint',
    routes: { [token]: { status: 503 } },
    says: ['fail', 'Your service failed at POST /oauth/token'],
  },
  {
    name: 'answers a token request without a token',
    routes: { [token]: jsonReply({ token: 'x' }) },
    says: ['fail', 'the token endpoint is wrong at access_token'],
  },
  {
    name: 'has no such webhook path',
    routes: { [webhook]: none },
    says: ['fail', 'name the path that it has in subject.webhooks.orders'],
  },
  {
    name: 'has another method there',
    routes: { [webhook]: { status: 405 } },
    says: ['fail', 'answers 405 Your service has no POST /webhooks/orders'],
  },
  {
    name: 'redirects its webhook',
    routes: { [webhook]: { status: 308, headers: { location: '/webhooks/orders/' } } },
    says: ['fail', 'name that path in subject.webhooks.orders'],
  },
  {
    name: 'has another secret',
    routes: { [webhook]: receiver('another') },
    says: ['fail', 'refuses the signature of the webhook: X-App-Signature is the HMAC-SHA256'],
  },
  {
    name: 'does not verify signatures',
    routes: { [webhook]: { status: 204 } },
    says: ['warn', 'takes a wrong X-App-Signature with 204 (TRN-STA-05)'],
    getsOn: true,
  },
  {
    name: 'reads the body before the signature',
    routes: { [webhook]: ({ text }) => ({ status: text.includes('"eventId"') ? 204 : 400 }) },
    says: ['warn', 'answers 400 to a wrong X-App-Signature, as to the right one'],
    getsOn: true,
  },
  {
    name: 'fails at its webhook',
    routes: { [webhook]: { status: 500 } },
    says: ['warn', 'answer 400 to such a body (TRN-STA-04)'],
  },
  {
    name: 'is behind a proxy that does not reach it',
    routes: { [webhook]: { status: 502 } },
    says: ['fail', 'gets no answer from your service'],
  },
  {
    name: 'does not answer its webhook',
    routes: { [webhook]: 'hangs' },
    input: { conduct: { answerTimeout: 100 } },
    says: ['fail', 'has no answer (TIMEOUT) No answer within 0.1 s to POST /webhooks/orders'],
  },
  {
    name: 'has a clock that is late',
    routes: {
      [token]: none,
      [webhook]: (call) => ({ ...receiver('secret')(call), headers: { date: late() } }),
    },
    elsewhere: { status: 404, headers: { date: late() } },
    input: { conduct: { manifest: 'trust' } },
    says: [
      'fail',
      /^clock: the Date of its answers is (599|600) s behind ours, and 60 s are tolerated/,
    ],
    getsOn: true,
  },
]

describe('a store that receives webhooks', () => {
  const fine: readonly (readonly [string, Mistake['routes'], ConfigurationInput])[] = [
    ['with manifest, tokens and signatures', {}, {}],
    [
      'with its webhook alone, and settings that say so',
      { [wellKnown]: none, [token]: none },
      { conduct: { manifest: 'trust', webhookAccess: 'signature' } },
    ],
    [
      'on a path of its own',
      { [webhook]: none, 'POST /in': receiver('secret') },
      { subject: { webhooks: { orders: '/in' } } },
    ],
  ]

  test.for(fine)('%s: all is ok, and orders are handed over', async ([, routes, input]) => {
    await using service = await openBareService(present({ ...good, ...routes }))
    const findings = await check(store(service.url, input))
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
    expect(found(findings, 'ok').join('\n')).toMatch(
      /webhook orders: POST .* answers 400\nsignature: POST .* refuses a wrong X-App-Signature/,
    )
    // No event came, and no body that names an order.
    expect(service.calls.filter(({ text }) => /eventId|orderId/.test(text))).toEqual([])
    expect(await getsOn(store(service.url, input))).toBe(true)
  })

  test.for(mistakes)(
    '$name: the finding says it, and is never ok where a session waits',
    async ({ routes, elsewhere, input, address, says: [level, text], getsOn: on = false }) => {
      await using service = await openBareService(
        present({ ...good, ...routes }),
        compact({ elsewhere }),
      )
      const configured = store(address?.(service.url) ?? service.url, input)
      const findings = await check(configured)
      expect(JSON.stringify(findings)).not.toContain(gatewayKey)
      expect(found(findings, level)).toContainEqual(
        typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
      )
      expect(await getsOn(configured)).toBe(on)
    },
  )
})

/** Routes without those that are not there. */
const present = (
  routes: Readonly<Record<string, BareRoute | undefined>>,
): Readonly<Record<string, BareRoute>> =>
  Object.fromEntries(
    Object.entries(routes).flatMap(([what, route]) => (route ? [[what, route]] : [])),
  )

describe('the other roles', () => {
  const counterparts = {
    'ordering-application': { channel: 'both' },
    crm: { mode: 'hybrid' },
  } as const

  test.for(roles)('our own %s is a good service', async (role) => {
    await using host = await openSession({ port: 0, counterparts })
    const url = host.urls.get(role) ?? ''
    const findings = await check({
      subject: { role, url, credentials: { clientSecret: `secret-of-${role}` } },
      counterparts,
    })
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
    expect(found(findings, 'ok').length).toBeGreaterThan(4)
    const { orders } = await host.look({ orders: { limit: 1 } })
    expect(orders).toEqual([])
  })

  const first: readonly (readonly [Role, string, number, string])[] = [
    ['ordering-application', 'GET /events:polling', 404, 'conduct.paths.pollingEvents'],
    ['ordering-application', 'GET /events:polling', 401, 'refuses the token of sparring-software'],
    ['delivery-platform', 'POST /logistics/availability', 404, 'conduct.paths.checkDelivery'],
    ['crm', 'POST /customers', 403, 'refuses the token of sparring-ordering-application'],
  ]

  test.for(first)('a %s that answers %s with %i', async ([role, what, status, text]) => {
    const routes = present({ ...good, [wellKnown]: none, [webhook]: none })
    await using service = await openBareService({ ...routes, [what]: { status } })
    const findings = await check({ subject: { role, url: service.url } })
    expect(found(findings, 'fail')).toEqual([expect.stringContaining(text)])
    service.route(token)
    const without = await check({ subject: { role, url: service.url } })
    expect(found(without, 'fail')).toEqual([
      expect.stringContaining('Serve a token endpoint there: the calls behind it'),
    ])
  })
})

test('nothing is asked of a service without a URL, or that no counterpart calls', async () => {
  expect(await check({})).toEqual([])
  await using service = await openBareService({})
  const polls = {
    capabilities: ordersOnly,
    subject: { role: 'software-service', url: service.url },
  }
  expect(await check(polls as ConfigurationInput)).toEqual([
    { level: 'ok', what: `your service at ${service.url}: this session never calls it` },
  ])
  expect(service.calls).toEqual([])
})
