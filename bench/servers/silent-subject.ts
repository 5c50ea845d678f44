/**
 * The subject of a measured session, within its process: an Ordering Application that publishes a manifest, issues
 * tokens and serves its orders. It declares no webhook but that of Orders, so the events of other capabilities are
 * created and stored but not sent: sending is measured elsewhere.
 */
import type { FetchHandler } from '../../src/sparring/library/index.ts'
import type { BenchOrder } from '../documents.ts'

const manifest = {
  participantId: 'a-marketplace',
  protocolVersion: 'v2',
  protocol: { supportedVersions: ['v2'] },
  authentication: {
    supportedGrantTypes: ['client_credentials'],
    clientIdGeneration: ['by_app'],
  },
  capabilities: [
    {
      name: 'orders',
      role: 'ORIGINATOR',
      operations: ['pollingEvents', 'acknowledgeEvents', 'getOrder'],
      originator: { supported: true, supportsWebhook: true, supportsPolling: true },
    },
  ],
}

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json' },
  })

const ofOrder = /^\/orders\/([^/]+)$/

export const silentSubject =
  (orders: ReadonlyMap<string, BenchOrder> = new Map()): FetchHandler =>
  (request) => {
    const { pathname } = new URL(request.url)
    const order = orders.get(ofOrder.exec(pathname)?.[1] ?? '')
    const token = { access_token: 'let-me-in', token_type: 'bearer', expires_in: 360_000 }
    if (order) return Promise.resolve(json(order))
    if (pathname.startsWith('/.well-known/')) return Promise.resolve(json(manifest))
    if (pathname === '/oauth/token') return Promise.resolve(json(token))
    if (pathname === '/merchants') return Promise.resolve(json([]))
    const status = pathname === '/events:polling' ? 204 : 404
    return Promise.resolve(new Response(null, { status }))
  }
