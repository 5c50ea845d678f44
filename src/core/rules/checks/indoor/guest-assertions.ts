/** Assertions about an Indoor client: what it calls about an account, and what it knew of it by then. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { accountEvents } from '../../../protocol/indoor/events.ts'
import type { AccountStatus } from '../../../protocol/indoor/status.ts'
import type { ClauseMoment } from '../check.ts'
import { isAcceptedCall, momentsOf } from '../assertion.ts'
import { isDecided, isRefusedCall, isSettled } from '../status-life.ts'
import { type Observed, type Trace, withoutBodies } from '../trace.ts'
import { accountView } from './account-assertions.ts'
import { type AccountNames, hasSameNames, namesIn, textOf } from './account-names.ts'
import { refusedStatuses, statusMoves } from './account-reads.ts'

/** The status of an account that an answer or an event has reported to the client. */
interface ReportedStatus {
  readonly names: AccountNames
  readonly status: AccountStatus
  readonly by: Observed
  /** When the account was so, as an event says it. */
  readonly occurredAt: string
}

const maxReports = 500
/** A call that begins so soon after a report may have been decided before it. */
const reportedMs = 200

/** What an answer or an event last reported of each account, and what the client calls nevertheless. */
class ReportedAccounts {
  #reports: ReportedStatus[] = []

  take(observed: Observed, trace: Trace): readonly ClauseMoment[] {
    const { operation, isCall } = observed
    if (trace.role !== 'ordering-application' || operation === undefined) return []
    if (operation === 'receiveAccountEvent' && !isCall) this.#event(observed, trace)
    if (!isCall) return []
    const view = operation.startsWith('getAccount') ? accountView(observed) : undefined
    if (view) this.#add(view, view.status, observed)
    const moments = this.#judge(observed, operation)
    const move = statusMoves[operation]
    if (move && isAcceptedCall(observed)) this.#add(namesIn(observed), move[0], observed)
    return moments
  }

  #event(observed: Observed, trace: Trace): void {
    if (!isAcceptedCall(observed)) return
    for (const { event, eventType = '', observed: by } of trace.received()) {
      const status = Object.entries(accountEvents).find(([type]) => type === eventType)?.[1].after
      if (by === observed && status !== undefined)
        this.#add(namesIn(observed), status, observed, textOf(event['occurredAt']))
    }
  }

  #add(names: Partial<AccountNames>, status: AccountStatus, by: Observed, occurredAt = ''): void {
    const { accountId, operationMode, identifier } = names
    const report = {
      names: { accountId, operationMode, identifier },
      status,
      occurredAt,
      by: withoutBodies(by),
    }
    const isNewer = (each: ReportedStatus): boolean =>
      hasSameNames(each.names, report.names) && occurredAt !== '' && each.occurredAt > occurredAt
    if (!this.#reports.some(isNewer)) this.#reports = [...this.#reports, report].slice(-maxReports)
  }

  #judge(call: Observed, operation: OperationId): readonly ClauseMoment[] {
    const [clause, ...forbidden] = refusedStatuses[operation] ?? [undefined]
    const names = namesIn(call)
    const last = this.#reports.findLast(
      (each) => hasSameNames(each.names, names) && isSettled(each.by, call, reportedMs),
    )
    if (clause === undefined || !last || !isDecided(call)) return []
    const { status, by } = last
    const problem = `it calls ${operation} although the account that it knows is ${status}`
    // A call by the key that the host accepts may be about the next account of that table.
    const isCertain = isRefusedCall(call) || names.accountId !== undefined
    const isWrong = isCertain && forbidden.some((each) => each === status)
    return [{ clause, exchanges: [by, call], problem: isWrong && problem }]
  }
}

/** Whether each call of an operation is made in a status that allows it, as far as the client knows the status. */
export const callsInPermittedStatus = momentsOf({ begin: () => new ReportedAccounts() })

/** Calls that change an account. */
export const mutations = [
  'preCloseAccount',
  'unlockAccount',
  'closeAccount',
  'cancelAccountItem',
  'transferAccountContent',
  'createPayment',
  'requestFiscalDocument',
] as const satisfies readonly OperationId[]
