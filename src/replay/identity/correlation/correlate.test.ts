// @module-tag slow
/** Correlation of real traffic is correct and complete. */
import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  asSubject,
  serviceTraffic,
  type RecordedTraffic,
  populationTraffic,
} from '../../../../test/support/recorded-traffic.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { redactExchange } from '../../../core/traffic/redaction/exchange.ts'
import { createRedactor } from '../../../core/traffic/redaction/redactor.ts'
import type { Correlation } from '../../../core/traffic/recording/correlation.ts'
import { correlate } from './correlate.ts'
import { secretKinds, sharedKinds } from '../../../core/traffic/entities/field-meaning.ts'

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const ours = { ours: ({ party }: { party: string }) => party === 'sparring' }

const textOf = ({ request, reply }: RecordedExchange): string =>
  [
    request.url,
    ...request.headers.map(([, value]) => value),
    request.body ?? '',
    ...(reply?.headers ?? []).map(([, value]) => value),
    reply?.body ?? '',
  ].join('\n')

/** Every identifier in the journal, by the field names of its facts. */
function idsInFacts({ facts }: RecordedTraffic): ReadonlySet<string> {
  const ids = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value === 'string') for (const [id] of value.matchAll(uuid)) ids.add(id)
    else if (Array.isArray(value)) value.forEach(walk)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  facts.forEach(walk)
  return ids
}

interface Measured {
  readonly precision: number
  readonly recall: number
  readonly places: number
}

/**
 * An oracle that is independent of the code under test: all our identifiers are UUIDs, so each occurrence of one must
 * be found; and each found identifier must be in the journal of the side that generated it.
 */
function measured(traffic: RecordedTraffic, { in: standing }: Correlation): Measured {
  const known = idsInFacts(traffic)
  let right = 0
  let found = 0
  let places = 0
  let missed = 0
  for (const exchange of traffic.exchanges) {
    const standingHere = standing(exchange.recordId)
    const values = new Set(standingHere.map(({ identifier }) => identifier.value))
    const text = textOf(exchange)
    for (const [id] of text.matchAll(uuid)) {
      places++
      if (![...values].some((value) => value.includes(id))) missed++
    }
    for (const { identifier } of standingHere) {
      const { kind, value, origin } = identifier
      if (origin === 'shared' || origin === 'secret' || kind === 'request') continue
      found++
      if (known.has(value)) right++
    }
  }
  return { precision: right / found, recall: 1 - missed / places, places }
}

describe('on traffic of our own sessions', () => {
  let town: RecordedTraffic
  let polling: RecordedTraffic
  let webhook: RecordedTraffic

  beforeAll(async () => {
    town = await populationTraffic()
    polling = await serviceTraffic('polling')
    webhook = await serviceTraffic('webhook')
  })

  test('with all capabilities every place of every identifier is found, and nothing else', () => {
    const { precision, recall, places } = measured(town, correlate(town.exchanges, ours))
    expect(places).toBeGreaterThan(5000)
    expect(recall).toBeGreaterThanOrEqual(0.99)
    expect(precision).toBeGreaterThanOrEqual(0.99)
  })

  test.each(['polling', 'webhook'] as const)(
    'between two sessions over %s every place of every identifier is found, and nothing else',
    (channel) => {
      const traffic = channel === 'polling' ? polling : webhook
      const { precision, recall } = measured(traffic, correlate(traffic.exchanges, ours))
      expect(recall).toBeGreaterThanOrEqual(0.99)
      expect(precision).toBeGreaterThanOrEqual(0.99)
    },
  )

  test('each identifier has one kind, which is that of the journal', () => {
    const { identifiers } = correlate(town.exchanges, ours)
    const kinds = new Map<string, Set<string>>()
    for (const { kind, value } of identifiers)
      if (uuid.test(value)) kinds.set(value, (kinds.get(value) ?? new Set()).add(kind))
    expect([...kinds].filter(([, all]) => all.size > 1)).toEqual([])
    const of = (kind: string): ReadonlySet<string> =>
      new Set(identifiers.filter((each) => each.kind === kind).map(({ value }) => value))
    const inFacts = (name: string, prefix: string): ReadonlySet<string> =>
      new Set(
        town.facts.flatMap(({ fact }) =>
          fact.kind.startsWith(prefix) && name in fact
            ? [String((fact as unknown as Record<string, unknown>)[name])]
            : [],
        ),
      )
    expect(of('order')).toEqual(inFacts('orderId', 'order.'))
    expect(of('unknown').size).toBe(0)
  })

  test('the origin of an identifier is the side that generated it', () => {
    const seen = asSubject(town.exchanges, 'software-service')
    const { identifiers } = correlate(seen, ours)
    const origins = (kind: string): readonly string[] => [
      ...new Set(identifiers.filter((each) => each.kind === kind).map(({ origin }) => origin)),
    ]
    expect(origins('order')).toEqual(['ours'])
    expect(origins('account')).toEqual(['theirs'])
    expect(origins('payment')).toEqual(['theirs'])
    expect(origins('delivery')).toEqual(['ours'])
    expect(origins('merchant')).toEqual(['shared'])
    expect(origins('token')).toEqual(['secret'])
    expect(origins('signature')).toEqual(['secret'])
    expect(new Set(origins('event'))).toEqual(new Set(['ours', 'theirs']))
    for (const { kind, origin } of identifiers) {
      expect(origin === 'shared').toBe(sharedKinds.has(kind as never))
      expect(origin === 'secret').toBe(secretKinds.has(kind as never))
    }
  })

  test('the uses of an order are paths, events and documents that name it', () => {
    const { identifiers, in: standing } = correlate(polling.exchanges, ours)
    const order = identifiers.find(({ kind }) => kind === 'order')
    const sites = order?.uses.map(({ at }) => at) ?? []
    expect(order?.born).toMatchObject({ side: 'reply', at: '/body/0/orderId' })
    expect(sites).toContain('/path/orderId')
    expect(sites).toContain('/body/0/orderURL')
    expect(sites).toContain('/body/id')
    for (const site of order?.uses ?? [])
      expect(standing(site.recordId).map(({ identifier }) => identifier)).toContain(order)
  })

  test('a redacted recording has the same correlation as the original', () => {
    const redactor = createRedactor((text) =>
      createHmac('sha256', 'a key of this test').update(text).digest('hex'),
    )
    const redacted = town.exchanges.map((exchange) => ({
      ...redactExchange(exchange, redactor).value,
      recordId: exchange.recordId,
    }))
    const before = correlate(town.exchanges, ours)
    const after = correlate(redacted, ours)
    const outline = ({ identifiers }: Correlation): readonly unknown[] =>
      identifiers.map(({ kind, origin, born, uses }) => ({ kind, origin, born, uses: uses.length }))
    expect(after.identifiers.some(({ value }) => value.startsWith('~tok_'))).toBe(true)
    expect(outline(after)).toEqual(outline(before))
  })
})

