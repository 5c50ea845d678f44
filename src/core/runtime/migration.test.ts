/**
 * Migration from V1 to V2: what V2 removed is neither sent nor served, in all traffic of a session of four
 * counterparts; and what it changed is as in V2 (document 3, Versioning).
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { allScopeNames } from '../protocol/auth/scopes.ts'
import type { Manifest } from '../protocol/discovery/manifest.ts'
import { parseManifest } from '../protocol/discovery/parse-manifest.ts'
import type { Role } from '../protocol/role.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const open = (options: SessionOptions = {}): Promise<Session> =>
  openSession({ listen: false, clock: 'virtual', automatic: false, ...options })

/** All traffic of a session in which orders of all kinds reach their end. */
async function said(options: SessionOptions = {}): Promise<readonly Exchange[]> {
  await using session = await open({
    ...options,
    counterparts: {
      'ordering-application': { channel: 'both', orders: { every: 4000, limit: 30 } },
      crm: { mode: 'hybrid' },
      ...options.counterparts,
    },
  })
  const exchanges: Exchange[] = []
  session.onExchange((exchange) => exchanges.push(exchange))
  await session.advance(900_000)
  return exchanges
}

const textOf = ({ request, reply }: Exchange): string =>
  [request.url, request.body ?? '', reply?.body ?? ''].join('\n')

let everything: readonly Exchange[] = []
let text = ''
beforeAll(async () => {
  everything = await said()
  text = everything.map(textOf).join('\n')
}, 60_000)

describe('what V2 removed', () => {
  test('[MIG-MER-02, MIG-MER-03, MIG-MNU-03, MIG-ORD-07, MIG-ORD-08] is in no document of ours: merchant types and services, subtotals, a type at the root of an order', () => {
    expect(everything.length).toBeGreaterThan(500)
    for (const gone of ['merchantType', 'services', 'subtotal', 'subtotalPrice', 'option_subtotal'])
      expect([gone, text.includes(`"${gone}"`)]).toEqual([gone, false])
    const orders = everything.filter(({ operation: id }) => id === 'getOrder')
    expect(orders.length).toBeGreaterThan(20)
    for (const { reply } of orders) {
      const order = JSON.parse(reply?.body ?? '{}') as Record<string, unknown>
      for (const gone of ['type', 'delivery', 'takeout', 'orderTiming', 'sendDelivered'])
        expect(order).not.toHaveProperty(gone)
    }
  })

  test('[MIG-MER-06, MIG-MNU-01, MIG-MNU-02, MIG-ORD-06] is neither served nor called: onboarding, menus, updates, order creation', async () => {
    await using session = await open()
    for (const [role, base] of session.urls)
      for (const [method, path] of [
        ['POST', '/merchantUpdate'],
        ['POST', '/v1/merchantUpdate'],
        ['PUT', '/merchantOnboarding'],
        ['GET', '/merchantStatus'],
        ['GET', '/merchant'],
        ['POST', '/merchants'],
        ['GET', '/menus'],
        ['POST', '/menus'],
        ['POST', '/categories'],
        ['POST', '/itemOffers'],
        ['POST', '/optionGroups'],
        ['POST', '/options'],
        ['POST', '/orders/x/acceptCancellation'],
      ] as const) {
        const { status } = await session.fetch(new Request(`${base}${path}`, { method }))
        expect([role, method, path, status]).toEqual([role, method, path, 404])
      }
    const called = new Set(everything.map(({ request }) => new URL(request.url).pathname))
    expect(
      [...called].filter((path) => /merchant(Update|Status|Onboarding)|menu/i.test(path)),
    ).toEqual([])
    // Of a catalogue there are only references.
    expect(text).toContain('"itemOfferId":"')
    expect(text).not.toContain('"itemOffer":')
  })
})

describe('what V2 changed', () => {
  test('[MIG-VER-05] scopes are those of V2: domains, and fine scopes of two of them', async () => {
    const known = new Set(allScopeNames('proto'))
    const asked = everything.flatMap(({ operation: id, request, reply }) => {
      if (id !== 'issueToken') return []
      const given = (JSON.parse(reply?.body ?? '{}') as { scope?: string }).scope ?? ''
      return `${new URLSearchParams(request.body).get('scope')} ${given}`.split(' ')
    })
    expect(new Set(asked).size).toBeGreaterThan(3)
    for (const scope of asked) expect([scope, known.has(scope)]).toEqual([scope, true])
  })

  test('[MIG-CUS-02] a draft has its own switch: without it, or without Reviews, the rest of Customer still works', async () => {
    const there = async (session: Session, path: string): Promise<number> =>
      (await session.fetch(new Request(`${session.urls.get('crm')}${path}`, { method: 'POST' })))
        .status
    await using all = await open()
    expect(await there(all, '/v1/customer/reviews:ingest')).toBe(401)
    await using finished = await open({ conduct: { customer: { draftReviews: false } } })
    expect(await there(finished, '/v1/customer/reviews:ingest')).toBe(404)
    expect(await there(finished, '/v1/customer/customers:ingest')).toBe(401)
    await using session = await open({ capabilities: { reviews: false } })
    expect(await there(session, '/v1/customer/reviews:ingest')).toBe(404)
    expect(await there(session, '/v1/customer/customers:ingest')).toBe(401)
  })

  test('[MIG-TEN-01, TRN-CON-05] the /v1/customer of the binding is literal, after any base path', async () => {
    await using session = await open({
      conduct: { basePath: '/api/v2' },
      counterparts: { 'ordering-application': { orders: { every: 1000, limit: 3 } } },
    })
    const urls: string[] = []
    session.onExchange(({ to, request }) => {
      if (to.role === 'crm') urls.push(request.url)
    })
    await session.advance(120_000)
    const endpointOf = async (role: Role): Promise<string> => {
      const request = new Request(`${session.urls.get(role)}/.well-known/protocol`)
      const read = parseManifest((await (await session.fetch(request)).json()) as Manifest)
      return (read.ok && read.value.capabilities['customer']?.endpoint) || ''
    }
    const endpoint = await endpointOf('crm')
    expect(endpoint).toContain('/api/v2')
    const ingest = `${endpoint}/v1/customer/customers:ingest`
    expect((await session.fetch(new Request(ingest, { method: 'POST' }))).status).toBe(401)
    const bound = urls.filter((url) => url.includes('/v1/customer/'))
    expect(bound.length).toBeGreaterThan(0)
    for (const url of bound) expect(url.startsWith(`${endpoint}/v1/customer/`)).toBe(true)
  })
})
