/**
 * Authorization scopes. A domain scope permits its whole domain, `proto.all` permits everything, and two domains
 * also have finer scopes for single operations (AUT-SCO-01 to 04, AUT-TEN-01, AUT-TEN-03).
 */

/**
 * The five domain scopes, without their prefix: it (`proto`) is a setting, since the public standard has another one.
 */
export const domainScopes = ['orders', 'menu', 'logistics', 'crm', 'all'] as const
export type DomainScope = (typeof domainScopes)[number]

/** Finer scopes with their domain. They have no prefix. */
export const fineScopes = {
  'logistics.read': 'logistics',
  'logistics.write': 'logistics',
  'logistics.events.write': 'logistics',
  'customer.write': 'crm',
  'customer.read': 'crm',
  'orders.crm.write': 'crm',
  'orders.crm.read': 'crm',
  'customer.events.write': 'crm',
  'lead.write': 'crm',
  'review.write': 'crm',
} as const satisfies Record<string, DomainScope>
export type FineScope = keyof typeof fineScopes

export interface ScopeRequirement {
  readonly scope: DomainScope
  /** The finer scope that also suffices. */
  readonly fine?: FineScope
  /** Only the finer scope suffices, where there is one. */
  readonly strict?: boolean
}

export const scopeName = (prefix: string, scope: DomainScope): string => `${prefix}.${scope}`

/** All scope names that a token endpoint can grant. */
export const allScopeNames = (prefix: string): readonly string[] => [
  ...domainScopes.map((scope) => scopeName(prefix, scope)),
  ...Object.keys(fineScopes),
]

/** Whether granted scopes satisfy a requirement. */
export function scopesAllow(
  granted: ReadonlySet<string>,
  requirement: ScopeRequirement,
  prefix: string,
): boolean {
  if (requirement.fine && granted.has(requirement.fine)) return true
  if (requirement.fine && requirement.strict) return false
  return granted.has(scopeName(prefix, requirement.scope)) || granted.has(scopeName(prefix, 'all'))
}

/** Text of a requirement in an error message: the scopes of which one suffices. */
export const scopeRequirementText = (
  { scope, fine, strict }: ScopeRequirement,
  prefix: string,
): string =>
  fine && strict ? fine : [scopeName(prefix, scope), ...(fine ? [fine] : [])].join(' or ')

/** The requested scopes that are allowed; all allowed ones when none was requested (AUT-TOK-02). */
export function grantScopes(
  requested: string | undefined,
  allowed: readonly string[],
): readonly string[] {
  const names = (requested ?? '').split(/\s+/).filter(Boolean)
  return names.length === 0 ? allowed : names.filter((name) => allowed.includes(name))
}

/** Which scopes our client requests in a domain that has finer ones. */
export const scopePreferences = ['domain', 'fine', 'both'] as const
export type ScopePreference = (typeof scopePreferences)[number]

export interface ScopeRequestOptions {
  readonly prefix: string
  readonly strict: boolean
  readonly scopesAsked: Readonly<Partial<Record<DomainScope, ScopePreference>>>
}

/** The least scopes that satisfy these requirements; never `all` (AUT-SCO-01). */
export function scopesToRequest(
  requirements: readonly Pick<ScopeRequirement, 'scope' | 'fine'>[],
  { prefix, strict, scopesAsked }: ScopeRequestOptions,
): readonly string[] {
  const names = requirements.flatMap(({ scope, fine }) => {
    const preference =
      fine === undefined ? 'domain' : strict ? 'fine' : (scopesAsked[scope] ?? 'domain')
    return [
      ...(preference === 'domain' ? [] : fine === undefined ? [] : [fine]),
      ...(preference === 'fine' ? [] : [scopeName(prefix, scope)]),
    ]
  })
  return [...new Set(names)]
}
