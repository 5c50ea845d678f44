// @module-tag slow
/** The reference Software Service against a real session over sockets, with and without faults. */
import { describe, expect, test } from 'vitest'
import type { Profile } from './lifecycle.ts'
import { signatureOf } from './delivery-webhook.ts'
import {
  type CallInterceptor,
  openServicePair,
  type ServicePair,
} from '../../test/support/reference/service-pair.ts'
import { until } from '../../test/support/reference/until.ts'

const types = ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const

async function twenty(pair: ServicePair): Promise<readonly { id: string; type: Profile }[]> {
  const made: { id: string; type: Profile }[] = []
  for (let number = 0; number < 20; number++) {
    const type = types[number % 3]!
    made.push({ id: await pair.order(type), type })
  }
  return made
}

/** The statuses of all orders in the session. */
async function statuses({ session }: ServicePair): Promise<readonly string[]> {
  const { orders } = await session.look({ orders: { limit: 100 } })
  return orders.map(({ status }) => status)
}

const allEnded = async (pair: ServicePair, many = 20): Promise<void> => {
  let seen: readonly string[] = []
  const isSo = async (): Promise<boolean> => {
    seen = await statuses(pair)
    return seen.length === many && seen.every((status) => status === 'CONCLUDED')
  }
  await until(isSo, undefined, () => seen)
}

const wayOf = (type: Profile): readonly string[] => [
  'confirm',
  'preparing',
  'ready-for-pickup',
  ...(type === 'DELIVERY' ? ['dispatch'] : []),
  'delivered',
]

const steps = ({ callNames: told }: ServicePair, id: string): readonly string[] =>
  told(id).filter((call) => call !== 'order')

const errorOf = (status: number): Promise<Response> =>
  Promise.resolve(new Response(null, { status }))

/** Applies an interceptor to the first requests of a name. */
const first =
  (name: string, times: number, then: () => Promise<Response>): CallInterceptor =>
  (seen) =>
    seen.name === name && times-- > 0 ? then() : undefined

describe('twenty orders of all profiles', () => {
  test.each(['polling', 'webhook', 'both'] as const)(
    'complete with the channel %s',
    async (channel) => {
      await using pair = await openServicePair({ service: { channel } })
      const orders = await twenty(pair)
      await allEnded(pair)
      for (const { id, type } of orders) {
        expect(steps(pair, id)).toEqual(wayOf(type))
        expect(pair.callNames(id)[0]).toBe('order')
      }
      expect(pair.wire.filter(({ status }) => status >= 400)).toEqual([])
      expect(pair.callsOf('token')).toHaveLength(1)
      expect(pair.callsOf('events:polling').length > 0).toBe(channel !== 'webhook')
    },
  )

  test('complete although every third request gets 503', async () => {
    let count = 0
    await using pair = await openServicePair({
      between: () => (++count % 3 === 0 ? errorOf(503) : undefined),
    })
    const orders = await twenty(pair)
    await allEnded(pair)
    for (const { id, type } of orders)
      expect(steps(pair, id).filter((step, index, all) => step !== all[index - 1])).toEqual(
        wayOf(type),
      )
    expect(pair.wire.filter(({ status }) => status === 503).length).toBeGreaterThan(50)
    expect(pair.callsOf('requestCancellation')).toEqual([])
  })

  test('process every event once although each comes twice in a batch and by webhook too', async () => {
    await using pair = await openServicePair({
      service: { channel: 'both' },
      between: (seen, send) =>
        seen.name === 'events:polling'
          ? send().then(async (response) => {
              if (response.status !== 200) return response
              const events = (await response.json()) as unknown[]
              return Response.json([...events, ...events])
            })
          : undefined,
    })
    const orders = await twenty(pair)
    await allEnded(pair)
    for (const { id, type } of orders) expect(steps(pair, id)).toEqual(wayOf(type))
    expect(pair.wire.filter(({ status }) => status >= 400)).toEqual([])
  })
})

