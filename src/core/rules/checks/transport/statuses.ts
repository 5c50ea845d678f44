/** Checks of the statuses of a host: TRN-STA, TRN-TEN, TRN-UND. */
import type { Operation } from '../../../protocol/operation.ts'
import { type Role, roles } from '../../../protocol/role.ts'
import { type Check, defineChecks } from '../check.ts'
import {
  allTests,
  answersOf,
  atSteps,
  type Deviation,
  each,
  every,
  hasStatus,
  notice,
  type Selection,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { hasErrorBody, isUnserved, rowOf } from './error-body.ts'

/** Replies of the service that no fault has touched. */
export const replies: Selection = where(
  answersOf(),
  ({ status, exchange }) => status > 0 && exchange.fault === undefined,
)

const withStatus = (...statuses: readonly number[]): Selection =>
  where(replies, ({ status }) => statuses.includes(status))

const notAdmitted: ReadonlySet<number> = new Set([401, 403])

/** A 200 has a body, and stands where the operation's row says so. */
function checkBodyOf200(observed: Observed): Deviation {
  const row = rowOf(observed)
  const hasBody = (observed.exchange.reply?.body ?? '') !== ''
  if (row?.success === 200) return hasBody ? undefined : `its 200 to ${row.id} has no body`
  return row?.success === 204 ? notice(`it answers 200, not 204, to ${row.id}`) : undefined
}

/** Events of Customer are answered 204 at one path and 202 at the other; both are accepted (CUS-TEN-05). */
const isEventOfCustomer = ({ declaredAs }: Operation): boolean =>
  declaredAs === 'receiveCustomerEvent' || declaredAs === 'receiveLoyaltyEvent'

function check202(observed: Observed): Deviation {
  const { status } = observed
  const row = rowOf(observed)
  if (status === 202 || !row) return undefined
  const problem = `it answers ${status}, not 202, to ${row.id}`
  if (row.capability === 'logistics') return problem
  return status === 204 && isEventOfCustomer(row) ? undefined : notice(problem)
}

/** Replies 204, and what is no HTTP where one was due: with bytes behind a 204 the reply cannot be read. */
const emptyRepliesOf: Selection = where(
  answersOf(),
  (observed) =>
    observed.exchange.fault === undefined &&
    (observed.status === 204 ||
      (rowOf(observed)?.success === 204 && isUnreadable(observed.exchange.failure?.code))),
)
const isUnreadable = (code = ''): boolean => code.startsWith('HPE_')

/** Nothing follows the headers of a 204 (RFC 9110, 15.3.5); a client may see no more of a body than its header. */
function hasNoBody({ exchange, replyHeader }: Observed): Deviation {
  const { reply, failure } = exchange
  if (!reply) return `its answer is no HTTP (${failure?.code}), as that of a 204 with a body`
  const length = replyHeader('content-length')
  const coding = replyHeader('transfer-encoding')
  const hasBody = (reply.body ?? '') !== ''
  if (hasBody || Number(length ?? 0) > 0)
    return `its 204 has a body${length === undefined ? '' : ` of ${length} bytes`}`
  return coding === undefined
    ? undefined
    : `its 204 announces a body with Transfer-Encoding: ${coding}`
}

/** The procedures that show replies 202, by role: those of a Software Service are about accounts. */
const mutations = [
  [['ordering-application', 'delivery-platform', 'crm'], ['activity']],
  [['software-service'], ['account-life']],
] as const satisfies readonly (readonly [readonly Role[], readonly string[]])[]

/** The procedures that show replies 204, by role. */
const emptyReplies = [
  [['software-service'], ['activity']],
  [['ordering-application'], ['customer-events', 'guest-visit']],
  [['crm'], ['customer-events']],
] as const satisfies readonly (readonly [readonly Role[], readonly string[]])[]

const mutationsAccepted = where(
  replies,
  (observed) => rowOf(observed)?.success === 202 && Math.floor(observed.status / 100) === 2,
)

const isReadServed = ({ status }: Observed): boolean =>
  !notAdmitted.has(status) && status !== 405 && status !== 501

/** The statuses of the transport table. */
const listed: ReadonlySet<number> = new Set([
  200, 202, 204, 400, 401, 403, 404, 409, 422, 429, 500, 503,
])

const repeatSteps = [
  'repeats/repeat-event',
  'repeats/repeat-confirmOrder',
  'repeats/repeat-setDeliveryReadyForPickup',
]

/** A repeat whose target is reached is no conflict; neither is a read. */
const noConflict = (status: 409 | 422) =>
  every(
    each(
      atSteps(...repeatSteps),
      (observed) =>
        observed.status === status &&
        `it answers ${status} to ${observed.operation}, which it had accepted before`,
    ),
    each(
      where(withStatus(status), ({ exchange }) => exchange.request.method === 'GET'),
      ({ operation: id }) => `it answers ${status} to ${id ?? 'a read'}`,
    ),
  )

export const statusChecks = defineChecks(
  { roles, procedures: ['broken-requests'] },
  {
    'TRN-STA-01': {
      procedures: ['introduction', 'activity'],
      assertion: each(withStatus(200), checkBodyOf200),
      remedy: 'Answer 200 with a body, and only where the protocol says 200.',
    },
    'TRN-STA-04': {
      assertion: each(
        where(
          atSteps('broken-requests/unparsable'),
          (observed) =>
            observed.status > 0 && !isUnserved(observed) && !notAdmitted.has(observed.status),
        ),
        ({ status, operation: id }) =>
          status === 400
            ? undefined
            : status === 422
              ? notice(`it answers 422, not 400, to a body of ${id} that is no JSON`)
              : `it answers ${status}, not 400, to a body of ${id} that is no JSON`,
      ),
      remedy: 'Answer 400 to a body that is no JSON.',
    },
    'TRN-STA-07': {
      assertion: each(
        where(
          atSteps('broken-requests/unknown-id'),
          (observed) => observed.status > 0 && isReadServed(observed),
        ),
        allTests(hasStatus(404), hasErrorBody),
      ),
      remedy: 'Answer 404 with the error object to an id that does not exist.',
    },
    'TRN-STA-08': {
      procedures: ['repeats'],
      assertion: noConflict(409),
      remedy:
        'Answer a call or an event that you have accepted before as at the first time, not with 409.',
    },
    'TRN-STA-09': {
      roles: ['ordering-application', 'software-service', 'crm'],
      procedures: ['repeats'],
      assertion: noConflict(422),
      remedy:
        'Answer a call or an event that you have accepted before as at the first time, not with 422.',
    },
  },
  {
    'TRN-STA-09': {
      roles: ['delivery-platform'],
      needs: ['logistics'],
      procedures: ['repeats'],
      assertion: every(noConflict(422), each(atSteps('repeats/too-early'), hasStatus(422))),
      remedy:
        'Answer 422 to a step that the status of the delivery does not allow, and 202 to a repeat.',
    },
  },
  mutations.map(([all, procedures]): Check => ({
    clauses: ['TRN-STA-02'],
    roles: all,
    procedures,
    assertion: each(mutationsAccepted, check202),
    remedy: 'Answer 202 to what you accept and process later, to repeats too.',
  })),
  emptyReplies.map(([all, procedures]): Check => ({
    clauses: ['TRN-STA-03'],
    roles: all,
    procedures,
    assertion: each(emptyRepliesOf, hasNoBody),
    remedy:
      'Send nothing behind the headers of a 204: no body, no Content-Length, no Transfer-Encoding.',
  })),
  {
    'TRN-TEN-01': {
      procedures: ['introduction', 'broken-requests'],
      assertion: each(
        where(
          replies,
          (observed) => observed.operation !== undefined && observed.operation !== 'authorize',
        ),
        ({ status, operation: id }) =>
          !listed.has(status) &&
          notice(`it answers ${status} to ${id}, which no table of the protocol has`),
      ),
      remedy: 'Answer with the statuses of the transport table.',
    },
    'TRN-UND-02': {
      assertion: each(
        where(atSteps('broken-requests/unlisted-method'), ({ status }) => status > 0),
        ({ status, exchange }) =>
          status >= 400 && status < 500
            ? undefined
            : `it answers ${status} to ${exchange.request.method} ${new URL(exchange.request.url).pathname}`,
      ),
      remedy: 'Answer 404 or 405 to a method that a path does not have.',
    },
  },
)
