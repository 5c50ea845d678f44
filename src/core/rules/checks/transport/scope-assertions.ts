/** Assertions about scopes: which a host demands, in the procedure `scopes`, and which the service's own calls have. */
import { operation } from '../../../protocol/catalogue.ts'
import type { Operation } from '../../../protocol/operation.ts'
import type { Assertion } from '../check.ts'
import { type Deviation, notice, observation, type Test } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import {
  isDomainScope,
  scopesAskedIn,
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

/** A token without the scope is answered 403; the reply has to pass a further test. */
export const insufficientScopeIsRefused = (
  choice: OperationChoice,
  further?: Test<Observed>,
): Assertion =>
  function* (trace) {
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
  }

/** Calls of the service carry a token for which it has asked the scope that they need. */
export const callsHaveScope = (choice: OperationChoice): Assertion =>
  function* (trace) {
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
  }
