/** Access control: tokens and signatures that we issue and check, and those that we request. */
import { compact } from '../base/compact.ts'
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MerchantPage } from '../protocol/auth/merchants.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import {
  openSoftwareServiceSession,
  type SoftwareServiceSession,
} from '../../../test/support/software-service-session.ts'
import { signWebhook } from '../../../test/support/host-session.ts'
import { type Answer, openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'
import { openSession } from '../session/open-session.ts'

const subject = { client_id: 'subject', client_secret: 'secret' }

interface TokenBody {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
}

const issue = (wire: OrdersWire, body: unknown): Promise<Answer> =>
  wire.send('POST', '/oauth/token', { body, token: null })

const tokenOf = async (wire: OrdersWire, body: object): Promise<string> =>
  ((await issue(wire, body)).json as TokenBody).access_token

describe('tokens that we issue', () => {
  test('[AUT-TOK-01, AUT-TOK-02, AUT-TEN-02, AUT-UND-03] a client gets a token for its id and secret, by form or JSON and without a Bearer token, and it grants the requested scopes', async () => {
    await using wire = await openOrdersWire()
    const id = await wire.create()
    const asked = { ...subject, grant_type: 'client_credentials', scope: 'proto.orders proto.menu' }
    const form = await wire.send('POST', '/oauth/token', {
      text: new URLSearchParams(asked).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    })
    const { grant_type: _grant, ...bare } = asked
    for (const answer of [form, await issue(wire, asked), await issue(wire, bare)]) {
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.json).toEqual({
        access_token: expect.stringMatching(/./),
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'proto.orders proto.menu',
      })
      const { access_token: token } = answer.json as TokenBody
      expect((await wire.send('GET', `/orders/${id}`, { token })).status).toBe(200)
    }
  })

  test('[AUT-TEN-02, AUT-TOK-02, TRN-STA-05] a wrong secret and an unknown client both get the same 401', async () => {
    await using wire = await openOrdersWire()
    const answers = [
      await issue(wire, { ...subject, client_secret: 'wrong' }),
      await issue(wire, { ...subject, client_id: 'nobody' }),
      await issue(wire, { ...subject, client_id: '__proto__' }),
    ]
    for (const { status, json } of answers) {
      expect(status).toBe(401)
      expect(json).toEqual({
        error: {
          code: 'UNAUTHORIZED',
          message: 'the client id or the client secret is wrong',
          retryable: false,
        },
      })
    }
    expect((await issue(wire, { client_id: 'subject' })).status).toBe(400)
  })

  test('[AUT-TOK-02, AUT-SCO-01] a token has the requested scopes that are known; proto.all only when it is named', async () => {
    await using wire = await openOrdersWire()
    const scope = async (asked?: string) =>
      ((await issue(wire, { ...subject, ...(asked && { scope: asked }) })).json as TokenBody).scope
    expect(await scope('proto.orders proto.nonsense')).toBe('proto.orders')
    expect(await scope('proto.all')).toBe('proto.all')
    const unasked = (await scope()).split(' ')
    expect(unasked).toContain('proto.orders')
    expect(unasked).not.toContain('proto.all')
    const none = await issue(wire, { ...subject, scope: 'nonsense' })
    expect(none.status).toBe(400)
    expect(none.json).toMatchObject({ error: { code: 'INVALID_PAYLOAD' } })
  })

  test('[AUT-UND-01] the scope prefix is configurable', async () => {
    await using wire = await openOrdersWire({ protocol: { scopePrefix: 'od' } })
    const token = await wire.token('od.orders')
    expect((await wire.send('GET', '/events:polling', { token })).status).toBe(204)
    expect((await issue(wire, { ...subject, scope: 'proto.orders' })).status).toBe(400)
  })

  test('[AUT-GEN-01] a token is accepted only as Bearer in the Authorization header', async () => {
    await using wire = await openOrdersWire()
    const token = await wire.token()
    const status = async (path: string, headers: Record<string, string> = {}, text?: string) =>
      (
        await wire.send(text ? 'POST' : 'GET', path, {
          token: null,
          headers,
          ...(text && { text }),
        })
      ).status
    expect(await status('/merchants', { authorization: `Bearer ${token}` })).toBe(200)
    expect(await status('/merchants', { authorization: `bearer  ${token}` })).toBe(200)
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Bearer ${token} x`,
      `Bearer`,
      `Bearer ${token}x`,
      `Token ${token}`,
    ])
      expect([authorization, await status('/merchants', { authorization })]).toEqual([
        authorization,
        401,
      ])
    expect(await status(`/merchants?access_token=${token}`)).toBe(401)
    expect(await status('/merchants', { cookie: `access_token=${token}` })).toBe(401)
    const body = JSON.stringify({ eventIds: [], access_token: token })
    expect(await status('/events/acknowledgment', {}, body)).toBe(401)
  })

  test('[AUT-GEN-02, TRN-STA-05] a token of one host is rejected by another, webhooks included', async () => {
    await using both = await openSession({
      port: 0,
      clock: 'stepped',
      counterparts: { 'ordering-application': { channel: 'both' } },
    })
    type Host = 'ordering-application' | 'software-service'
    const bearer = async (role: Host): Promise<string> => {
      const body = new URLSearchParams(subject)
      const there = `${both.urls.get(role)}/oauth/token`
      const answer = (await (await fetch(there, { method: 'POST', body })).json()) as TokenBody
      return `Bearer ${answer.access_token}`
    }
    const merchants = async (role: Host, authorization: string) =>
      (await fetch(`${both.urls.get(role)}/merchants`, { headers: { authorization } })).status
    const push = async (headers: Record<string, string>) => {
      const event = { eventId: 'e', eventType: 'CONFIRMED', orderId: 'o', createdAt: 'x' }
      const there = `${both.urls.get('software-service')}/webhooks/orders`
      const typed = { 'content-type': 'application/json', ...headers }
      const body = JSON.stringify(event)
      return (await fetch(there, { method: 'POST', headers: typed, body })).status
    }
    const [orders, store] = [await bearer('ordering-application'), await bearer('software-service')]
    expect(await merchants('ordering-application', orders)).toBe(200)
    expect(await merchants('ordering-application', store)).toBe(401)
    expect(await merchants('software-service', orders)).toBe(401)
    expect(await push({})).toBe(401)
    expect(await push({ authorization: orders })).toBe(401)
    expect(await push({ authorization: store })).toBe(204)
  })

  test('[AUT-TOK-04, TRN-STA-05] a token with a short lifetime expires at its expires_in', async () => {
    await using wire = await openOrdersWire({ conduct: { tokenLife: '90s' } })
    const answer = (await issue(wire, subject)).json as TokenBody
    expect(answer.expires_in).toBe(90)
    const { access_token: token } = answer
    await wire.pass(89_999)
    expect((await wire.send('GET', '/merchants', { token })).status).toBe(200)
    await wire.pass(1)
    const ended = await wire.send('GET', '/merchants', { token })
    expect(ended.status).toBe(401)
    expect(ended.json).toMatchObject({ error: { message: 'the token has expired' } })
  })

  test('[AUT-TOK-04] a revoked token is rejected, and a new one accepted', async () => {
    await using wire = await openOrdersWire()
    const [one, two] = [await wire.token(), await wire.token()]
    await wire.session.submit({
      kind: 'token.revoke',
      host: 'ordering-application',
      clientId: 'subject',
    })
    for (const token of [one, two])
      expect((await wire.send('GET', '/merchants', { token })).status).toBe(401)
    expect((await wire.send('GET', '/merchants', { token: await wire.token() })).status).toBe(200)
  })

  test('[AUT-TOK-04] a token that an earlier session gave out is valid for its client, host and scopes until it expires or is revoked', async () => {
    const given = async (scope?: string, more?: object): Promise<string> => {
      await using earlier = await openOrdersWire(more)
      return await tokenOf(earlier, { ...subject, ...(scope && { scope }) })
    }
    const token = await given('proto.orders')
    await using wire = await openOrdersWire()
    const status = async (bearer: string, path = '/events:polling') =>
      (await wire.send('GET', path, { token: bearer })).status
    expect(await status(token)).toBe(204)
    expect(await status(await given('proto.menu'))).toBe(403)
    const [id, expiry = '', scopes, sum] = token.split('.')
    const later = (Number.parseInt(expiry, 36) + 1).toString(36)
    for (const changed of [
      [id, later, scopes, sum],
      [id, expiry, '1z', sum],
      [id, expiry, scopes, '00000000'],
      [id, expiry, scopes],
    ])
      expect(await status(changed.join('.'))).toBe(401)
    const secret = { subject: { credentials: { clientId: 'subject', clientSecret: 'another' } } }
    await using other = await openOrdersWire(secret)
    expect((await other.send('GET', '/merchants', { token })).status).toBe(401)
    await wire.pass(3_600_000)
    const ended = await wire.send('GET', '/merchants', { token })
    expect([ended.status, ended.json]).toMatchObject([
      401,
      { error: { message: 'the token has expired' } },
    ])
  })

  test('[AUT-TOK-04] tokens of an earlier session end with those of this one when they are revoked', async () => {
    await using earlier = await openOrdersWire()
    const token = await earlier.token()
    await using wire = await openOrdersWire()
    expect((await wire.send('GET', '/merchants', { token })).status).toBe(200)
    const revoked = { kind: 'token.revoke', host: 'ordering-application' } as const
    await wire.session.submit({ ...revoked, clientId: 'somebody-else' })
    expect((await wire.send('GET', '/merchants', { token })).status).toBe(200)
    await wire.session.submit({ ...revoked, clientId: 'subject' })
    expect((await wire.send('GET', '/merchants', { token })).status).toBe(401)
    expect((await wire.send('GET', '/merchants', { token: await wire.token() })).status).toBe(200)
  })

  test('[AUT-UND-03] expires_in can be an epoch in milliseconds, as one partner has it', async () => {
    await using wire = await openOrdersWire({
      conduct: { tokenUnit: 'epoch-milliseconds', tokenLife: '6h' },
    })
    const { info } = await wire.session.look({})
    const answer = (await issue(wire, subject)).json as TokenBody
    expect(answer.expires_in).toBe(info.clock.now + 6 * 3_600_000)
  })
})

describe('merchants', () => {
  test('[AUT-MER-01, AUT-UND-02, MIG-MER-01, MIG-MER-05] any valid token lists the merchants, at every host; without one it is 401', async () => {
    await using wire = await openOrdersWire()
    const answer = await wire.send('GET', '/merchants', { token: await wire.token('proto.menu') })
    expect(answer.status).toBe(200)
    const { merchants, pagination } = answer.json as MerchantPage
    expect(merchants.length).toBeGreaterThan(1)
    for (const merchant of merchants)
      expect(merchant).toEqual({
        id: merchant.merchantId,
        merchantId: expect.stringMatching(/./),
        externalCode: expect.stringMatching(/./),
        name: expect.stringMatching(/./),
        status: 'OPEN',
      })
    const { length } = merchants
    expect(pagination).toEqual({ page: 1, pageSize: 50, totalItems: length, totalPages: 1 })
    expect((await wire.send('GET', '/merchants', { token: null })).status).toBe(401)
    await using store = await openSoftwareServiceSession()
    expect((await store.send('GET', '/merchants')).status).toBe(200)
  })

  test('[AUT-CRE-01] a credential made per merchant sees only the data of its merchant', async () => {
    await using plain = await openOrdersWire()
    const { id } = (await plain.read(await plain.create())).merchant
    const own = { client_id: 'store-1', client_secret: 's' }
    await using wire = await openOrdersWire({
      conduct: { merchantList: 'array' },
      clients: [
        { clientId: 'store-1', clientSecret: 's', role: 'software-service', merchants: [id] },
      ],
    })
    const orders: { id: string; merchant: string }[] = []
    while (new Set(orders.map(({ merchant }) => merchant === id)).size < 2) {
      const orderId = await wire.create()
      orders.push({ id: orderId, merchant: (await wire.read(orderId)).merchant.id })
    }
    const token = await tokenOf(wire, own)
    const merchants = (await wire.send('GET', '/merchants', { token })).json
    expect(merchants).toMatchObject([{ merchantId: id }])
    expect(merchants).toHaveLength(1)
    const foreign = orders.find(({ merchant }) => merchant !== id)?.id ?? ''
    for (const call of ['confirm', 'requestCancellation', 'items/x/cancel', 'tracking'])
      expect(
        (await wire.send('POST', `/orders/${foreign}/${call}`, { token, body: {} })).status,
      ).toBe(404)
    await wire.pass(5000)
    expect((await wire.read(foreign)).status).toBe('CREATED')
    expect((await wire.send('GET', '/.well-known/protocol')).json).toMatchObject({
      authentication: { clientIdGeneration: ['by_app', 'by_merchant'] },
    })
  })

  test('[AUT-CRE-01] with credentials per merchant only, those of an application are refused with the reason', async () => {
    const merchants = ['m-1']
    await using wire = await openOrdersWire({
      conduct: { clientIdGeneration: ['by_merchant'] },
      clients: [{ clientId: 'store-1', clientSecret: 's', role: 'software-service', merchants }],
    })
    expect((await issue(wire, { client_id: 'store-1', client_secret: 's' })).status).toBe(200)
    const refused = await issue(wire, subject)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('made per merchant here')
    // As long as no merchant has a credential, that of the application is accepted.
    await using alone = await openOrdersWire({ conduct: { clientIdGeneration: ['by_merchant'] } })
    expect((await issue(alone, subject)).status).toBe(200)
    // It may be configured for one merchant itself.
    await using own = await openOrdersWire({
      conduct: { clientIdGeneration: ['by_merchant'] },
      subject: { credentials: { merchants } },
    })
    const token = await tokenOf(own, subject)
    expect((await own.send('GET', '/merchants', { token })).json).toMatchObject({ merchants: [] })
  })

  test('[AUT-UND-02] merchants are an array when configured', async () => {
    await using paged = await openOrdersWire()
    const { merchants } = (await paged.send('GET', '/merchants')).json as MerchantPage
    const documented = merchants.map(({ merchantId, name, status }) => ({
      merchantId,
      name,
      status,
    }))
    await using wire = await openOrdersWire({ conduct: { merchantList: 'array' } })
    const answer = await wire.send('GET', '/merchants')
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject(documented)
  })

  test('[AUT-MER-01, AUT-UND-02] merchants are paged, and filtered by status on request', async () => {
    await using wire = await openOrdersWire()
    const page = async (query: string) => {
      const { status, json } = await wire.send('GET', `/merchants?${query}`)
      return { status, ...(json as MerchantPage) }
    }
    const { pagination, merchants } = await page('page=2&pageSize=2')
    expect(merchants).toHaveLength(2)
    expect(pagination).toEqual({ page: 2, pageSize: 2, totalItems: 5, totalPages: 3 })
    expect((await page('status=CLOSED')).merchants).toEqual([])
    for (const wrong of ['page=0', 'pageSize=201', 'page=x', 'pageSize=-1'])
      expect([wrong, (await page(wrong)).status]).toEqual([wrong, 400])
  })

  test('[AUT-MER-01] our client requests the merchants once, after it has its token', async () => {
    await using store = await openSoftwareServiceSession()
    await store.pass(10_000)
    const names = store.originator.calls.map(({ name }) => name)
    expect(names.filter((name) => name === 'merchants')).toHaveLength(1)
    expect(names.indexOf('token')).toBeLessThan(names.indexOf('merchants'))
    expect(store.facts('partner.merchants')).toMatchObject([
      { merchants: [{ merchantId: 'loja-1' }] },
    ])
  })
})

describe('tokens that we request', () => {
  test('[AUT-TOK-01, AUT-TOK-02, AUT-UND-03, AUT-SCO-01, AUT-ORD-01] are requested with client_id, client_secret and the scope of Orders, as a form; proto.all is never requested', async () => {
    await using store = await openSoftwareServiceSession()
    await store.pass(3000)
    const [request] = store.originator.callsOf('token')
    expect(request).toMatchObject({ method: 'POST', path: '/oauth/token' })
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(request?.headers).not.toHaveProperty('authorization')
    expect(Object.fromEntries(new URLSearchParams(request?.text))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'sparring-software-service',
      client_secret: 'secret-of-software-service',
      scope: 'proto.orders',
    })
    expect(store.originator.calls.some(({ text }) => text.includes('proto.all'))).toBe(false)
  })

  test('[AUT-TOK-03] one token is shared by all merchants and all concurrent calls', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    for (let number = 0; number < 20; number++)
      originator.place(
        minimalOrder(`o-${number}`, 'TAKEOUT', {
          merchant: { id: `loja-${number % 4}`, name: 'x' },
        }),
      )
    // Slow enough that all calls are waiting before the token arrives.
    originator.script('token', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return undefined
    })
    await store.pass(600_000)
    expect([...originator.orders.values()].every(({ status }) => status === 'DELIVERED')).toBe(true)
    expect(originator.callsOf('token')).toHaveLength(1)
  })

  test('[AUT-TOK-03] concurrent calls that find the token expired request one new token together', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    await store.pass(3000)
    originator.revoke()
    await Promise.all(
      Array.from({ length: 10 }, (_none, number) =>
        store.session.submit({
          kind: 'call.place',
          call: {
            from: 'software-service',
            to: 'ordering-application',
            operation: 'getOrder',
            params: { orderId: `o-${number}` },
            attempt: 1,
          },
        }),
      ),
    )
    await store.pass(0)
    // Each call got one 401 and was repeated.
    expect(originator.callsOf('order')).toHaveLength(20)
    expect(originator.callsOf('token')).toHaveLength(2)
  })

  test.each([
    ['shortly before', 3600, 3_570_000],
    ['in good time, if it lives but a minute,', 60, 54_000],
  ])(
    '[AUT-TOK-04] the token is renewed %s its end, so that no call gets a 401',
    async (_when, life, renewedAfter) => {
      await using store = await openSoftwareServiceSession({
        originator: { tokenLifeSeconds: life },
      })
      await store.pass(renewedAfter - 2000)
      expect(store.originator.callsOf('token')).toHaveLength(1)
      await store.pass(4000)
      expect(store.originator.callsOf('token')).toHaveLength(2)
    },
  )

  test('[AUT-TOK-04] tokens that are always rejected cause neither requests without a pause nor a lost order', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.pass(500)
    originator.script('poll', () => ({ status: 401 }))
    originator.script('confirm', () => ({ status: 401 }))
    await store.pass(30_000)
    expect(originator.callsOf('poll').length).toBeLessThan(30)
    originator.script('poll')
    originator.script('confirm')
    await store.session.settle()
    expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
  })

  test.each([
    ['answers 401', { status: 401 }, 'NO_TOKEN'],
    ['answers no JSON', { status: 200, text: '<html>' }, 'NO_TOKEN'],
    ['answers without a token', { status: 200, body: { token: 'x' } }, 'NO_TOKEN'],
  ])(
    '[AUT-TOK-01] a token endpoint that %s blocks every call but discovery, until it recovers',
    async (_how, reply, code) => {
      await using store = await openSoftwareServiceSession()
      const { originator } = store
      originator.script('token', () => reply)
      originator.place(minimalOrder('o-1', 'TAKEOUT'))
      await store.pass(30_000)
      expect(new Set(originator.calls.map(({ name }) => name))).toEqual(
        new Set(['manifest', 'token']),
      )
      expect(store.facts('call.concluded').map(({ outcome }) => outcome)).toContain(code)
      originator.script('token')
      await store.session.settle()
      expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
    },
  )

  test('[AUT-UND-03] the minimal answer of a token endpoint is accepted', async () => {
    await using store = await openSoftwareServiceSession({ originator: { moves: true } })
    const { originator } = store
    originator.script('token', async (seen) => {
      originator.script('token')
      const usual = await originator.fetch(
        new Request(seen.url, { method: 'POST', body: seen.text, headers: seen.headers }),
      )
      const { access_token } = (await usual.json()) as TokenBody
      return { status: 200, body: { access_token } }
    })
    originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.session.settle()
    expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
  })
})

const hmac = (text: string, secret: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', secret).update(text).digest(encoding)

describe('signatures of webhooks', () => {
  test.each([
    ['hmac-sha256-hex', (text: string) => hmac(text, 'secret', 'hex')],
    ['hmac-sha256-hex-upper', (text: string) => hmac(text, 'secret', 'hex').toUpperCase()],
    ['hmac-sha256-base64', (text: string) => hmac(text, 'secret', 'base64')],
  ] as const)(
    '%s covers the bytes of the body, with the receiver’s secret',
    async (conduct, sign) => {
      await using receiver = await openReceiver()
      await using wire = await openOrdersWire({
        subject: { url: receiver.url },
        conduct: { signature: conduct },
        counterparts: { 'ordering-application': { channel: 'webhook' } },
      })
      const id = await wire.create({ type: 'DELIVERY' })
      await wire.pass(1000)
      const { merchant, sourceAppId } = await wire.read(id)
      expect(receiver.received).toHaveLength(1)
      const [{ text, headers } = { text: '', headers: {} as Record<string, string> }] =
        receiver.received
      expect(headers['x-app-signature']).toBe(sign(text))
      expect(headers['x-app-id']).toBe(sourceAppId)
      expect(headers['x-app-merchantid']).toBe(merchant.id)
      expect(headers['authorization']).toBe('Bearer token-1')
    },
  )

  const statusOf = async (
    store: SoftwareServiceSession,
    headers: Record<string, string>,
    text?: string,
  ) => {
    const event = store.originator.announce('o-1', 'CONFIRMED', { note: 'São João' })
    const answer = await store.push(event, { headers, ...compact({ text }) })
    return answer.status
  }

  test('the store accepts every encoding, with or without the prefix sha256=', async () => {
    await using store = await openSoftwareServiceSession()
    const text = ` {"eventId":"e","eventType":"CONFIRMED","orderId":"o","createdAt":"x","é": "ü"}\n`
    const hex = signWebhook(text)
    for (const [number, written] of [
      hex,
      hex.toUpperCase(),
      `sha256=${hex}`,
      hmac(text, 'secret', 'base64'),
    ].entries())
      expect([
        number,
        await statusOf(store, { 'x-app-signature': written, 'x-request-id': `r-${number}` }, text),
      ]).toEqual([number, 204])
  })

  test('[TRN-STA-05] a signature that does not match the body is 401, even with a valid token; without a signature the token decides', async () => {
    await using store = await openSoftwareServiceSession()
    for (const wrong of [signWebhook('{}'), 'nonsense', '00', `sha256=${'0'.repeat(64)}`])
      expect([wrong, await statusOf(store, { 'x-app-signature': wrong })]).toEqual([wrong, 401])
    // Another secret, and a body serialised again with the same content.
    const event = store.originator.announce('o-1', 'CONFIRMED')
    const text = JSON.stringify(event, null, 2)
    const headers = { 'x-app-signature': signWebhook(JSON.stringify(event)) }
    expect((await store.push(event, { text, headers })).status).toBe(401)
    expect(await statusOf(store, { 'x-app-signature': signWebhook(text, 'other') }, text)).toBe(401)
    expect(await statusOf(store, { 'x-app-signature': '' })).toBe(204)
  })

  test('with signature access a webhook needs no token, but a signature', async () => {
    const options = { conduct: { webhookAccess: 'signature' } } as const
    await using store = await openSoftwareServiceSession(options)
    const event = store.originator.announce('o-1', 'CONFIRMED')
    const without = { authorization: '' }
    expect((await store.push(event, { headers: without })).status).toBe(204)
    const unsigned = { 'x-app-signature': '' }
    expect((await store.push(event, { headers: unsigned })).status).toBe(401)
    await using receiver = await openReceiver()
    await using wire = await openOrdersWire({
      ...options,
      subject: { url: receiver.url },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    await wire.create()
    await wire.pass(1000)
    expect(receiver.received[0]?.headers).not.toHaveProperty('authorization')
    expect(receiver.received[0]?.headers).toHaveProperty('x-app-signature')
  })
})
