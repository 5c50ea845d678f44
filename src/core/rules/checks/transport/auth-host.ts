/** Checks of how a service authenticates its callers: AUT-GEN, AUT-TEN-02, AUT-TOK-01, AUT-MER, TRN-STA-05. */
import { roles } from '../../../protocol/role.ts'
import { defineChecks, type Assertion } from '../check.ts'
import {
  allTests,
  atSteps,
  type Deviation,
  each,
  every,
  hasStatus,
  notice,
  observation,
  type Test,
  where,
} from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { hasErrorBody, isUnserved, rowOf } from './error-body.ts'
import { tokenlessIsRefused } from './scope-assertions.ts'
import { bearerOf, tokensForService, tokensOfService } from './tokens.ts'
import { capabilitiesIn, lastManifest } from './manifests.ts'

/** Whether other traffic shows that the operation is served, so that a 404 is no answer of a router. */
const isServed = (observed: Observed, trace: Trace): boolean => {
  const { operation: id } = observed
  if (id === undefined) return false
  const [nothing] = trace.at(`access/no-such-path/${id}`)
  return (
    trace.answers(id).some((other) => other.status > 0 && !isUnserved(other)) ||
    (nothing !== undefined && nothing.status > 0 && answerOf(nothing) !== answerOf(observed))
  )
}

/** What an answer says, whatever path and ids it names. */
const answerOf = ({ status, exchange, url }: Observed): string =>
  `${status} ${exchange.reply?.body?.replaceAll(url.pathname, '').replaceAll(/[\da-f-]{8,}|\d+/gi, '') ?? ''}`

const wasJudged = (observed: Observed, trace: Trace): boolean =>
  observed.status > 0 && (!isUnserved(observed) || isServed(observed, trace))

/** 401; the order in which a host looks at body and token is its own. */
function needsToken(observed: Observed): Deviation {
  const { status } = observed
  if (status === 401) return undefined
  const problem = `it answers ${status}, not 401, to ${observed.operation} without a valid token`
  return status === 400 || status === 415 || status === 422 || rowOf(observed)?.webhook
    ? notice(problem)
    : problem
}

const withoutToken = where(atSteps('access/without-token'), wasJudged)
const withBadToken = where(atSteps('access/malformed-token', 'access/unknown-token'), wasJudged)

/** Its token endpoint has answered a request of ours with a token, and what it protects accepts that. */
const issuesTokens: Assertion = function* (trace) {
  const asked = trace.answers('issueToken')
  if (asked.length === 0) return
  const issued = tokensOfService(trace)
  const used = trace
    .answers()
    .find((one) => one.status < 400 && issued.some(({ token }) => token === bearerOf(one)))
  yield observation(
    [...asked.slice(0, 1), ...(used ? [used] : [])],
    issued.length === 0
      ? 'it has answered no token request with an access_token'
      : used
        ? undefined
        : 'it has accepted none of the tokens that it issued',
  )
}

/** Its own tokens come from token requests to us. */
const obtainsTokens: Assertion = function* (trace) {
  const issued = new Set(tokensForService(trace).map(({ token }) => token))
  if (issued.size === 0) return
  for (const call of trace.calls()) {
    const bearer = bearerOf(call)
    if (bearer !== undefined && call.status !== 401)
      yield observation(
        [call],
        !issued.has(bearer) && 'it sends a token that no token request has given to it',
      )
  }
}

/** A service that only receives may have no list of merchants: the documents leave it open. */
const listsMerchants =
  (status: number): Test<Observed> =>
  (observed, trace) => {
    const problem = hasStatus(status)(observed, trace)
    return typeof problem === 'string' && isUnserved(observed) && receivesOnly(trace)
      ? notice(
          `${problem}; the documents do not say whether a service that only receives lists merchants`,
        )
      : problem
  }

const receivesOnly = (trace: Trace): boolean => {
  const blocks = capabilitiesIn(lastManifest(trace)).map(({ block }) => String(block['role']))
  return blocks.length > 0 && blocks.every((role) => /^(RECEIVER|CONSUMER)$/i.test(role))
}

/** It resolves its merchants after its first token. */
const readsMerchants: Assertion = function* (trace) {
  const [first] = tokensForService(trace)
  if (!first) return
  const read = trace.calls('listMerchants').at(0)
  yield observation(
    [first.asked, ...(read ? [read] : [])],
    !read && notice('it got a token and did not read GET /merchants'),
  )
}

export const hostAuthenticationChecks = defineChecks(
  { roles, procedures: ['access'] },
  {
    'AUT-GEN-02': {
      assertion: every(each(withoutToken, needsToken), tokenlessIsRefused),
      remedy: 'Demand a Bearer token at every endpoint but discovery and /oauth/token.',
    },
    'TRN-STA-05': {
      assertion: every(
        each(withBadToken, allTests(needsToken, hasErrorBody)),
        each(
          where(withoutToken, ({ status }) => status === 401),
          hasErrorBody,
        ),
      ),
      remedy: 'Answer 401 with the error object to a token that is missing, malformed or unknown.',
    },
    'AUT-TOK-01': {
      procedures: ['introduction'],
      assertion: every(issuesTokens, obtainsTokens),
      remedy: 'Answer POST /oauth/token with an access_token, and get your own tokens by it.',
    },
    'AUT-TEN-02': {
      procedures: ['token-requests'],
      assertion: every(
        each(
          where(
            atSteps('token-requests/wrong-secret', 'token-requests/unknown-client'),
            ({ status }) => status > 0,
          ),
          ({ status }) =>
            status === 401
              ? undefined
              : status === 400
                ? notice('it answers 400, not 401, to wrong client credentials')
                : `it answers ${status}, not 401, to wrong client credentials`,
        ),
        (trace) => tokensOfService(trace).map(({ asked }) => observation([asked], undefined)),
      ),
      remedy: 'Answer /oauth/token without a Bearer token, and wrong credentials there with 401.',
    },
    'AUT-MER-01': {
      procedures: ['introduction'],
      assertion: every(
        each(atSteps('introduction/merchants'), listsMerchants(200)),
        each(atSteps('introduction/merchants-without-token'), listsMerchants(401)),
        readsMerchants,
      ),
      remedy: 'Answer GET /merchants with 200 to a valid token and with 401 without one.',
    },
  },
)
