/**
 * The reference Software Service and a real session over sockets, as a user would start them. All requests of the
 * service pass through `wire`, where tests observe and intercept them.
 */
import type { SessionOptions } from '../../../src/core/session/options.ts'
import { ordersOnly } from '../orders-only.ts'
import type { Profile } from '../../../src/demo/lifecycle.ts'
import type { Fetch } from '../../../src/demo/send.ts'
import { serve } from '../../../src/demo/listen.ts'
import {
  createSoftwareService,
  type SoftwareService,
  type SoftwareServiceOptions,
} from '../../../src/demo/software-service.ts'
import type { Session } from '../../../src/core/session-api/session.ts'
import { openSession } from '../../../src/core/session/open-session.ts'

export interface ServiceCall {
  readonly at: number
  readonly method: string
  /** The last path segment: `confirm`, `order`, `events:polling`, `token` … */
  readonly name: string
  readonly path: string
  readonly orderId: string
  readonly headers: Headers
  readonly body: string
  /** 0 until there is a reply. */
  status: number
}

/** Intercepts a request; undefined lets it through. */
export type CallInterceptor = (
  seen: ServiceCall,
  send: () => Promise<Response>,
) => Promise<Response> | undefined

export interface ServicePair extends AsyncDisposable {
  readonly session: Session
  readonly service: SoftwareService
  readonly url: string
  /** All requests of the service, oldest first. */
  readonly wire: readonly ServiceCall[]
  readonly callsOf: (name: string, orderId?: string) => readonly ServiceCall[]
  /** The names of its requests for an order. */
  readonly callNames: (orderId: string) => readonly string[]
  readonly order: (type?: Profile) => Promise<string>
  /** The status of an order in the session. */
  readonly status: (orderId: string) => Promise<string | undefined>
  /** POST to a path of the service, with a valid token unless another is given. */
  readonly post: (
    path: string,
    body: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<number>
}

export interface ServicePairOptions {
  readonly service?: Partial<SoftwareServiceOptions>
  readonly session?: SessionOptions
  readonly between?: CallInterceptor
  /** Adds a Delivery Platform, which the service uses. */
  readonly delivers?: boolean
}

export const fastPace = { pollMs: 20, thinkMs: 10, reconcileMs: 400, timeoutMs: 2000, retryMs: 20 }

function nameIn(path: string): { readonly name: string; readonly orderId: string } {
  const parts = path.split('?')[0]?.split('/').slice(1) ?? []
  const [first = '', second = '', third] = parts
  if (first === 'orders') return { name: third ?? 'order', orderId: second }
  return { name: parts.at(-1) ?? '', orderId: first === 'logistics' ? (third ?? '') : '' }
}

export async function openServicePair(options: ServicePairOptions = {}): Promise<ServicePair> {
  const { service: own, session: theirs, between, delivers = false } = options
  const wire: ServiceCall[] = []
  let service: SoftwareService | undefined
  const serving = await serve(
    async (request) => (await service?.fetch(request)) ?? new Response(null, { status: 503 }),
    0,
  )
  const url = `http://127.0.0.1:${serving.port}`
  const session = await openSession({
    port: 0,
    clock: 'real',
    capabilities: { ...ordersOnly, logistics: delivers },
    as: 'software-service',
    subject: url,
    ...theirs,
    counterparts: {
      'ordering-application': {
        processing: 10,
        concludeAfter: 50,
        channel: own?.channel ?? 'polling',
        deliveries: false,
        ...theirs?.counterparts?.['ordering-application'],
      },
    },
  })

  const through: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url)
    const path = `${pathname}${search}`
    const seen: ServiceCall = {
      at: Date.now(),
      method: request.method,
      path,
      ...nameIn(path),
      headers: request.headers,
      body: await request.clone().text(),
      status: 0,
    }
    wire.push(seen)
    const send = (): Promise<Response> => fetch(request)
    const response = await (between?.(seen, send) ?? send())
    seen.status = response.status
    return response
  }

  const running = createSoftwareService({
    partner: session.urls.get('ordering-application') ?? '',
    platform: delivers ? session.urls.get('delivery-platform') : undefined,
    base: url,
    fetch: through,
    ...own,
    pace: { ...fastPace, ...own?.pace },
  })
  service = running
  running.start()

  async function token(): Promise<string> {
    const body = new URLSearchParams({ client_id: 'somebody', client_secret: 'secret' })
    const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body })
    return ((await answer.json()) as { access_token: string }).access_token
  }

  return {
    session,
    service: running,
    url,
    wire,
    callsOf: (name, orderId) =>
      wire.filter((each) => each.name === name && (orderId ?? each.orderId) === each.orderId),
    callNames: (orderId) =>
      wire.flatMap(({ name, path, orderId: about }) =>
        about === orderId && path.startsWith('/orders/') ? [name] : [],
      ),
    async order(type = 'TAKEOUT') {
      const made = await session.createOrder({ type })
      if (!made.ok) throw new Error(made.error.message)
      return made.value.orderId
    },
    async status(orderId) {
      return (await session.look({ orderId })).order?.row.status
    },
    async post(path, body, headers = {}) {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await token()}`,
          'content-type': 'application/json',
          ...headers,
        },
        body,
      })
      return answer.status
    },
    async [Symbol.asyncDispose]() {
      await running.stop()
      await session.close()
      await serving.close()
    },
  }
}
