// @module-tag slow
/** Causes of exchanges, inferred from real traffic of our sessions. */
import { beforeAll, describe, expect, test } from 'vitest'
import { serviceTraffic, populationTraffic } from '../../../../test/support/recorded-traffic.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { Cause, RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { inferCauses } from './causes.ts'
import { isIdlePoll } from '../../../core/traffic/polling.ts'
import { exchangeEntities, exchangeLane } from '../../../core/traffic/entities/entities.ts'

type Causes = ReadonlyMap<string, readonly Cause[]>

/** `confirmOrder <- event pollingEvents`, for every cause of at least this certainty. */
function describeCauses(
  exchanges: readonly RecordedExchange[],
  causes: Causes,
  minCertainty = 0.5,
): Set<string> {
  const byId = new Map(exchanges.map((each) => [each.recordId, each.operation ?? '?']))
  return new Set(
    exchanges.flatMap(({ recordId, operation }) =>
      (causes.get(recordId) ?? [])
        .filter(({ sure }) => sure >= minCertainty)
        .map(({ kind, id }) => `${operation} <- ${kind} ${byId.get(id)}`),
    ),
  )
}

describe.each(['polling', 'webhook'] as const)('two of our sessions over %s', (channel) => {
  let exchanges: readonly RecordedExchange[]
  let causes: Causes
  let all: ReadonlySet<string>

  beforeAll(async () => {
    exchanges = (await serviceTraffic(channel)).exchanges
    causes = inferCauses(exchanges)
    all = describeCauses(exchanges, causes)
  })
  const news = channel === 'polling' ? 'pollingEvents' : 'receiveOrderEvent'

  test('an authenticated call has the reply that issued its token as a cause', () => {
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

  test('an acknowledgment has the poll that handed over its events as a cause', () => {
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

  test('causes precede their effects, are unique, and have a certainty above 0 and up to 1', () => {
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

  test('calls of one party about one order share a lane, and an idle poll has no entity', () => {
    const confirmations = exchanges.filter(({ operation }) => operation === 'confirmOrder')
    for (const { orderId } of confirmations) {
      const calls = exchanges.filter(
        (each) => each.orderId === orderId && each.from.party === 'subject',
      )
      expect(new Set(calls.map((each) => exchangeLane(each)))).toEqual(
        new Set([`subject software-service order ${orderId}`]),
      )
    }
    for (const exchange of exchanges.filter(isIdlePoll)) {
      expect(exchange.eventIds ?? []).toEqual([])
      expect(exchangeEntities(exchange)).toEqual([])
    }
  })
})

test('in all capabilities the effects of accepted calls are inferred from the lifecycles', async () => {
  const { exchanges } = await populationTraffic(40)
  const all = describeCauses(exchanges, inferCauses(exchanges))
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

test('a call with the request id of an earlier one is a retry of it', () => {
  const causes = inferCauses([
    call(1, { failure: { code: 'ECONNRESET', message: 'reset' } }),
    call(2),
  ])
  expect(causes.get('r2')).toContainEqual({ id: 'r1', kind: 'retry', sure: 1 })
})

test('a repeated handover of an event is a retry of the first', () => {
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
  const causes = inferCauses([call(1), webhook(2), webhook(3)])
  expect(causes.get('r2')).toContainEqual({ id: 'r1', kind: 'followup', sure: 0.95 })
  expect(causes.get('r3')).toContainEqual({ id: 'r2', kind: 'retry', sure: 1 })
})

test('a long poll hands over its events when it ends, also effects of calls that began after it', () => {
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
  const causes = inferCauses([
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

test('a refused call has no effects', () => {
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
    inferCauses([refused, poll])
      .get('r2')
      ?.map(({ kind }) => kind),
  ).not.toContain('followup')
})

test('recorded causes stay, and only other kinds of causes are inferred', () => {
  const elsewhere: Cause = { id: 'elsewhere', kind: 'retry', sure: 1 }
  const before: Cause = { id: 'r1', kind: 'callback', sure: 0.3 }
  const only = inferCauses([call(1), { ...call(2), causes: [before, elsewhere] }])
  expect(only.get('r2')).toEqual([before, elsewhere])
  const more = inferCauses([call(1), { ...call(2), causes: [elsewhere] }])
  expect(more.get('r2')).toEqual([elsewhere, { id: 'r1', kind: 'order', sure: 0.4 }])
})

test('the place of an account names it in calls without its id', () => {
  const kiosk = { role: 'ordering-application', party: 'sparring' } as const
  const house = { role: 'software-service', party: 'subject' } as const
  const account = (seq: number, change: Partial<Exchange>): RecordedExchange => {
    const { orderId: _, params: __, ...one } = call(seq, { from: kiosk, to: house, ...change })
    return one
  }
  const opened = account(1, {
    operation: 'receiveAccountEvent',
    from: house,
    to: kiosk,
    request: {
      method: 'POST',
      url: 'http://oa.test/webhooks/accounts',
      headers: [],
      body: '{"eventId":"e-1","eventType":"ACCOUNT_OPENED","accountId":"a-1","operationMode":"TABLE","identifier":"7"}',
    },
  })
  const payment = account(2, {
    operation: 'createPayment',
    request: {
      method: 'POST',
      url: 'http://ss.test/accounts/payments?operationMode=TABLE&identifier=7',
      headers: [],
    },
  })
  const paid = account(3, {
    ...opened,
    request: {
      ...opened.request,
      body: '{"eventId":"e-2","eventType":"PAYMENT_CREATED","operationMode":"TABLE","identifier":"7"}',
    },
  })
  const causes = inferCauses([opened, payment, { ...paid, seq: 3, recordId: 'r3' }])
  expect(causes.get('r2')).toContainEqual({ id: 'r1', kind: 'event', sure: 0.95 })
  expect(causes.get('r3')).toContainEqual({ id: 'r2', kind: 'followup', sure: 0.95 })
})