describe('one order', () => {
  test('is not processed before the manifest is available', async () => {
    await using pair = await openServicePair({ between: first('protocol', 3, () => errorOf(404)) })
    const id = await pair.order()
    await until(async () => (await pair.status(id)) === 'CONCLUDED')
    const names = pair.wire.map(({ name }) => name)
    expect(names.slice(0, 5)).toEqual(['protocol', 'protocol', 'protocol', 'protocol', 'token'])
  })

  test('continues after a call without reply', async () => {
    await using pair = await openServicePair({
      service: { pace: { timeoutMs: 150 } },
      between: first('preparing', 1, () => new Promise(() => undefined)),
    })
    const id = await pair.order()
    await until(async () => (await pair.status(id)) === 'CONCLUDED')
    const [lost, again] = pair.callsOf('preparing', id)
    expect(pair.callsOf('preparing', id)).toHaveLength(2)
    expect(again?.headers.get('x-request-id')).toBe(lost?.headers.get('x-request-id'))
    // Polls continued meanwhile.
    const { at = 0 } = lost ?? {}
    const meanwhile = pair
      .callsOf('events:polling')
      .filter((each) => each.at > at && each.at < at + 150)
    expect(meanwhile.length).toBeGreaterThan(1)
  })

  test('retries its call with one new token after a 401', async () => {
    let dead: string | null = null
    await using pair = await openServicePair({
      between(seen) {
        const token = seen.headers.get('authorization')
        if (seen.name === 'confirm') dead ??= token
        return token !== null && token === dead ? errorOf(401) : undefined
      },
    })
    const id = await pair.order()
    await until(async () => (await pair.status(id)) === 'CONCLUDED')
    expect(pair.callsOf('token')).toHaveLength(2)
    expect(pair.callsOf('confirm', id).map(({ status }) => status)).toEqual([401, 202])
  })

  test('is shown by the probe', async () => {
    await using pair = await openServicePair()
    const id = await pair.order()
    await until(() => pair.service.view(id)?.status === 'CONCLUDED')
    const seen = await fetch(`${pair.url}/probe/orders/${id}`)
    expect(await seen.json()).toEqual({ orderId: id, status: 'CONCLUDED' })
    expect((await fetch(`${pair.url}/probe/orders/nobody`)).status).toBe(404)
  })

  test('is cancelled on request, and counts as cancelled only after CANCELLED', async () => {
    await using pair = await openServicePair({
      between: first('confirm', 1000, () => errorOf(503)),
    })
    const id = await pair.order()
    await until(() => pair.callsOf('confirm', id).length > 0)
    const asked = await fetch(`${pair.url}/probe/orders/${id}/request-cancellation`, {
      method: 'POST',
    })
    expect(await asked.json()).toEqual({ answered: 202 })
    expect(pair.service.view(id)?.status).toBe('CREATED')
    await until(async () => (await pair.status(id)) === 'CONCLUDED')
    await until(() => pair.service.view(id)?.status === 'CONCLUDED')
    expect(steps(pair, id).at(-1)).toBe('requestCancellation')
  })
})

