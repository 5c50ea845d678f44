/**
 * Makes the calls that the core has planned, and brings their outcomes back. URLs, headers, tokens and signatures are
 * put together here, at the moment of sending; which call, and whether again, was decided elsewhere.
 */
import { operation } from '../protocol/catalogue.ts'
import { basePathOf } from '../protocol/dialects/settings.ts'
import type { WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { World } from '../engine/world.ts'
import type { Call, CallOutcome } from '../engine/calls/call.ts'
import type { Engine } from '../engine/engine.ts'
import { eventView } from '../engine/orders/event-handlers.ts'
import type { Client } from '../engine/settings.ts'
import type { Exchange, ExchangeRequest, Party } from '../traffic/exchange.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { addressOf } from './addresses.ts'
import { arrivedOf, createCallFaults } from './call-faults.ts'
import { failure, freshForMs, parsed, retryAfterMs } from './call-outcome.ts'
import { wallNow } from './clock.ts'
import type { CallParts } from './meetings.ts'
import {
  headerOf,
  type InboundReply,
  type OutboundRequest,
  type Reach,
  type Sending,
} from './messages.ts'
import type { Pause } from './pauses.ts'
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
  /** How a call waits that a fault holds back. */
  readonly pause: Pause
  /** Aborted when the world that the calls come from is no more. */
  readonly struck: AbortSignal
  /** Whether it is the session's time that passes while the subject is waited for. */
  readonly patient: () => boolean
}

interface Event {
  readonly eventId: string
  readonly orderId?: string
  readonly merchantId?: string
  readonly eventType: string
  readonly view: () => unknown
}

export interface Caller {
  /** Makes the call and submits its outcome. It never rejects. */
  readonly make: (call: Call) => Promise<void>
}

/** A request as it is written down. */
const written = ({ method, url, headers, body }: OutboundRequest): ExchangeRequest => ({
  method,
  url,
  headers: Object.entries(headers),
  ...(body === undefined ? {} : { body }),
})

type HostCalled = Pick<Call, 'to' | 'platform'>

/** Whose tokens they are: a platform beside the usual one is a host of its own. */
const hostKey = ({ to, platform }: HostCalled): string =>
  platform === undefined ? to : `${to}#${platform}`

function hostOf(key: string): HostCalled {
  const [to = '', platform] = key.split('#')
  return { to: to as Role, ...(platform === undefined ? {} : { platform: Number(platform) }) }
}

/** The tokens that a client has at hosts of ours, as the world knows them: none before its first call. */
const tokensOf = (client: Client | undefined, { tokens }: World) =>
  [...tokens].flatMap(([token, { host, clientId, expiresAt }]) =>
    clientId === client?.clientId ? [{ host, token, expiresAt }] : [],
  )

export function createCaller(options: CallerOptions): Caller {
  const { engine, log, destination, base } = options
  const { settings, world } = engine
  const { pause, struck } = options
  const keepers = new Map<Role, TokenKeeper>()
  const faults = createCallFaults({ engine, pause, struck })

  /** How long the subject is waited for, on whose clock. */
  const patience = (): Sending =>
    options.patient()
      ? {
          patience: (ms, enough) =>
            pause({ whose: 'call', ms, text: 'the time-out of a call', enough }),
        }
      : {}

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
    call: CallParts,
    composed: OutboundRequest,
    to: Destination,
  ): Promise<InboundReply> {
    // A role that we play writes the exchange down itself, where it arrives.
    if (to.party === 'sparring') return to.reach(composed)
    const event = eventOf(call)
    const faulty = to.party === 'subject' && world.faults.live.size > 0
    // What we hold back has not begun: nobody waits for the subject meanwhile.
    const met = faulty ? await faults.meet(call, event) : undefined
    const request = met
      ? faults.altered(composed, met, (body) => signatureOf(call, body))
      : composed
    const seq = log.begin()
    const startedAt = wallNow()
    const orderId = call.params?.['orderId'] ?? event?.orderId
    const exchanged = (end: Pick<Exchange, 'reply' | 'failure'>): Exchange => ({
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
      request: written(arrivedOf(request, end.failure?.code ?? '')),
      ...end,
      ...(met ? { fault: met.fault } : {}),
    })
    try {
      const waiting = to.party === 'subject' ? patience() : {}
      const reply = met
        ? await faults.send(to.reach, request, met, waiting)
        : await to.reach(request, waiting)
      const { status, headers, body } = reply
      log.add(exchanged({ reply: { status, headers, ...(body === '' ? {} : { body }) } }))
      return reply
    } catch (error) {
      const { code, message } = failure(error)
      log.add(exchanged({ failure: { code, message } }))
      throw error
    }
  }

  /** Our credentials for the token endpoint of another role. */
  function keeperOf(from: Role): TokenKeeper {
    const known = keepers.get(from)
    if (known) return known
    const ask = (host: string): Promise<InboundReply> => askToken(from, hostOf(host))
    const keeper = createTokenKeeper(ask, engine.now, tokensOf(clientOf(from, settings), world))
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

  const receiverOf = ({ to }: CallParts): Client | undefined =>
    settings.clients.find(({ role }) => role === to)

  /** The signature of a webhook's body; nothing else is signed. */
  function signatureOf(call: CallParts, body: string): Readonly<Record<string, string>> {
    const receiver = receiverOf(call)
    if (!receiver || !operation(call.operation).webhook) return {}
    const { signature } = settings.conduct
    return { 'x-app-signature': sign(body, receiver.clientSecret, signature) }
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
    const receiver = receiverOf(call)
    if (row.webhook && receiver && body !== undefined) {
      headers['x-app-id'] = receiver.clientId
      headers['x-app-merchantid'] = event?.merchantId ?? ''
      Object.assign(headers, signatureOf(call, body))
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
    const asked = retryAfterMs(headerOf(reply.headers, 'retry-after'), wallNow())
    const fresh = freshForMs(headerOf(reply.headers, 'cache-control'))
    return {
      kind: 'answered',
      status: reply.status,
      body: parsed(reply.body),
      ...(asked === undefined ? {} : { retryAfterMs: asked }),
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
