/** Checks of the event object, and of events on all changes: CUS-EVO, CUS-EVR-02, CUS-GEN-09. */
import { customerEventTypes, customerEvents } from '../../../protocol/customer/events.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks } from '../check.ts'
import { type Deviation, every, isDateTime, isText, optional, observation } from '../assertion.ts'
import { isLacking } from '../form-notes.ts'
import { perMessage } from '../live.ts'
import type { ObservedEvent } from '../trace.ts'
import { customerEventsOf } from './records.ts'
import { facts, factIsAnnounced } from './facts.ts'
import { ofCrm, ofApplication, ofCustomer } from './assertions.ts'

/** Where each field of an event comes up: facts of its own. */
const procedures = ['own-customers', 'own-leads']

interface ObjectRow {
  readonly clause: string
  readonly field: string
  readonly problem: (event: ObservedEvent) => Deviation
}

const prefixOf = (eventType = ''): string => eventType.slice(0, eventType.indexOf('.'))

const objectRows: readonly ObjectRow[] = [
  {
    clause: 'CUS-EVO-01',
    field: 'eventType',
    problem: ({ eventType = 'nothing' }) =>
      // Its spelling is a clause of its own (CUS-EVT-10).
      eventType === 'order.cancelled' || customerEventTypes.some((type) => type === eventType)
        ? undefined
        : `it emits an event of type ${eventType}`,
  },
  {
    clause: 'CUS-EVO-02',
    field: 'entityType',
    problem: ({ event, eventType }) => {
      const { entityType } = event
      const known = customerEventTypes.find((type) => type === eventType)
      const expected = known ? customerEvents[known].entity : prefixOf(eventType)
      return entityType === expected || isLacking(event, 'entityType')
        ? undefined
        : `its event ${eventType} has the entityType ${String(entityType)}`
    },
  },
  {
    clause: 'CUS-EVO-03',
    field: 'occurredAt',
    problem: ({ event }) => {
      const problem = isDateTime(event['occurredAt'])
      return problem === undefined ? undefined : `occurredAt of its event: ${problem}`
    },
  },
  {
    clause: 'CUS-EVO-04',
    field: 'payload',
    problem: ({ event, eventType = '' }) => {
      const { payload } = event
      if (!isUnknownRecord(payload)) return 'its event has no object payload'
      if (!eventType.startsWith('customer.')) return undefined
      const problem =
        optional('/customerId', isText)(payload) ??
        optional('/changedFields', (list) => (Array.isArray(list) ? undefined : 'no list'))(
          payload,
        ) ??
        optional('/changedFields/*', isText)(payload)
      return problem === undefined ? undefined : `the payload of its event is wrong at ${problem}`
    },
  },
]

const objectChecks = objectRows.map(({ clause, field, problem }): Check => ({
  clauses: [clause],
  ...ofCustomer,
  procedures,
  assertion: perMessage(function* (trace) {
    for (const event of customerEventsOf(trace)) yield observation([event.observed], problem(event))
  }),
  remedy: `Give each event its ${field} as the documents define it.`,
}))

export const eventObjectChecks = defineChecks(
  {
    ...ofApplication,
    procedures: ['own-customers', 'own-leads', 'own-reviews', 'customer-orders'],
  },
  objectChecks,
  {
    'CUS-EVR-02': {
      assertion: every(...facts.map(factIsAnnounced)),
      remedy: 'Emit an event on each change of a customer, a lead, an order and a review.',
    },
    'CUS-GEN-09': {
      ...ofCrm,
      procedures: ['own-leads', 'customer-operations'],
      assertion: every(...facts.map(factIsAnnounced), function* (trace) {
        const asked = trace.at('customer-operations')
        if (asked.length === 0) return
        const served = asked.filter(
          ({ status, operation }) => status < 300 && operation !== 'getManifest',
        )
        const pulled = trace.calls('getCustomers', 'listCustomers')
        yield observation(
          [...served, ...pulled].slice(0, 3),
          served.length + pulled.length > 0
            ? undefined
            : 'it serves no operation of Customer, and pulls nothing',
        )
      }),
      remedy:
        'Serve Customer or pull from the Ordering Application, and tell the facts of your side.',
    },
  },
)
