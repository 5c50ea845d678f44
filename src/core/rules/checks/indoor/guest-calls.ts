/** Checks of the calls that an Ordering Application makes about accounts: IND-OPS, IND-PRM, and how it names them. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { accountStatuses } from '../../../protocol/indoor/status.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks } from '../check.ts'
import {
  bodyValue,
  callsOf,
  type Deviation,
  each,
  every,
  isOneOf,
  notice,
  type Selection,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { namesIn } from './account-names.ts'
import { refusedStatuses } from './account-reads.ts'
import { callsInPermittedStatus } from './guest-assertions.ts'
import { hostOperations } from './vocabulary.ts'

const guest = { roles: ['ordering-application'], needs: ['indoor'] } as const
const visit = { ...guest, procedures: ['guest-visit'] } as const
const orders = { ...guest, procedures: ['guest-orders'] } as const

const accountCalls = callsOf(...hostOperations)

/** Calls below the path of accounts, known operations or not. */
const callsBelowAccounts: Selection = where(
  callsOf(),
  ({ url, exchange }) =>
    exchange.to.role === 'software-service' && /\/accounts(\/|$)/.test(url.pathname),
)

const reasonIn = (reply: unknown): string => {
  const reason = bodyValue(reply, '/error/message') ?? bodyValue(reply, '/message')
  return typeof reason === 'string' ? reason : 'without a reason'
}

/** Our Software Service has understood the call, whatever came of it: a 422 may be due to what the account has become. */
const isUnderstood = ({ operation, status, reply }: Observed): Deviation => {
  const problem = `its call of ${operation} is answered ${status}: ${reasonIn(reply)}`
  return [400, 405, 415].includes(status) ? problem : status === 422 && notice(problem)
}

const operationRows = [
  ['IND-OPS-01', 'getAccount', 'GET /accounts?operationMode=…&identifier=…', 'guest-orders'],
  ['IND-OPS-03', 'preCloseAccount', 'POST /accounts/pre-close', 'guest-visit'],
  ['IND-OPS-04', 'unlockAccount', 'POST /accounts/unlock', 'guest-visit'],
  ['IND-OPS-05', 'closeAccount', 'POST /accounts/close', 'guest-visit'],
  ['IND-OPS-06', 'cancelAccountItem', 'POST /accounts/items/{itemId}/cancel', 'guest-visit'],
  ['IND-OPS-08', 'createPayment', 'POST /accounts/payments with amount and method', 'guest-visit'],
  ['IND-OPS-09', 'listAccountPayments', 'GET /accounts/payments', 'guest-visit'],
  ['IND-OPS-10', 'requestFiscalDocument', 'POST /accounts/fiscal', 'guest-visit'],
  ['IND-OPS-11', 'listAccountFiscalDocuments', 'GET /accounts/fiscal', 'guest-visit'],
] as const satisfies readonly (readonly [string, OperationId, string, string])[]

const permissionChecks = Object.entries(refusedStatuses).map(
  ([operation, [clause, ...forbidden]]): Check => ({
    clauses: [clause],
    ...visit,
    // The host refuses it; the documents do not say that the client must not try.
    level: 'SHOULD',
    assertion: callsInPermittedStatus(clause),
    remedy: `Call ${operation} only while the account, as you know it, is ${accountStatuses.filter((status) => !forbidden.includes(status)).join(' or ')}.`,
  }),
)

const operationMode = isOneOf('TABLE', 'TAB', 'COUNTER')

export const guestCallChecks = defineChecks(
  visit,
  operationRows.map(([clause, operation, form, procedure]): Check => ({
    clauses: [clause],
    ...guest,
    procedures: [procedure],
    assertion: each(callsOf(operation), isUnderstood),
    remedy: `Call ${form}, and name the account by its key or its id.`,
  })),
  {
    'IND-OPS-07': {
      assertion: every(
        each(callsOf('transferAccountContent'), ({ request }) => {
          const hasTarget =
            typeof bodyValue(request, '/targetAccountId') === 'string' ||
            isUnknownRecord(bodyValue(request, '/target'))
          const hasItems =
            bodyValue(request, '/transferType') === 'FULL_ACCOUNT' ||
            ['/itemIds', '/items'].some((pointer) => Array.isArray(bodyValue(request, pointer)))
          return hasTarget && hasItems
            ? undefined
            : `its transfer has no ${hasTarget ? 'list of items' : 'targetAccountId'}`
        }),
        each(callsOf('transferAccountContent'), isUnderstood),
      ),
      remedy: 'Send targetAccountId and a list of items with POST /accounts/transfers.',
    },
  },
  permissionChecks,
  {
    'IND-GEN-09': {
      ...orders,
      assertion: each(
        callsBelowAccounts,
        ({ url, exchange }) =>
          exchange.request.method === 'POST' &&
          url.pathname.endsWith('/accounts') &&
          'it sends POST /accounts',
      ),
      remedy: 'Create no account: an INDOOR order opens it at the Software Service.',
    },
    'IND-TEN-02': {
      assertion: each(
        callsBelowAccounts,
        ({ operation, exchange, url }) =>
          operation === undefined &&
          `it calls ${exchange.request.method} ${url.pathname}, which is neither form of an operation`,
      ),
      remedy: 'Call account operations under their flat paths or under the path of the account.',
    },
    'IND-FLR-01': {
      assertion: each(
        where(accountCalls, ({ operation }) => operation !== 'cancelAccountItem'),
        (call) => {
          const { accountId, operationMode: mode, identifier } = namesIn(call)
          return accountId !== undefined || (mode !== undefined && identifier !== undefined)
            ? undefined
            : `its call of ${call.operation} names an account neither by its key nor by its id`
        },
      ),
      remedy:
        'Name an account by operationMode and identifier, or by its id, whatever the channel.',
    },
    'IND-ACC-02': {
      assertion: each(
        where(accountCalls, (call) => namesIn(call).operationMode !== undefined),
        (call) => {
          const problem = operationMode(namesIn(call).operationMode)
          return problem === undefined ? undefined : `operationMode of its call: ${problem}`
        },
      ),
      remedy: 'Name the account with operationMode TABLE, TAB or COUNTER.',
    },
    'IND-RUL-02': {
      level: 'SHOULD',
      assertion: each(callsOf('preCloseAccount'), ({ request }) => {
        const paid = ['/amount', '/methodInfo', '/method', '/payments'].find(
          (pointer) => bodyValue(request, pointer) !== undefined,
        )
        return paid === undefined ? undefined : `its pre-close has ${paid.slice(1)} of a payment`
      }),
      remedy: 'Post payments by POST /accounts/payments: pre-close only locks the account.',
    },
  },
)
