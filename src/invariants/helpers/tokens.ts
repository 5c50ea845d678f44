/** Tokens as the wire shows them: what was issued and to which request, and how long it lives. */
import { setBounded } from '../../engine/bounded.ts'
import type { SeenExchange } from '../judge/observations.ts'
import { fieldOf, textOf } from '../tracking/subject-order.ts'
import type { Watch } from '../tracking/tracker-state.ts'

/** The client that a request for a token names, in a form or in JSON. */
function clientIdIn(seen: SeenExchange): string | undefined {
  const form = new URLSearchParams(seen.exchange.request.body ?? '').get('client_id')
  return form ?? textOf(seen.asked(), 'client_id')
}

/** A request for a token by the subject: it names its client, where roles that we play ask each other as well. */
export function isTokenRequest(seen: SeenExchange, { subject, settings }: Watch): boolean {
  if (seen.by !== 'subject' || seen.operation !== 'issueToken') return false
  const clientId = clientIdIn(seen)
  const client = settings.clients.find((each) => each.clientId === clientId)
  return client === undefined || client.role === subject
}

/** The token in the answer to a request for one. */
export const issuedIn = (seen: SeenExchange): string | undefined =>
  seen.ok ? textOf(seen.answered(), 'access_token') : undefined

/** How long it lives; an hour when the answer does not say. */
export function lifeMs(seen: SeenExchange): number {
  const seconds = Number(fieldOf(seen.answered(), 'expires_in') ?? 3600)
  return Number.isFinite(seconds) ? seconds * 1000 : 3_600_000
}

/** The credentials and the host of a request for a token: what they have is a purse of its own. */
export const purseOf = ({ exchange }: SeenExchange): string =>
  `${exchange.to.role} ${exchange.request.url} ${exchange.request.body}`

/** Which tokens came from where, and the last request of each purse that brought one. */
export interface Issued {
  readonly purses: Map<string, string>
  readonly last: Map<string, SeenExchange>
}

const mostTokens = 2000

export const createIssued = (): Issued => ({ purses: new Map(), last: new Map() })

export function hearIssued({ purses, last }: Issued, request: SeenExchange): void {
  const token = issuedIn(request)
  if (token === undefined) return
  setBounded(purses, token, purseOf(request), mostTokens)
  setBounded(last, purseOf(request), request, mostTokens)
}

/** The last request that brought a token in place of this one, or this one itself. */
export function lastRequest({ purses, last }: Issued, token: string): SeenExchange | undefined {
  const purse = purses.get(token)
  return purse === undefined ? undefined : last.get(purse)
}
