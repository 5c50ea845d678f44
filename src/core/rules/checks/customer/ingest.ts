/**
 * Checks of what a CRM does with the customers, leads, orders and reviews that are pushed to it: CUS-OVR, CUS-RUL,
 * CUS-TEN.
 */
import { identifierTypes } from '../../../protocol/customer/identifier.ts'
import { pushOperations } from '../../../engine/customer/partner.ts'
import { recordKinds } from '../../../protocol/customer/batch.ts'
import { shortValue } from '../../../protocol/issue-text.ts'
import type { UnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  type Deviation,
  each,
  every,
  hasStatus,
  isAcceptedCall,
  notice,
  observation,
  type Test,
} from '../assertion.ts'
import { perMessage } from '../live.ts'
import type { Observed, Trace } from '../trace.ts'
import { customerProblem } from './fields.ts'
import { served, ofCrm, ofApplication, succeedsWith } from './assertions.ts'
import {
  containsText,
  keysOf,
  recordsAt,
  recordsIn,
  recordsSent,
  servedAt,
  notesOf,
} from './records.ts'

const answered = (step: string, test: Test<Observed>): Assertion =>
  each(served(servedAt(`customer-ingest/${step}`)), test)

const isAccepted = answered('identifier-email', hasStatus(202))

/** The path that the service has for its customers is that of the binding. */
const isOfBinding = ({ operation }: Observed): boolean => operation === 'ingestCustomer'

/** An identifier alone may be refused at the path of the binding, which requires more (CUS-TEN-01). */
const acceptsIdentifier: Test<Observed> = (observed, trace) => {
  const problem = hasStatus(202)(observed, trace)
  return typeof problem === 'string' && isOfBinding(observed)
    ? notice(`${problem}, to a customer with an identifier alone`)
    : problem
}

/** A customer as overview alone lacks these fields, and is accepted. */
const partialRows = [
  ['CUS-OVR-04', 'name, document, address and metadata'],
  ['CUS-OVR-05', 'contacts'],
  ['CUS-OVR-06', 'demographics'],
  ['CUS-OVR-07', 'external ids'],
] as const

const partialChecks = partialRows.map(([clause, what]): Check => ({
  clauses: [clause],
  ...ofCrm,
  procedures: ['customer-ingest'],
  assertion: answered('identifier-email', acceptsIdentifier),
  remedy: `Accept a customer without ${what}.`,
}))

/** An Ordering Application learns of customers by events, which may name them by an identifier alone. */
const partialEventChecks = ['CUS-OVR-04', 'CUS-OVR-06', 'CUS-OVR-08'].map((clause): Check => ({
  clauses: [clause],
  ...ofApplication,
  procedures: ['customer-events'],
  assertion: each(
    served(servedAt('customer-events/identifier-only')),
    ({ status }) =>
      (status < 200 || status >= 300) &&
      `it answered ${status} to an event of a customer with an identifier alone`,
  ),
  remedy: 'Accept an event of a customer of whom no more than the identifier is known.',
}))

/** The customers with this text that a step lists. */
const customersWith = (trace: Trace, step: string, text: string): readonly UnknownRecord[] => {
  const found = recordsAt(trace, step, 'customer').map(({ record }) => record)
  const matching = found.filter((record) => containsText(record, text))
  return [
    ...new Map(matching.map((record) => [JSON.stringify(record['id'] ?? record), record])).values(),
  ]
}

/** What a note is about is one customer in the list of a step. */
const oneRecord = (noteName: string, step: string, why: string): Assertion =>
  function* (trace) {
    for (const { text } of notesOf(trace, ['customer-ingest'], noteName)) {
      const lists = trace.at(step).filter(({ status }) => status === 200)
      const { length } = customersWith(trace, step, text)
      if (lists.length > 0 && length > 0)
        yield observation(lists, length > 1 && `it has ${length} records of one customer ${why}`)
    }
  }

/** A customer who was pushed with the identifier or with an external id of another one is that one. */
const isFoundAgain = (...steps: readonly string[]): Assertion =>
  function* (trace) {
    for (const call of steps.flatMap((step) => trace.at(`customer-ingest/${step}`))) {
      if (!isAcceptedCall(call)) continue
      const keys = recordsSent(call.request, 'customer').flatMap(keysOf)
      const listed = recordsAt(trace, 'customer-ingest/after-repeated', 'customer').filter(
        ({ record }) => keysOf(record).some((key) => keys.includes(key)),
      )
      const { size } = new Set(listed.map(({ record }) => JSON.stringify(record['id'] ?? record)))
      if (size > 0)
        yield observation(
          [call, ...new Set(listed.map(({ observed }) => observed))],
          size > 1 &&
            `it has ${size} records of customers who share an identifier or an external id`,
        )
    }
  }

