/** Assertions that several families of Customer checks share. */
import { listIn } from '../../../protocol/loyalty/page.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import type { UnknownRecord } from '../../../protocol/unknown-record.ts'
import { bodyValue } from '../assertion.ts'
import { answersOf, each, every, hasStatus, successful, where } from '../assertion.ts'
import { operation as operationRow, type OperationId } from '../../../protocol/catalogue.ts'
import type { Role } from '../../../protocol/role.ts'
import type { Assertion, Observation } from '../check.ts'
import { perMessage } from '../live.ts'
import { type Selection, observation, type Test } from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { hasErrorObject } from '../transport/error-body.ts'

/** The entries of a list: bare, under items, or under a name of its own. */
export const entriesIn = (body: unknown): readonly UnknownRecord[] =>
  (listIn(body) ?? []).filter(isUnknownRecord)

export const noCustomer = 'no-customer'

/** It serves the path and refuses the record. */
export const isRefusedRecord = ({ status }: Observed): boolean =>
  status >= 400 && status < 500 && status !== 404 && status !== 405

/** Without refusals of orders, leads and reviews of a customer whom the service did not take. */
export const ofKnownCustomers = (selection: Selection): Selection =>
  where(
    selection,
    (observed, trace) =>
      !isRefusedRecord(observed) ||
      !trace.notes(noCustomer).some(({ procedure }) => observed.step?.startsWith(`${procedure}/`)),
  )

/** Scopes that allow operations of Customer, with any prefix. */
export const allows = /(^|\.)(crm|all)$|^(customer|orders\.crm|lead|review)\./

/**
 * Whether the token of a call has no scope of Customer for certain: it was requested for the call alone, was granted, and
 * the reply names other scopes only.
 */
export function lacksCustomerScope(all: readonly Observed[], call: Observed): boolean {
  const request = all.findLast(
    ({ operation, isCall, exchange }) =>
      operation === 'issueToken' && !isCall && exchange.seq < call.exchange.seq,
  )
  const scope = request && bodyValue(request.reply, '/scope')
  if (request?.status !== 200 || typeof scope !== 'string') return false
  const names = scope.split(/\s+/).filter(Boolean)
  return names.length > 0 && !names.some((name) => allows.test(name))
}

export const application = ['ordering-application'] as const satisfies readonly Role[]
export const crm = ['crm'] as const satisfies readonly Role[]
export const customerRoles = ['ordering-application', 'crm'] as const satisfies readonly Role[]

/** Checks of Customer at one role, or at both. */
export const ofApplication = { roles: application, needs: ['customer'] } as const
export const ofCrm = { roles: crm, needs: ['customer'] } as const
export const ofCustomer = { roles: customerRoles, needs: ['customer'] } as const

/** Exchanges of the selection whose path the service has. */
export const served =
  (selection: Selection): Selection =>
  (trace) =>
    selection(trace).filter(({ status }) => status !== 404)

export const isOfCustomer = ({ operation }: Observed): boolean =>
  operation !== undefined && operationRow(operation).capability === 'customer'

/** Paths that belong to Customer, whether they are operations or not. */
const customerPath = /\/(customers|leads|reviews|loyalty|loyalty-accounts|v1\/customer)(\/|:|$)/

/**
 * Statuses that tell a caller that its request is wrong. Not 404: a path of the other notation is tried first (CUS-TEN-03), and
 * what is asked for may be gone.
 */
const faultsOfCaller: ReadonlySet<number> = new Set([400, 403, 405, 413, 415, 422])

/** Nothing where the refusal was ours: of a fault that we injected, or of a token that is over. */
export const isRefused: Test<Observed> = ({ operation, status, exchange, requestHeader }) => {
  // A redemption that the balance does not cover.
  const isUncovered = operation === 'createLoyaltyRedemption' && status === 422
  const isWrong =
    (faultsOfCaller.has(status) && !isUncovered) ||
    (status === 401 && requestHeader('authorization') === undefined)
  return isWrong && exchange.fault === undefined
    ? `its ${exchange.request.method} ${new URL(exchange.request.url).pathname} had to be answered with ${status}`
    : undefined
}

/** What it calls of these operations is acceptable, and it calls nothing below such a path that is no operation. */
export function callsWell(operations: readonly OperationId[], path = customerPath): Assertion {
  const isKnown: Assertion = function* (trace) {
    for (const call of trace.calls()) {
      const { operation, url, exchange } = call
      if (operation === undefined && path.test(url.pathname))
        yield observation(
          [call],
          `it calls ${exchange.request.method} ${url.pathname}, which is no operation of the protocol`,
        )
    }
  }
  // A path that is none of any operation is reported by one clause while traffic comes.
  return operations.length === 0
    ? perMessage(isKnown)
    : every(
        each((trace) => trace.calls(...operations), isRefused),
        isKnown,
      )
}

/**
 * Where these operations succeed, they do so with this status: while traffic comes. A certification asks it of the steps of its
 * procedures, whose calls it knows to be right.
 */
export function succeedsWith(status: number, ...operations: readonly OperationId[]): Assertion {
  const { live = [] } = each(successful(answersOf(...operations)), hasStatus(status))
  return Object.assign((): readonly Observation[] => [], { live })
}

/** The error body of the protocol (TRN-ERB-01). */
export const hasErrorReply: Test<Observed> = ({ reply, status }) => {
  const problem = hasErrorObject(reply)
  return problem === undefined ? undefined : `the body of its ${status} is wrong: ${problem}`
}
