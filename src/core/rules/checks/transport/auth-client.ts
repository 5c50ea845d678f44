/** Checks of how a service authenticates itself: AUT-GEN-01, AUT-CRE, AUT-TOK, TRN-HDR-01, MIG-VER-05. */
import { roles, type Role } from '../../../protocol/role.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { defineChecks, type Assertion } from '../check.ts'
import {
  bodyValue,
  callsOf,
  type Deviation,
  each,
  every,
  isSigned,
  notice,
  observation,
  type Test,
  where,
} from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { manifestsWith } from './manifests.ts'
import {
  bearerOf,
  byHost,
  isDomainScope,
  isV2Scope,
  scopesAskedIn,
  tokenFields,
  tokensForService,
} from './tokens.ts'
import { rowOf } from './error-body.ts'

const protectedCalls = where(callsOf(), (call) => {
  const row = rowOf(call)
  return row !== undefined && row.access !== 'open'
})

function carriesBearer(call: Observed): Deviation {
  if (bearerOf(call) !== undefined) return undefined
  const problem = call.requestHeader('authorization')
    ? `the Authorization of ${call.operation} is not Bearer and a token`
    : `it calls ${call.operation} without Authorization`
  return rowOf(call)?.webhook && isSigned(call) ? notice(problem) : problem
}

const tokenKeys = ['access_token', 'token', 'bearer']

/** The token stands in the header, and nowhere else. */
function tokenIsInHeader(call: Observed): Deviation {
  const hasQuery = call.exchange.request.url.includes('?')
  const inUrl = hasQuery && tokenKeys.find((key) => call.url.searchParams.has(key))
  if (inUrl) return `it sends a token in its URL (${inUrl})`
  const { request } = call
  const inBody = isUnknownRecord(request) && tokenKeys.find((key) => key in request)
  return inBody ? `it sends a token in its body (${inBody})` : undefined
}

/** The models of credentials that our manifest declares to the service. */
function modelsOf(trace: Trace, host: Role): readonly unknown[] {
  const read = trace
    .calls('getManifest')
    .findLast(({ exchange, status }) => exchange.to.role === host && status === 200)
  const models = bodyValue(read?.reply, '/authentication/clientIdGeneration')
  return Array.isArray(models) ? models : []
}

/** Where credentials are made per application, one client_id serves all stores. */
const oneClientId = (isAbout: (host: Role) => boolean): Assertion =>
  function* (trace) {
    for (const [host, asked] of byHost(trace.calls('issueToken'))) {
      const models = modelsOf(trace, host)
      if (!isAbout(host) || models.length !== 1 || models[0] !== 'by_app') continue
      const ids = new Set(asked.map((one) => tokenFields(one)['client_id']))
      yield observation(
        asked.slice(0, 3),
        ids.size > 1 &&
          `it uses ${ids.size} client ids at the ${host}, which knows one per application`,
      )
    }
  }

const hasCredentials: Test<Observed> = (asked, { form }): Deviation => {
  const fields = tokenFields(asked)
  // The public standard asks for a grant, and for no scope.
  const third = form?.conduct.tokenScopes === false ? 'grant_type' : 'scope'
  const missing = ['client_id', 'client_secret', third].filter((name) => !fields[name])
  if (missing.length === 0)
    return /[,;]/.test(fields['scope'] ?? '') ? 'its scopes are not separated by spaces' : undefined
  const problem = `its token request has no ${missing.join(', no ')}`
  const isBasic = /^Basic /i.test(asked.requestHeader('authorization') ?? '')
  return isBasic && !missing.includes('scope') ? notice(problem) : problem
}

/** Token requests of the service with valid credentials get the scopes that they ask for. */
const isOrdinaryStep = ({ step }: Observed): boolean => step === undefined

