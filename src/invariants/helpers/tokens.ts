/** Access tokens as observed: which request issued a token, and its lifetime. */
import { setBounded } from '../../engine/bounded.ts'
import type { SeenExchange } from '../judge/observations.ts'
import { fieldOf, textOf } from '../tracking/subject-order.ts'
import type { Watch } from '../tracking/tracker-state.ts'

/** The client id in a token request, as form or JSON. */
function clientIdIn(seen: SeenExchange): string | undefined {
  const form = new URLSearchParams(seen.exchange.request.body ?? '').get('client_id')
  return form ?? textOf(seen.asked(), 'client_id')
}

/**
 * Whether the subject requested a token. The client id decides, since roles that Sparring plays request tokens of each
 * other as well.
 */
export function isTokenRequest(seen: SeenExchange, { subject, settings }: Watch): boolean {
  if (seen.by !== 'subject' || seen.operation !== 'issueToken') return false
  const clientId = clientIdIn(seen)
  const client = settings.clients.find((each) => each.clientId === clientId)
  return client === undefined || client.role === subject
}

/** The token in the reply to a token request. */
export const issuedIn = (seen: SeenExchange): string | undefined =>
  seen.ok ? textOf(seen.answered(), 'access_token') : undefined

/** Lifetime in ms; an hour if the reply does not say. */
export function lifeMs(seen: SeenExchange): number {
  const seconds = Number(fieldOf(seen.answered(), 'expires_in') ?? 3600)
  return Number.isFinite(seconds) ? seconds * 1000 : 3_600_000
}

/** Key of the credentials and host of a token request: tokens of different credentials are independent. */
export const purseOf = ({ exchange }: SeenExchange): string =>
  `${exchange.to.role} ${exchange.request.url} ${exchange.request.body}`

/** Credentials by token, and the last successful request by credentials. */
export interface Issued {
  readonly purses: Map<string, string>
  readonly last: Map<string, SeenExchange>
}

const maxTokens = 2000

export const createIssued = (): Issued => ({ purses: new Map(), last: new Map() })

export function hearIssued(
  { purses: credentialsByToken, last: lastByCredentials }: Issued,
  request: SeenExchange,
): void {
  const token = issuedIn(request)
  if (token === undefined) return
  setBounded(credentialsByToken, token, purseOf(request), maxTokens)
  setBounded(lastByCredentials, purseOf(request), request, maxTokens)
}

/** The last request that issued a token for the same credentials; may be the one that issued this token. */
export function lastRequest(
  { purses: credentialsByToken, last: lastByCredentials }: Issued,
  token: string,
): SeenExchange | undefined {
  const purse = credentialsByToken.get(token)
  return purse === undefined ? undefined : lastByCredentials.get(purse)
}
