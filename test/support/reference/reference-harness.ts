/**
 * The reference Software Service between a scripted Ordering Application and a scripted Delivery Platform, in process
 * and on virtual time: deterministic and fast.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compact } from '../../../src/core/base/compact.ts'
import type { DefectName } from '../../../src/demo/defects.ts'
import type { Fetch } from '../../../src/demo/send.ts'
import { signatureOf } from '../../../src/demo/delivery-webhook.ts'
import {
  createSoftwareService,
  type SoftwareService,
  type SoftwareServiceOptions,
} from '../../../src/demo/software-service.ts'
import { createMortalLife } from '../in-process-service.ts'
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts'
import { minimalOrder, type OrderProfile, type StoredOrder } from '../minimal-order.ts'
import {
  createOriginator,
  type Originator,
  type OriginatorOptions,
  type WireEvent,
} from '../scripted-ordering-application.ts'
import { createPlatform, type Platform } from '../scripted-delivery-platform.ts'

/** A request of the service and its reply. */
export interface ServiceRequest {
  readonly at: number
  /** `confirm`, `order`, `poll` …; for calls to the platform `platform create`, `platform cancel` … */
  readonly name: string
  readonly orderId: string
  readonly token: string
  readonly requestId: string
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
  /** 0 until there is a reply. */
  status: number
  endedAt?: number
  /** Instant (ms) before which Retry-After forbids the operation. */
  openAt?: number
}

export interface PushedWebhook {
  /** 0 until there is a reply. */
  status: number
  tookMs: number
}

export interface ReferenceHarness {
  readonly clock: VirtualClock
  readonly originator: Originator
  readonly platform: Platform
  readonly service: SoftwareService
  /** Ends its process as SIGKILL does, and starts another one, which knows what is in the file alone. */
  readonly restart: () => void
  readonly sent: readonly ServiceRequest[]
  readonly of: (name: string, orderId?: string) => readonly ServiceRequest[]
  /** Event ids returned by polls, with repetitions. */
  readonly polled: readonly string[]
  /** The order of an event returned by a poll. */
  readonly orderOf: (eventId: string) => string | undefined
  readonly pass: (ms: number) => Promise<void>
  readonly place: (id?: string, profile?: OrderProfile, more?: object) => StoredOrder
  /** Sends an event to the webhook, with this signature or a valid one, and as this text. */
  readonly push: (
    event: WireEvent,
    signature?: string | null,
    body?: string,
  ) => Promise<PushedWebhook>
  /** Sets a transformation of poll replies. */
  readonly reshape: (change: (events: readonly unknown[]) => readonly unknown[]) => void
  /** Sets an interceptor of requests; it returns undefined to let one through. */
  readonly between: (hook: RequestInterceptor) => void
  readonly end: () => Promise<void>
}

export type RequestInterceptor = (
  sent: ServiceRequest,
  send: () => Promise<Response>,
) => Promise<Response> | undefined

export interface ReferenceHarnessOptions {
  readonly defects?: readonly DefectName[]
  readonly channel?: SoftwareServiceOptions['channel']
  readonly platform?: boolean
  readonly originator?: OriginatorOptions
  readonly maxOrders?: number
  /** It keeps in a file what outlasts its process. */
  readonly restarts?: true
}

const application = 'http://ordering-application.test'
const couriers = 'http://delivery-platform.test'

function nameOf(request: Request): { readonly name: string; readonly orderId: string } {
  const { pathname, host } = new URL(request.url)
  const [, first = '', second = '', third = '', fourth = ''] = pathname.split('/')
  if (host === 'delivery-platform.test') {
    if (first !== 'logistics') return { name: `platform ${second || first}`, orderId: '' }
    const call = request.method === 'GET' ? 'get' : fourth || (third === '' ? second : '')
    const name = call === 'delivery' ? 'create' : call
    return { name: `platform ${name}`, orderId: third }
  }
  if (first === 'orders') return { name: third || 'order', orderId: second }
  const names: Record<string, string> = {
    '/events:polling': 'poll',
    '/events/acknowledgment': 'acknowledge',
    '/oauth/token': 'token',
    '/.well-known/protocol': 'manifest',
    '/merchants': 'merchants',
  }
  return { name: names[pathname] ?? pathname, orderId: '' }
}

/** A reply that never arrives. */
export const neverAnswer = (): Promise<Response> => new Promise(() => undefined)

