/** A dialect of the user's own, from a file: played by a client of its shape, by our own roles, and checked with places. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSessionService } from '../../../test/support/session-service.ts'
import type { OrderType } from '../protocol/orders/order.ts'
import type { Session } from '../session-api/session.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import { openApiOfRole } from './openapi.ts'
import { openSession } from './open-session.ts'
import { sessionInput, type SessionOptions } from './options.ts'

const dialect = fileURLToPath(
  new URL('../../../examples/dialects/three-letter-codes.yaml', import.meta.url),
)

interface Event {
  readonly id: string
  readonly code: string
  readonly fullCode: string
  readonly orderId: string
}

/** A Software Service that knows the shape of the example alone, over sockets. */
function createClient(base: string) {
  let token = ''
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    async getToken() {
      const reply = await fetch(`${base}/authentication/v1.0/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grantType: 'client_credentials',
          clientId: 'subject',
          clientSecret: 'secret',
        }),
      })
      const answer = (await reply.json()) as { accessToken: string; expiresIn: number }
      token = answer.accessToken
      return { status: reply.status, ...answer }
    },
    async poll() {
      const reply = await send('GET', '/events/v1.0/events:polling')
      return reply.status === 204 ? [] : ((await reply.json()) as Event[])
    },
    acknowledge: (events: readonly Event[]) =>
      send(
        'POST',
        '/events/v1.0/events/acknowledgment',
        events.map(({ id }) => ({ id })),
      ),
    read: async (id: string) =>
      (await (await send('GET', `/order/v1.0/orders/${id}`)).json()) as Record<string, unknown>,
    ask: (id: string, call: string, body?: unknown) =>
      send('POST', `/order/v1.0/orders/${id}/${call}`, body),
  }
}

async function orderIn(session: Session, type: OrderType): Promise<string> {
  const created = await session.createOrder({ type })
  if (!created.ok) throw new Error(created.error.message)
  return created.value.orderId
}

async function openMarketplace(options: SessionOptions = {}) {
  const session = await openSession({
    dialect,
    as: 'software-service',
    port: 0,
    clock: 'virtual',
    automatic: false,
    capabilities: { logistics: false, customer: false, indoor: false },
    ...options,
  })
  onTestFinished(() => session.close())
  return { session, client: createClient(session.urls.get('ordering-application') ?? '') }
}

/** Every price of an order: a number, or an object that is a price of the documents. */
function prices(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(prices)
  if (!isUnknownRecord(value)) return []
  return Object.entries(value).flatMap(([name, each]) =>
    /price|amount|total$/i.test(name) && !Array.isArray(each) && !isUnknownRecord(each)
      ? [each]
      : isUnknownRecord(each) && 'currency' in each && 'value' in each && !('method' in each)
        ? [each]
        : prices(each),
  )
}

describe('a client of the shape of the example', () => {
  test('gets a token, polls, acknowledges, reads, confirms and cancels, and keeps every rule', async () => {
    const { session, client } = await openMarketplace()
    expect(await client.getToken()).toMatchObject({
      status: 200,
      accessToken: expect.stringMatching(/./) as string,
      expiresIn: 21_600,
    })
    const orderId = await orderIn(session, 'DELIVERY')
    await session.advance(2000)
    const [placed, ...others] = await client.poll()
    expect(others).toEqual([])
    expect(placed).toMatchObject({ orderId, code: 'PLC', fullCode: 'PLACED' })
    expect(placed).not.toHaveProperty('eventType')
    const url = (placed as unknown as { orderURL: string }).orderURL
    expect(url).toBe(`${session.urls.get('ordering-application')}/order/v1.0/orders/${orderId}`)
    expect((await client.acknowledge([placed!])).status).toBe(202)
    expect(await client.poll()).toEqual([])
    const order = await client.read(orderId)
    expect(order).toMatchObject({ id: orderId, lastEvent: 'PLACED', orderType: 'DELIVERY' })
    const all = prices(order)
    expect(all.length).toBeGreaterThan(4)
    for (const price of all) expect(price).toBeTypeOf('number')
    expect((await client.ask(orderId, 'confirm')).status).toBe(202)
    await session.advance(2000)
    const confirmed = await client.poll()
    expect(confirmed).toMatchObject([{ code: 'CFM', fullCode: 'CONFIRMED' }])
    await client.acknowledge(confirmed)
    await client.read(orderId)
    const refused = await client.ask(orderId, 'requestCancellation', {
      reason: 'closed',
      cancellationCode: 'SYSTEMIC_ISSUES',
    })
    expect(refused.status).toBe(202)
    await session.advance(60_000)
    const later: string[] = []
    for (let left = await client.poll(); left.length > 0; left = await client.poll()) {
      later.push(...left.map(({ code }) => code))
      await client.acknowledge(left)
    }
    expect(later).toEqual(['CAR', 'CRA', 'CAN', 'CON'])
    await client.read(orderId)
    expect(session.verdicts()).toEqual([])
    const verdicts = session.verdicts('all')
    expect(verdicts.some(({ outcome }) => outcome === 'passed')).toBe(true)
  })

  test('is advised by the paths of the dialect where it never acknowledges', async () => {
    const { session, client } = await openMarketplace()
    const advice: string[] = []
    session.onExchange((exchange) => advice.push(exchange.advice ?? ''))
    await client.getToken()
    await orderIn(session, 'TAKEOUT')
    for (let poll = 0; poll < 4; poll++) {
      await session.advance(30_000)
      await client.poll()
    }
    const base = session.urls.get('ordering-application')
    expect(advice.join('\n')).toContain(
      `acknowledge them with POST ${base}/events/v1.0/events/acknowledgment {"eventIds":["`,
    )
  })

  test('is caught by a rule where a fault repeats an event and it acts twice', async () => {
    const { session, client } = await openMarketplace()
    session.faults.add({ 'duplicate-late': { event: 'CREATED' } })
    await client.getToken()
    const orderId = await orderIn(session, 'TAKEOUT')
    let confirmed = 0
    for (let poll = 0; poll < 20; poll++) {
      await session.advance(10_000)
      const events = await client.poll()
      for (const { code } of events)
        if (code === 'PLC') {
          await client.ask(orderId, 'confirm')
          confirmed++
        }
      if (events.length > 0) await client.acknowledge(events)
    }
    expect(confirmed).toBe(2)
    expect(session.verdicts().map(({ id }) => id)).toContain('SE-7')
  })

  test('connects by what is printed: token, poll and curl line are those of the dialect', async () => {
    const { session } = await openMarketplace()
    const base = session.urls.get('ordering-application')
    const { connect } = (await session.look({})).info
    expect(connect).toMatchObject({
      tokenUrl: `${base}/authentication/v1.0/oauth/token`,
      pollUrl: `${base}/events/v1.0/events:polling`,
    })
    expect(connect?.curl).toContain('-d grantType=client_credentials -d clientId=subject')
    expect(connect?.curl).toContain('"accessToken"')
  })
})

