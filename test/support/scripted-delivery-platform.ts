/**
 * A scripted Delivery Platform, independent of the product: publishes a manifest, replies as the test says, records
 * every call,
 * and moves deliveries only on demand. A fetch-style handler, or a server on a socket.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlatformCall {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly token: string | null
}

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
}

export interface Platform {
  readonly fetch: (request: Request) => Promise<Response>
  /** All calls except for manifest, tokens and merchants, oldest first. */
  readonly calls: readonly PlatformCall[]
  /** The same as text: `POST availability`, `POST delivery`, `GET`, `POST cancel`. */
  readonly names: () => readonly string[]
  /** Client id and scopes of each token request. */
  readonly tokens: readonly { readonly clientId: string; readonly scope: string }[]
  readonly statuses: Map<string, string>
}

const quote = {
  available: true,
  price: { amount: 7.5, currency: 'BRL' },
  eta: '2026-01-05T15:30:00.000Z',
}

const json = (status: number, body?: unknown): Response =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  })

const manifest = ({
  trackingMode = 'push',
  declaresLogistics = true,
}: PlatformOptions): unknown => ({
  participantId: 'a-platform',
  protocolVersion: 'v2',
  protocol: { supportedVersions: ['v2'] },
  authentication: {
    supportedGrantTypes: ['client_credentials'],
    clientIdGeneration: ['by_app'],
  },
  capabilities: declaresLogistics
    ? { logistics: { operations: ['availability', 'delivery', 'tracking'], trackingMode } }
    : {},
})

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

export function createPlatform(options: PlatformOptions = {}): Platform {
  const calls: PlatformCall[] = []
  const tokens: { clientId: string; scope: string }[] = []
  const statuses = new Map<string, string>()
  const counts = new Map<string, number>()

  function name({ method, path }: Pick<PlatformCall, 'method' | 'path'>): string {
    const last = path.split('/').at(-1) ?? ''
    if (method === 'GET') return 'get'
    return path === '/logistics/delivery' ? 'create' : last
  }

  function answer(call: PlatformCall): Response {
    const called = name(call)
    const nth = (counts.get(called) ?? 0) + 1
    counts.set(called, nth)
    const scripted = options.status?.(called, nth)
    if (scripted !== undefined && scripted >= 400)
      return json(scripted, { error: { code: 'NO', message: 'no', retryable: false } })
    const orderId = decodeURIComponent(call.path.split('/')[3] ?? '')
    switch (called) {
      case 'availability':
        return json(scripted ?? 200, options.availability?.(nth) ?? quote)
      case 'create': {
        const id = String(call.body?.['orderId'])
        if (!statuses.has(id)) statuses.set(id, 'PENDING')
        return json(scripted ?? 202, { deliveryId: `delivery-of-${id}` })
      }
      case 'get': {
        const status = statuses.get(orderId)
        return status === undefined
          ? json(404, { error: { code: 'NOT_FOUND', message: 'no', retryable: false } })
          : json(200, { id: `delivery-of-${orderId}`, orderId, status })
      }
      default:
        return json(scripted ?? 202)
    }
  }

  return {
    calls,
    tokens,
    statuses,
    names: () => calls.map(name),
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const text = await request.text()
      if (pathname.startsWith('/.well-known/'))
        return options.published?.() === false ? json(404) : json(200, manifest(options))
      if (pathname === '/oauth/token') {
        const form = new URLSearchParams(text)
        tokens.push({ clientId: form.get('client_id') ?? '', scope: form.get('scope') ?? '' })
        return json(200, {
          access_token: `token-${tokens.length}`,
          token_type: 'bearer',
          expires_in: 36_000,
        })
      }
      if (pathname === '/merchants') return json(200, [])
      const call = {
        method: request.method,
        path: pathname,
        body: parsed(text),
        token: request.headers.get('authorization'),
      }
      calls.push(call)
      return answer(call)
    },
  }
}

export interface OpenPlatform extends Platform, AsyncDisposable {
  readonly url: string
}

/** The same on a socket. */
export async function openPlatform(options: PlatformOptions = {}): Promise<OpenPlatform> {
  const platform = createPlatform(options)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request
      const body = Buffer.concat(chunks)
      platform
        .fetch(
          new Request(`http://127.0.0.1${url}`, {
            method,
            headers: Object.entries(headers).map(([key, value]) => [key, String(value)]),
            ...(method === 'GET' ? {} : { body }),
          }),
        )
        .then(async (answer) => {
          response.writeHead(answer.status, { 'content-type': 'application/json' })
          response.end(await answer.text())
        })
        .catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...platform,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
