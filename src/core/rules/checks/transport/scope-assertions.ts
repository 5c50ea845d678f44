/** Assertions about scopes: which a host demands, in the procedure `scopes`, and which the service's own calls have. */
import { setBounded } from '../../../engine/bounded.ts'
import { fineScopes } from '../../../protocol/auth/scopes.ts'
import { operation } from '../../../protocol/catalogue.ts'
import type { Operation } from '../../../protocol/operation.ts'
import type { Assertion, Fold } from '../check.ts'
import {
  type Deviation,
  every,
  isAcceptedCall,
  notice,
  observation,
  type Test,
} from '../assertion.ts'
import { eachMoment } from '../live.ts'
import { inSessions } from '../status-life.ts'
import { type Observed, type Trace, withoutBodies } from '../trace.ts'
import {
  bearerOf,
  isDomainScope,
  issuedIn,
  scopesAskedIn,
  type TokenIssue,
  tokenOfCall,
  tokensForService,
  tokensOfService,
} from './tokens.ts'
import { isUnserved } from './error-body.ts'

interface ScopedCall {
  readonly call: Observed
  readonly row: Operation
  readonly scope: string
  readonly fine: string | undefined
  /** The scopes of its token. */
  readonly granted: readonly string[]
}

function scopedCall(call: Observed, granted: readonly string[]): readonly ScopedCall[] {
  if (call.operation === undefined) return []
  const row: Operation = operation(call.operation)
  if (typeof row.access !== 'object') return []
  const { scope, fine } = row.access
  return [{ call, row, scope, fine, granted }]
}

const hasDomain = ({ granted, scope }: ScopedCall): boolean =>
  granted.some((each) => isDomainScope(each, scope))
const hasFine = ({ granted, fine }: ScopedCall): boolean =>
  fine !== undefined && granted.includes(fine)
const hasAll = ({ granted }: ScopedCall): boolean =>
  granted.some((each) => isDomainScope(each, 'all'))
const isEnough = (call: ScopedCall): boolean => hasDomain(call) || hasFine(call) || hasAll(call)

const isRefused = ({ call: { status } }: ScopedCall): boolean => status === 401 || status === 403

/** Which operations an assertion is about. */
export type OperationChoice = (row: Operation) => boolean

/** Calls of ours at a step of `scopes`, with the scopes that their token really has. */
function callsAt(trace: Trace, step: string, choice: OperationChoice): readonly ScopedCall[] {
  const issued = tokensOfService(trace)
  return trace.at(`scopes/${step}`).flatMap((call) => {
    const token = tokenOfCall(call, issued)
    return token && call.status > 0
      ? scopedCall(call, token.scopes).filter(({ row }) => choice(row))
      : []
  })
}

/** For a webhook the way to authenticate is not settled: a problem is a notice there. */
const byKind = ({ webhook }: Operation, problem: string): Deviation =>
  webhook === undefined ? problem : notice(problem)

/** Of the domain's scope and the operation's own the host accepts at least one; only one is a notice. */
export const eitherScope = (choice: OperationChoice): Assertion =>
  function* (trace) {
    const domain = callsAt(trace, 'domain', choice).filter(
      (each) => hasDomain(each) && !hasAll(each),
    )
    const fine = callsAt(trace, 'fine', choice).filter((each) => hasFine(each) && !hasDomain(each))
    for (const id of new Set([...domain, ...fine].map(({ row }) => row.id))) {
      const both = [...domain, ...fine].filter(({ row }) => row.id === id)
      const refused = both.filter(isRefused)
      const [first] = both
      if (!first) continue
      const names = refused.map(({ granted }) => granted.join(' ')).join(' and ')
      yield observation(
        both.map(({ call }) => call),
        refused.length === 0
          ? undefined
          : refused.length < both.length
            ? notice(`it refuses ${names} for ${id}, and accepts the other scope`)
            : byKind(first.row, `it refuses ${names} for ${id}`),
      )
    }
  }

/** The operation's own scope is let through; where the domain's is accepted in its place, that is a notice. */
export const fineScopeSuffices = (choice: OperationChoice): Assertion =>
  function* (trace) {
    const domain = callsAt(trace, 'domain', choice)
    for (const fine of callsAt(trace, 'fine', choice)) {
      if (!hasFine(fine) || hasDomain(fine) || hasAll(fine)) continue
      const { id } = fine.row
      const other = domain.find(({ row }) => row.id === id)
      const problem = `it refuses ${fine.fine} for ${id}`
      yield observation(
        [fine.call],
        !isRefused(fine)
          ? undefined
          : other && !isRefused(other)
            ? notice(problem)
            : byKind(fine.row, problem),
      )
    }
  }

