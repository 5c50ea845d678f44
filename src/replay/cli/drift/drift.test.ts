/** `sparring drift` over real sockets: a partner that differs in named ways, and one that does not. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { openSession } from '../../../core/session/open-session.ts'
import type { SessionOptions } from '../../../core/session/options.ts'
import type { Session } from '../../../core/session-api/session.ts'
import type { DriftReport } from '../../difference/drift.ts'

const cwd = mkdtempSync(join(tmpdir(), 'sparring-drift-'))
const recording = join(cwd, 'lunch.rec.ndjson')

/** The marketplace of the same orders, as it was recorded and as it is now. */
async function openPartner(file?: string): Promise<Session> {
  const session = await openSession({
    as: 'software-service',
    port: 0,
    seed: 5,
    clock: 'stepped',
    ...(file === undefined ? {} : { recording: { file } }),
  })
  for (const type of ['DELIVERY', 'TAKEOUT'] as const) await session.createOrder({ type })
  await session.advance(1000)
  return session
}

/** What a service does there: a token, a poll, an acknowledgment, each order read and confirmed, one that is none. */
async function beService(base: string): Promise<void> {
  const json = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(`${base}${path}`, { ...init, headers })
    const text = await reply.text()
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  let headers: Record<string, string> = {}
  const { access_token: token } = (await json('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'subject', client_secret: 'secret' }),
  })) as { access_token: string }
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const events = (await json('/events:polling')) as { eventId: string; orderId: string }[]
  const eventIds = events.map(({ eventId }) => eventId)
  await json('/events/acknowledgment', { method: 'POST', body: JSON.stringify({ eventIds }) })
  for (const { orderId } of events) {
    await json(`/orders/${orderId}`)
    await json(`/orders/${orderId}/confirm`, { method: 'POST', body: '{}' })
  }
  await json('/orders/no-such-order')
}

type Change = (path: string, status: number, body: unknown) => readonly [number, unknown]

/** A partner behind which another one answers, some answers changed. */
async function changedPartner(base: string, change: Change, delayMs = 0): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => void answer())
    const answer = async (): Promise<void> => {
      const { authorization, 'content-type': type } = request.headers
      const reply = await fetch(`${base}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          ...(authorization ? { authorization } : {}),
          ...(type ? { 'content-type': type } : {}),
        },
        ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
      })
      const text = await reply.text()
      const own: unknown = text === '' ? undefined : JSON.parse(text)
      const [status, body] = change(request.url ?? '', reply.status, own)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const baseOf = (session: Session): string => session.urls.get('ordering-application') ?? ''

const drift = (...args: readonly string[]) => runInProcess(['drift', recording, ...args], { cwd })

async function rowsOf(change: Change, ...args: readonly string[]) {
  await using partner = await openPartner()
  const server = await changedPartner(baseOf(partner), change)
  const { code, stdout, stderr } = await drift('--to', urlOf(server), '--json', ...args)
  server.close()
  expect(stderr).toBe('')
  return { code, ...(JSON.parse(stdout) as DriftReport) }
}

/** A contract of polls alone. */
function contractFile(schema: object): string {
  const file = join(mkdtempSync(join(cwd, 'contract-')), 'openapi.json')
  const ok = { description: 'ok', content: { 'application/json': { schema } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'mine', version: '1' },
    paths: { '/events:polling': { get: { responses: { 200: ok } } } },
  }
  writeFileSync(file, JSON.stringify(document))
  return file
}

const unchanged: Change = (_path, status, body) => [status, body]

const isOrder = (path: string, status: number): boolean =>
  status === 200 && /^\/orders\/[^/]+$/.test(path)

beforeAll(async () => {
  await using partner = await openPartner(recording)
  await beService(baseOf(partner))
})

describe('a partner that answers as it did', () => {
  test('has no drift, whatever its ids and times are', async () => {
    await using partner = await openPartner()
    const { code, stdout, stderr } = await drift('--to', baseOf(partner))
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^no drift: 8 calls were answered by http:\S+\n$/) as string,
    })
  })

  test('has none by a contract and a limit of time that it keeps', async () => {
    const contract = `${contractFile({ type: 'array' })}=oa`
    const args = ['--contract', contract, '--slower-than', '30s']
    const { code, rows } = await rowsOf(unchanged, ...args)
    expect({ code, rows }).toEqual({ code: 0, rows: [] })
  })
})

test('a partner who speaks a dialect is asked in it, with the credentials of the configuration', async () => {
  const dialect = fileURLToPath(
    new URL('../../../../examples/dialects/three-letter-codes.yaml', import.meta.url),
  )
  const open = (more: SessionOptions) =>
    openSession({ as: 'software-service', dialect, port: 0, clock: 'stepped', ...more })
  const file = join(cwd, 'own.rec.ndjson')
  let token = ''
  {
    await using recorded = await open({ recording: { file } })
    const base = baseOf(recorded)
    const reply = await fetch(`${base}/authentication/v1.0/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ clientId: 'subject', clientSecret: 'secret' }),
    })
    const { accessToken } = (await reply.json()) as { accessToken: string }
    token = accessToken
    const headers = { authorization: `Bearer ${accessToken}` }
    expect((await fetch(`${base}/events/v1.0/events:polling`, { headers })).status).toBe(204)
  }
  expect(token).toMatch(/^\S{20,}$/)
  const text = readFileSync(file, 'utf8')
  for (const secret of [token, 'clientSecret=secret']) expect(text).not.toContain(secret)
  const credentials = { clientId: 'mine', clientSecret: 'other' }
  await using partner = await open({ subject: { credentials } })
  writeFileSync(join(cwd, 'own.json'), JSON.stringify({ subject: { credentials }, dialect }))
  const args = [file, '--to', baseOf(partner), '--config', 'own.json']
  const { code, stdout } = await runInProcess(['drift', ...args], { cwd })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^no drift: 2 calls were answered by /) as string,
  })
})

