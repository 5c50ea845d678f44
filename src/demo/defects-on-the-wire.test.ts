// @module-tag slow
/** A dozen defects against a real session over sockets: each is observable in the traffic. */
import { expect, test } from 'vitest'
import type { DefectName } from './defects.ts'
import { signatureOf } from './delivery-webhook.ts'
import {
  openServicePair,
  type ServicePair,
  type ServicePairOptions,
} from '../../test/support/reference/service-pair.ts'
import { until } from '../../test/support/reference/until.ts'

interface Case {
  readonly options?: ServicePairOptions
  /** The events and faults of the case. */
  readonly happens?: (pair: ServicePair, id: string) => Promise<void>
  /** Whether the wrong behaviour was observed. */
  readonly seen: (pair: ServicePair, id: string) => boolean | Promise<boolean>
  /** Whether a correct service has had the chance to show it; at the end of the order when absent. */
  readonly enough?: (pair: ServicePair, id: string) => boolean | Promise<boolean>
}

const error = (status: number, headers: Record<string, string> = {}): Promise<Response> =>
  Promise.resolve(new Response(null, { status, headers }))

const gaps = (pair: ServicePair, name: string): readonly number[] =>
  pair
    .callsOf(name)
    .slice(1)
    .map(({ at }, index) => at - (pair.callsOf(name)[index]?.at ?? 0))

/** The n-th read of a stuck order has arrived, so time has passed. */
const readings =
  (many: number) =>
  (pair: ServicePair, id: string): boolean =>
    pair.callsOf('order', id).length >= many

const failing = (
  name: string,
  status: number,
  headers?: Record<string, string>,
): ServicePairOptions => ({
  between: (each) => (each.name === name ? error(status, headers) : undefined),
})

const slowly: ServicePairOptions = {
  session: { counterparts: { 'ordering-application': { processing: 5000 } } },
}

/** The status code for a webhook with a forged signature. */
async function pushForged(pair: ServicePair): Promise<number> {
  const body = JSON.stringify({ eventId: 'e', eventType: 'CREATED', orderId: 'o' })
  return pair.post('/webhooks/orders', body, { 'x-app-signature': signatureOf(body, 'guess') })
}

const creations = (pair: ServicePair) =>
  pair.callsOf('delivery').filter(({ method }) => method === 'POST')

/** When the service knew that the order was finished. */
const knew = new WeakMap<ServicePair, number>()

const cases: Partial<Record<DefectName, Case>> = {
  'acts-on-202': {
    // The session takes longer to apply a call than the service to prepare: the next step is early and refused.
    options: slowly,
    seen: (pair) => pair.wire.some(({ status }) => status === 409),
    enough: readings(3),
  },
  'confirms-unread': { seen: (pair, id) => pair.callNames(id)[0] === 'confirm' },
  'never-acks': {
    seen: (pair) =>
      pair.callsOf('events:polling').length > 20 && pair.callsOf('acknowledgment').length === 0,
  },
  'acks-nothing': {
    seen: (pair) => pair.callsOf('acknowledgment').some(({ body }) => body === '{"eventIds":[]}'),
  },
  'polls-without-pause': {
    options: { service: { pace: { pollMs: 200 } } },
    seen: (pair) => Math.min(...gaps(pair, 'events:polling')) < 100,
  },
  'poll-dies-on-error': {
    options: failing('events:polling', 500),
    // A correct service polls on; the defect shows only in the absence of requests.
    async happens(pair) {
      await until(() => pair.callsOf('events:polling').length > 0)
      await until(() => pair.callsOf('events:polling').length > 2, 1500).catch(() => undefined)
    },
    seen: (pair) => pair.callsOf('events:polling').length === 1,
    enough: (pair) => pair.callsOf('events:polling').length > 2,
  },
  'token-per-call': { seen: (pair) => pair.callsOf('token').length > 5 },
  'retries-without-pause': {
    options: { ...failing('confirm', 503), service: { pace: { retryMs: 200 } } },
    seen: (pair) => (gaps(pair, 'confirm')[0] ?? 200) < 150,
    enough: (pair) => pair.callsOf('confirm').length > 1,
  },
  'ignores-retry-after': {
    options: failing('confirm', 429, { 'retry-after': '60' }),
    seen: (pair, id) => pair.callsOf('confirm', id).length > 1,
    enough: (pair) => pair.callsOf('events:polling').length > 30,
  },
  'reads-in-a-loop': {
    options: slowly,
    seen: (pair, id) => {
      const all = pair.callsOf('order', id).map(({ at }) => at)
      return all.some((at, index) => (all[index + 3] ?? Number.POSITIVE_INFINITY) - at < 300)
    },
    enough: readings(4),
  },
  'reconciles-for-ever': {
    options: { service: { pace: { reconcileMs: 100 } } },
    async happens(pair, id) {
      await until(() => pair.service.view(id)?.status === 'CONCLUDED')
      knew.set(pair, pair.wire.length)
    },
    seen: (pair, id) =>
      pair.wire.slice(knew.get(pair)).filter(({ orderId }) => orderId === id).length > 3,
    enough: (pair) => pair.wire.length > (knew.get(pair) ?? 0) + 20,
  },
  'cancels-on-conflict': {
    options: failing('confirm', 409),
    seen: (pair, id) => pair.callNames(id).includes('requestCancellation'),
    enough: readings(3),
  },
  'ignores-signature': {
    options: { service: { channel: 'webhook' } },
    seen: async (pair) => (await pushForged(pair)) === 204,
    enough: async (pair) => (await pushForged(pair)) === 401,
  },
  'never-compensates': {
    options: { delivers: true, service: { pace: { thinkMs: 400 } } },
    async happens(pair, id) {
      await until(() => pair.service.view(id)?.delivery?.state === 'there')
      await pair.session.submit({ kind: 'order.apply', orderId: id, trigger: 'cancel' })
      await until(() => pair.service.view(id)?.status === 'CONCLUDED')
      await until(() => pair.callsOf('cancel').length > 0, 1500).catch(() => undefined)
    },
    seen: (pair) => pair.callsOf('cancel').length === 0,
  },
  'new-key-on-retry': {
    options: {
      delivers: true,
      between: (each) =>
        each.name === 'delivery' && each.method === 'POST' ? error(503) : undefined,
    },
    seen: (pair) =>
      new Set(creations(pair).map(({ headers }) => headers.get('x-request-id'))).size > 1,
    enough: (pair) => creations(pair).length > 2,
  },
}

const table = Object.entries(cases) as [DefectName, Case][]

test('there are more than a dozen cases', () => {
  expect(table.length).toBeGreaterThan(12)
})

async function play(each: Case, defects: readonly DefectName[]): Promise<boolean> {
  const { options = {}, happens, seen } = each
  await using pair = await openServicePair({ ...options, service: { ...options.service, defects } })
  const id = await pair.order(options.delivers ? 'DELIVERY' : 'TAKEOUT')
  await happens?.(pair, id)
  const isOver = async (): Promise<boolean> => (await pair.status(id)) === 'CONCLUDED'
  const enough = defects.length > 0 ? seen : (each.enough ?? isOver)
  await until(() => enough(pair, id))
  return await seen(pair, id)
}

// Mostly waiting time, so the cases run concurrently.
test.concurrent.each(table)(
  '%s is observable, and a correct service does not show it',
  async (name, each) => {
    const [wrong, right] = await Promise.all([play(each, [name]), play(each, [])])
    expect({ wrong, right }).toEqual({ wrong: true, right: false })
  },
)