test('the OpenAPI document of the dialect describes what is on the wire', async () => {
  const { configuration } = await sessionInput({ dialect })
  const document = openApiOfRole('ordering-application', configuration)
  const contract = written(JSON.stringify(document))
  const { session, client } = await openMarketplace({
    contract: { file: contract, role: 'ordering-application' },
  })
  await client.getToken()
  const orderId = await orderIn(session, 'DELIVERY')
  await session.advance(2000)
  await client.acknowledge(await client.poll())
  expect(await client.read(orderId)).toMatchObject({ orderType: 'DELIVERY' })
  expect((await client.ask(orderId, 'confirm')).status).toBe(202)
  const rule = session.verdicts('all').find(({ id }) => id === 'CONTRACT')
  expect(rule).toMatchObject({ outcome: 'passed', findings: [] })
})

const counterparts = {
  'ordering-application': {
    channel: 'both',
    orders: { every: 20_000, limit: 4, mix: { DELIVERY: 1, TAKEOUT: 1 } },
  },
} as const

test('our own roles speak it with each other, and keep the rules as in the form of the documents', async () => {
  const kept = async (options: Pick<SessionOptions, 'dialect'>): Promise<readonly string[]> => {
    let service: ReturnType<typeof startSessionService> | undefined
    await using session = await openSession({
      ...options,
      as: 'software-service',
      listen: false,
      clock: 'virtual',
      counterparts,
      subject: async (request) =>
        (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
    })
    service = startSessionService(
      { plays: 'software-service', partner: 'ordering-application', counterparts, ...options },
      session,
    )
    await using _running = service
    await session.advance(600_000)
    await session.settle()
    const { verdicts, info } = await session.look({ verdicts: true })
    expect(verdicts.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(info.counts.failed).toMatchObject({ errors: 0 })
    return verdicts.flatMap(({ id, outcome }) => (outcome === 'passed' ? [id] : []))
  }
  const passed = await kept({ dialect })
  expect(passed.length).toBeGreaterThan(5)
})

const written = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-dialect-')), 'mine.yaml')
  writeFileSync(file, text)
  return file
}

const problemOf = (text: string): Promise<string> =>
  openSession({ dialect: written(text), listen: false }).then(
    async (session) => {
      await session.close()
      return ''
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

describe('a dialect file', () => {
  test('with ten mistakes gets ten sentences, each with its place', async () => {
    const text = `name: keeta
summery: a partner
summary: a partner
extends: keetah
pollEvery: soon
conduct:
  emptyPoll: 205
  paths:
    pollEvents: /events
    getOrder: /order/{id}
    confirmOrder: /confirm
    dispatchOrder: dispatch
  translations:
    order:
      operations: [getOrders]
      lift: { value: {} }
      fields: { a: x, b: x }
`
    const message = await problemOf(text)
    const lines = message.split('\n').map((line) => line.replace(/^.*mine\.yaml:/, ''))
    expect(lines).toEqual([
      '1:7: name: is a dialect that ships. Correct it and try again.',
      '2:1: "summery" is not known. Did you mean "summary"?',
      expect.stringMatching(
        /^4:10: extends is "keetah", and it must be .* Did you mean "keeta"\?$/,
      ),
      expect.stringMatching(/^5:12: pollEvery: "soon" is no duration/),
      expect.stringMatching(/^7:14: conduct\.emptyPoll is 205, and it must be /),
      '9:5: there is no operation "pollEvents". Did you mean "pollEventsV1"?',
      '10:15: getOrder has no parameter {id}: it has {orderId}. Correct the path.',
      '11:19: /confirm is without {orderId}, which confirmOrder needs. Correct the path.',
      expect.stringMatching(/^12:20: /),
      '15:20: there is no operation "getOrders". Did you mean "getOrder"?',
      expect.stringMatching(/^16:22: .*value is in no object whose place it could take/),
      expect.stringMatching(/^17:26: .*it writes x of the partner, as fields\.a does/),
    ])
  })

  test('may not give two operations one path, nor be too large, executed, or something else', async () => {
    const head = 'name: mine\nsummary: a partner\n'
    expect(
      await problemOf(`${head}conduct: { paths: { pollingEvents: '/orders/{orderId}' } }`),
    ).toMatch(/mine\.yaml:3:.*pollingEvents has no parameter \{orderId\}/)
    expect(await problemOf(`${head}conduct: { paths: { pollingEvents: /merchants } }`)).toMatch(
      /mine\.yaml:3:.*GET \/merchants is listMerchants as well\. Correct the path\./,
    )
    expect(await problemOf(`${head}# ${'x'.repeat(1024 * 1024)}`)).toMatch(
      /and a dialect at most 1048576/,
    )
    expect(await problemOf('- a\n')).toMatch(
      /mine\.yaml:1:1: the dialect is a list, and it must be an object/,
    )
    expect(await problemOf(`${head}conduct: !!js/function 'x'`)).toMatch(/mine\.yaml:3:/)
    await expect(openSession({ dialect: './mine.ts', listen: false })).rejects.toThrow(
      'a dialect is a JSON or YAML file, and .ts says none of them. Name it .json or .yaml.',
    )
  })

  test('may not name a parameter twice, nor let two translations of one body differ about a field or a name', async () => {
    const head = 'name: mine\nsummary: a partner\n'
    expect(
      await problemOf(`${head}conduct: { paths: { getOrder: '/o/{orderId}/{orderId}' } }`),
    ).toMatch(
      /mine\.yaml:3:.*\/o\/\{orderId\}\/\{orderId\} has \{orderId\} twice\. Correct the path\./,
    )
    const two = (first: string, second: string, of = 'both') => `${head}conduct:
  translations:
    a: { operations: [pollingEvents], fields: { ${first} } }
    b: { operations: [pollingEvents], of: ${of}, fields: { ${second} } }
`
    expect(await problemOf(two('eventId: id', 'eventId: uid'))).toMatch(
      /mine\.yaml:6:.*it gives eventId the name uid, and translation a of the same body gives eventId the name id\. Leave one of them out\./,
    )
    expect(await problemOf(two('eventId: id', 'eventType: id', 'reply'))).toMatch(
      /it gives eventType the name id, and translation a/,
    )
    expect(await problemOf(two('eventId: id', 'eventId: id, eventType: kind'))).toBe('')
  })

  test('may not name a field or a word that is spelt nearly like one of the documents', async () => {
    const text = `name: mine
summary: a partner
conduct:
  translations:
    event:
      operations: [pollingEvents]
      fields: { evntId: id, loyaltyTier: tier }
      words: { eventType: { CREATD: PLACED, BASKET_SHARED: SHARED } }
      byWord: { code: { from: evenType, words: { CREATED: PLC } } }
    order:
      operations: [getOrder]
      of: reply
      lift: { total.orderAmont.value: { currency: BRL } }
      copy: { mode: fulfillment.ordrType }
      absent: [extraInfos]
`
    const message = await problemOf(text)
    expect(message.split('\n').map((line) => line.replace(/^.*mine\.yaml:/, ''))).toEqual([
      '7:17: no body of pollingEvents has evntId. Did you mean eventId?',
      '8:29: eventType has no word CREATD. Did you mean CREATED?',
      '9:31: no body of pollingEvents has evenType. Did you mean eventType?',
      '13:15: no body of getOrder has total.orderAmont.value. Did you mean total.orderAmount.value?',
      '14:21: no body of getOrder has fulfillment.ordrType. Did you mean fulfillment.orderType?',
      '15:16: no body of getOrder has extraInfos. Did you mean extraInfo?',
    ])
  })

  test('extends one that ships, and counts below a setting of the configuration', async () => {
    const file = written(
      'name: mine\nsummary: a partner\nextends: pedizap\nconduct: { tokenLife: 2h, emptyPoll: 200 }\n',
    )
    const { configuration } = await sessionInput({ dialect: file, conduct: { tokenLife: '1h' } })
    expect(configuration.conduct).toMatchObject({
      speaks: 'v1',
      tokenLife: 3_600_000,
      emptyPoll: 200,
      paths: { pollEventsV1: '/v1/events' },
    })
    expect(configuration.dialect).toMatchObject({ name: 'mine' })
  })
})

test.each([
  ['pedizp', /"pedizp" is neither one of .* did you mean "pedizap"\?/],
  [{ name: 'mine', summary: 'a partner', conduct: { emptyPol: 200 } }, /emptyPol/],
  [{ name: 'mine', summary: 'a partner', conduct: { paths: { getOrder: '/x' } } }, /is without/],
])('a session refuses the dialect %j', async (wrong, text) => {
  await expect(openSession({ dialect: wrong as never, listen: false })).rejects.toThrow(text)
})

test('an operation of V2 is none of a partner who speaks V1', async () => {
  const own = (name: string) =>
    sessionInput({
      dialect: {
        name: 'mine',
        summary: 'a',
        extends: 'v1',
        conduct: { paths: { [name]: '/x/{orderId}' } },
      },
    })
  await expect(own('getOrder')).rejects.toThrow(
    'conduct.paths.getOrder: there is no operation "getOrder" in V1. Did you mean "getOrderV1"?',
  )
  expect((await own('getOrderV1')).configuration.conduct.speaks).toBe('v1')
})

test('the data of a dialect is one as well, and changes nothing that it does not name', async () => {
  const { configuration } = await sessionInput({
    dialect: { name: 'mine', summary: 'a partner', conduct: { tokenLife: '2h' } },
  })
  const plain = await sessionInput({})
  expect(configuration.conduct).toEqual({ ...plain.configuration.conduct, tokenLife: 7_200_000 })
})
