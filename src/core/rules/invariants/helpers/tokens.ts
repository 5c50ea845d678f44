/** Access tokens as observed: which request issued a token, and its lifetime. */
import { setBounded } from '../../../engine/bounded.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import { valueAt, textAt } from '../tracking/exchange-fields.ts'
import { shortText } from '../../../engine/short-text.ts'
import type { TrackerState } from '../tracking/tracker-state.ts'

/** The client id in a token request, as form or JSON. */
function clientIdIn(observed: ObservedExchange): string | undefined {
  const form = new URLSearchParams(observed.exchange.request.body ?? '').get('client_id')
  return form ?? textAt(observed.requestJson(), 'client_id')
}

/**
 * Whether the subject requested a token. The client id decides, since roles that Sparring plays request tokens of each
 * other as well.
 */
export function isTokenRequest(
  observed: ObservedExchange,
  { subject, settings }: TrackerState,
): boolean {
  if (observed.caller !== 'subject' || observed.operation !== 'issueToken') return false
  const clientId = clientIdIn(observed)
  const client = settings.clients.find((each) => each.clientId === clientId)
  return client === undefined || client.role === subject
}

/** The token in the reply to a token request. */
export const issuedTokenOf = (observed: ObservedExchange): string | undefined =>
  observed.ok ? textAt(observed.responseJson(), 'access_token') : undefined

/** Lifetime in ms; an hour if the reply does not say. */
export function tokenLifetimeMs(observed: ObservedExchange): number {
  const seconds = Number(valueAt(observed.responseJson(), 'expires_in') ?? 3600)
  return Number.isFinite(seconds) ? seconds * 1000 : 3_600_000
}

/** Key of the credentials and host of a token request: tokens of different credentials are independent. */
export const credentialsOf = ({ exchange, requestFingerprint }: ObservedExchange): string =>
  shortText(`${exchange.to.role} ${exchange.request.url} ${requestFingerprint}`)

/** Credentials by token, and the last successful request by credentials. */
export interface IssuedTokens {
  readonly credentialsByToken: Map<string, string>
  readonly lastByCredentials: Map<string, ObservedExchange>
}

const maxTokens = 2000

export const createIssuedTokens = (): IssuedTokens => ({
  credentialsByToken: new Map(),
  lastByCredentials: new Map(),
})

export function recordIssuedToken(
  { credentialsByToken, lastByCredentials }: IssuedTokens,
  request: ObservedExchange,
): void {
  const token = issuedTokenOf(request)
  if (token === undefined) return
  setBounded(credentialsByToken, token, credentialsOf(request), maxTokens)
  setBounded(lastByCredentials, credentialsOf(request), request, maxTokens)
}

/** The last request that issued a token for the same credentials; may be the one that issued this token. */
export function lastTokenRequest(
  { credentialsByToken, lastByCredentials }: IssuedTokens,
  token: string,
): ObservedExchange | undefined {
  const credentials = credentialsByToken.get(token)
  return credentials === undefined ? undefined : lastByCredentials.get(credentials)
}