/** What several merchants know of a person are several records. */
const keysAtMerchant = (record: UnknownRecord): readonly string[] => {
  const { merchantId } = record
  const scope = merchantId === undefined ? '' : ` at ${shortValue(merchantId)}`
  return keysOf(record).map((key) => `${key}${scope}`)
}

const noDuplicates = perMessage(function* (trace) {
  for (const list of trace.answers('getCustomers', 'listCustomers')) {
    if (list.status !== 200) continue
    const keys = recordsIn(list.reply, 'customer').flatMap(keysAtMerchant)
    if (keys.length === 0) continue
    const again = keys.find((key, index) => keys.indexOf(key) < index)
    yield observation([list], again !== undefined && `it lists two customers with the ${again}`)
  }
})

/** Each record that was accepted is in the list that was queried for it. */
const becomesVisible: Assertion = function* (trace) {
  const rows = [
    ['whole-customer', 'customer-ingest/until-whole', 'customer'],
    ['order-pushed', 'related-ingest/orders-listed', 'order'],
    ['lead-pushed', 'related-ingest/leads-listed', 'lead'],
  ] as const
  for (const [name, step, kind] of rows)
    for (const { text } of notesOf(trace, ['customer-ingest', 'related-ingest'], name)) {
      const lists = trace.at(step).filter(({ status }) => status === 200)
      if (lists.length === 0) continue
      const found = recordsAt(trace, step, kind).some(({ record }) => containsText(record, text))
      yield observation(
        lists.slice(-1),
        !found && `a ${kind} that it accepted is not in its list after 15 s`,
      )
    }
}

const isDeduplicated: Test<Observed> = (observed, trace): Deviation =>
  hasStatus(202, 409)(observed, trace)

/** A customer in part may be refused at the path of the binding, which requires more (CUS-TEN-01). */
const isKnownAgain: Test<Observed> = (observed, trace) => {
  const problem = isDeduplicated(observed, trace)
  const isPartial = observed.step !== 'customer-ingest/repeated'
  return typeof problem === 'string' && isPartial && isOfBinding(observed)
    ? notice(problem)
    : problem
}

export const ingestChecks = defineChecks(
  { ...ofCrm, procedures: ['customer-ingest'] },
  partialChecks,
  partialEventChecks,
  {
    'CUS-ING-01': {
      assertion: answered('whole', hasStatus(202)),
      remedy: 'Accept a customer under the key customer.',
    },
    'CUS-OVR-02': {
      assertion: every(
        ...identifierTypes.map((type) => answered(`identifier-${type}`, acceptsIdentifier)),
      ),
      remedy: 'Accept identifiers of all five types.',
    },
    'CUS-OVR-08': {
      assertion: every(
        answered('identifier-alone', acceptsIdentifier),
        answered('enrichment', acceptsIdentifier),
        oneRecord('enriched', 'customer-ingest/after-enrichment', 'who was completed later'),
      ),
      remedy: 'Accept a customer with an identifier alone, and complete the same record later.',
    },
    'CUS-OVR-09': {
      assertion: every(
        oneRecord('repeated', 'customer-ingest/after-repeated', 'with the same external id'),
        isFoundAgain('shared-identifier', 'shared-external-id'),
        noDuplicates,
      ),
      remedy: 'Find a customer again by its identifier and its external ids.',
    },
  },
  {
    'CUS-OVR-09': {
      ...ofApplication,
      procedures: ['own-customers'],
      assertion: noDuplicates,
      remedy: 'Keep one record of each customer, by its identifier and external ids.',
    },
    'CUS-TEN-06': {
      assertion: every(
        ...['repeated', 'shared-identifier', 'shared-external-id'].map((step) =>
          answered(step, isKnownAgain),
        ),
        oneRecord('repeated', 'customer-ingest/after-repeated', 'who was sent twice'),
        isFoundAgain('shared-identifier', 'shared-external-id'),
      ),
      remedy: 'Answer a customer who is sent again with 202 or 409, and keep one record.',
    },
    'CUS-TEN-01': {
      assertion: every(answered('whole', hasStatus(202)), isAccepted, function* (trace) {
        for (const { observed, record } of recordsAt(
          trace,
          'customer-ingest/whole-listed',
          'customer',
        )) {
          const problem = customerProblem(record)
          yield observation([observed], problem !== undefined && `a customer is wrong: ${problem}`)
        }
      }),
      remedy: 'Accept customers with all fields of the binding, and return one of the two sets.',
    },
    'CUS-RUL-01': {
      procedures: ['customer-ingest', 'related-ingest'],
      assertion: every(
        succeedsWith(202, ...recordKinds.flatMap((kind) => Object.values(pushOperations[kind]))),
        each(
          served(
            servedAt(
              'customer-ingest/whole',
              'related-ingest/customer',
              'related-ingest/lead',
              'related-ingest/order',
              'related-ingest/review',
            ),
          ),
          hasStatus(202),
        ),
        becomesVisible,
      ),
      remedy: 'Answer each ingest with 202, and show the record to queries soon after.',
    },
  },
)