export const answerJson = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  Promise.resolve(
    new Response(JSON.stringify({ error: { code: 'X', message: 'x', retryable: status >= 429 } }), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    }),
  )

export async function openReferenceHarness(
  options: ReferenceHarnessOptions = {},
): Promise<ReferenceHarness> {
  const clock = createVirtualClock()
  const originator = createOriginator(options.originator)
  const platform = createPlatform()
  const sent: ServiceRequest[] = []
  const polled: string[] = []
  const orders = new Map<string, string>()
  let hook: RequestInterceptor = () => undefined
  let change = (events: readonly unknown[]): readonly unknown[] => events
  let tokens = 0

  const through: Fetch = async (request) => {
    const text = await request.clone().text()
    const isJson = text.startsWith('{')
    const entry: ServiceRequest = {
      at: clock.now(),
      ...nameOf(request),
      token: request.headers.get('authorization') ?? '',
      requestId: request.headers.get('x-request-id') ?? '',
      text,
      json: (isJson ? JSON.parse(text) : {}) as ServiceRequest['json'],
      status: 0,
    }
    sent.push(entry)
    const host = request.url.startsWith(couriers) ? platform : originator
    const send = (): Promise<Response> => host.fetch(request)
    const response = await (hook(entry, send) ?? send())
    entry.status = response.status
    entry.endedAt = clock.now()
    const pause = response.headers.get('retry-after')
    if (pause !== null) entry.openAt = clock.now() + Number(pause) * 1000
    return entry.name === 'poll' && response.ok ? reshaped(response) : response
  }

  /** The reply to a poll, after the transformation of the test. */
  async function reshaped(response: Response): Promise<Response> {
    const text = await response.text()
    const events = change(text === '' ? [] : (JSON.parse(text) as unknown[]))
    for (const event of events) {
      const { eventId, orderId } = event as WireEvent
      polled.push(eventId)
      orders.set(eventId, orderId)
    }
    if (events.length === 0) return new Response(null, { status: 204 })
    return Response.json(events)
  }

  const folder = options.restarts ? mkdtempSync(join(tmpdir(), 'sparring-memory-')) : undefined
  const memory = folder === undefined ? undefined : join(folder, 'orders')
  const begin = () => {
    const life = memory === undefined ? undefined : createMortalLife()
    const service = createSoftwareService({
      partner: application,
      base: 'http://software-service.test',
      ...(life?.guarded(clock, through) ?? { clock, fetch: through }),
      defects: options.defects ?? [],
      channel: options.channel ?? 'polling',
      ...(options.platform ? { platform: couriers } : {}),
      ...compact({ maxOrders: options.maxOrders, memory }),
    })
    service.start()
    return { service, life }
  }
  let process = begin()
  await clock.settle()

  async function ownToken(): Promise<string> {
    const response = await process.service.fetch(
      new Request('http://software-service.test/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ client_id: `c${++tokens}`, client_secret: 's' }),
      }),
    )
    return ((await response.json()) as { access_token: string }).access_token
  }

  return {
    clock,
    originator,
    platform,
    get service() {
      return process.service
    },
    restart() {
      process.life?.end()
      process = begin()
    },
    sent,
    polled,
    of: (name, orderId) =>
      sent.filter((each) => each.name === name && (orderId ?? each.orderId) === each.orderId),
    orderOf: (eventId) => orders.get(eventId),
    pass: clock.advance,
    place: (id = 'o-1', profile = 'TAKEOUT', more = {}) =>
      originator.place(minimalOrder(id, profile, more)),
    async push(event, signature, body = JSON.stringify(event)) {
      const sign = signature === undefined ? signatureOf(body, 'secret') : signature
      const request = new Request('http://software-service.test/webhooks/orders', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await ownToken()}`,
          'content-type': 'application/json',
          'x-app-merchantid': 'loja-1',
          ...(sign === null ? {} : { 'x-app-signature': sign }),
        },
        body,
      })
      const pushed: PushedWebhook = { status: 0, tookMs: 0 }
      const at = clock.now()
      process.service
        .fetch(request)
        .then((response) => {
          pushed.status = response.status
          pushed.tookMs = clock.now() - at
        })
        .catch((error: unknown) => {
          throw error
        })
      await clock.settle()
      return pushed
    },
    reshape(next) {
      change = next
    },
    between(between) {
      hook = between
    },
    async end() {
      await process.service.stop()
      if (folder !== undefined) rmSync(folder, { recursive: true })
    },
  }
}
