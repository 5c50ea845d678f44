// @module-tag slow
/**
 * One host, two servers: sockets, and msw handlers in this process. Equal requests get equal answers, and equal
 * scenarios yield equal facts, byte for byte.
 */
import { compact } from '../base/compact.ts'
import { runsFor } from '../../../test/support/soak.ts'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journalText } from '../engine/journal.ts'
import { handlers } from '../../sparring/library/msw.ts'
import type { Role } from '../protocol/role.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const wide: SessionOptions = { clock: 'virtual', automatic: false }

/** Both roles, which have exchanged manifests and then leave the mailbox to the test. */
const quiet: SessionOptions = {
  ...wide,
  counterparts: {
    'ordering-application': { channel: 'both' },
    'software-service': { pollEvery: '24h' },
  },
}

/** Replaces a session's addresses by names, so that two sessions can be compared. */
function anonymous(text: string, { urls }: Session): string {
  return [...urls].reduce((rest, [role, url]) => rest.replaceAll(url, `<${role}>`), text)
}

interface Face {
  readonly session: Session
  readonly close: () => Promise<void>
}

const faces: Readonly<Record<string, () => Promise<Face>>> = {
  sockets: async () => {
    const session = await openSession({ ...quiet, port: 0 })
    return { session, close: () => session.close() }
  },
  msw: async () => {
    const session = await openSession({ ...quiet, listen: false })
    const server = setupServer(...handlers(session))
    server.listen({ onUnhandledFrame: 'error' })
    return {
      session,
      async close() {
        server.close()
        await session.close()
      },
    }
  },
}

interface Answered {
  readonly what: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: string
}

/** Headers that a client may rely on; the others depend on the transport. */
const promised = [
  'content-type',
  'cache-control',
  'access-control-allow-origin',
  'www-authenticate',
  'x-request-id',
  'retry-after',
]

interface Asking {
  readonly role?: Role
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** All requests of the test, in order; every answer depends on the seed and the requests before it. */
async function transcript({ session }: Face): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  const bearers = new Map<Role, string>()

