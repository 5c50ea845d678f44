/** Checks of fiscal documents at an Indoor host: their requests, their events, and closing besides them. */
import { defineChecks, type Assertion } from '../check.ts'
import {
  answersOf,
  atSteps,
  each,
  every,
  hasStatus,
  isAcceptedCall,
  notice,
  observation,
  successful,
} from '../assertion.ts'
import { livesShow } from './account-life.ts'
import type { Observed, Trace } from '../trace.ts'
import {
  documentsIn,
  outcomeDue,
  outcomesAfter,
  readsStatus,
  whenTried,
} from './account-assertions.ts'
import { eventsOf, notedAccount } from './noted-accounts.ts'

const host = { roles: ['software-service'], needs: ['indoor'] } as const
const fiscal = { ...host, procedures: ['account-fiscal', 'fiscal-failure'] } as const

const isOutcomeDue = (trace: Trace, { exchange }: Observed): boolean =>
  trace.notes(outcomeDue).some(({ text }) => text === String(exchange.seq))

/** The procedures that request a document, with the names of their accounts. */
const fiscalAccounts = { 'account-fiscal': 'fiscal', 'fiscal-failure': 'failed' } as const
type Fiscal = keyof typeof fiscalAccounts

/** The request of a procedure, with what may be its outcome. */
function requestOf(trace: Trace, procedure: Fiscal) {
  const account = notedAccount(trace, procedure, fiscalAccounts[procedure])
  const request = trace.at(`${procedure}/request`).at(-1)
  if (!account || !request) return undefined
  return { account, request, outcomes: outcomesAfter(request, account, trace.emitted()) }
}

/** Of each procedure the request, as far as its outcome had its time. */
const hasOutcome: Assertion = function* (trace) {
  for (const procedure of fiscal.procedures) {
    const { request, outcomes = [] } = requestOf(trace, procedure) ?? {}
    if (request && (request.status !== 202 || isOutcomeDue(trace, request)))
      yield observation(
        [request, ...outcomes.slice(0, 1).map(({ observed }) => observed)],
        request.status !== 202
          ? `it answered ${request.status} to a request for a fiscal document, not 202`
          : outcomes.length === 0 &&
              'neither FISCAL_ISSUED nor FISCAL_ERROR came within 60 s after an accepted request',
      )
  }
}

/** An accepted request whose document is issued, or has failed, has its event; one that is PENDING may have it later. */
const announcesOutcome = (procedure: Fiscal, eventType: 'FISCAL_ISSUED' | 'FISCAL_ERROR') =>
  function* (trace: Trace) {
    const { account, request, outcomes = [] } = requestOf(trace, procedure) ?? {}
    const list = trace.at(`${procedure}/list-documents`).at(-1)
    if (!account || !request || !isAcceptedCall(request) || list?.status !== 200) return
    const states = documentsIn(list.reply).map(({ state }) => state)
    const hasIssued =
      states.includes('ISSUED') || outcomes.some((event) => event.eventType === 'FISCAL_ISSUED')
    if (eventType === 'FISCAL_ISSUED' ? !states.includes('ISSUED') : hasIssued) return
    const events = eventsOf(trace, account, eventType)
    if (events.length === 0 && !hasIssued && states.includes('PENDING')) return
    yield observation(
      [list, ...events.map(({ observed }) => observed)],
      events.length === 0 && `it sent no ${eventType} for a document that was requested`,
    )
  }

export const fiscalChecks = defineChecks(fiscal, {
  'IND-OPS-10 IND-RUL-06': {
    assertion: every(
      each(successful(answersOf('requestFiscalDocument')), hasStatus(202)),
      livesShow('IND-OPS-10'),
      hasOutcome,
    ),
    remedy:
      'Answer a request for a fiscal document with 202, and send FISCAL_ISSUED or FISCAL_ERROR later.',
  },
  'IND-OPS-11': {
    assertion: function* (trace) {
      const { account, outcomes = [] } = requestOf(trace, 'account-fiscal') ?? {}
      for (const list of trace.at('account-fiscal/list-documents')) {
        // A key may stand for no account once it is closed (IND-UND-04).
        if (account?.accountId === undefined && list.status === 404) continue
        const issued = outcomes.filter(
          ({ eventType, observed }) =>
            eventType === 'FISCAL_ISSUED' && observed.exchange.seq < list.exchange.seq,
        )
        const states = documentsIn(list.reply).map(({ state }) => state)
        yield observation(
          [...issued.map(({ observed }) => observed), list],
          list.status !== 200
            ? `it answered ${list.status} to a list of fiscal documents, not 200`
            : issued.length > 0 && !states.includes('ISSUED')
              ? 'it announced a fiscal document with FISCAL_ISSUED and lists none that is ISSUED'
              : undefined,
        )
      }
    },
    remedy: 'Answer GET /accounts/fiscal with 200 and the documents that you have announced.',
  },
  'IND-RUL-07': {
    assertion: every(
      readsStatus('account-fiscal/read-closed', 'CLOSED'),
      readsStatus('fiscal-failure/read-closed', 'CLOSED'),
    ),
    remedy: 'Close a paid account whether or not its fiscal document has been issued.',
  },
  'IND-TEN-03': {
    // A fiscal event after closing is as it should be; the answer to a request then is left open.
    level: 'SHOULD',
    assertion: each(atSteps('account-fiscal/request-closed'), ({ status }) =>
      status >= 200 && status < 500
        ? undefined
        : notice(`it answered ${status} to a request for a document of a closed account`),
    ),
    remedy:
      'Answer a request for a document of a closed account with 202, or refuse it with a 4xx.',
  },
  'IND-EVT-09': {
    ...host,
    procedures: ['account-fiscal'],
    assertion: announcesOutcome('account-fiscal', 'FISCAL_ISSUED'),
    remedy: 'Send FISCAL_ISSUED for each document that was requested and is issued.',
  },
  'IND-EVT-10': {
    ...host,
    procedures: ['fiscal-failure'],
    assertion: whenTried(
      [announcesOutcome('fiscal-failure', 'FISCAL_ERROR')],
      every(
        announcesOutcome('fiscal-failure', 'FISCAL_ERROR'),
        readsStatus('fiscal-failure/read-outcome', 'IN_USE'),
      ),
    ),
    whyUnobserved:
      'no issuance of a fiscal document failed: it was issued before it could fail, or is still pending',
    remedy:
      'Send FISCAL_ERROR for a request that yields no document, and keep the status of the account.',
  },
})
