/** Why exchanges came when they did, told from traffic that sessions of ours really had. */
import { beforeAll, describe, expect, test } from 'vitest'
import { duelTraffic, townTraffic } from '../../../test/support/recorded-traffic.ts'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Exchange } from '../exchange.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import { causesOf } from './causes.ts'
import { isIdlePoll } from '../polling.ts'
import { entitiesOf, laneOf } from './entities.ts'

type Causes = ReadonlyMap<string, readonly Cause[]>

/** `confirmOrder <- event pollingEvents`, for every cause of at least so sure. */
function told(exchanges: readonly RecordedExchange[], causes: Causes, least = 0.5): Set<string> {
  const byId = new Map(exchanges.map((each) => [each.recordId, each.operation ?? '?']))
  return new Set(
    exchanges.flatMap(({ recordId, operation }) =>
      (causes.get(recordId) ?? [])
        .filter(({ sure }) => sure >= least)
        .map(({ kind, id }) => `${operation} <- ${kind} ${byId.get(id)}`),
    ),
  )
}

describe.each(['polling', 'webhook'] as const)('a duel over %s', (channel) => {
  let exchanges: readonly RecordedExchange[]
  let causes: Causes
  let all: ReadonlySet<string>

  beforeAll(async () => {
    exchanges = (await duelTraffic(channel)).exchanges
    causes = causesOf(exchanges)
    all = told(exchanges, causes)
  })
  const news = channel === 'polling' ? 'pollingEvents' : 'receiveOrderEvent'

  test('every authenticated call came of the answer that gave its token', () => {
    const authenticated = exchanges.filter(({ request }) =>
      request.headers.some(([name]) => name === 'authorization'),
    )
    const counts = authenticated.map(
      ({ recordId }) => causes.get(recordId)?.filter(({ kind }) => kind === 'session').length,
    )
    expect(new Set(counts)).toEqual(new Set([1]))
  })

  test.each([
    `getOrder <- event ${news}`,
    `confirmOrder <- event ${news}`,
    `${news} <- followup confirmOrder`,
    `${news} <- followup setOrderPreparing`,
    `${news} <- followup setOrderReadyForPickup`,
    `${news} <- followup dispatchOrder`,
    `${news} <- followup setOrderDelivered`,
    `setOrderDelivered <- event ${news}`,
    'receiveDeliveryEvent <- followup createDelivery',
    'getDelivery <- event receiveDeliveryEvent',
  ])('%s', (line) => {
    expect(all.has(line)).toBe(true)
  })

  test('an acknowledgment came of the poll that handed its events over', () => {
    for (const { operation, recordId, eventIds = [] } of exchanges) {
      if (operation !== 'acknowledgeEvents') continue
      const acks = (causes.get(recordId) ?? []).filter(({ kind }) => kind === 'ack')
      expect(acks.length).toBeGreaterThan(0)
      for (const { id, sure } of acks) {
        const poll = exchanges.find((each) => each.recordId === id)
        expect(sure).toBe(1)
        expect(poll?.eventIds?.some((event) => eventIds.includes(event))).toBe(true)
      }
    }
  })

  test('causes come first, each once, and nobody is surer than sure', () => {
    const places = new Map(exchanges.map(({ recordId }, place) => [recordId, place]))
    for (const [place, { recordId }] of exchanges.entries()) {
      const own = causes.get(recordId) ?? []
      expect(new Set(own.map(({ id }) => id)).size).toBe(own.length)
      for (const { id, sure } of own) {
        expect(places.get(id)).toBeLessThan(place)
        expect(sure).toBeGreaterThan(0)
        expect(sure).toBeLessThanOrEqual(1)
      }
    }
  })

  test('one order is one lane of its caller, and an idle poll is about nothing', () => {
    const confirmations = exchanges.filter(({ operation }) => operation === 'confirmOrder')
    for (const { orderId } of confirmations) {
      const calls = exchanges.filter(
        (each) => each.orderId === orderId && each.from.party === 'subject',
      )
      expect(new Set(calls.map((each) => laneOf(each)))).toEqual(
        new Set([`subject software-service order ${orderId}`]),
      )
    }
    for (const exchange of exchanges.filter(isIdlePoll)) {
      expect(exchange.eventIds ?? []).toEqual([])
      expect(entitiesOf(exchange)).toEqual([])
    }
  })
})

