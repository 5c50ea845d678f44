/** Which exchanges are failed requests, in which phase, and how many: one rule for rows, counts, filters and summaries. */
import type { Exchange } from './exchange.ts'
import { pluralise } from '../protocol/count-text.ts'

/** `rejected` is 4xx, `errors` 5xx; a redirect is not followed. */
export type FailedRequestKind = 'rejected' | 'errors' | 'redirected' | 'unanswered'

/** Failed requests by kind, and those that an injected fault made fail: these say nothing about either side. */
export type FailedRequests = Readonly<Record<FailedRequestKind | 'byFault', number>>

type Ended = Pick<Exchange, 'reply' | 'failure' | 'to'>

/** The kind of a failed exchange; undefined for one that succeeded. */
export function failureKindOf({ reply, failure, to }: Ended): FailedRequestKind | undefined {
  if (!reply || failure) return 'unanswered'
  if (reply.status >= 500) return 'errors'
  if (reply.status >= 400) return 'rejected'
  // Our own redirects belong to the authorization code; a service that redirects our call has not taken it.
  const redirected = reply.status >= 300 && reply.status !== 304 && to.party !== 'sparring'
  return redirected ? 'redirected' : undefined
}

const phases: readonly (readonly [phase: string, code: RegExp])[] = [
  ['dns', /^(?:ENOTFOUND|EAI_)/],
  ['connect', /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT)/],
  ['tls', /^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/],
  ['send', /^EPIPE/],
  ['receive', /^(?:UND_ERR_BODY|HPE_|NOT_HTTP)/],
]

/** The phase in which an exchange failed, by its error code; `wait` when the code does not show it. */
export const phaseOf = (code: string, reply?: Exchange['reply']): string =>
  reply ? 'receive' : (phases.find(([, pattern]) => pattern.test(code))?.[0] ?? 'wait')

export interface FailureCounter {
  readonly count: (exchange: Exchange) => void
  readonly counts: () => FailedRequests
}

/** Counts the failed exchanges with the user's service; all of them in a session without one. */
export function createFailureCounter(onlySubject: boolean): FailureCounter {
  const counts = { rejected: 0, errors: 0, redirected: 0, unanswered: 0, byFault: 0 }
  return {
    count(exchange) {
      const { from, to, fault } = exchange
      if (onlySubject && from.party !== 'subject' && to.party !== 'subject') return
      const kind = failureKindOf(exchange)
      if (kind) counts[fault === undefined ? kind : 'byFault']++
    },
    counts: () => ({ ...counts }),
  }
}

/** How each kind is called, in the order of the summary. */
const kindNames: Readonly<Record<FailedRequestKind, string>> = {
  rejected: '4xx',
  errors: '5xx',
  redirected: 'redirected',
  unanswered: 'no answer',
}

const failureKinds = Object.keys(kindNames) as readonly FailedRequestKind[]

/** Failed requests but for those that a fault made fail. */
export const failedRequestCount = (counts: FailedRequests): number =>
  failureKinds.reduce((sum, kind) => sum + counts[kind], 0)

/** `3 failed requests (2 4xx, 1 no answer)`; undefined when there is none. */
export function failedRequestsText(counts: FailedRequests): string | undefined {
  const total = failedRequestCount(counts)
  if (total === 0) return undefined
  const parts = failureKinds.flatMap((kind) =>
    counts[kind] === 0 ? [] : [`${counts[kind]} ${kindNames[kind]}`],
  )
  return `${pluralise(total, 'failed request')} (${parts.join(', ')})`
}

/** Begins the message of a failure on a reused connection, which the other side may have closed while it was idle. */
export const keptConnection = 'on a connection that was kept open'