describe('deliveries', () => {
  const delivery = async ({ session }: ServicePair, id: string): Promise<string | undefined> => {
    const { entities } = await session.look({ entities: { kind: 'delivery', limit: 100 } })
    return entities.find(({ orderId }) => orderId === id)?.status
  }

  test('exist before their orders are dispatched, one per order', async () => {
    await using pair = await openServicePair({ delivers: true })
    const ids = [await pair.order('DELIVERY'), await pair.order('DELIVERY')]
    await pair.order('TAKEOUT')
    await allEnded(pair, 3)
    const calls = pair.wire.filter(
      ({ path, method }) => method === 'POST' && path.startsWith('/log'),
    )
    expect(calls.filter(({ name }) => name === 'availability')).toHaveLength(2)
    expect(calls.filter(({ name }) => name === 'delivery')).toHaveLength(2)
    for (const id of ids) {
      const left = pair.wire.findIndex(({ name, orderId }) => name === 'dispatch' && orderId === id)
      const made = pair.wire.findIndex(({ name, body }) => name === 'delivery' && body.includes(id))
      expect(made).toBeGreaterThanOrEqual(0)
      expect(made).toBeLessThan(left)
    }
    expect(pair.wire.filter(({ status }) => status >= 400)).toEqual([])
  })

  test('are cancelled with their orders, even when the outcome of the creation is unknown', async () => {
    await using pair = await openServicePair({
      delivers: true,
      service: { pace: { timeoutMs: 150, thinkMs: 300 } },
      between: (seen, send) =>
        seen.name === 'delivery' && seen.method === 'POST'
          ? send().then(() => new Promise(() => undefined))
          : undefined,
    })
    const id = await pair.order('DELIVERY')
    await until(async () => (await delivery(pair, id)) !== undefined)
    await pair.session.submit({ kind: 'order.apply', orderId: id, trigger: 'cancel' })
    await until(async () => (await delivery(pair, id)) === 'CANCELLED')
    await until(() => pair.service.view(id)?.delivery?.state === 'undone')
    const cancels = pair.callsOf('cancel', id)
    expect(cancels.map(({ status }) => status)).toEqual([202])
  })
})

describe('its own endpoints', () => {
  const event = (more: object = {}): string =>
    JSON.stringify({ eventId: 'e-1', eventType: 'CREATED', orderId: 'o-1', ...more })
  const signed = (body: string): Record<string, string> => ({
    'x-app-signature': signatureOf(body, 'secret'),
  })

  test('a webhook needs a valid signature, a token and a valid event', async () => {
    await using pair = await openServicePair({ service: { channel: 'webhook' } })
    const path = '/webhooks/orders'
    expect(await pair.post(path, event())).toBe(401)
    expect(await pair.post(path, event(), signed(event({ orderId: 'o-2' })))).toBe(401)
    expect(await pair.post(path, event(), { ...signed(event()), authorization: 'x' })).toBe(401)
    expect(await pair.post(path, '{}', signed('{}'))).toBe(400)
    expect(pair.callsOf('order')).toEqual([])
    expect(await pair.post(path, event(), signed(event()))).toBe(204)
    await until(() => pair.callsOf('order', 'o-1').length > 0)
  })

  test('a webhook for a foreign merchant is refused', async () => {
    await using pair = await openServicePair({ service: { channel: 'webhook' } })
    await until(() => pair.callsOf('merchants').some(({ status }) => status === 200))
    const headers = { ...signed(event()), 'x-app-merchantid': 'somebody-else' }
    await until(async () => (await pair.post('/webhooks/orders', event(), headers)) === 403)
    expect(pair.callsOf('order')).toEqual([])
  })

  test('an event that is invalid for the profile is refused', async () => {
    await using pair = await openServicePair({ service: { channel: 'webhook' } })
    const orderId = await pair.order('TAKEOUT')
    await until(() => pair.service.view(orderId)?.status === 'CONCLUDED')
    const body = event({ eventId: 'e-9', eventType: 'DISPATCHED', orderId })
    expect(await pair.post('/webhooks/orders', body, signed(body))).toBe(422)
  })

  test('the manifest is public, and the list of merchants needs a token', async () => {
    await using pair = await openServicePair()
    const manifest = await fetch(`${pair.url}/.well-known/protocol`)
    expect(manifest.headers.get('content-type')).toBe('application/json')
    expect(manifest.headers.get('cache-control')).toContain('max-age=60')
    expect((await fetch(`${pair.url}/merchants`)).status).toBe(401)
    expect((await fetch(`${pair.url}/nothing`)).status).toBe(404)
    // With polling alone there is no webhook endpoint.
    expect(await pair.post('/webhooks/orders', event(), signed(event()))).toBe(404)
  })
})