interface TokenMoment {
  readonly call: Observed
  /** The token that it carries. */
  readonly token: TokenIssue | undefined
  /** The receiver has issued tokens to us. */
  readonly isIssuing: boolean
}

const maxTokens = 100

/** Calls of both sides with their tokens, as far as these were issued while one could see it. */
const callsWithTokens: Fold<TokenMoment> = {
  begin() {
    const issued = new Map<string, TokenIssue>()
    let isIssuing = false
    const take = (call: Observed): readonly TokenMoment[] => {
      if (call.exchange.fault !== undefined) return []
      for (const each of call.operation === 'issueToken' ? issuedIn(call) : []) {
        setBounded(issued, each.token, { ...each, asked: withoutBodies(call) }, maxTokens)
        isIssuing ||= !call.isCall
      }
      return [{ call, token: issued.get(bearerOf(call) ?? ''), isIssuing }]
    }
    return { take }
  },
}

/** In a session: what a token for finer scopes alone does not allow is refused. */
const narrowIsRefused = (choice: OperationChoice): Assertion =>
  inSessions(
    eachMoment(callsWithTokens, function* ({ call, token }) {
      if (call.isCall || !token?.scopes.length) return
      if (!token.scopes.every((scope) => scope in fineScopes)) return
      for (const each of scopedCall(call, token.scopes))
        if (choice(each.row) && !isEnough(each) && (call.status === 403 || isAcceptedCall(call)))
          yield observation(
            [token.asked, call],
            call.status !== 403 &&
              `it answers ${call.status}, not 403, to ${each.row.id} with the scope ${token.scopes.join(' ')}`,
          )
    }),
  )

/** In a session: a host that issues tokens takes no call without one. */
export const tokenlessIsRefused: Assertion = inSessions(
  eachMoment(callsWithTokens, function* ({ call, isIssuing }) {
    const { operation: id, isCall, status } = call
    if (isCall || id === undefined || !isIssuing || call.requestHeader('authorization')) return
    const { access, webhook }: Operation = operation(id)
    if (typeof access === 'object' && webhook === undefined && status !== 0)
      yield observation(
        [call],
        isAcceptedCall(call) && `it answers ${status}, not 401, to ${id} without a token`,
      )
  }),
)

/** In a session: what we have refused for the scope of its token was called with a token for it. */
const scopeWasAsked = (choice: OperationChoice): Assertion =>
  inSessions(
    eachMoment(callsWithTokens, function* ({ call, token }) {
      if (!call.isCall || !token || call.status !== 403) return
      for (const each of scopedCall(call, token.scopes))
        if (choice(each.row) && !isEnough(each))
          yield observation(
            [token.asked, call],
            `it calls ${each.row.id} with a token for ${token.scopes.join(' ') || 'no scope'}`,
          )
    }),
  )

/** A token without the scope is answered 403; the reply has to pass a further test. */
export const insufficientScopeIsRefused = (
  choice: OperationChoice,
  further?: Test<Observed>,
): Assertion =>
  every(narrowIsRefused(choice), function* (trace) {
    for (const each of callsAt(trace, 'insufficient', choice)) {
      const { status } = each.call
      if (isEnough(each) || isUnserved({ status })) continue
      const scopes = each.granted.join(' ') || '(none)'
      yield observation(
        [each.call],
        status === 403
          ? further?.(each.call, trace)
          : byKind(
              each.row,
              `it answers ${status}, not 403, to ${each.row.id} with the scope ${scopes}`,
            ),
      )
    }
  })

/** Calls of the service carry a token for which it has asked the scope that they need. */
export const callsHaveScope = (choice: OperationChoice): Assertion =>
  every(scopeWasAsked(choice), function* (trace) {
    if (trace.form?.conduct.tokenScopes === false) return
    const issued = tokensForService(trace)
    for (const call of trace.calls()) {
      const token = tokenOfCall(call, issued)
      if (!token) continue
      for (const each of scopedCall(call, scopesAskedIn(token.asked)))
        if (choice(each.row))
          yield observation(
            [token.asked, call],
            !isEnough(each) &&
              `it calls ${each.row.id} with a token for ${each.granted.join(' ') || 'no scope'}`,
          )
    }
  })
