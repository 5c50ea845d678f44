/**
 * Makes the calls that the engine has planned and submits their outcomes. URLs, headers, tokens and signatures are
 * composed here, at the moment of sending; which calls to make and retry is decided in the engine.
 */
import { isUnknownRecord, textMember } from '../../protocol/unknown-record.ts'
import { headerValue } from '../../traffic/exchange.ts'
import { compact } from '../../base/compact.ts'
import { operation, type OperationId } from '../../protocol/catalogue.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import { applicationIds } from '../../protocol/discovery/application-id.ts'
import type { Role } from '../../protocol/role.ts'
import { signatureFormOf, webhookAccessOf } from '../../protocol/signature.ts'
import { partnerOf, type World } from '../../engine/world.ts'
import type { OutgoingCall, CallOutcome } from '../../engine/calls/call.ts'
import { isManifestRead } from '../../engine/calls/manifest-answer.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Instant } from '../../engine/instant.ts'
import { eventView } from '../../engine/orders/event-handlers.ts'
import type { Client } from '../../engine/settings.ts'
import { callUrl } from './call-url.ts'
import {
  CallFailure,
  failedOutcome,
  parseFreshForMs,
  parseRetryAfterMs,
  readBody,
} from './call-outcome.ts'
import type { ExchangeResult, Exchanger } from './exchange.ts'
import type { CallPointParts } from '../server/fault-points.ts'
import type { InboundReply, OutboundRequest } from '../server/messages.ts'
import { type SignedParts, signatureHeader } from './signature.ts'
import { ownCredentials, signerOf, tokenAnswerOf, tokenRequestBody } from './token-request.ts'
import { createTokenCache, type TokenCache } from './token-cache.ts'
import type { Destination } from './destinations.ts'

export interface OutboundCallsOptions {
  readonly engine: Engine
  readonly destination: (role: Role, platform?: number, turn?: number) => Destination | undefined
  /** The base URL of a role that we play. */
  readonly base: (role: Role) => string
  /** Makes one exchange of a call. */
  readonly exchange: Exchanger
  /** The receiver's clock: dates in its replies are relative to it. */
  readonly subjectNow: () => Instant
}

interface Event {
  readonly eventId: string
  readonly orderId?: string
  readonly merchantId?: string
  readonly eventType: string
  /** Application of the sender, as the event itself names it. */
  readonly sourceAppId?: string
  readonly view: () => unknown
}

/** Changes the request of a call before it is sent. */
export type RequestEdit = (request: OutboundRequest) => OutboundRequest

type Reply = InboundReply & Pick<ExchangeResult, 'forged'>

type CalledHost = Pick<OutgoingCall, 'to' | 'platform'>

/** Cache key of a host's tokens: a platform beside the default one is a host of its own. */
const hostKey = ({ to, platform }: CalledHost): string =>
  platform === undefined ? to : `${to}#${platform}`

function hostOf(key: string): CalledHost {
  const [to = '', platform] = key.split('#')
  return { to: to as Role, ...(platform === undefined ? {} : { platform: Number(platform) }) }
}

/** The tokens that our hosts have issued to a client, from the world: none before its first call. */
const tokensOf = (client: Client | undefined, { tokens }: World) =>
  [...tokens].flatMap(([token, { host, clientId, expiresAt }]) =>
    clientId === client?.clientId ? [{ host, token, expiresAt }] : [],
  )

const unchanged: RequestEdit = (request) => request

const isEmpty = (value: unknown): boolean =>
  isUnknownRecord(value) && Object.keys(value).length === 0

export class OutboundCalls {
  readonly #options: OutboundCallsOptions
  readonly #settings
  readonly #world
  readonly #translator
  readonly #tokenCaches = new Map<Role, TokenCache>()

  constructor(options: OutboundCallsOptions) {
    this.#options = options
    const { engine } = options
    const { settings } = engine
    this.#settings = settings
    this.#world = engine.world
    this.#translator = bodyTranslator(settings.conduct)
  }

