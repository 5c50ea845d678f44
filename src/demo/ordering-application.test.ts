// @module-tag slow
/** The reference Ordering Application against a real session over sockets; the session plays the store. */
import { describe, expect, test } from 'vitest'
import { profiles } from './lifecycle.ts'
import {
  openApplicationPair,
  type ApplicationPair,
} from '../../test/support/reference/application-pair.ts'
import { until } from '../../test/support/reference/until.ts'

const status = ({ application }: ApplicationPair, id: string): string | undefined =>
  application.view(id)?.status

const deliveryOf = async (
  { session }: ApplicationPair,
  id: string,
): Promise<string | undefined> => {
  const { entities } = await session.look({ entities: { kind: 'delivery', limit: 50 } })
  return entities.find(({ orderId }) => orderId === id)?.status
}

describe('the reference Ordering Application', () => {
  test('six orders of all profiles are completed by the store of the session, and the accounts are paid', async () => {
    await using origin = await openApplicationPair()
    const { application, session } = origin
    const ids = [...profiles, ...profiles].map((profile) => application.place(profile) ?? '')
    const seen = () => ids.map((id) => application.view(id))
    await until(
      () =>
        seen().every((view) => view?.status === 'CONCLUDED') &&
        [2, 5].every((index) => seen()[index]?.account === 'CLOSED'),
      15_000,
      () => JSON.stringify(seen()),
    )
    const { entities, traffic } = await session.look({
      entities: { kind: 'account', limit: 10 },
      traffic: { limit: 1000, filter: 'status>=400' },
    })
    expect(entities.map((row) => row.status)).toEqual(['CLOSED', 'CLOSED'])
    expect(traffic).toEqual([])
  })

  test('a cancellation by the customer cancels the delivery first, then the order', async () => {
    await using origin = await openApplicationPair({ delivers: true })
    const { application, session, url } = origin
    const id = application.place('DELIVERY') ?? ''
    await until(async () => (await deliveryOf(origin, id)) !== undefined, 15_000)
    const cancelled = await fetch(`${url}/probe/orders/${id}/cancel`, { method: 'POST' })
    expect(cancelled.status).toBe(202)
    await until(() => status(origin, id) === 'CONCLUDED', 15_000)
    expect(await deliveryOf(origin, id)).toBe('CANCELLED')
    const facts = session.facts().map(({ fact }) => fact)
    const given = facts.findIndex(
      (fact) => fact.kind === 'delivery.requested' && fact.trigger === 'cancel',
    )
    const heard = facts.findIndex(
      (fact) => fact.kind === 'ticket.announced' && fact.eventType === 'CANCELLED',
    )
    expect(given).toBeGreaterThan(0)
    expect(heard).toBeGreaterThan(given)
  })

  test.each([
    ['accept', 'CONCLUDED', ['CANCELLATION_REQUEST_ACCEPTED', 'CANCELLED']],
    ['deny', 'CONFIRMED', ['CANCELLATION_REQUEST_DENIED']],
  ] as const)('a cancellation request of the store: %s', async (cancellation, end, told) => {
    await using origin = await openApplicationPair({ cancellation, concludeMs: 1000 })
    const { application, session } = origin
    const id = application.place('TAKEOUT') ?? ''
    await until(() => status(origin, id) === 'CONFIRMED', 15_000)
    const request = { reason: 'no gas', code: 'SYSTEMIC_ISSUES', mode: 'MANUAL' } as const
    await session.submit({ kind: 'ticket.cancel', orderId: id, request })
    const types = (): readonly string[] =>
      session
        .facts()
        .flatMap(({ fact }) =>
          fact.kind === 'ticket.announced' && fact.orderId === id ? [fact.eventType] : [],
        )
    await until(() => told.every((type) => types().includes(type)), 15_000, types)
    if (end === 'CONCLUDED') await until(() => status(origin, id) === 'CONCLUDED', 15_000)
    else expect(status(origin, id)).not.toBe('CANCELLED')
  })

  test('hosts Orders by the protocol: tokens, 404, 409, and idempotent repeats', async () => {
    await using origin = await openApplicationPair({ processingMs: 0 })
    const { application, url } = origin
    const id = application.place('TAKEOUT') ?? ''
    const open = await fetch(`${url}/orders/${id}`)
    expect(open.status).toBe(401)
    expect(await open.json()).toMatchObject({ error: { code: 'UNAUTHORIZED', retryable: false } })
    const body = new URLSearchParams({ client_id: 'me', client_secret: 's', scope: 'proto.orders' })
    const issued = await fetch(`${url}/oauth/token`, { method: 'POST', body })
    const { access_token: token } = (await issued.json()) as { access_token: string }
    const call = async (path: string, method = 'POST', text?: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` }
      const init = text === undefined ? { method, headers } : { method, headers, body: text }
      return (await fetch(`${url}${path}`, init)).status
    }
    expect(await call('/orders/nobody', 'GET')).toBe(404)
    expect(await call('/orders/nobody/confirm')).toBe(404)
    expect(await call(`/orders/${id}/delivered`)).toBe(409)
    expect(await call('/events/acknowledgment', 'POST', '{"eventIds":[]}')).toBe(400)
    await until(() => status(origin, id) === 'READY', 15_000)
    expect(await call(`/orders/${id}/confirm`)).toBe(202)
    expect(await call(`/orders/${id}/dispatch`)).toBe(409)
    expect(await call('/orders', 'POST', '{}')).toBe(404)
  })
})
