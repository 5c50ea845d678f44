/**
 * Calls to the user's service that no counterpart plans: composed by hand, sent as they are, logged as exchanges. Nothing
 * of the world follows from their replies.
 */
import { compact } from '../../base/compact.ts'
import { createChance } from '../../engine/chance.ts'
import { operation } from '../../protocol/catalogue.ts'
import { applicationIds } from '../../protocol/discovery/application-id.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'
import { textMemberOfJson } from '../../protocol/unknown-record.ts'
import { v1OperationOf } from '../../protocol/v1/operation-names.ts'
import type { CallService, ServiceCall } from '../../session-api/service-call.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { problem } from '../../base/problem.ts'
import type { WorldRuntime } from '../world-runtime.ts'
import { callUrl } from './call-url.ts'
import type { Destination } from './destinations.ts'
import { signBody } from './signature.ts'
import { ownCredentials, tokenRequestBody } from './token-request.ts'

const attempted = 'calling your service'

/** The token of a reply to a token request. */
const tokenIn = ({ reply }: Exchange): string | undefined =>
  textMemberOfJson(reply?.body ?? '', 'access_token')

/** Creates the caller of the user's service; it keeps one token for each of our roles. */
export function createServiceCalls(
  runtime: () => WorldRuntime,
  seed: number,
  subject: Role | undefined,
): CallService {
  const requestIds = createChance(seed, 'service calls')
  const tokens = new Map<Role, string | undefined>()

  function receiver(): { readonly to: Role; readonly there: Destination } {
    const there = subject && runtime().destination(subject)
    if (!there) throw problem(attempted, 'its role or its address is not known', 'Give both.')
    return { to: subject, there }
  }

  async function send(call: ServiceCall, url: string, token?: string): Promise<Exchange> {
    const { to, there } = receiver()
    const { exchange, engine } = runtime()
    const row: Operation | undefined = call.operation && operation(call.operation)
    const body = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
    const headers: Record<string, string> = {
      accept: 'application/json',
      'x-request-id': requestIds.uuid(),
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    const client = engine.settings.clients.find(({ role }) => role === to)
    if (row?.webhook && client && body !== undefined) {
      headers['x-app-id'] = textMemberOfJson(body, 'sourceAppId') ?? applicationIds[call.as]
      headers['x-app-signature'] = signBody(
        body,
        client.clientSecret,
        engine.settings.conduct.signature,
      )
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
  function urlOf({ as, operation: id, params, query, path, url }: ServiceCall): string {
    const { to, there } = receiver()
    if (url !== undefined) {
      if (URL.canParse(url) && new URL(url).host === new URL(there.base).host) return url
      throw problem(attempted, `${url} is not on its host`, 'Give a URL of the service.')
    }
    const { settings, world } = runtime().engine
    const suffix = query ? `?${new URLSearchParams(query).toString()}` : ''
    if (path !== undefined) return `${there.base}${path}${suffix}`
    if (id === undefined) throw new Error('a call outside the protocol needs a path')
    const call = { from: as, to, operation: id, attempt: 1, ...compact({ params, query }) }
    return callUrl(call, there, { settings, world })
  }

  function requestToken(as: Role, scopes?: readonly string[]): Promise<Exchange> {
    const { settings } = runtime().engine
    const client = ownCredentials(as, settings)
    if (!client) throw problem(attempted, `the ${as} has no credentials`, 'Give it some.')
    const { scopePrefix } = settings.protocol
    const named = scopes?.map((scope) => (scope.includes('.') ? scope : `${scopePrefix}.${scope}`))
    const parties = { from: as, to: receiver().to }
    const { body, type } = tokenRequestBody(parties, client, settings, named)
    const call: ServiceCall = {
      as,
      operation: 'issueToken',
      text: body,
      headers: { 'content-type': type },
    }
    return send(call, urlOf(call))
  }

  async function ownToken(as: Role): Promise<string | undefined> {
    if (!tokens.has(as)) tokens.set(as, tokenIn(await requestToken(as)))
    return tokens.get(as)
  }

  async function tokenOf({ as, token, operation: id }: ServiceCall): Promise<string | undefined> {
    if (token === undefined && id !== undefined && operation(id).access === 'open') return undefined
    if (token === undefined || token === 'own') return ownToken(as)
    if (token === 'none') return undefined
    return 'value' in token ? token.value : tokenIn(await requestToken(as, token.scopes))
  }

  /** An operation of V2 is that of V1 with a service that speaks V1. */
  function asSpoken(call: ServiceCall): ServiceCall {
    const { conduct } = runtime().engine.settings
    if (call.operation === undefined || !speaksV1(conduct)) return call
    return { ...call, operation: v1OperationOf(call.operation) ?? call.operation }
  }

  return (named) => {
    const call = asSpoken(named)
    const work = tokenOf(call).then((token) => send(call, urlOf(call), token))
    // Time stands still while the service answers.
    runtime().underWay(work)
    return work
  }
}
