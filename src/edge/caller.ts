/**
 * Makes the calls that the core has planned, and brings their outcomes back. URLs, headers, tokens and signatures are
 * put together here, at the moment of sending; which call, and whether again, was decided elsewhere.
 */
import { operation } from '../protocol/catalogue.ts'
import { basePathOf } from '../protocol/dialects/settings.ts'
import type { WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { Call, CallOutcome } from '../engine/calls/call.ts'
import type { Engine } from '../engine/engine.ts'
import { eventView } from '../engine/orders/event-handlers.ts'
import type { Exchange, Party } from '../traffic/exchange.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { addressOf } from './addresses.ts'
import { wallNow } from './clock.ts'
import { headerOf, type InboundReply, type OutboundRequest, type Reach } from './messages.ts'
import { sign } from './signature.ts'
import { clientOf, tokenBody } from './token-request.ts'
import { createTokenKeeper, type TokenKeeper } from './tokens.ts'

/** Where a role answers, and how to get there. */
export interface Destination {
  readonly base: string
  readonly reach: Reach
  readonly party: Party['party']
  /** The paths of its webhooks. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
}

export interface CallerOptions {
  readonly engine: Engine
  readonly log: TrafficLog
  readonly destination: (role: Role, platform?: number) => Destination | undefined
  /** The base URL of a role that we play. */
  readonly base: (role: Role) => string
}

interface Event {
  readonly eventId: string
  readonly orderId?: string
  readonly merchantId?: string
  readonly view: () => unknown
}

export interface Caller {
  /** Makes the call and submits its outcome. It never rejects. */
  readonly make: (call: Call) => Promise<void>
}

/** What goes wrong on the way, as an outcome: the code of node's error, of ours, or none known. */
function failure(error: unknown): CallOutcome & { kind: 'failed' } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
      ? cause.code
      : 'FAILED'
  const message = cause instanceof Error && cause.message !== '' ? cause.message : code
  return { kind: 'failed', code, message }
}

/** No pause that somebody asks for is longer: a slip of theirs must not end an integration. */
const longestPauseMs = 24 * 3_600_000