  async function ask(method: string, path: string, asking: Asking = {}): Promise<string> {
    const { role = 'ordering-application', body, headers = {} } = asking
    const authorization = bearers.get(role)
    const response = await fetch(`${session.urls.get(role)}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(authorization ? { authorization } : {}), ...headers },
      ...compact({ body }),
    })
    const text = await response.text()
    answers.push({
      what: `${method} ${path.slice(0, 100)} of ${role}`,
      status: response.status,
      headers: Object.fromEntries(promised.map((name) => [name, response.headers.get(name)])),
      body: anonymous(text, session),
    })
    return text
  }

  await session.advance(0)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const credentials = 'client_id=subject&client_secret=secret'
  for (const role of ['ordering-application', 'software-service'] as const) {
    await ask('GET', '/.well-known/protocol', { role, headers: { origin: 'https://x.example' } })
    await ask('OPTIONS', '/.well-known/protocol', { role })
    await ask('GET', '/merchants', { role })
    await ask('POST', '/oauth/token', {
      role,
      body: 'client_id=subject&client_secret=no',
      headers: form,
    })
    const token = await ask('POST', '/oauth/token', { role, body: credentials, headers: form })
    const { access_token: bearer } = JSON.parse(token) as { access_token: string }
    bearers.set(role, `Bearer ${bearer}`)
    await ask('GET', '/merchants', { role })
  }
  const made = await session.createOrder({ type: 'DELIVERY' })
  const orderId = made.ok ? made.value.orderId : ''
  await session.advance(0)
  const json = { 'content-type': 'application/json' }
  const polled = JSON.parse(await ask('GET', '/events:polling')) as { eventId: string }[]
  await ask('GET', '/events%3Apolling?eventType=CREATED')
  const eventIds = polled.map(({ eventId }) => eventId)
  await ask('POST', '/events/acknowledgment', { body: JSON.stringify({ eventIds }), headers: json })
  await ask('GET', '/events:polling')
  const order = JSON.parse(await ask('GET', `/orders/${orderId}`)) as { items: { id: string }[] }
  await ask('POST', `/orders/${orderId}/items/${order.items[0]?.id}/cancel`)
  for (const path of ['confirm', 'confirm', 'dispatch', 'nothing', 'requestCancellation'])
    await ask('POST', `/orders/${orderId}/${path}`, { headers: { 'x-request-id': `r-${path}` } })
  await ask('POST', `/orders/${orderId}/requestCancellation`, { body: '{"mode":"NEVER"}' })
  await ask('POST', `/orders/${orderId}/items/x/cancel`, { body: '{"quantity":1}', headers: json })
  await ask('POST', `/orders/${orderId}/confirm`, {
    body: '{"other":1}',
    headers: { 'x-request-id': 'r-confirm' },
  })
  for (const body of ['{', '\uFEFF{"eventIds":[]}', '['.repeat(1000), 'x'.repeat(11 * 1024 * 1024)])
    await ask('POST', '/events/acknowledgment', { body, headers: json })
  for (const path of [
    '/',
    '/orders/%',
    '/orders/%C3%A9',
    '/orders/a%2Fb',
    `/orders/${'x'.repeat(600)}`,
  ])
    await ask('GET', path)
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    await ask(method, `/orders/${orderId}`)
  const event = { eventId: 'e', eventType: 'CONFIRMED', orderId, createdAt: 'x' }
  const role = 'software-service'
  await ask('POST', '/webhooks/orders', { role, body: JSON.stringify(event), headers: json })
  await ask('POST', '/webhooks/orders', { role, body: JSON.stringify(event), headers: json })
  await ask('POST', '/webhooks/orders', {
    role,
    body: JSON.stringify(event),
    headers: { ...json, 'x-app-signature': 'wrong' },
  })
  await ask('POST', '/orders/x/confirm', { role })
  const narrow = `${credentials}&scope=proto.menu`
  const token = await ask('POST', '/oauth/token', { body: narrow, headers: form })
  const { access_token: bearer } = JSON.parse(token) as { access_token: string }
  await ask('GET', '/events:polling', { headers: { authorization: `Bearer ${bearer}` } })
  return answers
}

describe('the contract', () => {
  const heard = new Map<
    string,
    { answers: readonly Answered[]; journal: string; wire: readonly string[] }
  >()

  beforeAll(async () => {
    for (const [name, open] of Object.entries(faces)) {
      const face = await open()
      const answers = await transcript(face)
      const { traffic } = await face.session.look({ traffic: { limit: 1000 } })
      heard.set(name, {
        answers,
        journal: anonymous(journalText(face.session.facts()), face.session),
        wire: traffic.map(
          ({ method, path, status, from, to }) => `${from} ${to} ${method} ${path} ${status}`,
        ),
      })
      await face.close()
    }
  })

  afterAll(() => heard.clear())

  test('has requests of every kind', () => {
    const statuses = heard.get('sockets')?.answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 202, 204, 400, 401, 403, 404, 409, 413, 422]))
  })

  test('gets equal answers over sockets and msw: status, relevant headers, and body', () => {
    expect(heard.get('msw')?.answers).toEqual(heard.get('sockets')?.answers)
  })

  test('yields equal facts', () => {
    expect(heard.get('msw')?.journal).toBe(heard.get('sockets')?.journal)
  })

  test('yields equal traffic', () => {
    expect(heard.get('msw')?.wire).toEqual(heard.get('sockets')?.wire)
  })
})

describe('a scenario', () => {
  const many = runsFor(3, 7)
  const scenario: SessionOptions = {
    ...wide,
    seed: 7,
    counterparts: {
      'ordering-application': {
        channel: 'both',
        behaviour: 'hostile',
        orders: { every: '700ms', limit: many },
      },
      'software-service': { behaviour: 'forgetful' },
    },
  }

  async function played(session: Session): Promise<string> {
    await session.settle()
    const { info } = await session.look({})
    expect(info.counts.orders).toBe(many)
    return anonymous(journalText(session.facts()), session)
  }

  async function overSockets(options: SessionOptions): Promise<string> {
    await using session = await openSession({ ...options, port: 0 })
    return await played(session)
  }

  /** The roles call each other through the platform's fetch, which msw answers. */
  async function throughMsw(options: SessionOptions): Promise<string> {
    const server = setupServer()
    server.listen({ onUnhandledFrame: 'error' })
    try {
      await using session = await openSession({
        ...options,
        listen: false,
        fetch: (request) => fetch(request),
      })
      server.use(...handlers(session))
      return await played(session)
    } finally {
      server.close()
    }
  }

  async function inProcess(options: SessionOptions): Promise<string> {
    await using session = await openSession({ ...options, listen: false })
    return await played(session)
  }

  test('yields equal facts over sockets, through msw and in process, for the same seed', async () => {
    const sockets = await overSockets(scenario)
    expect(sockets.length).toBeGreaterThan(many * 7000)
    expect(await throughMsw(scenario)).toBe(sockets)
    expect(await inProcess(scenario)).toBe(sockets)
    expect(await inProcess({ ...scenario, seed: 8 })).not.toBe(sockets)
  })
})
