/** The authorization code grant. */
import { describe, expect, test } from 'vitest'
import { type Answer, openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'
import type { HostSessionOptions } from '../../../test/support/host-session.ts'

const back = 'http://127.0.0.1:9/back'

const openBoth = (options: HostSessionOptions = {}): Promise<OrdersWire> =>
  openOrdersWire({
    ...options,
    conduct: { grantTypes: ['client_credentials', 'authorization_code'], ...options.conduct },
  })

const usual = { response_type: 'code', client_id: 'subject', redirect_uri: back }

const ask = (wire: OrdersWire, query: Readonly<Record<string, string>>): Promise<Answer> =>
  wire.send('GET', `/oauth/authorize?${new URLSearchParams(query)}`, { token: null })

/** The query parameters of the redirect to the client. */
const redirectParams = ({ status, headers }: Answer): Readonly<Record<string, string>> => {
  expect(status).toBe(302)
  expect(headers.get('cache-control')).toBe('no-store')
  const location = new URL(headers.get('location') ?? '')
  expect(`${location.origin}${location.pathname}`).toBe(back)
  return Object.fromEntries(location.searchParams)
}

const exchange = (wire: OrdersWire, more: Readonly<Record<string, string>>): Promise<Answer> =>
  wire.send('POST', '/oauth/token', {
    token: null,
    body: {
      grant_type: 'authorization_code',
      client_id: 'subject',
      client_secret: 'secret',
      ...more,
    },
  })

const codeOf = async (
  wire: OrdersWire,
  more: Readonly<Record<string, string>> = {},
): Promise<string> => redirectParams(await ask(wire, { ...usual, ...more }))['code'] ?? ''

describe('an authorization', () => {
  test('[AUT-CRE-03, AUT-TOK-01, AUT-TOK-02] is granted without user interaction; its code yields a token with the requested scopes', async () => {
    await using wire = await openBoth()
    const orderId = await wire.create()
    const { code, ...others } = redirectParams(
      await ask(wire, { ...usual, scope: 'proto.orders proto.nonsense', state: 'a b&c' }),
    )
    expect(others).toEqual({ state: 'a b&c' })
    const answer = await exchange(wire, { code: code!, redirect_uri: back })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ token_type: 'bearer', scope: 'proto.orders' })
    // No refresh tokens are issued: a client requests a new authorization.
    expect(answer.json).not.toHaveProperty('refresh_token')
    const { access_token: token } = answer.json as { access_token: string }
    expect((await wire.send('GET', `/orders/${orderId}`, { token })).status).toBe(200)
  })

  test('[AUT-CRE-03, DIS-FLD-11] the grant and its endpoint are declared where they are served, and neither elsewhere', async () => {
    await using wire = await openBoth()
    expect((await wire.send('GET', '/.well-known/protocol')).json).toMatchObject({
      authentication: { supportedGrantTypes: ['client_credentials', 'authorization_code'] },
    })
    await using plain = await openOrdersWire()
    expect((await plain.send('GET', '/.well-known/protocol')).json).toMatchObject({
      authentication: { supportedGrantTypes: ['client_credentials'] },
    })
    expect((await ask(plain, usual)).status).toBe(404)
    const answer = await exchange(plain, { code: 'x' })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('authorization_code is not served here')
  })

  test('[AUT-CRE-03] a code is valid once, for its own client, for ten minutes, and with its redirect_uri', async () => {
    await using wire = await openBoth({
      clients: [{ clientId: 'other', clientSecret: 'o', role: 'software-service' }],
    })
    const refused = async (more: Readonly<Record<string, string>>, message: string) => {
      const { status, json } = await exchange(wire, { redirect_uri: back, ...more })
      expect(status).toBe(400)
      expect(json).toMatchObject({
        error: { code: 'INVALID_GRANT', message: expect.stringContaining(message) },
      })
    }
    const code = await codeOf(wire)
    await refused({ code, client_id: 'other', client_secret: 'o' }, 'unknown here')
    await refused({ code, redirect_uri: 'http://127.0.0.1:9/other' }, 'redirect_uri')
    expect((await exchange(wire, { code })).json).toMatchObject({
      error: { code: 'INVALID_GRANT' },
    })
    expect((await exchange(wire, { code, redirect_uri: back })).status).toBe(200)
    await refused({ code }, 'used already')
    await refused({ code: 'made-up' }, 'unknown here')
    const late = await codeOf(wire)
    await wire.pass(600_000)
    await refused({ code: late }, 'expired')
    const wrongSecret = await exchange(wire, { code: late, client_secret: 'wrong' })
    expect(wrongSecret.status).toBe(401)
    expect((await exchange(wire, { redirect_uri: back })).text).toContain('code is missing')
  })

  test('[AUT-CRE-03] a code of one role is invalid at another', async () => {
    await using wire = await openBoth()
    const code = await codeOf(wire)
    const other = wire.session.urls.get('software-service')
    expect(other).toBeUndefined()
    await using all = await openOrdersWire({
      conduct: { grantTypes: ['client_credentials', 'authorization_code'] },
      capabilities: { indoor: false, logistics: true, customer: false },
    })
    const platform = all.session.urls.get('delivery-platform')
    const mine = await codeOf(all)
    const there = await all.send('POST', `${platform}/oauth/token`, {
      token: null,
      body: {
        grant_type: 'authorization_code',
        client_id: 'subject',
        client_secret: 'secret',
        code: mine,
        redirect_uri: back,
      },
    })
    expect(there.json).toMatchObject({ error: { code: 'INVALID_GRANT' } })
    expect(code).not.toBe('')
  })

  test('[AUT-CRE-03] errors of the request are sent to the redirect_uri, unless that itself is wrong', async () => {
    await using wire = await openBoth()
    expect(
      redirectParams(await ask(wire, { ...usual, response_type: 'token', state: 's' })),
    ).toEqual({
      error: 'unsupported_response_type',
      state: 's',
    })
    expect(redirectParams(await ask(wire, { ...usual, scope: 'nonsense' }))).toEqual({
      error: 'invalid_scope',
    })
    for (const wrong of [
      { ...usual, redirect_uri: 'https://elsewhere.example/' },
      { ...usual, client_id: 'nobody' },
      { response_type: 'code', redirect_uri: back },
      { response_type: 'code', client_id: 'subject' },
    ]) {
      const answer = await ask(wire, wrong)
      expect(answer.status).toBe(400)
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.json).toMatchObject({ error: { code: 'INVALID_PAYLOAD' } })
    }
  })

  test('[AUT-CRE-03] a registered redirect_uri on another machine is used; an unregistered one is refused', async () => {
    await using wire = await openBoth({
      subject: { credentials: { redirectUris: ['https://pos.example/back'] } },
    })
    const answer = await ask(wire, { response_type: 'code', client_id: 'subject' })
    const location = new URL(answer.headers.get('location') ?? '')
    expect(location.host).toBe('pos.example')
    // The redirect_uri was not named, so it need not be repeated.
    const code = location.searchParams.get('code') ?? ''
    expect((await exchange(wire, { code })).status).toBe(200)
    expect((await ask(wire, usual)).status).toBe(400)
  })

  test('[AUT-CRE-03] an authorization can be denied', async () => {
    await using wire = await openBoth({ conduct: { consent: 'denied' } })
    expect(redirectParams(await ask(wire, { ...usual, state: 's' }))).toEqual({
      error: 'access_denied',
      state: 's',
    })
    expect(wire.session.facts().filter(({ fact }) => fact.kind === 'consent.denied')).toHaveLength(
      1,
    )
  })

  test('[AUT-SCO-01] it grants proto.all only when that was requested', async () => {
    await using wire = await openBoth()
    const answer = await exchange(wire, { code: await codeOf(wire), redirect_uri: back })
    expect((answer.json as { scope: string }).scope.split(' ')).not.toContain('proto.all')
    const all = await codeOf(wire, { scope: 'proto.all' })
    expect((await exchange(wire, { code: all, redirect_uri: back })).json).toMatchObject({
      scope: 'proto.all',
    })
  })
})
