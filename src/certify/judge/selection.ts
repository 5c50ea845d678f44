/** Selection of what is certified: capabilities from a manifest, and checks by their clauses. */
import { operations } from '../../core/protocol/catalogue.ts'
import { parseManifest } from '../../core/protocol/discovery/parse-manifest.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Check } from './check.ts'

/** Capabilities that every service has. */
const always = ['discovery', 'auth'] as const satisfies readonly Capability[]

/** The capabilities that a role may have. */
export const capabilitiesOfRole = (role: Role): readonly Capability[] => [
  ...new Set(
    operations.flatMap(({ capability, hosts, callers }) =>
      hosts.includes(role) || callers.includes(role) ? [capability] : [],
    ),
  ),
]

/** The capabilities that a manifest declares; all of the role where it is unreadable. */
export function declaredCapabilities(manifest: unknown, role: Role): readonly Capability[] {
  const possible = capabilitiesOfRole(role)
  const parsed = parseManifest(manifest)
  if (!parsed.ok) return possible
  return possible.filter(
    (each) =>
      (always as readonly Capability[]).includes(each) ||
      Object.hasOwn(parsed.value.capabilities, each),
  )
}

/** Whether a clause is of a selection: by its beginning, `ORD`, `ORD-TRA` or `ORD-TRA-02`. Everything without one. */
export const isSelectedClause = (clause: string, only: readonly string[] = []): boolean =>
  only.length === 0 ||
  only.some((each) => clause === each.toUpperCase() || clause.startsWith(`${each.toUpperCase()}-`))

export const selectChecks = (
  checks: readonly Check[],
  only: readonly string[] = [],
): readonly Check[] =>
  checks.filter(({ clauses }) => clauses.some((each) => isSelectedClause(each, only)))
