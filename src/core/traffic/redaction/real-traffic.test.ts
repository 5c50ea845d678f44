/** Redaction of traffic recorded from real sessions: personal data is replaced, all else stays. */
import { beforeAll, describe, expect, test } from 'vitest'
import { redactorWith } from '../../../../test/support/redactor.ts'
import { operation } from '../../protocol/catalogue.ts'
import { serviceTraffic, populationTraffic } from '../../../../test/support/recorded-traffic.ts'
import { correlate } from '../../../replay/identity/correlation/correlate.ts'
import type { Correlation } from '../recording/correlation.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { redactExchange } from './exchange.ts'

const redacted = (
  exchanges: readonly RecordedExchange[],
  redactor = redactorWith('a'),
): readonly RecordedExchange[] =>
  exchanges.map((exchange) => ({ ...exchange, ...redactExchange(exchange, redactor).value }))

type Leaf = readonly [path: string, key: string, value: unknown]

function leaves(value: unknown, path: string, key = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, key, value]]
  return Object.entries(value).flatMap(([name, each]) =>
    leaves(each, `${path}/${name}`, Array.isArray(value) ? key : name),
  )
}

const documentsOf = ({ request, reply }: RecordedExchange): readonly unknown[] =>
  [request.body, reply?.body].map((body) => {
    try {
      return body === undefined ? undefined : (JSON.parse(body) as unknown)
    } catch {
      return undefined
    }
  })

const leavesOf = (exchange: RecordedExchange): readonly Leaf[] => [
  ...documentsOf(exchange).flatMap((each, index) => leaves(each, String(index))),
  ...Object.entries(exchange.params ?? {}).map(([key, value]): Leaf => [
    `params/${key}`,
    key,
    value,
  ]),
]

/** Detected by key or form, independently of redaction: ids, SKUs, prices, amounts, times, kinds and statuses. */
const isBusiness = ([, key, value]: Leaf): boolean =>
  typeof value === 'boolean' ||
  value === null ||
  /^(?:id|orderId|eventId|merchantId|accountId|deliveryId|tableId|itemId|externalCode|displayId|sku|ean)$/.test(
    key,
  ) ||
  /^(?:price|unitPrice|totalPrice|originalPrice|amount|quantity|total|subtotal|currency|status|eventType|type|orderType|unit|index|city|state|country)$/.test(
    key,
  ) ||
  (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !/birth/i.test(key))

describe('traffic of a town and of a duel', () => {
  let before: readonly RecordedExchange[]
  let after: readonly RecordedExchange[]
  let sets: readonly (readonly RecordedExchange[])[]

  beforeAll(async () => {
    const town = await populationTraffic(8)
    const harness = await serviceTraffic('both')
    sets = [town.exchanges, harness.exchanges]
    before = sets.flat()
    after = redacted(before)
  })

  test('the sample is large enough and contains personal data', () => {
    expect(before.flatMap(leavesOf).length).toBeGreaterThan(8000)
    const changed = before.filter(
      (each, index) => JSON.stringify(each) !== JSON.stringify(after[index]),
    )
    expect(changed.length).toBeGreaterThan(100)
  })

  test('ids, SKUs, prices and times are unchanged, but for one leaf in a thousand at most', () => {
    const kept = before.map(leavesOf)
    const next = after.map(
      (each) => new Map(leavesOf(each).map(([path, , value]) => [path, value])),
    )
    const business = kept.flatMap((each, index) =>
      each
        .filter(isBusiness)
        .map(([path, , value]) => ({ path, value, now: next[index]?.get(path) })),
    )
    const changed = business.filter(({ value, now }) => value !== now)
    expect(business.length).toBeGreaterThan(4000)
    expect(changed.slice(0, 5)).toEqual([])
    expect(changed.length / business.length).toBeLessThanOrEqual(0.001)
  })

  test('no leaf changes its type, none is lost, none is added', () => {
    const shapes = (exchange: RecordedExchange) =>
      leavesOf(exchange).map(([path, , value]) => `${path} ${typeof value}`)
    for (const [index, exchange] of before.entries())
      expect(shapes(after[index] as RecordedExchange)).toEqual(shapes(exchange))
  })

  test('a body that passes the schema of its operation still passes it', () => {
    let checked = 0
    for (const [index, exchange] of before.entries()) {
      if (!exchange.operation) continue
      const { request, response } = operation(exchange.operation)
      const [asked, answered] = documentsOf(exchange)
      const [askedNow, answeredNow] = documentsOf(after[index] as RecordedExchange)
      for (const [schema, was, now] of [
        [request?.(), asked, askedNow],
        [response?.(), answered, answeredNow],
      ] as const) {
        if (!schema || was === undefined || !schema.safeParse(was).success) continue
        checked++
        expect([exchange.operation, schema.safeParse(now).error?.issues]).toEqual([
          exchange.operation,
          undefined,
        ])
      }
    }
    expect(checked).toBeGreaterThan(100)
  })

  test('correlation finds the same identifiers before and after', () => {
    const shapeOf = ({ identifiers }: Correlation) =>
      identifiers
        .filter(({ origin }) => origin !== 'secret')
        .map(({ kind, origin, born, uses }) => ({ kind, origin, born, uses }))
    for (const exchanges of sets) {
      const options = { ours: ({ party }: { readonly party: string }) => party !== 'subject' }
      const then = shapeOf(correlate(exchanges, options))
      const now = shapeOf(correlate(redacted(exchanges), options))
      expect(then.length).toBeGreaterThan(10)
      expect(now).toEqual(then)
    }
  })

  test('redacting twice changes nothing', () => {
    const again = redactorWith('a')
    for (const exchange of after)
      expect(redactExchange(exchange, again)).toEqual({ value: exchange, red: [] })
  })

  test('one key gives one text in every file, another key has no pseudonym in common with it', () => {
    const text = (key: string) => JSON.stringify(redacted(before, redactorWith(key)))
    const a = text('a')
    // The pseudonym of a person does not depend on order or file.
    const reversed = redacted(before.toReversed(), redactorWith('a')).toReversed()
    expect(JSON.stringify(reversed)).toBe(a)
    const marks = (of: string): ReadonlySet<string> =>
      new Set(of.match(/~[a-z]{3}_[a-z]{10}|Pessoa [a-z]{6}|u[a-z]{8}@example/g))
    const first = marks(a)
    expect(first.size).toBeGreaterThan(50)
    expect([...marks(text('b'))].filter((mark) => first.has(mark))).toEqual([])
  })
})
