/** Checks of fiscal documents at an Indoor host: their requests, their events, and closing besides them. */
import type { AccountEventType } from '../../../protocol/indoor/events.ts'
import { defineChecks, type Assertion } from '../check.ts'
import {
  answersOf,
  atSteps,
  each,
  every,
  hasStatus,
  notice,
  observation,
  successful,
} from '../assertion.ts'
import { livesShow } from './account-life.ts'
import type { Observed, Trace } from '../trace.ts'
import { documentsIn, outcomeDue, outcomesAfter, readsStatus } from './account-assertions.ts'
import { eventsOf, notedAccount } from './noted-accounts.ts'

const host = { roles: ['software-service'], needs: ['indoor'] } as const
const fiscal = { ...host, procedures: ['account-fiscal', 'fiscal-failure'] } as const

const outcomeEvents = (trace: Trace, request: Observed) => outcomesAfter(request, trace.emitted())

const isOutcomeDue = (trace: Trace, { exchange }: Observed): boolean =>
  trace.notes(outcomeDue).some(({ text }) => text === String(exchange.seq))

const fiscalRequests = ['account-fiscal/request', 'fiscal-failure/request']

/** Of each procedure the request, as far as its outcome had its time. */
const eachRequest = (test: (call: Observed, trace: Trace) => string | undefined): Assertion =>
  function* (trace) {
    for (const step of fiscalRequests)
      for (const call of trace.at(step))
        if (call.status !== 202 || isOutcomeDue(trace, call))
          yield observation([call], test(call, trace))
  }

/** A request whose list of documents ends like this has its event; `undefined`: without an issued document. */
function documentsHave(
  procedure: 'account-fiscal' | 'fiscal-failure',
  state: 'ISSUED' | undefined,
  eventType: AccountEventType,
): Assertion {
  return function* (trace) {
    const label = procedure === 'account-fiscal' ? 'fiscal' : 'failed'
    const account = notedAccount(trace, procedure, label)
    const list = trace.at(`${procedure}/list-documents`).at(-1)
    if (!account || list?.status !== 200) return
    const hasIssued = documentsIn(list.reply).some((one) => one.state === 'ISSUED')
    if (hasIssued !== (state === 'ISSUED')) return
    const events = eventsOf(trace, account, eventType)
    yield observation(
      [list, ...events.map(({ observed }) => observed)],
      events.length === 0 && `it sent no ${eventType} for a document that was requested`,
    )
  }
}

export const fiscalChecks = defineChecks(fiscal, {
  'IND-OPS-10 IND-RUL-06': {
    assertion: every(
      each(successful(answersOf('requestFiscalDocument')), hasStatus(202)),
      livesShow('IND-OPS-10'),
      eachRequest((call, trace) =>
        call.status !== 202
          ? `it answered ${call.status} to a request for a fiscal document, not 202`
          : outcomeEvents(trace, call).length === 0
            ? 'neither FISCAL_ISSUED nor FISCAL_ERROR came within 60 s after an accepted request'
            : undefined,
      ),
    ),
    remedy:
      'Answer a request for a fiscal document with 202, and send FISCAL_ISSUED or FISCAL_ERROR later.',
  },
  'IND-OPS-11': {
    assertion: function* (trace) {
      const account = notedAccount(trace, 'account-fiscal', 'fiscal')
      for (const list of trace.at('account-fiscal/list-documents')) {
        // A key may stand for no account once it is closed (IND-UND-04).
        if (account?.accountId === undefined && list.status === 404) continue
        const issued = trace
          .at('account-fiscal/request')
          .flatMap((call) => outcomeEvents(trace, call))
          .filter(
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
    assertion: documentsHave('account-fiscal', 'ISSUED', 'FISCAL_ISSUED'),
    remedy: 'Send FISCAL_ISSUED for each document that was requested and is issued.',
  },
  'IND-EVT-10': {
    ...host,
    procedures: ['fiscal-failure'],
    assertion: every(documentsHave('fiscal-failure', undefined, 'FISCAL_ERROR'), (trace) =>
      trace.at('fiscal-failure/request').length > 0
        ? readsStatus('fiscal-failure/read-outcome', 'IN_USE')(trace)
        : [],
    ),
    remedy:
      'Send FISCAL_ERROR for a request that yields no document, and keep the status of the account.',
  },
})
