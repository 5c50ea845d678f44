/** A service of the first day: it has its own paths, and neither a manifest nor a token endpoint. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type BareCall,
  type BareReply,
  type BareService,
  jsonReply,
  openBareService,
} from '../../../test/support/bare-service.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const wellKnown = 'GET /.well-known/protocol'
const webhook = 'POST /webhooks/orders'
const token = 'POST /oauth/token'
const accepted: BareReply = { status: 204 }

/** A session that sends orders to a service by webhook. */
const openSender = (url: string, options: SessionOptions = {}): Promise<Session> =>
  openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    as: 'software-service',
    subject: url,
    capabilities: { ...ordersOnly, logistics: true },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    ...options,
  })

const noticesOf = async (session: Session): Promise<readonly string[]> =>
  (await session.look({})).info.contact?.notices ?? []

const typesOf = (calls: readonly BareCall[]): readonly string[] =>
  calls.map(({ text }) => (JSON.parse(text) as { eventType: string }).eventType)

const issued = jsonReply({ access_token: 'let-me-in', token_type: 'bearer', expires_in: 3600 })

/** A manifest without `authentication`. */
const incomplete = {
  participantId: 'x',
  protocolVersion: 'v2',
  protocol: { supportedVersions: ['v2'] },
}

describe('a webhook receiver without a manifest', () => {
  const missing: readonly (readonly [string, BareReply, string])[] = [
    ['404', { status: 404 }, 'GET answers 404'],
    ['405', { status: 405 }, 'GET answers 405'],
    ['501', { status: 501 }, 'GET answers 501'],
    ['401, as on all its paths', { status: 401 }, 'GET answers 401'],
    ['a page', { status: 200, text: '<html>hello' }, 'GET answers 200, but not with a manifest'],
    ['nothing', { status: 204 }, 'GET answers 204, but not with a manifest'],
    ['JSON of its own', jsonReply({ ok: true }), 'GET answers 200, but not with a manifest'],
    ['a JSON list', jsonReply([]), 'GET answers 200, but not with a manifest'],
  ]

  test.for(missing)(
    '[DIS-GEN-01] answers %s: it is sent signed events at once, with one warning',
    async ([, elsewhere, because]) => {
      await using service = await openBareService({ [webhook]: accepted }, { elsewhere })
      await using session = await openSender(service.url)
      await session.createOrder({ type: 'TAKEOUT' })
      await session.advance(1000)
      const [created, ...more] = service.to(webhook)
      expect(typesOf([created!])).toEqual(['CREATED'])
      expect(more).toEqual([])
      expect(created?.headers['x-app-signature']).toBe(
        createHmac('sha256', 'secret')
          .update(created?.text ?? '')
          .digest('hex'),
      )
      expect(created?.headers).not.toHaveProperty('authorization')
      expect(await noticesOf(session)).toEqual([
        `No manifest at ${service.url}/.well-known/protocol: ${because} (DIS-GEN-01). Going on without one, as if your service had every path of its role. Serve one there, or silence this with conduct: { manifest: trust } in the configuration.`,
      ])
    },
  )

  test('[DIS-GEN-01] that is none of its failed requests', async () => {
    await using service = await openBareService({ [webhook]: accepted })
    await using session = await openSender(service.url)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(600_000)
    const { counts } = (await session.look({})).info
    expect(counts.failed).toMatchObject({ rejected: 0, errors: 0, unanswered: 0 })
  })

  test('asks for a token once: further events go out without one', async () => {
    await using service = await openBareService({ [webhook]: accepted })
    await using session = await openSender(service.url)
    for (let count = 0; count < 5; count++) await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(60_000)
    expect(service.to(webhook)).toHaveLength(5)
    expect(service.to(token)).toHaveLength(1)
  })

  test('gets a token with its webhooks where its token endpoint issues one', async () => {
    await using service = await openBareService({ [webhook]: accepted, [token]: issued })
    await using session = await openSender(service.url)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(1000)
    expect(service.to(webhook)[0]?.headers.authorization).toBe('Bearer let-me-in')
  })

  test('is asked for a token again after it has answered 401 to a webhook without one', async () => {
    await using service = await openBareService({ [webhook]: { status: 401 } })
    await using session = await openSender(service.url)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(100)
    expect(service.to(webhook)).toHaveLength(1)
    service.route(token, issued)
    service.route(webhook, accepted)
    await session.advance(5000)
    expect(service.to(webhook).map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer let-me-in',
    ])
  })

  test('whose token endpoint fails for a moment gets its webhook with a token afterwards', async () => {
    await using service = await openBareService({ [webhook]: accepted, [token]: { status: 503 } })
    await using session = await openSender(service.url)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(100)
    expect(service.to(webhook)).toEqual([])
    const { journal } = await session.look({ journal: { limit: 100 } })
    expect(journal.map(({ text }) => text)).toContain(
      'Webhook CREATED failed (attempt 1): could not get an access token: the token endpoint answers 503',
    )
    service.route(token, issued)
    await session.advance(5000)
    expect(service.to(webhook)[0]?.headers.authorization).toBe('Bearer let-me-in')
  })

  test('is sent no token at all, and none is asked for, with webhookAccess: signature', async () => {
    await using service = await openBareService({ [webhook]: accepted, [token]: issued })
    await using session = await openSender(service.url, { conduct: { webhookAccess: 'signature' } })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(1000)
    expect(service.to(token)).toEqual([])
    expect(service.to(webhook)[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is sent nothing with webhookAccess: bearer, and the reason names the token', async () => {
    await using service = await openBareService({ [webhook]: accepted })
    await using session = await openSender(service.url, { conduct: { webhookAccess: 'bearer' } })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(1000)
    expect(service.to(webhook)).toEqual([])
    const because = session
      .facts()
      .flatMap(({ fact }) => (fact.kind === 'event.push-failed' ? [fact.because] : []))
    expect(because[0]).toBe('could not get an access token: the token endpoint answers 404')
  })

  test('[DIS-GEN-01] its manifest is not asked for where it is trusted, and nothing is warned of', async () => {
    await using service = await openBareService({ [webhook]: accepted })
    await using session = await openSender(service.url, { conduct: { manifest: 'trust' } })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(1000)
    expect(typesOf(service.to(webhook))).toEqual(['CREATED'])
    expect(service.to(wellKnown)).toEqual([])
    expect(await noticesOf(session)).toEqual([])
  })

  test('[DIS-GEN-02] is sent nothing where a manifest is required, and the warning says so', async () => {
    await using service = await openBareService({ [webhook]: accepted })
    await using session = await openSender(service.url, { conduct: { manifest: 'require' } })
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(60_000)
    expect(service.to(webhook)).toEqual([])
    expect(await noticesOf(session)).toEqual([
      expect.stringContaining('GET answers 404 (DIS-GEN-02). Your service is sent nothing'),
    ])
    expect((await session.look({})).info.contact?.waiting).toBe(1)
  })
})

describe('a manifest that is there and wrong', () => {
  const wrong: readonly (readonly [string, BareReply, string])[] = [
    ['lacks a field', jsonReply(incomplete), 'is refused: it is invalid at authentication'],
    ['is broken JSON', { status: 200, text: '{"participantId": ' }, 'is refused: it is no JSON: '],
    [
      'is a redirect',
      { status: 302, headers: { location: '/' } },
      'is refused: it is a redirect (302)',
    ],
    ['fails', { status: 500 }, 'cannot be read: GET answers 500'],
    ['is limited', { status: 429 }, 'cannot be read: GET answers 429'],
  ]

  test.for(wrong)(
    '[DIS-GEN-02] %s: it is refused with its reason, and events wait until it is corrected',
    async ([, manifest, because]) => {
      await using service = await openBareService({ [webhook]: accepted, [wellKnown]: manifest })
      await using session = await openSender(service.url)
      await session.createOrder({ type: 'TAKEOUT' })
      await session.advance(10_000)
      expect(service.to(webhook)).toEqual([])
      const notices = await noticesOf(session)
      expect(notices).toEqual([
        expect.stringContaining(`${service.url}/.well-known/protocol ${because}`),
      ])
      service.route(wellKnown)
      await session.advance(60_000)
      expect(typesOf(service.to(webhook))).toEqual(['CREATED'])
    },
  )
})

describe('a service that changes while the session runs', () => {
  test('is sent what waits for it as soon as it is up', async () => {
    const gone = await openBareService({})
    const port = Number(new URL(gone.url).port)
    await gone[Symbol.asyncDispose]()
    await using session = await openSender(gone.url)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(60_000)
    const down = (await session.look({})).info.contact
    expect(down?.unreachable).toContain(`nothing listens at ${gone.url}: start your service`)
    expect(down?.waiting).toBe(1)
    await using service = await openBareService({ [webhook]: accepted }, { port })
    await session.advance(6000)
    expect(typesOf(service.to(webhook))).toEqual(['CREATED'])
    expect((await session.look({})).info.contact).toMatchObject({
      connected: { by: 'it accepted POST /webhooks/orders' },
      waiting: 0,
    })
  })

  test('[DIS-GEN-02, ORD-CHN-01] is read again each minute: a manifest that it has got since then counts', async () => {
    let published = false
    await using receiver = await openReceiver({
      supportsWebhook: false,
      published: () => published,
    })
    await using session = await openSender(receiver.url)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(10_000)
    expect(receiver.received).toHaveLength(1)
    published = true
    await session.advance(60_000)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(60_000)
    expect(receiver.received).toHaveLength(1)
    expect(await noticesOf(session)).toEqual([])
  })

  test('goes on when its manifest is gone', async () => {
    let published = true
    await using receiver = await openReceiver({ published: () => published })
    await using session = await openSender(receiver.url)
    await session.advance(10_000)
    published = false
    await session.advance(600_000)
    await session.createOrder({ type: 'TAKEOUT' })
    await session.advance(1000)
    expect(receiver.received).toHaveLength(1)
    expect(await noticesOf(session)).toEqual([expect.stringContaining('GET answers 404')])
  })
})

describe('hosts without a manifest are called at the standard paths of their role', () => {
  test('[DIS-GEN-01] an Ordering Application is polled, and its orders are delivered', async () => {
    await using store = await openSoftwareServiceSession()
    store.originator.script('manifest', () => ({ status: 404 }))
    store.originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.session.settle()
    expect(store.originator.orders.get('o-1')?.status).toBe('DELIVERED')
    expect(store.facts('partner.accepted')).toMatchObject([{ missing: 'GET answers 404' }])
  })

  const hostOptions = { port: 0, clock: 'virtual', automatic: false } as const
  const firstCalls = async (
    service: BareService,
    role: 'delivery-platform' | 'crm',
    path: string,
  ): Promise<readonly BareCall[]> => {
    await using session = await openSession({ ...hostOptions, as: role, subject: service.url })
    await session.createOrder({ type: 'DELIVERY' })
    await session.advance(60_000)
    expect(await noticesOf(session)).toEqual([expect.stringContaining('(DIS-GEN-01)')])
    return service.to(path)
  }

  test('[DIS-GEN-01] a Delivery Platform is asked for a delivery', async () => {
    await using service = await openBareService({ [token]: issued })
    const calls = await firstCalls(service, 'delivery-platform', 'POST /logistics/availability')
    expect(calls[0]?.headers.authorization).toBe('Bearer let-me-in')
  })

  test('[DIS-GEN-01] a CRM is pushed the customer of the first order', async () => {
    await using service = await openBareService({ [token]: issued })
    expect((await firstCalls(service, 'crm', 'POST /customers')).length).toBeGreaterThan(0)
  })
})