  /** Sends the call, with its token, and leaves the reply to the caller. It rejects where there is none. */
  send(call: OutgoingCall, edit?: RequestEdit): Promise<Reply> {
    return this.#perform(call, (reply) => reply, edit)
  }

  /** Makes the call and submits its outcome. It never rejects. */
  async make(call: OutgoingCall): Promise<void> {
    const called =
      call.operation === 'issueToken'
        ? this.#renewToken(call)
        : this.#perform(call, (reply) => this.#outcomeOf(call.operation, reply))
    const outcome = await called.catch(failedOutcome)
    this.#options.engine.submit({ kind: 'call.conclude', callId: call.id, outcome }, 'counterpart')
  }

  /** The event that a call hands over, and its form on the wire. */
  #eventOf({ eventId = '', from }: Pick<OutgoingCall, 'eventId' | 'from'>): Event | undefined {
    const order = this.#world.ordering.events.get(eventId)
    if (order)
      return {
        ...order,
        view: () => eventView(order, this.#options.base(from), this.#settings),
      }
    const other = this.#world.announcements.events.get(eventId)
    return other && { ...other, view: () => other.body }
  }

  async #exchange(call: CallPointParts, request: OutboundRequest, to: Destination): Promise<Reply> {
    const event = this.#eventOf(call)
    const calls = {
      call,
      request,
      event,
      sign: (parts: SignedParts) => this.#signatureOf(call, parts),
    }
    const { reply, error, forged } = await this.#options.exchange(calls, to)
    if (!reply) throw error
    return forged ? { ...reply, forged } : reply
  }

  /** The token cache of a role that we play. */
  #tokenCacheOf(from: Role): TokenCache {
    const existing = this.#tokenCaches.get(from)
    if (existing) return existing
    const ask = (host: string): Promise<InboundReply> => this.#requestToken(from, hostOf(host))
    const tokenCache = createTokenCache(
      ask,
      this.#options.engine.now,
      this.#options.subjectNow,
      tokensOf(ownCredentials(from, this.#settings), this.#world),
    )
    this.#tokenCaches.set(from, tokenCache)
    return tokenCache
  }

  /** A token for these scopes alone; undefined without scopes. */
  async #narrowToken(call: OutgoingCall, scopes: readonly string[]): Promise<string | undefined> {
    if (scopes.length === 0) return undefined
    const { body } = readBody((await this.#requestToken(call.from, call, scopes)).body)
    const token = textMember(body, 'access_token')
    if (token === undefined)
      throw new CallFailure('NO_TOKEN', `there is no token for ${scopes.join(' ')} alone`)
    return token
  }

  async #requestToken(
    from: Role,
    { to, platform }: CalledHost,
    scopes?: readonly string[],
  ): Promise<InboundReply> {
    const there = this.#options.destination(to, platform)
    const client = ownCredentials(from, this.#settings)
    if (!there || !client) throw new Error(`${from} has no way to a token of ${to}`)
    const { body, type } = tokenRequestBody({ from, to }, client, this.#settings, scopes)
    const call = { from, to, operation: 'issueToken', attempt: 1 } as const
    const headers = { accept: 'application/json', 'content-type': type }
    const url = callUrl(call, there, this.#options.engine)
    const { method } = operation(call.operation)
    const reply = await this.#exchange(call, { method, url, headers, body }, there)
    return { ...reply, body: tokenAnswerOf(reply.body, this.#settings) }
  }

  /** The signature header of a call; none where it is not signed. */
  #signatureOf(call: CallPointParts, parts: SignedParts): Readonly<Record<string, string>> {
    const signer = signerOf(call, this.#settings)
    return signer
      ? signatureHeader(parts, signer.clientSecret, signatureFormOf(this.#settings.conduct))
      : {}
  }

  #compose(call: OutgoingCall, there: Destination, token: string | undefined): OutboundRequest {
    const row = operation(call.operation)
    const event = this.#eventOf(call)
    const own = event ? event.view() : call.body
    const value = this.#translator ? this.#translator.toWire(row.id, 'request', own) : own
    const body =
      value === undefined || (isEmpty(value) && !this.#settings.conduct.emptyBodies)
        ? undefined
        : JSON.stringify(value)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (this.#settings.conduct.requestIds) headers['x-request-id'] = call.requestId
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    if (row.webhook && ownCredentials(call.to, this.#settings) && body !== undefined) {
      headers['x-app-id'] = event?.sourceAppId ?? applicationIds[call.from]
      headers['x-app-merchantid'] = event?.merchantId ?? ''
    }
    const url = callUrl(call, there, this.#options.engine)
    if (body !== undefined || !row.webhook)
      Object.assign(headers, this.#signatureOf(call, { url, body: body ?? '' }))
    return { method: row.method, url, headers, ...compact({ body }) }
  }

  /** The token of a call; undefined where it carries none: then nothing is awaited either. */
  #tokenFor(
    { from, to, operation: id }: OutgoingCall,
    tokenCache: TokenCache,
    host: string,
  ): Promise<string | undefined> | undefined {
    const { access, webhook } = operation(id)
    const webhookAccess = webhookAccessOf(this.#settings.conduct)
    if (access === 'open' || (webhook && webhookAccess === 'signature')) return undefined
    const mayLack =
      webhook &&
      webhookAccess === 'auto' &&
      !isManifestRead(partnerOf(this.#world, from, to)?.manifest)
    return mayLack ? tokenCache.getOffered(host) : tokenCache.get(host)
  }

  /** Reads the reply in the turn in which it comes: a turn later, concurrent calls would end in another order. */
  async #perform<Result>(
    call: OutgoingCall,
    read: (reply: Reply) => Result,
    edit: RequestEdit = unchanged,
  ): Promise<Result> {
    const there = this.#options.destination(call.to, call.platform, call.id)
    if (!there) throw new CallFailure('NO_ADDRESS', `no address is known for the ${call.to}`)
    if (call.scopes) {
      const token = await this.#narrowToken(call, call.scopes)
      return read(await this.#exchange(call, this.#compose(call, there, token), there))
    }
    const tokenCache = this.#tokenCacheOf(call.from)
    const host = hostKey(call)
    const pendingToken = this.#tokenFor(call, tokenCache, host)
    const token = pendingToken && (await pendingToken)
    let reply = await this.#exchange(call, edit(this.#compose(call, there, token)), there)
    if (reply.status === 401) tokenCache.invalidate(host, token)
    if (reply.status === 401 && token !== undefined) {
      // The token may have expired early: one retry of the same request with a new one (AUT-TOK-04).
      const renewed = edit(this.#compose(call, there, await tokenCache.get(host)))
      reply = await this.#exchange(call, renewed, there)
    }
    return read(reply)
  }

  /** The parsed body of a reply; a success in the documents’ form. */
  #readReply(id: OperationId, { status, body }: Reply): ReturnType<typeof readBody> {
    const read = readBody(body)
    return this.#translator && status >= 200 && status < 300
      ? { ...read, body: this.#translator.fromWire(id, 'reply', read.body) }
      : read
  }

  #outcomeOf(id: OperationId, reply: Reply): CallOutcome {
    const { status, headers, forged } = reply
    const asked = parseRetryAfterMs(headerValue(headers, 'retry-after'), this.#options.subjectNow())
    const fresh = parseFreshForMs(headerValue(headers, 'cache-control'))
    return {
      kind: 'answered',
      status,
      ...this.#readReply(id, reply),
      ...compact({ retryAfterMs: asked, freshForMs: fresh }),
      ...(forged ? { forged: true } : {}),
    }
  }

  async #renewToken(call: OutgoingCall): Promise<CallOutcome> {
    await this.#tokenCacheOf(call.from).renew(hostKey(call))
    return { kind: 'answered', status: 200 }
  }
}