describe('a partner that answers otherwise', () => {
  test('is named by statuses, members, types and what the documents say, as JSON', async () => {
    const { code, rows } = await rowsOf((path, status, body) => {
      if (path.endsWith('/confirm')) return [200, body]
      if (!isOrder(path, status)) return [status, body]
      const { displayId: _, ...order } = body as { displayId: string; items: { id: string }[] }
      return [
        status,
        {
          ...order,
          loyaltyLevel: 3,
          extraInfo: 'leave it at the door',
          items: order.items.map((item) => ({ ...item, quantity: 'one' })),
        },
      ]
    })
    expect(code).toBe(1)
    const of = (operation: string) => rows.filter((row) => row.operation === operation)
    expect(of('confirmOrder')).toEqual([
      expect.objectContaining({ kind: 'status', recorded: '202', live: '200' }) as unknown,
    ])
    expect(of('getOrder').map(({ kind, where, documented }) => [kind, where, documented])).toEqual(
      expect.arrayContaining([
        ['member', '/loyaltyLevel', false],
        ['member', '/extraInfo', true],
        ['missing', '/displayId', undefined],
        ['type', '/items/*/quantity', undefined],
        ['document', '/displayId', undefined],
        ['document', '/items/*/quantity', undefined],
      ]),
    )
    expect(rows).toHaveLength(7)
    expect(rows.every(({ exchanges }) => exchanges.length === 2)).toBe(true)
  })

  test('is a table for people', async () => {
    await using partner = await openPartner()
    const server = await changedPartner(baseOf(partner), (path, status, body) =>
      isOrder(path, status) ? [status, { ...(body as object), tip: 1 }] : [status, body],
    )
    const { code, stdout } = await drift('--to', urlOf(server))
    server.close()
    expect(code).toBe(1)
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^OPERATION +WHAT +WHERE +RECORDED +NOW +EXCHANGES$/),
      expect.stringMatching(/^getOrder +member, undocumented +\/tip +- +number +#\d+ #\d+$/),
      expect.stringMatching(/^1 difference: 8 calls were answered by /),
      '',
    ])
  })

  test('differs from a contract, and is slower than it may be', async () => {
    const contract = contractFile({ type: 'array', maxItems: 0 })
    const { code, rows } = await rowsOf(
      unchanged,
      '--contract',
      `${contract}=oa`,
      '--slower-than',
      '0',
    )
    expect(code).toBe(1)
    expect(rows.map(({ kind }) => kind)).toContain('contract')
  })

  test('is not drift where a rule of the user allows it', async () => {
    const rules = join(cwd, 'mine.rules.json')
    const rule = {
      at: '$.body.loyaltyLevel',
      operation: 'getOrder',
      compare: 'ignore',
      reason: 'new',
    }
    writeFileSync(rules, JSON.stringify({ version: 1, rules: [rule] }))
    const change: Change = (path, status, body) =>
      isOrder(path, status) ? [status, { ...(body as object), loyaltyLevel: 3 }] : [status, body]
    expect((await rowsOf(change, '--rules', rules)).rows).toEqual([])
    expect((await rowsOf(change)).rows).toHaveLength(1)
  })
})

describe('what cannot be compared', () => {
  test('ends with 3 where nothing answers, or the credentials are refused', async () => {
    const silent = await drift('--to', 'http://127.0.0.1:9')
    expect({ code: silent.code, stderr: silent.stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('looking for drift at http://127.0.0.1:9') as string,
    })
    await using partner = await openPartner()
    writeFileSync(
      join(cwd, 'other.yaml'),
      `subject: { credentials: { clientId: subject, clientSecret: other } }\ncounterparts: { ordering-application: { url: '${baseOf(partner)}' } }\n`,
    )
    const refused = await drift('--to', 'other.yaml')
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('subject.credentials') as string,
    })
  })

  test.each([
    [['--to', 'nowhere'], /--to/],
    [[], /no partner is given/],
    [['--to', 'http://127.0.0.1:9', '--only', 'status>>9'], /--only/],
    [['--to', 'http://127.0.0.1:9', '--slower-than', 'soon'], /--slower-than/],
  ] as const)('ends with 2 for %j', async (args, text) => {
    const { code, stderr } = await drift(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(text)
  })
})