describe('an identifier that the protocol does not define', () => {
  const exchange = (seq: number, body: object, back: object = {}): RecordedExchange => ({
    ...sampleExchange(seq, {
      operation: 'sendOrderTracking',
      params: { orderId: 'o-1' },
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:7101/orders/o-1/tracking',
        headers: [['content-type', 'application/json']],
        body: JSON.stringify(body),
      },
      reply: { status: 202, headers: [], body: JSON.stringify(back) },
    }),
    recordId: `r${seq}`,
  })
  const learned = (exchanges: readonly RecordedExchange[]): readonly string[] =>
    correlate(exchanges, ours)
      .identifiers.filter(({ kind }) => kind === 'unknown')
      .map(({ value }) => value)

  test('is found when it looks machine-generated and occurs again', () => {
    const vehicle = 'veh_0123456789abcdef'
    expect(learned([exchange(1, {}, { vehicle }), exchange(2, { vehicle })])).toEqual([vehicle])
    expect(learned([exchange(1, {}, { vehicle }), exchange(2, {})])).toEqual([])
  })

  test('is found under an id-like name when one side issued it and the other repeated it', () => {
    const shiftId = 'shift7'
    expect(learned([exchange(1, {}, { shiftId }), exchange(2, { shiftId })])).toEqual([shiftId])
    expect(learned([exchange(1, { shiftId }), exchange(2, { shiftId })])).toEqual([])
  })

  test.each([
    ['booleans and short numbers', { a: true, vehicleId: 42 }],
    ['money', { feeId: 1234567.5 }],
    ['dates', { dayId: '2026-01-05', at: '2026-01-05T15:00:00.000Z' }],
    ['phrases', { note: 'Rua Augusta, 100 apto 42 bloco 3' }],
    ['words of the protocol', { reasonId: 'UNAVAILABLE_ITEM', currency: 'BRL' }],
    ['stand-ins of redaction', { note: '~txt(120)', plateId: '~plt_abcdefghij' }],
    ['people', { email: 'ana1234567890abcdef@example.com', phone: '+5511999990000' }],
  ])('equal values alone are no identifiers: %s', (_name, body) => {
    expect(learned([exchange(1, {}, body), exchange(2, body)])).toEqual([])
  })

  test('a receipt that repeats a known id is that identifier, any other receipt its own', () => {
    const { identifiers } = correlate(
      [
        exchange(1, {}, { correlationId: 'c-77' }),
        exchange(2, {}, { deliveryId: 'd-4000000000', correlationId: 'd-4000000000' }),
      ],
      ours,
    )
    expect(identifiers.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
      'order o-1',
      'receipt c-77',
      'delivery d-4000000000',
    ])
  })
})