const grantsWhatIsAsked: Assertion = function* (trace) {
  const normal = trace
    .answers('issueToken')
    .filter((one) => isOrdinaryStep(one) && one.status === 200)
  const [first] = normal
  if (!first) return
  const scope = bodyValue(first.reply, '/scope')
  const granted = typeof scope === 'string' ? scope.split(/\s+/) : undefined
  const missing = granted && scopesAskedIn(first).filter((one) => !granted.includes(one))
  yield observation(
    [first],
    missing &&
      missing.length === scopesAskedIn(first).length &&
      missing.length > 0 &&
      `it grants none of the scopes that are asked for: ${missing.join(' ')}`,
  )
}

/** So many token requests in the life of one token say that tokens are not kept. */
const maxTokensInOneLife = 3

const tokensAreKept: Assertion = function* (trace) {
  const byUse = Map.groupBy(tokensForService(trace), ({ asked }) => {
    const { client_id: client = '', scope = '' } = tokenFields(asked)
    return [asked.exchange.to.role, client, scope].join(' ')
  })
  for (const tokens of byUse.values()) {
    const [first] = tokens
    if (!first) continue
    const host = first.asked.exchange.to.role
    const end = first.asked.exchange.startedAt + first.lifeMs
    const early = tokens.filter(({ asked }) => asked.exchange.startedAt < end)
    const refused = trace
      .calls()
      .filter(({ status, exchange }) => status === 401 && exchange.to.role === host)
    yield observation(
      early.map(({ asked }) => asked).slice(0, 5),
      early.length - 1 - refused.length > maxTokensInOneLife &&
        `it asked the ${host} for ${early.length} tokens while the first was valid`,
    )
  }
}

function asksForV2Scopes(asked: Observed): Deviation {
  const scopes = scopesAskedIn(asked)
  if (scopes.length === 0) return undefined
  if (!scopes.some(isV2Scope)) return `it asks for ${scopes.join(' ')}, which is no scope of V2`
  return scopes.every((scope) => isDomainScope(scope, 'all'))
    ? notice('it asks for the scope of all domains, as V1 did')
    : undefined
}

const isAnyHost = (): boolean => true

export const clientAuthenticationChecks = defineChecks(
  { roles, procedures: ['introduction'] },
  {
    'AUT-GEN-01': {
      procedures: ['introduction', 'activity'],
      assertion: each(
        where(callsOf(), (call) => bearerOf(call) !== undefined),
        tokenIsInHeader,
      ),
      remedy: 'Send the access token in the Authorization header, and nowhere else.',
    },
    'TRN-HDR-01': {
      procedures: ['introduction', 'activity'],
      assertion: each(protectedCalls, carriesBearer),
      remedy:
        'Send Authorization: Bearer and your access token with every call of a protected endpoint.',
    },
    'AUT-CRE-01': {
      assertion: oneClientId(isAnyHost),
      remedy: 'Use one client_id for all stores where credentials are made per application.',
    },
    'AUT-CRE-02': {
      roles: ['ordering-application', 'software-service', 'delivery-platform'],
      needs: ['logistics'],
      assertion: every(
        each(manifestsWith('logistics'), ({ reply }) => {
          const models = bodyValue(reply, '/authentication/clientIdGeneration')
          return Array.isArray(models) && models.includes('by_app')
            ? undefined
            : 'it declares Logistics and has no credentials per application (by_app)'
        }),
        oneClientId((host) => host === 'delivery-platform'),
      ),
      remedy: 'Use credentials of your application for Logistics, and declare by_app.',
    },
    'AUT-TOK-02': {
      assertion: every(each(callsOf('issueToken'), hasCredentials), grantsWhatIsAsked),
      remedy:
        'Send client_id, client_secret and scope, with spaces between scopes, in the token request.',
    },
    'AUT-TOK-03': {
      procedures: ['introduction', 'activity'],
      assertion: tokensAreKept,
      remedy:
        'Keep one token for your application until it expires, not one for each store or call.',
    },
    'MIG-VER-05': {
      assertion: each(callsOf('issueToken'), asksForV2Scopes),
      remedy: 'Ask for the scopes of V2, which are those of domains or of operations.',
    },
  },
)
