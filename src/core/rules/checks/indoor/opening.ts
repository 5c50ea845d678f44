/** Checks of accounts as an Indoor host opens and shows them: IND-GEN, IND-ACC, IND-FLR, and the lookups of IND-OPS. */
import { defineChecks } from '../check.ts'
import {
  answersOf,
  atSteps,
  body,
  callsOf,
  each,
  every,
  hasStatus,
  isAcceptedCall,
  isOneOf,
  isText,
  notice,
  optional,
  replyIs,
  required,
  some,
  successful,
  where,
} from '../assertion.ts'
import { livesShow } from './account-life.ts'
import { accountView, eventCount, reads, readsClosed, readsStatus } from './account-assertions.ts'
import { concerns, notedAccount } from './noted-accounts.ts'
import { hostOperations, isLegacyFree } from './vocabulary.ts'

const host = { roles: ['software-service'], needs: ['indoor'] } as const
const opening = { ...host, procedures: ['account-opening'] } as const

const accountReads = where(
  answersOf('getAccount', 'getAccountById'),
  ({ status }) => status === 200,
)

export const openingChecks = defineChecks(opening, {
  'IND-GEN-03 IND-EVR-01': {
    assertion: every(
      some(successful(answersOf(...hostOperations)), 'it answers no Indoor operation with success'),
      some(callsOf('receiveAccountEvent'), 'it sent no account event to the webhook'),
    ),
    remedy:
      'Serve the Indoor operations, and send account events to the webhook of the Ordering Application.',
  },
  'IND-GEN-07 IND-TRA-01': {
    assertion: readsStatus('account-opening/read-new', 'IN_USE'),
    remedy:
      'Open an account in IN_USE for the first INDOOR order of a key, and send one ACCOUNT_OPENED.',
  },
  'IND-GEN-08 IND-FLR-01': {
    // The second order comes by another channel.
    assertion: every(
      reads('account-opening/read-added', (view, _, trace) => {
        const [before] = trace.at('account-opening/before-read-added')
        const items = before && accountView(before)?.items.length
        return items === undefined || view.items.length > items
          ? undefined
          : 'it added no items of a second order for the same key to the account'
      }),
      eventCount('account-opening', 'opened', 'ACCOUNT_OPENED', { most: 1 }),
    ),
    remedy: 'Add later INDOOR orders for the same key to the open account, whatever their channel.',
  },
  'IND-GEN-09': {
    assertion: each(
      atSteps('account-opening/create-account'),
      (observed) => isAcceptedCall(observed) && `it answered ${observed.status} to POST /accounts`,
    ),
    remedy: 'Serve no operation that creates an account: an INDOOR order opens it.',
  },
  'IND-ACC-01': {
    assertion: reads('account-opening/read-new', (view, _, trace) => {
      const account = notedAccount(trace, 'account-opening', 'opened')
      return account && view.identifier !== account.identifier
        ? `it answered a read by key with the account of ${view.identifier ?? 'no identifier'}`
        : undefined
    }),
    remedy: 'Find the account by operationMode and identifier, whether or not it has an accountId.',
  },
  'IND-ACC-02': {
    assertion: every(
      each(accountReads, replyIs(optional('/operationMode', isOneOf('TABLE', 'TAB', 'COUNTER')))),
      each(callsOf('receiveAccountEvent'), ({ request }) =>
        optional('/operationMode', isOneOf('TABLE', 'TAB', 'COUNTER'))(request),
      ),
    ),
    remedy: 'Write operationMode as TABLE, TAB or COUNTER.',
  },
  'IND-ACC-03': {
    ...host,
    procedures: ['account-opening', 'account-life'],
    assertion: every(
      each(accountReads, replyIs(required('/lastEvent', isText))),
      livesShow('IND-ACC-03'),
      // A session tells it late: only when further events have come.
      function* (trace) {
        const account = notedAccount(trace, 'account-life', 'life')
        const events = trace
          .emitted()
          .filter(
            (event) =>
              event.observed.operation === 'receiveAccountEvent' &&
              account &&
              concerns(event, account) !== 'no',
          )
          .toSorted((a, b) => timeOf(a.event) - timeOf(b.event))
        const newest = timeOf(events.at(-1)?.event ?? {})
        const last = events.filter(({ event }) => timeOf(event) === newest)
        const types = new Set(last.map(({ eventType }) => eventType))
        // One that names no account may be about any.
        if (account && types.size > 0 && last.every((event) => concerns(event, account) === 'yes'))
          yield* readsClosed('account-life/read-end', ({ lastEvent }) =>
            lastEvent === undefined || types.has(lastEvent)
              ? undefined
              : `lastEvent is ${lastEvent}, and its last event was ${[...types].join(' or ')}`,
          )(trace)
      },
    ),
    remedy: 'Return lastEvent with every account: the type of the last account event.',
  },
  'IND-FLR-02': {
    assertion: every(
      each(successful(answersOf(...hostOperations)), ({ reply }) => isLegacyFree(reply)),
      each(callsOf('receiveAccountEvent'), ({ request }) => isLegacyFree(request)),
    ),
    remedy: 'Write the English identifiers of the protocol in place of the legacy labels.',
  },
  'IND-OPS-01': {
    assertion: every(
      reads('account-opening/read-new', () => undefined),
      each(atSteps('account-opening/read-unknown'), hasStatus(404)),
    ),
    remedy: 'Answer GET /accounts with 200 for a key with an account, and 404 for an unknown key.',
  },
  'IND-OPS-02': {
    assertion: each(atSteps('account-opening/read-by-id'), hasStatus(200)),
    remedy: 'Answer GET /accounts/{accountId} with 200 for an id that you have told.',
  },
  'IND-OPS-12': {
    assertion: each(callsOf('receiveAccountEvent'), ({ request }) => {
      const problem = body(required('/eventId', isText), required('/eventType', isText))(request)
      return problem === undefined ? undefined : `an account event is wrong: ${problem}`
    }),
    remedy: 'Send account events by POST, each with an eventId and an eventType.',
  },
  'IND-TEN-02': {
    ...host,
    procedures: ['account-opening', 'account-life', 'account-transfer', 'account-fiscal'],
    assertion: function* (trace) {
      for (const operation of hostOperations)
        if (trace.answers(operation).length > 0)
          yield* some(
            where(answersOf(operation), ({ status }) => status !== 404 && status !== 405),
            `it serves ${operation} under neither form of its path`,
          )(trace)
    },
    remedy:
      'Serve each account operation under its flat path, under the path of the account, or both.',
  },
  'IND-UND-04': {
    ...host,
    procedures: ['account-life'],
    assertion: each(atSteps('account-life/read-key-closed'), (observed) => {
      if (observed.status === 404) return undefined
      const status = accountView(observed)?.status
      return status === 'CLOSED'
        ? undefined
        : notice(`it answered ${observed.status} ${status ?? ''} for a key whose account is closed`)
    }),
    level: 'SHOULD',
    remedy: 'Answer a read by a key whose account was closed with that account, or with 404.',
  },
  'IND-EVT-01': {
    ...host,
    procedures: ['account-opening', 'account-transfer'],
    assertion: every(
      eventCount('account-opening', 'opened', 'ACCOUNT_OPENED', { least: 1, most: 1 }),
      eventCount('account-transfer', 'source', 'ACCOUNT_OPENED', { least: 1, most: 1 }),
      eventCount('account-transfer', 'target', 'ACCOUNT_OPENED', { least: 1, most: 1 }),
      livesShow('IND-EVT-01'),
    ),
    remedy: 'Send one ACCOUNT_OPENED for each account that an INDOOR order opens.',
  },
})

const timeOf = ({ occurredAt }: Readonly<Record<string, unknown>>): number =>
  typeof occurredAt === 'string' ? Date.parse(occurredAt) : 0