test('all capabilities: the effects of accepted calls are found where the lifecycles say', async () => {
  const { exchanges } = await townTraffic(40)
  const all = told(exchanges, causesOf(exchanges))
  for (const line of [
    'receiveAccountEvent <- followup preCloseAccount',
    'receiveAccountEvent <- followup createPayment',
    'receiveAccountEvent <- followup closeAccount',
    'receiveAccountEvent <- followup requestFiscalDocument',
    'receiveDeliveryEvent <- followup createDelivery',
    'receiveLoyaltyEvent <- followup receiveCustomerEvent',
    'getAccount <- event receiveAccountEvent',
    'getLoyaltyAccountById <- event receiveLoyaltyEvent',
    'setDeliveryReadyForPickup <- event receiveDeliveryEvent',
  ])
    expect(all).toContain(line)
})

const call = (seq: number, change: Partial<Exchange> = {}): RecordedExchange => ({
  ...sampleExchange(seq, {
    operation: 'confirmOrder',
    params: { orderId: 'o-1' },
    orderId: 'o-1',
    request: {
      method: 'POST',
      url: 'http://oa.test/orders/o-1/confirm',
      headers: [['X-Request-Id', 'confirm-1']],
    },
    reply: { status: 202, headers: [] },
    ...change,
  }),
  recordId: `r${seq}`,
})

test('a call with the mark of an earlier one is another try of it', () => {
  const causes = causesOf([call(1, { failure: { code: 'ECONNRESET', message: 'reset' } }), call(2)])
  expect(causes.get('r2')).toContainEqual({ id: 'r1', kind: 'retry', sure: 1 })
})

test('an event that is handed over again is another try of the first time', () => {
  const webhook = (seq: number): RecordedExchange =>
    call(seq, {
      operation: 'receiveOrderEvent',
      from: { role: 'ordering-application', party: 'sparring' },
      to: { role: 'software-service', party: 'subject' },
      eventIds: ['e-1'],
      request: {
        method: 'POST',
        url: 'http://ss.test/webhooks/orders',
        headers: [['X-Request-Id', `hook-${seq}`]],
        body: JSON.stringify({ eventId: 'e-1', eventType: 'CONFIRMED', orderId: 'o-1' }),
      },
    })
  const causes = causesOf([call(1), webhook(2), webhook(3)])
  expect(causes.get('r2')).toContainEqual({ id: 'r1', kind: 'followup', sure: 0.95 })
  expect(causes.get('r3')).toContainEqual({ id: 'r2', kind: 'retry', sure: 1 })
})

test('a long poll tells its news when it ends, and may bring the effect of a call that began after it', () => {
  const start = call(1).startedAt
  const poll = (seq: number, startedAt: number, tookMs: number, type: string): RecordedExchange =>
    call(seq, {
      operation: 'pollingEvents',
      startedAt,
      tookMs,
      request: { method: 'GET', url: 'http://oa.test/events:polling', headers: [] },
      reply: {
        status: 200,
        headers: [],
        body: JSON.stringify([{ eventId: `e-${seq}`, eventType: type, orderId: 'o-1' }]),
      },
    })
  const confirm = { ...call(3), startedAt: start + 1000, tookMs: 5 }
  const causes = causesOf([
    poll(1, start, 10, 'CREATED'),
    poll(2, start + 20, 30_000, 'CONFIRMED'),
    confirm,
    { ...call(4), operation: 'setOrderPreparing', startedAt: start + 40_000 },
  ])
  const of = (id: string, kind: string): readonly string[] =>
    (causes.get(id) ?? []).filter((each) => each.kind === kind).map((each) => each.id)
  expect(of('r3', 'event')).toEqual(['r1'])
  expect(of('r2', 'followup')).toEqual(['r3'])
  expect(of('r4', 'event')).toEqual(['r2'])
  expect([...causes.keys()]).toEqual(['r1', 'r2', 'r3', 'r4'])
})

test('a call that was refused has no effects', () => {
  const refused = call(1, { reply: { status: 409, headers: [] } })
  const poll = call(2, {
    operation: 'pollingEvents',
    request: { method: 'GET', url: 'http://oa.test/events:polling', headers: [] },
    reply: {
      status: 200,
      headers: [],
      body: JSON.stringify([{ eventId: 'e-1', eventType: 'CONFIRMED', orderId: 'o-1' }]),
    },
  })
  expect(
    causesOf([refused, poll])
      .get('r2')
      ?.map(({ kind }) => kind),
  ).not.toContain('followup')
})

test('what the recording says stays, and only the other kinds are inferred', () => {
  const elsewhere: Cause = { id: 'elsewhere', kind: 'retry', sure: 1 }
  const before: Cause = { id: 'r1', kind: 'callback', sure: 0.3 }
  const only = causesOf([call(1), { ...call(2), causes: [before, elsewhere] }])
  expect(only.get('r2')).toEqual([before, elsewhere])
  const more = causesOf([call(1), { ...call(2), causes: [elsewhere] }])
  expect(more.get('r2')).toEqual([elsewhere, { id: 'r1', kind: 'order', sure: 0.4 }])
})
