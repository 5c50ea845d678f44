/** Tokens in a trace: who asked for which, and what was issued. */
import { domainScopes, fineScopes } from '../../../protocol/auth/scopes.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import type { Role } from '../../../protocol/role.ts'
import type { Observed, Trace } from '../trace.ts'

/** The fields of a token request, from JSON or a form. */
export function tokenFields({ request, exchange }: Observed): Readonly<Record<string, string>> {
  const pairs = isUnknownRecord(request)
    ? Object.entries(request).map(([name, value]) => [name, String(value)] as const)
    : [...new URLSearchParams(exchange.request.body ?? '')]
  return Object.fromEntries(pairs)
}

const wordsOf = (text: unknown): readonly string[] =>
  typeof text === 'string' ? text.split(/\s+/).filter(Boolean) : []

export const scopesAskedIn = (observed: Observed): readonly string[] =>
  wordsOf(tokenFields(observed)['scope'])

/** The token in the Authorization header. */
export const bearerOf = ({ requestHeader }: Observed): string | undefined =>
  /^Bearer +(\S+)$/i.exec(requestHeader('authorization') ?? '')?.[1]

export interface TokenIssue {
  readonly asked: Observed
  readonly token: string
  /** The scopes that it has: those of the reply, else those of the request. */
  readonly scopes: readonly string[]
  readonly lifeMs: number
}

export function issuedIn(asked: Observed): readonly TokenIssue[] {
  if (asked.status !== 200 || !isUnknownRecord(asked.reply)) return []
  const { access_token: token, scope, expires_in: life } = asked.reply
  if (typeof token !== 'string') return []
  return [
    {
      asked,
      token,
      scopes: scope === undefined ? scopesAskedIn(asked) : wordsOf(scope),
      lifeMs: 1000 * (typeof life === 'number' ? life : 3600),
    },
  ]
}

/** Tokens that the service has issued. */
export const tokensOfService = (trace: Trace): readonly TokenIssue[] =>
  trace.answers('issueToken').flatMap(issuedIn)

/** Tokens that were issued to the service. */
export const tokensForService = (trace: Trace): readonly TokenIssue[] =>
  trace.calls('issueToken').flatMap(issuedIn)

/** The token that a call carries, among those that were issued. */
export function tokenOfCall(call: Observed, issued: readonly TokenIssue[]): TokenIssue | undefined {
  const bearer = bearerOf(call)
  return bearer === undefined ? undefined : issued.findLast(({ token }) => token === bearer)
}

/** Whether a scope is that of a domain, whatever its prefix is: `proto.orders`. */
export const isDomainScope = (scope: string, domain: string): boolean =>
  scope.endsWith(`.${domain}`) && scope.split('.').length === 2

export const isV2Scope = (scope: string): boolean =>
  scope in fineScopes || domainScopes.some((domain) => isDomainScope(scope, domain))

/** Token requests by the host that is asked. */
export const byHost = (asked: readonly Observed[]): ReadonlyMap<Role, readonly Observed[]> =>
  Map.groupBy(asked, ({ exchange }) => exchange.to.role)
