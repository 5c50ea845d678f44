import { request } from 'node:http'
import { expect, test, onTestFinished } from 'vitest'
import { type ControlServer, type ControlOptions, startControl } from './control.ts'
import { openSession } from '../../session/open-session.ts'

const tokens = { token: 'may-do-all', viewToken: 'may-look' }

async function control(
  more: Partial<ControlOptions> = {},
  opening = openSession({ clock: 'stepped', listen: false }),
): Promise<ControlServer> {
  const face = await opening
  const started = await startControl({ session: face, host: '127.0.0.1', port: 0, ...more })
  onTestFinished(started.close)
  onTestFinished(face.close)
  return started
}

interface Heard {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** fetch does not allow setting Host and Origin. */
const ask = (url: string, headers: Record<string, string>, method = 'GET'): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = ''
      response.on('data', (data: Buffer) => (text += data.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

test.each(['127.0.0.1:7100', 'localhost', 'LOCALHOST:1', '[::1]:7100', '127.1.2.3'])(
  'a loopback request for host %s is allowed',
  async (host) => {
    const { url } = await control()
    expect((await ask(`${url}/session`, { host })).status).toBe(200)
  },
)

test.each([
  'evil.example',
  'evil.example:7100',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '192.168.1.20:7100',
  '0.0.0.0:7100',
  'a b',
])('a request for host "%s" is refused (DNS rebinding)', async (host) => {
  const { url } = await control()
  const heard = await ask(`${url}/session`, { host })
  expect(heard.status).toBe(421)
  expect(JSON.parse(heard.text)).toMatchObject({ error: { code: 'FORBIDDEN' } })
  expect((await ask(`${url}/health`, { host })).status).toBe(421)
})

test.each(['https://evil.example', 'null', 'http://127.0.0.1:7100', 'http://localhost:3000'])(
  'a page from origin %s is refused, even to create an order',
  async (origin) => {
    const { url } = await control()
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const heard = await ask(`${url}/orders`, { origin }, method)
      expect(heard.status).toBe(403)
      expect(heard.headers['access-control-allow-origin']).toBeUndefined()
    }
    const { text } = await ask(`${url}/orders`, {})
    expect(JSON.parse(text)).toEqual([])
  },
)

test('a page of an allowed origin is served with CORS headers', async () => {
  const origin = 'http://localhost:5173'
  const { url } = await control({ allowedOrigins: [origin] })
  const preflight = await ask(`${url}/orders`, { origin }, 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE, HEAD',
  })
  const heard = await ask(`${url}/session`, { origin })
  expect(heard.status).toBe(200)
  expect(heard.headers['access-control-allow-origin']).toBe(origin)
  expect((await ask(`${url}/session`, { origin: `${origin}0` })).status).toBe(403)
})

test('beyond loopback a token is generated and required', async () => {
  const { url, token } = await control({ host: '0.0.0.0' })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(token).toMatch(/^[\w-]{32}$/)

  const bare = await ask(`${url}/session`, {})
  expect(bare.status).toBe(401)
  expect(bare.headers['www-authenticate']).toMatch(/^Bearer/)
  for (const authorization of ['Bearer', 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`])
    expect((await ask(`${url}/session`, { authorization })).status).toBe(401)
  expect((await ask(`${url}/nowhere`, {})).status).toBe(401)

  const authorization = `Bearer ${token}`
  expect((await ask(`${url}/session`, { authorization })).status).toBe(200)
  // Remote clients use another host name; web pages are still refused.
  expect((await ask(`${url}/session`, { authorization, host: 'ci-runner:7100' })).status).toBe(200)
  const page = { authorization, origin: 'https://evil.example' }
  expect((await ask(`${url}/session`, page)).status).toBe(403)
  expect((await ask(`${url}/health`, {})).status).toBe(200)
})

test('a CORS preflight is answered without a token', async () => {
  const origin = 'http://localhost:5173'
  const { url } = await control({ token: 'mine', allowedOrigins: [origin] })
  const asking = { origin, 'access-control-request-headers': 'authorization' }
  const preflight = await ask(`${url}/orders`, asking, 'OPTIONS')
  expect(preflight.status).toBe(204)
  expect(preflight.headers['access-control-allow-headers']).toContain('authorization')
  expect((await ask(`${url}/orders`, { origin })).status).toBe(401)
  expect((await ask(`${url}/orders`, { origin, authorization: 'Bearer mine' })).status).toBe(200)
  expect((await ask(`${url}/orders`, { origin: 'https://evil.example' }, 'OPTIONS')).status).toBe(
    403,
  )
})

test('on loopback a token is required only when configured', async () => {
  expect((await control()).token).toBeUndefined()
  const { url, token } = await control({ token: 'mine' })
  expect(token).toBe('mine')
  expect((await ask(`${url}/session`, {})).status).toBe(401)
  expect((await ask(`${url}/session`, { authorization: 'bearer mine' })).status).toBe(200)
})

test('no answer to a token for viewers has a client secret or a bearer token', async () => {
  const clientSecret = 'hush-4f9a1c77'
  const subject = { role: 'software-service', credentials: { clientSecret } } as const
  const face = await openSession({ subject, clock: 'stepped', listen: false })
  const { url } = await control(tokens, Promise.resolve(face))
  const base = face.urls.get('ordering-application') ?? ''
  const { connect } = (await face.look({})).info
  const { clientId = '', pollUrl = '' } = connect ?? {}
  const order = await face.createOrder({ type: 'DELIVERY' })
  const credentials = { client_id: clientId, client_secret: clientSecret }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials })
  const issued = await face.fetch(new Request(`${base}/oauth/token`, { method: 'POST', body }))
  const { access_token: bearer } = (await issued.json()) as { readonly access_token: string }
  const polled = await face.fetch(
    new Request(pollUrl, { headers: { Authorization: `Bearer ${bearer}` } }),
  )
  expect(polled.ok).toBe(true)

  const look = {
    traffic: {},
    journal: {},
    orders: { limit: 5 },
    exchange: 1,
    operatorActions: true,
  }
  const read = 'session orders agenda journal traffic traffic/1 traffic/2 verdicts verdict faults'
  const paths = [
    ...`${read} operator-actions metrics state/ordering-application`.split(' '),
    ...(order.ok ? [`orders/${order.value.orderId}`, `explain/${order.value.orderId}`] : []),
  ]
  /** What the token reads, with shared looks and without. */
  async function readBy(token: string): Promise<string> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const texts = paths.map(async (path) => (await ask(`${url}/${path}`, headers)).text)
    for (const age of [0, 1000, 1000]) {
      const answer = await fetch(`${url}/look?age=${age}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(look),
      })
      texts.push(answer.text())
    }
    return (await Promise.all(texts)).join('\n')
  }
  const all = await readBy('may-do-all')
  const viewed = await readBy('may-look')
  for (const secret of [clientSecret, bearer]) {
    expect(secret.length).toBeGreaterThan(3)
    expect(all).toContain(secret)
    expect(viewed).not.toContain(secret)
  }
  expect(viewed).toContain(new URL(pollUrl).pathname)
})

test('viewers are not told the secret of a client that was not configured', async () => {
  const face = await openSession({ as: 'software-service', clock: 'stepped', listen: false })
  const { url } = await control(tokens, Promise.resolve(face))
  const connectFor = async (token: string): Promise<object> => {
    const { text } = await ask(`${url}/session`, { authorization: `Bearer ${token}` })
    return (JSON.parse(text) as { readonly connect: object }).connect
  }
  expect(await connectFor('may-do-all')).toMatchObject({
    clientSecret: 'secret',
    curl: expect.stringContaining(' -d client_secret=secret '),
  })
  const viewed = await connectFor('may-look')
  expect(viewed).not.toHaveProperty('clientSecret')
  expect(viewed).toHaveProperty(
    'curl',
    expect.stringContaining(' -d client_secret="$CLIENT_SECRET" '),
  )
})
