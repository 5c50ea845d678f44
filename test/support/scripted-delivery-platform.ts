/**
 * A scripted Delivery Platform, independent of the product: publishes a manifest, replies as the test says, records
 * every call, and moves deliveries only on demand, but for cancelled ones. A fetch-style handler, or a server on a
 * socket.
 */
import { type OnSocket, serveOnSocket } from './on-socket.ts'
import {
  createScriptedHost,
  type HostCall,
  hostManifest,
  type HostReply,
  refusal,
  type ScriptedHost,
} from './scripted-host.ts'

export interface PlatformOptions {
  /** Tracking mode; push when absent. */
  readonly trackingMode?: 'push' | 'pull'
  /** Reply to the n-th availability request, from 1. */
  readonly availability?: (nth: number) => unknown
  /** Status code of the n-th reply to a call of this name: `create`, `cancel`, `get` …; the default when absent. */
  readonly status?: (call: string, nth: number) => number | undefined
  /** Whether its manifest is available. */
  readonly published?: () => boolean
  readonly declaresLogistics?: boolean
  /** It accepts cancellations, and the delivery stays as it is. */
  readonly forgetsCancellations?: true
}

export interface Platform extends ScriptedHost<string> {
  /** The names of its calls: `availability`, `create`, `get`, `cancel` … */
  readonly names: () => readonly string[]
  readonly statuses: Map<string, string>
}

const operations = { create: 'POST /logistics/delivery', get: 'GET .*' }

const quote = {
  available: true,
  price: { amount: 7.5, currency: 'BRL' },
  eta: '2026-01-05T15:30:00.000Z',
}

export function createPlatform(options: PlatformOptions = {}): Platform {
  const { trackingMode = 'push', declaresLogistics = true } = options
  const statuses = new Map<string, string>()

  const manifest = () =>
    hostManifest(
      'a-platform',
      declaresLogistics
        ? { logistics: { operations: ['availability', 'delivery', 'tracking'], trackingMode } }
        : {},
    )

  function reply({ name, path, json }: HostCall, nth: number): HostReply {
    const status = options.status?.(name, nth)
    if (status !== undefined && status >= 400) return refusal(status, 'NO')
    const orderId = decodeURIComponent(path.split('/')[3] ?? '')
    switch (name) {
      case 'availability':
        return { status: status ?? 200, body: options.availability?.(nth) ?? quote }
      case 'create': {
        const id = String(json['orderId'])
        if (!statuses.has(id)) statuses.set(id, 'PENDING')
        return { status: status ?? 202, body: { deliveryId: `delivery-of-${id}` } }
      }
      case 'get':
        return statuses.has(orderId)
          ? {
              status: 200,
              body: { id: `delivery-of-${orderId}`, orderId, status: statuses.get(orderId) },
            }
          : refusal(404, 'NOT_FOUND')
      case 'cancel':
        if (statuses.has(orderId) && !options.forgetsCancellations)
          statuses.set(orderId, 'CANCELLED')
        return { status: status ?? 202 }
      default:
        return { status: status ?? 202 }
    }
  }

  const host = createScriptedHost({
    operations,
    nameOf: (path) => path.split('/').at(-1) ?? '',
    manifest: () => (options.published?.() === false ? undefined : manifest()),
    reply,
  })
  return { ...host, statuses, names: () => host.calls.map(({ name }) => name) }
}

/** The same on a socket. */
export async function openPlatform(options: PlatformOptions = {}): Promise<Platform & OnSocket> {
  const platform = createPlatform(options)
  return { ...platform, ...(await serveOnSocket(platform.fetch)) }
}
