/**
 * Calls to the user's service that no counterpart plans: composed by hand, sent as they are, logged as exchanges. Nothing
 * of the world follows from their replies.
 */
import { joinUrl } from '../../base/join-url.ts'
import { compact } from '../../base/compact.ts'
import { type Chance, createChance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import { ReceivedToken } from '../../protocol/auth/token.ts'
import { operation } from '../../protocol/catalogue.ts'
import { applicationIds } from '../../protocol/discovery/application-id.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'
import { signatureFormOf } from '../../protocol/signature.ts'
import { textMember } from '../../protocol/unknown-record.ts'
import { tryParseJson } from '../../traffic/json/try-parse-json.ts'
import { v1OperationOf } from '../../protocol/v1/operation-names.ts'
import type { ServiceCall } from '../../session-api/service-call.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { problem } from '../../base/problem.ts'
import type { WorldRuntime } from '../world-runtime.ts'
import { callUrl } from './call-url.ts'
import type { Destination } from './destinations.ts'
import { signatureHeader } from './signature.ts'
import { tokenRenewalAt } from './token-cache.ts'
import { ownCredentials, signerOf, tokenAnswerOf, tokenRequestBody } from './token-request.ts'

const attempted = 'calling your service'

interface OwnToken {
  /** Absent where the service gives none. */
  readonly token?: string
  readonly renewAt: Instant
  /** The service has taken a call with it. */
  isTaken?: boolean
}

/** Calls the user's service; it keeps one token for each of our roles, and renews it when it ends. */
export class ServiceCalls {
  readonly #runtime: () => WorldRuntime
  readonly #subject: Role | undefined
  readonly #requestIds: Chance
  readonly #tokens = new Map<Role, OwnToken>()

  constructor(runtime: () => WorldRuntime, seed: number, subject: Role | undefined) {
    this.#runtime = runtime
    this.#subject = subject
    this.#requestIds = createChance(seed, 'service calls')
  }

  call(named: ServiceCall): Promise<Exchange> {
    const call = this.#asSpoken(named)
    const work = this.#make(call)
    // Time stands still while the service answers.
    this.#runtime().underWay(work)
    return work
  }

  /** A token that was taken before, and is no more: a restart has ended it. The call is made again with another one. */
  async #make(call: ServiceCall): Promise<Exchange> {
    const token = await this.#tokenOf(call)
    const exchange = await this.#send(call, this.#urlOf(call), token)
    const own = this.#tokens.get(call.as)
    if (own === undefined || token === undefined || own.token !== token) return exchange
    const isRefused = exchange.reply?.status === 401
    if (!isRefused) own.isTaken = true
    if (!isRefused || !own.isTaken) return exchange
    this.#tokens.delete(call.as)
    return this.#send(call, this.#urlOf(call), await this.#ownToken(call.as))
  }

  #receiver(): { readonly to: Role; readonly there: Destination } {
    const there = this.#subject && this.#runtime().destination(this.#subject)
    if (!there) throw problem(attempted, 'its role or its address is not known', 'Give both.')
    return { to: this.#subject, there }
  }

  async #send(call: ServiceCall, url: string, token?: string): Promise<Exchange> {
    const { to, there } = this.#receiver()
    const { exchange, engine } = this.#runtime()
    const row: Operation | undefined = call.operation && operation(call.operation)
    const body = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
    const headers: Record<string, string> = {
      accept: 'application/json',
      'x-request-id': this.#requestIds.uuid(),
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    const { settings } = engine
    const isSigned = body !== undefined || !row?.webhook
    const signer =
      call.operation && isSigned
        ? signerOf({ from: call.as, to, operation: call.operation }, settings)
        : undefined
    if (row?.webhook && signer)
      headers['x-app-id'] = textMember(tryParseJson(body), 'sourceAppId') ?? applicationIds[call.as]
    if (signer) {
      const form = signatureFormOf(settings.conduct)
      Object.assign(headers, signatureHeader({ url, body: body ?? '' }, signer.clientSecret, form))
    }
    for (const [name, value] of Object.entries(call.headers ?? {}))
      if (value === undefined) delete headers[name]
      else headers[name] = value
    const request = {
      method: call.method ?? row?.method ?? 'GET',
      url,
      headers,
      ...compact({ body }),
    }
    const { operation: id, params } = call
    const parts = { from: call.as, to, attempt: 1, ...compact({ operation: id, params }) }
    const result = await exchange({ call: parts, request }, there)
    if (!result.exchange) throw new Error(`the ${to} is a role that we play`)
    return result.exchange
  }

  /** The address, with the path prefix of the capability that the manifest declares. */
  #urlOf({ as, operation: id, params, query, path, url }: ServiceCall): string {
    const { to, there } = this.#receiver()
    if (url !== undefined) {
      if (URL.canParse(url) && new URL(url).host === new URL(there.base).host) return url
      throw problem(attempted, `${url} is not on its host`, 'Give a URL of the service.')
    }
    const { settings, world } = this.#runtime().engine
    const suffix = query ? `?${new URLSearchParams(query).toString()}` : ''
    if (path !== undefined) return joinUrl(there.base, `${path}${suffix}`)
    if (id === undefined) throw new Error('a call outside the protocol needs a path')
    const call = { from: as, to, operation: id, attempt: 1, ...compact({ params, query }) }
    return callUrl(call, there, { settings, world })
  }

  #requestToken(as: Role, scopes?: readonly string[]): Promise<Exchange> {
    const { settings } = this.#runtime().engine
    const client = ownCredentials(as, settings)
    if (!client) throw problem(attempted, `the ${as} has no credentials`, 'Give it some.')
    const { scopePrefix } = settings.protocol
    const named = scopes?.map((scope) => (scope.includes('.') ? scope : `${scopePrefix}.${scope}`))
    const parties = { from: as, to: this.#receiver().to }
    const { body, type } = tokenRequestBody(parties, client, settings, named)
    const call: ServiceCall = {
      as,
      operation: 'issueToken',
      text: body,
      headers: { 'content-type': type },
    }
    return this.#send(call, this.#urlOf(call))
  }

  async #ownToken(as: Role): Promise<string | undefined> {
    const now = this.#runtime().engine.now()
    const known = this.#tokens.get(as)
    if (known && known.renewAt > now) return known.token
    const exchange = await this.#requestToken(as)
    const body = this.#tokenAnswer(exchange)
    const token = textMember(body, 'access_token')
    const answer = ReceivedToken.safeParse(body)
    const renewAt = answer.success ? tokenRenewalAt(answer.data.expires_in, now) : Infinity
    this.#tokens.set(as, { ...compact({ token }), renewAt })
    return token
  }

  async #tokenOf({ as, token, operation: id }: ServiceCall): Promise<string | undefined> {
    if (token === undefined && id !== undefined && operation(id).access === 'open') return undefined
    if (token === undefined || token === 'own') return this.#ownToken(as)
    if (token === 'none') return undefined
    if ('value' in token) return token.value
    const exchange = await this.#requestToken(as, token.scopes)
    return textMember(this.#tokenAnswer(exchange), 'access_token')
  }

  /** The answer to a token request, in the documents’ form. */
  #tokenAnswer({ reply }: Exchange): unknown {
    const { settings } = this.#runtime().engine
    return tryParseJson(reply?.body && tokenAnswerOf(reply.body, settings))
  }

  /** An operation of V2 is that of V1 with a service that speaks V1. */
  #asSpoken(call: ServiceCall): ServiceCall {
    const { conduct } = this.#runtime().engine.settings
    if (call.operation === undefined || !speaksV1(conduct)) return call
    return { ...call, operation: v1OperationOf(call.operation) ?? call.operation }
  }
}
