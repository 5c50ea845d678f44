/** Forms of V1 in authentication and discovery: one scope for everything, and no manifest. */
import type { Role } from '../../../protocol/role.ts'
import { defineChecks } from '../check.ts'
import { parseManifest } from '../../../protocol/discovery/parse-manifest.ts'
import {
  answersOf,
  atSteps,
  callsOf,
  type Deviation,
  each,
  observation,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { isDomainScope, isV2Scope, scopesAskedIn, tokensOfService } from '../transport/tokens.ts'

/** Roles of a service that V1 has. */
export const v1Roles = [
  'ordering-application',
  'software-service',
] as const satisfies readonly Role[]

const isWholeScope = (scope: string): boolean => isDomainScope(scope, 'all')

const scopesAreOfV2 = (scopes: readonly string[], says: string): Deviation =>
  scopes.some((scope) => isV2Scope(scope) && !isWholeScope(scope))
    ? undefined
    : `${says} ${scopes.length === 0 ? 'no scope' : `the scope ${scopes.join(' ')}`}, not that of a domain`

/** A request of ours for a scope of V2. */
const asksForDomain = (asked: Observed): boolean =>
  scopesAskedIn(asked).some((scope) => isV2Scope(scope) && !isWholeScope(scope))

const manifestIsPublished = ({ status, reply }: Observed): Deviation => {
  if (status !== 200) return `it publishes no manifest (${status === 0 ? 'no reply' : status})`
  const parsed = parseManifest(reply)
  return parsed.ok ? undefined : `its manifest is none: ${parsed.error}`
}

export const v1AuthenticationForms = defineChecks(
  { roles: ['ordering-application'], procedures: ['v1-discovery'] },
  {
    'AUT-SCO-01 MIG-VER-05': {
      assertion: (trace) =>
        where(
          answersOf('issueToken'),
          asksForDomain,
        )(trace).map((asked) => {
          const issued = tokensOfService(trace).find((issue) => issue.asked === asked)
          return observation(
            [asked],
            issued
              ? scopesAreOfV2(issued.scopes, 'its token has')
              : `it refuses the scope ${scopesAskedIn(asked).join(' ')} with ${asked.status}`,
          )
        }),
      remedy: 'Grant the scopes of the domains: orders, menu, logistics, crm.',
    },
  },
  {
    'AUT-SCO-01 MIG-VER-05': {
      roles: ['software-service'],
      procedures: ['v1-discovery', 'v1-served-orders'],
      assertion: each(callsOf('issueToken'), (asked) =>
        scopesAreOfV2(scopesAskedIn(asked), 'it asks for'),
      ),
      remedy: 'Ask for the scopes of the domains that you use, such as that of orders.',
    },
    'DIS-GEN-01 MIG-VER-01 MIG-VER-02': {
      roles: v1Roles,
      assertion: each(atSteps('v1-discovery/manifest'), manifestIsPublished),
      remedy:
        'Publish a manifest at /.well-known/protocol, with protocolVersion, protocol.supportedVersions, authentication and capabilities.',
    },
  },
)
