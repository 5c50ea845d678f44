/**
 * Makes the calls that the core has planned, and brings their outcomes back. URLs, headers, tokens and signatures are
 * put together here, at the moment of sending; which call, and whether again, was decided elsewhere.
 */
import { operation } from '../protocol/catalogue.ts'
import { fillPath } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { Call, CallOutcome } from '../engine/calls/call.ts'
import type { Engine } from '../engine/engine.ts'
import { eventView } from '../engine/orders/event-handlers.ts'
import { partnerOf } from '../engine/world.ts'
import type { Exchange, Party } from '../traffic/exchange.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { wallNow } from './clock.ts'
import { headerOf, type InboundReply, type OutboundRequest, type Reach } from './messages.ts'
import { sign } from './signature.ts'
import { createTokenKeeper, type TokenKeeper } from './tokens.ts'

/** Where a role answers, and how to get there. */
export interface Destination {
  readonly base: string
  readonly reach: Reach
  readonly party: Party['party']
  /** The path of its webhook, where it has one. */
  readonly webhookPath: string
}

export interface CallerOptions {
  readonly engine: Engine
  readonly log: TrafficLog
  readonly destination: (role: Role) => Destination | undefined
  /** The base URL of a role that we play. */
  readonly base: (role: Role) => string
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

/** A body as JSON; undefined when there is none, or it is none. */
function parsed(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export function createCaller(options: CallerOptions): Caller {
  const { engine, log, destination, base } = options
  const { settings, world } = engine
  const keepers = new Map<Role, TokenKeeper>()

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
    const event = call.eventId === undefined ? undefined : world.ordering.events.get(call.eventId)
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
    const keeper = createTokenKeeper((host) => askToken(from, host as Role), engine.now)
    keepers.set(from, keeper)
    return keeper
  }

  function askToken(from: Role, to: Role): Promise<InboundReply> {
    const there = destination(to)
    const client = settings.clients.find(({ role }) => role === from)
    if (!there || !client) throw new Error(`${from} has no way to a token of ${to}`)
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      scope: `${settings.protocol.scopePrefix}.orders`,
    }).toString()
    const headers = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const row = operation('issueToken')
    return exchange(
      { from, to, operation: row.id, attempt: 1 },
      { method: row.method, url: `${there.base}${row.path}`, headers, body },
      there,
    )
  }

  /** The declared base of the capability, where it leads to the configured host; else the configured base. */
  function baseFor(call: Call, there: Destination): string {
    const { capability } = operation(call.operation)
    const declared = partnerOf(world, call.from, call.to)?.manifest?.capabilities[capability]
    const endpoint = declared?.endpoint?.replace(/\/+$/, '')
    // Calls go to nobody but whom the user named: a manifest that points elsewhere is not followed.
    return endpoint !== undefined && URL.canParse(endpoint) && sameHost(endpoint, there.base)
      ? endpoint
      : there.base
  }

  function compose(call: Call, there: Destination, token: string | undefined): OutboundRequest {
    const row = operation(call.operation)
    const params = { protocol: settings.protocol.name, ...call.params }
    const path = fillPath(row.webhook ? there.webhookPath : row.path, params)
    const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : ''
    const event = call.eventId === undefined ? undefined : world.ordering.events.get(call.eventId)
    const value = event ? eventView(event, base(call.from)) : call.body
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
    const url = `${row.webhook ? there.base : baseFor(call, there)}${path}${query}`
    return { method: row.method, url, headers, ...(body === undefined ? {} : { body }) }
  }

  async function perform(call: Call): Promise<CallOutcome> {
    const there = destination(call.to)
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
    const token = needsToken ? await keeper.get(call.to) : undefined
    let reply = await exchange(call, compose(call, there, token), there)
    if (reply.status === 401 && token !== undefined) {
      // The token may have ended early: one more try of the same work with a new one (AUT-TOK-04).
      keeper.forget(call.to, token)
      reply = await exchange(call, compose(call, there, await keeper.get(call.to)), there)
    }
    const pause = retryAfterMs(headerOf(reply.headers, 'retry-after'), wallNow())
    return {
      kind: 'answered',
      status: reply.status,
      body: parsed(reply.body),
      ...(pause === undefined ? {} : { retryAfterMs: pause }),
    }
  }

  return {
    async make(call) {
      const outcome = await perform(call).catch(failure)
      engine.submit({ kind: 'call.conclude', callId: call.id, outcome }, 'counterpart')
    },
  }
}

const sameHost = (url: string, base: string): boolean => new URL(url).host === new URL(base).host