/** Retry-After, given in seconds or as a date, in milliseconds. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const asked = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(0, asked), longestPauseMs)
}

/** How long an answer may be kept, by its Cache-Control: not at all, so many seconds, or it does not say. */
export function freshForMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/\bno-(store|cache)\b/i.test(value)) return 0
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(value)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** A body as JSON; undefined when there is none, or it is none. */
function parsed(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

type HostCalled = Pick<Call, 'to' | 'platform'>

/** Whose tokens they are: a platform beside the usual one is a host of its own. */
const hostKey = ({ to, platform }: HostCalled): string =>
  platform === undefined ? to : `${to}#${platform}`

function hostOf(key: string): HostCalled {
  const [to = '', platform] = key.split('#')
  return { to: to as Role, ...(platform === undefined ? {} : { platform: Number(platform) }) }
}

export function createCaller(options: CallerOptions): Caller {
  const { engine, log, destination, base } = options
  const { settings, world } = engine
  const keepers = new Map<Role, TokenKeeper>()

  /** The event that a call hands over, and how it goes over the wire. */
  function eventOf({ eventId = '', from }: Pick<Call, 'eventId' | 'from'>): Event | undefined {
    const order = world.ordering.events.get(eventId)
    if (order)
      return {
        ...order,
        view: () => eventView(order, `${base(from)}${basePathOf(settings.conduct)}`),
      }
    const other = world.announcements.events.get(eventId)
    return other && { ...other, view: () => other.body }
  }

  /** One exchange; it is written down unless the other end is ours. */
  async function exchange(
    call: Pick<Call, 'from' | 'to' | 'operation' | 'params' | 'attempt' | 'eventId'>,
    request: OutboundRequest,
    to: Destination,
  ): Promise<InboundReply> {
    // A role that we play writes the exchange down itself, where it arrives.
    if (to.party === 'sparring') return to.reach(request)
    const seq = log.begin()
    const startedAt = wallNow()
    const event = eventOf(call)
    const orderId = call.params?.['orderId'] ?? event?.orderId
    const written = (end: Pick<Exchange, 'reply' | 'failure'>): Exchange => ({
      seq,
      startedAt,
      tookMs: wallNow() - startedAt,
      from: { role: call.from, party: 'sparring' },
      to: { role: call.to, party: to.party },
      operation: call.operation,
      attempt: call.attempt,
      ...(call.params ? { params: call.params } : {}),
      ...(orderId === undefined ? {} : { orderId }),
      ...(event ? { eventIds: [event.eventId] } : {}),
      request: {
        method: request.method,
        url: request.url,
        headers: Object.entries(request.headers),
        ...(request.body === undefined ? {} : { body: request.body }),
      },
      ...end,
    })
    try {
      const reply = await to.reach(request)
      const { status, headers, body } = reply
      log.add(written({ reply: { status, headers, ...(body === '' ? {} : { body }) } }))
      return reply
    } catch (error) {
      const { code, message } = failure(error)
      log.add(written({ failure: { code, message } }))
      throw error
    }
  }

  /** Our credentials for the token endpoint of another role. */
  function keeperOf(from: Role): TokenKeeper {
    const known = keepers.get(from)
    if (known) return known
    const keeper = createTokenKeeper((host) => askToken(from, hostOf(host)), engine.now)
    keepers.set(from, keeper)
    return keeper
  }

  function askToken(from: Role, { to, platform }: HostCalled): Promise<InboundReply> {
    const there = destination(to, platform)
    const client = clientOf(from, settings)
    if (!there || !client) throw new Error(`${from} has no way to a token of ${to}`)
    const { body, type } = tokenBody({ from, to }, client, settings)
    const call = { from, to, operation: 'issueToken', attempt: 1 } as const
    const headers = { accept: 'application/json', 'content-type': type }
    const url = addressOf(call, there, engine)
    return exchange(call, { method: operation(call.operation).method, url, headers, body }, there)
  }

  function compose(call: Call, there: Destination, token: string | undefined): OutboundRequest {
    const row = operation(call.operation)
    const event = eventOf(call)
    const value = event ? event.view() : call.body
    const body = value === undefined ? undefined : JSON.stringify(value)
    const headers: Record<string, string> = {
      accept: 'application/json',
      'x-request-id': call.requestId,
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    const receiver = settings.clients.find(({ role }) => role === call.to)
    if (row.webhook && receiver && body !== undefined) {
      headers['x-app-id'] = receiver.clientId
      headers['x-app-merchantid'] = event?.merchantId ?? ''
      headers['x-app-signature'] = sign(body, receiver.clientSecret, settings.conduct.signature)
    }
    const url = addressOf(call, there, engine)
    return { method: row.method, url, headers, ...(body === undefined ? {} : { body }) }
  }

  async function perform(call: Call): Promise<CallOutcome> {
    const there = destination(call.to, call.platform)
    if (!there)
      return {
        kind: 'failed',
        code: 'NO_ADDRESS',
        message: `no address is known for the ${call.to}`,
      }
    const row = operation(call.operation)
    const needsToken =
      row.access !== 'open' && !(row.webhook && settings.conduct.webhookAccess === 'signature')
    const keeper = keeperOf(call.from)
    const host = hostKey(call)
    const token = needsToken ? await keeper.get(host) : undefined
    let reply = await exchange(call, compose(call, there, token), there)
    if (reply.status === 401 && token !== undefined) {
      // The token may have ended early: one more try of the same work with a new one (AUT-TOK-04).
      keeper.forget(host, token)
      reply = await exchange(call, compose(call, there, await keeper.get(host)), there)
    }
    const pause = retryAfterMs(headerOf(reply.headers, 'retry-after'), wallNow())
    const fresh = freshForMs(headerOf(reply.headers, 'cache-control'))
    return {
      kind: 'answered',
      status: reply.status,
      body: parsed(reply.body),
      ...(pause === undefined ? {} : { retryAfterMs: pause }),
      ...(fresh === undefined ? {} : { freshForMs: fresh }),
    }
  }

  return {
    async make(call) {
      const outcome = await perform(call).catch(failure)
      engine.submit({ kind: 'call.conclude', callId: call.id, outcome }, 'counterpart')
    },
  }
}
