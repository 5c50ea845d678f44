/** Discovery from both ends: the manifests that we serve, and our handling of a counterpart's. */
import { describe, expect, test } from 'vitest'
import { parseManifest } from '../protocol/discovery/parse-manifest.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import type { HostScript } from '../../../test/support/scripted-host.ts'
import { createOriginator } from '../../../test/support/scripted-ordering-application.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'
import { listenOnSocket } from '../../../test/support/on-socket.ts'

const roles = ['ordering-application', 'software-service'] as const
type Host = (typeof roles)[number]

const wellKnown = '/.well-known/protocol'

/** Both roles on sockets, with Orders only, on a stepped clock. */
const both = (options: SessionOptions = {}): Promise<Session> =>
  openSession({ port: 0, clock: 'stepped', capabilities: ordersOnly, ...options })

const at = (session: Session, role: Host, path = wellKnown): string =>
  `${session.urls.get(role)}${path}`

async function manifestOf(session: Session, role: Host): Promise<Record<string, unknown>> {
  const response = await fetch(at(session, role))
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

describe('the manifest that we serve', () => {
  test('[DIS-FLD-01] the participant is stable over reads, and different for each role', async () => {
    await using session = await both()
    const ids = async () =>
      (await Promise.all(roles.map((role) => manifestOf(session, role)))).map(
        ({ participantId }) => participantId,
      )
    const first = await ids()
    expect(await ids()).toEqual(first)
    await session.reset()
    expect(await ids()).toEqual(first)
    expect(new Set(first).size).toBe(2)
  })

  test('[DIS-FLD-02, DIS-FLD-10, DIS-FLD-09] the version is a setting, and contained in the supported versions', async () => {
    await using session = await both({ protocol: { version: '2.1.0' } })
    const manifest = await manifestOf(session, 'ordering-application')
    expect(manifest).toMatchObject({
      protocolVersion: '2.1.0',
      protocol: { supportedVersions: ['2.1.0'] },
      compatibility: 'speaks 2.1.0',
    })
  })

  test('[DIS-FLD-11, DIS-FLD-12, AUT-CRE-01, AUT-CRE-03] grants and credential models are as configured; authorization_code never without client_credentials', async () => {
    await using session = await both({
      conduct: {
        grantTypes: ['client_credentials', 'authorization_code'],
        clientIdGeneration: ['by_app', 'by_merchant'],
      },
    })
    expect((await manifestOf(session, 'software-service'))['authentication']).toEqual({
      supportedGrantTypes: ['client_credentials', 'authorization_code'],
      clientIdGeneration: ['by_app', 'by_merchant'],
    })
    await expect(both({ conduct: { grantTypes: ['authorization_code'] } })).rejects.toThrow(
      'client_credentials',
    )
  })

  test('[DIS-WKN-01] its last path segment is a setting; a request without body and query is answered 200', async () => {
    await using session = await both({ protocol: { name: 'open-food' } })
    expect((await fetch(at(session, 'software-service', '/.well-known/open-food'))).status).toBe(
      200,
    )
    const other = await fetch(at(session, 'software-service'))
    expect(other.status).toBe(404)
    expect(await other.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })

  test('[DIS-WKN-07] it is cacheable for a minute, or as configured', async () => {
    const kept = async (options: SessionOptions): Promise<string | null> => {
      await using session = await both(options)
      return (await fetch(at(session, 'software-service'))).headers.get('cache-control')
    }
    expect(await kept({})).toBe('public, max-age=60')
    expect(await kept({ conduct: { manifestMaxAge: '5m' } })).toBe('public, max-age=300')
  })

  test('[DIS-WKN-08] a browser may read it, and send a preflight request', async () => {
    await using session = await both()
    const headers = { origin: 'https://portal.example' }
    const response = await fetch(at(session, 'ordering-application'), { headers })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await fetch(at(session, 'ordering-application'), {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'accept',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('accept')
    const elsewhere = await fetch(at(session, 'ordering-application', '/merchants'), {
      method: 'OPTIONS',
      headers,
    })
    expect(elsewhere.status).toBe(404)
  })

  test('[DIS-TEN-01, DIS-FLD-03] capabilities are an array, or a keyed object when configured, with equal content', async () => {
    await using array = await both()
    await using keyed = await both({ conduct: { manifestNotation: 'keyed' } })
    for (const role of roles) {
      const [one] = (await manifestOf(array, role))['capabilities'] as Record<string, unknown>[]
      const other = (await manifestOf(keyed, role))['capabilities'] as Record<string, unknown>
      const { name, endpoint: _endpoint, ...fields } = one ?? {}
      expect(name).toBe('orders')
      expect(other['orders']).toMatchObject(fields)
      expect((other['orders'] as { endpoint: string }).endpoint).toBe(keyed.urls.get(role))
    }
  })

  test('[DIS-UND-01] the orders block has its endpoint, unless configured otherwise', async () => {
    await using session = await both({ conduct: { ordersEndpoint: false } })
    expect(JSON.stringify(await manifestOf(session, 'ordering-application'))).not.toContain(
      'endpoint',
    )
  })

  test.each([
    ['polling', false, true],
    ['webhook', true, false],
    ['both', true, true],
  ] as const)(
    '[DIS-ORD-02, DIS-EVT-01, ORD-CHN-01] with channel %s both sides declare it',
    async (channel, supportsWebhook, supportsPolling) => {
      await using session = await both({ counterparts: { 'ordering-application': { channel } } })
      const channels = { supportsWebhook, supportsPolling }
      expect(await manifestOf(session, 'ordering-application')).toMatchObject({
        capabilities: [{ originator: channels }],
      })
      expect(await manifestOf(session, 'software-service')).toMatchObject({
        capabilities: [{ receiver: channels }],
      })
    },
  )

  test('[DIS-ORD-02, DIS-ORD-04, ORD-OPS-11] withheld operations are declared unsupported, not served, and not called', async () => {
    const withheldOperations = ['sendOrderTracking', 'partialItemCancellation'] as const
    await using wire = await openOrdersWire({
      conduct: { withheldOperations: [...withheldOperations] },
    })
    const read = async (base: string) =>
      JSON.stringify((await wire.send('GET', `${base}${wellKnown}`)).json)
    expect(await read(wire.base)).toContain(
      '"unsupportedOperations":["sendOrderTracking","partialItemCancellation"]',
    )
    const id = await wire.create()
    expect(await wire.ask(id, 'tracking', {})).toBe(404)
    expect(await wire.ask(id, 'items/x/cancel', {})).toBe(404)
    await using store = await openSoftwareServiceSession({
      conduct: { withheldOperations: [...withheldOperations] },
    })
    const response = await store.session.fetch(
      new Request(`http://software-service.test${wellKnown}`),
    )
    expect(await response.json()).toMatchObject({
      capabilities: [
        { receiver: { unsupportedOperations: ['sendOrderTracking', 'partialItemCancellation'] } },
      ],
    })
  })

  test('[DIS-ORD-03, DIS-EVT-01] events declared unsupported are never emitted, by either channel', async () => {
    const declared = ['CONFIRMED', 'READY_FOR_PICKUP'] as const
    await using wire = await openOrdersWire({ conduct: { unsupportedEvents: [...declared] } })
    const id = await wire.create({ type: 'DELIVERY' })
    await wire.bring(id, 'IN_DELIVERY')
    const types = (await wire.drain(id)).map(({ eventType }) => eventType)
    expect(types).toEqual(
      ['CREATED', 'PREPARING', 'DISPATCHED'].filter((type) => types.includes(type)),
    )
    expect(types).toContain('DISPATCHED')
    expect((await wire.read(id)).status).toBe('IN_DELIVERY')
  })

  test('[DIS-GEN-02] it can be hidden, or served without required fields', async () => {
    await using hidden = await both({ conduct: { publishManifest: 'hidden' } })
    const response = await fetch(at(hidden, 'ordering-application'))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
    await using broken = await both({ conduct: { publishManifest: 'invalid' } })
    const read = parseManifest(await manifestOf(broken, 'ordering-application'))
    expect(read.ok).toBe(false)
  })
})

describe('a counterpart’s manifest', () => {
  test('[DIS-WKN-01, DIS-WKN-02] is requested first: GET, no body, no token, Accept application/json', async () => {
    await using store = await openSoftwareServiceSession({ protocol: { name: 'protocol' } })
    await store.pass(5000)
    const [first] = store.originator.calls
    expect(first).toMatchObject({
      name: 'manifest',
      method: 'GET',
      path: wellKnown,
      text: '',
      headers: { accept: 'application/json' },
    })
    expect(first?.headers).not.toHaveProperty('authorization')
  })

  const invalid: readonly (readonly [string, HostScript])[] = [
    ['missing', () => ({ status: 404, body: { error: {} } })],
    ['a failure of the other side', () => ({ status: 500 })],
    ['no JSON', () => ({ status: 200, text: '<html>' })],
    ['empty', () => ({ status: 200 })],
    ['of the wrong shape', () => ({ status: 200, body: { participantId: 'x' } })],
    ['a redirect', () => ({ status: 302, headers: { location: '/.well-known/other' } })],
  ]

  test.each(invalid)(
    '[DIS-GEN-02] while it is %s no business call is made; as soon as it is valid they begin',
    async (_what, scripted) => {
      await using store = await openSoftwareServiceSession({ conduct: { manifest: 'require' } })
      const { originator } = store
      originator.script('manifest', scripted)
      originator.place(minimalOrder('o-1'))
      // Not even for orders announced by webhook.
      const event = originator.announce('o-2', 'CREATED', { lost: true })
      expect((await store.push(event)).status).toBe(204)
      await store.pass(120_000)
      expect(new Set(originator.calls.map(({ name }) => name))).toEqual(new Set(['manifest']))
      expect(store.facts('partner.rejected').length).toBeGreaterThan(5)
      originator.script('manifest')
      await store.pass(35_000)
      expect(
        originator.calls.filter(({ name }) => name !== 'manifest').map(({ name }) => name),
      ).toEqual(
        expect.arrayContaining(['token', 'merchants', 'poll', 'acknowledge', 'order', 'confirm']),
      )
      // The orders announced meanwhile are read at last.
      expect(originator.callsOf('order', 'o-2').length).toBeGreaterThan(0)
    },
  )

  test('[DIS-GEN-02] it is requested again after pauses that never shrink', async () => {
    await using store = await openSoftwareServiceSession()
    store.originator.script('manifest', () => ({ status: 503 }))
    await store.pass(200_000)
    const times = store.times('getManifest')
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(pauses.slice(0, 6)).toEqual([1000, 2000, 5000, 10_000, 15_000, 30_000])
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  })

  test('[DIS-FLD-10, DIS-GEN-02] without a common version there is no integration, and the reason names the versions of both sides', async () => {
    await using store = await openSoftwareServiceSession()
    store.originator.script('manifest', () => ({
      status: 200,
      body: { ...store.originator.manifest(), protocol: { supportedVersions: ['v1', 'v3'] } },
    }))
    await store.pass(60_000)
    expect(store.facts('partner.rejected')[0]?.because).toBe(
      'no common version: we speak v2, it speaks v1, v3',
    )
    expect(new Set(store.originator.calls.map(({ name }) => name))).toEqual(new Set(['manifest']))
  })

  test('[DIS-WKN-05] a redirect is not followed, over a real socket either', async () => {
    const asked: string[] = []
    await using server = await listenOnSocket((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await using session = await openSession({
      port: 0,
      clock: 'virtual',
      automatic: false,
      subject: { role: 'ordering-application', url: server.url },
    })
    await session.advance(10_000)
    expect(new Set(asked)).toEqual(new Set([`GET ${wellKnown}`]))
    const { journal } = await session.look({ journal: { limit: 100 } })
    expect(journal.map(({ text }) => text).join('\n')).toContain('redirect (302)')
  })

  test('[DIS-WKN-05] a redirect is not followed by an in-process handler’s transport either', async () => {
    const originator = createOriginator()
    const modes: string[] = []
    await using store = await openSoftwareServiceSession({
      originator: {
        ...originator,
        fetch(request) {
          modes.push(request.redirect)
          return originator.fetch(request)
        },
      },
    })
    await store.pass(3000)
    expect(modes.length).toBeGreaterThan(3)
    expect(new Set(modes)).toEqual(new Set(['manual']))
  })

  test.each(['array', 'keyed'] as const)(
    '[DIS-TEN-01] the %s notation is understood, including the channel',
    async (notation) => {
      await using store = await openSoftwareServiceSession()
      const { originator } = store
      const orders = {
        role: 'ORIGINATOR',
        operations: ['getOrder'],
        originator: { supported: true, supportsWebhook: false, supportsPolling: true },
      }
      originator.script('manifest', () => ({
        status: 200,
        body: {
          ...originator.manifest(),
          capabilities: notation === 'array' ? [{ name: 'orders', ...orders }] : { orders },
        },
      }))
      originator.place(minimalOrder('o-1', 'TAKEOUT'))
      await store.session.settle()
      expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
    },
  )

  test('[DIS-GEN-02] a counterpart can be trusted without a manifest, when configured', async () => {
    await using store = await openSoftwareServiceSession({ conduct: { manifest: 'trust' } })
    store.originator.script('manifest', () => ({ status: 404 }))
    store.originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.session.settle()
    expect(store.originator.callsOf('manifest')).toEqual([])
    expect(store.originator.orders.get('o-1')?.status).toBe('DELIVERED')
  })

  test('[DIS-GEN-02, ORD-CHN-01] webhooks wait until their receiver’s manifest is valid, and are then sent in their original order', async () => {
    let published = false
    await using receiver = await openReceiver({ published: () => published })
    await using wire = await openOrdersWire({
      subject: { url: receiver.url },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      conduct: { manifest: 'require' },
    })
    const ids = [await wire.create(), await wire.create()]
    await wire.pass(60_000)
    expect(receiver.received).toEqual([])
    expect(new Set(receiver.others)).toEqual(new Set([`GET ${wellKnown}`]))
    published = true
    await wire.pass(31_000)
    expect(receiver.received.map(({ event }) => event.orderId)).toEqual(ids)
  })

  test('[DIS-GEN-02] webhooks do not wait where the receiver is trusted', async () => {
    await using receiver = await openReceiver({ published: () => false })
    await using wire = await openOrdersWire({
      subject: { url: receiver.url },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      conduct: { manifest: 'trust' },
    })
    const id = await wire.create()
    await wire.pass(1000)
    expect(receiver.received.map(({ event }) => event.orderId)).toEqual([id])
    expect(receiver.others).not.toContain(`GET ${wellKnown}`)
  })
})
