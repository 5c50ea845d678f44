/** Checks of the errors of a host of Customer: CUS-ERR. */
import { isMadeUpId } from '../../../engine/calls/call.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { defineChecks, type Assertion } from '../check.ts'
import {
  allTests,
  answersOf,
  atSteps,
  each,
  every,
  hasStatus,
  hasStatusClass,
  isAcceptedCall,
  type Selection,
  observation,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { hasErrorReply, isOfCustomer, served, ofCustomer } from './assertions.ts'
import { servedAt } from './records.ts'
import { lacksCustomerScope } from './assertions.ts'

const ofAccess =
  (suffix: string): Selection =>
  (trace) =>
    trace
      .at('customer-access')
      .filter(({ step, status }) => step?.endsWith(suffix) === true && status !== 404)

/** Procedures whose requests are new and well-formed. */
const freshSteps = ['customer-operations', 'related-ingest']

const isFresh = ({ operation }: Observed): boolean =>
  operation?.startsWith('receive') !== true && operation !== 'createLoyaltyRedemption'

/** Its own calls go on after one of them was answered with 500. */
const goesOn: Assertion = function* (trace) {
  const calls = trace.calls()
  for (const failed of calls.filter((call) => isOfCustomer(call) && call.status === 500)) {
    const next = calls.find(({ exchange }) => exchange.seq > failed.exchange.seq)
    yield observation(
      next ? [failed, next] : [failed],
      !next && 'it makes no further call after one that was answered with 500',
    )
  }
}

/** What an id names that we have made up is found nowhere. */
const unknownIsNotFound = (...operations: readonly OperationId[]): Assertion =>
  each(
    where(answersOf(...operations), ({ exchange: { params = {} } }) =>
      Object.values(params).some(isMadeUpId),
    ),
    (observed) =>
      isAcceptedCall(observed) &&
      `it answered ${observed.status}, not 404, to ${observed.operation} by an id that nothing has`,
  )

export const errorChecks = defineChecks(
  { ...ofCustomer, procedures: ['customer-errors'] },
  {
    'CUS-ERR-01': {
      assertion: every(
        each(served(servedAt('customer-errors/unparsable')), hasStatus(400)),
        each(
          served(
            servedAt('customer-errors/incomplete-event', 'customer-errors/incomplete-customer'),
          ),
          hasStatusClass(4),
        ),
        // Parameters are not documented, so that these may be unknown.
        each(served(servedAt('customer-errors/malformed-query')), hasStatus(400, 200)),
      ),
      remedy: 'Answer a malformed body with 400.',
    },
    'CUS-ERR-02': {
      procedures: ['customer-access'],
      assertion: each(
        (trace) => [
          ...ofAccess('-none')(trace),
          ...served(servedAt('customer-access/invalid-token'))(trace),
        ],
        allTests(hasStatus(401), hasErrorReply),
      ),
      remedy: 'Answer a request without a token, or with one that you have not issued, with 401.',
    },
    'CUS-ERR-03': {
      procedures: ['customer-access'],
      assertion: each(
        where(ofAccess('-scope'), (observed, trace) => lacksCustomerScope(trace.all, observed)),
        allTests(hasStatus(403), hasErrorReply),
      ),
      remedy: 'Answer a token without the scope with 403 and the error body.',
    },
    'CUS-ERR-04': {
      assertion: every(
        each(
          atSteps('customer-errors/unknown-path', 'customer-errors/unknown-customer'),
          hasStatus(404),
        ),
        unknownIsNotFound('getLoyaltyAccountById', 'getCustomerById'),
      ),
      remedy: 'Answer 404 for a path and for an id that you do not know.',
    },
    'CUS-ERR-05': {
      procedures: freshSteps,
      assertion: each(
        where(atSteps(...freshSteps), isFresh),
        ({ status }) => status === 409 && 'it answers 409 to a request that conflicts with nothing',
      ),
      remedy: 'Answer 409 for duplicates and conflicts only.',
    },
    'CUS-ERR-06': {
      procedures: ['customer-errors', 'customer-failures'],
      assertion: every(
        each(
          (trace) => trace.answers().filter(isOfCustomer),
          ({ status }) => (status === 500 ? 'it answers a request with 500' : undefined),
        ),
        goesOn,
      ),
      remedy: 'Answer what you do not understand with 4xx, and go on after a 500 of your partner.',
    },
    'CUS-ERR-07': {
      procedures: ['customer-errors', 'customer-access'],
      assertion: each(
        (trace) =>
          ['customer-errors', 'customer-access', 'customer-operations']
            .flatMap((step) => trace.at(step))
            .filter(({ status }) => status >= 400),
        hasErrorReply,
      ),
      remedy: 'Give each error the body of the protocol, with the object error.',
    },
  },
)
