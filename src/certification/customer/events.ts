/** Checks of the events of Customer that a service emits: CUS-EVT, REV-EVT, CUS-EVO, CUS-EVR-02. */
import { customerEventTypes, customerEvents } from '../../protocol/customer/events.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Look } from '../check.ts'
import { missingCall, setMember, wrongCall } from '../defect.ts'
import { type Deviation, every, isDateTime, optional, isText, sighting } from '../look.ts'
import type { ObservedEvent, Trace, TraceNote } from '../trace.ts'
import { customerEventsOf, namesCustomer, payloadOf, seqOf, withoutRepetitions } from './emitted.ts'
import { application, crm, customerRoles } from './looks.ts'
import { containsText, sharedRecords } from './records.ts'

const receivers = [
  'receiveCustomerEvent',
  'receiveCustomerEventByBinding',
  'receiveCustomerEventByFlow',
] as const

/** Requests of an event of this type. */
const eventCall =
  (eventType: string) =>
  async (request: Request): Promise<boolean> =>
    request.method === 'POST' &&
    (await request.clone().text()).includes(`"eventType":"${eventType}"`)

interface FactRow {
  readonly clause: string
  readonly note: string
  readonly eventType: (typeof customerEventTypes)[number]
  /** Roles with the procedure in which the fact comes up. */
  readonly procedures: readonly string[]
  /** Whether the event names what the note is about. */
  readonly names: (trace: Trace, event: ObservedEvent, text: string) => boolean
}

const namesRecord = (_: Trace, { event }: ObservedEvent, text: string): boolean =>
  containsText(event, text)

/** The id that the service has given to the record with this text stands in the event. */
const namesBy =
  (kind: 'lead' | 'review') =>
  (trace: Trace, { event }: ObservedEvent, text: string): boolean => {
    const records = sharedRecords(trace, kind).filter(({ record }) => containsText(record, text))
    if (containsText(event, text) || records.length === 0) return true
    return records.some(({ record }) => {
      const { id } = record
      return typeof id === 'string' && containsText(event, id)
    })
  }

const facts: readonly FactRow[] = [
  {
    clause: 'CUS-EVT-03',
    note: 'customer-created',
    eventType: 'customer.created',
    procedures: ['own-customers'],
    names: namesCustomer,
  },
  {
    clause: 'CUS-EVT-04',
    note: 'customer-updated',
    eventType: 'customer.updated',
    procedures: ['own-customers'],
    names: namesCustomer,
  },
  {
    clause: 'CUS-EVT-05',
    note: 'opted-in',
    eventType: 'customer.opted_in',
    procedures: ['own-customers'],
    names: namesCustomer,
  },
  {
    clause: 'CUS-EVT-06',
    note: 'opted-out',
    eventType: 'customer.opted_out',
    procedures: ['own-customers'],
    names: namesCustomer,
  },
  {
    clause: 'CUS-EVT-07',
    note: 'lead-created',
    eventType: 'lead.created',
    procedures: ['own-leads'],
    names: namesBy('lead'),
  },
  {
    clause: 'REV-EVT-01',
    note: 'review-created',
    eventType: 'review.created',
    procedures: ['own-reviews'],
    names: namesBy('review'),
  },
  {
    clause: 'CUS-EVT-08',
    note: 'order-created',
    eventType: 'order.created',
    procedures: ['customer-orders', 'own-orders'],
    names: namesRecord,
  },
  {
    clause: 'CUS-EVT-09',
    note: 'order-completed',
    eventType: 'order.completed',
    procedures: ['customer-orders', 'own-orders'],
    names: namesRecord,
  },
  {
    clause: 'CUS-EVT-10',
    note: 'order-canceled',
    eventType: 'order.canceled',
    procedures: ['customer-orders', 'own-orders'],
    names: namesRecord,
  },
]

/** Events of the type that tell the fact, each once. */
function tellingEvents(row: FactRow, note: TraceNote, trace: Trace): readonly ObservedEvent[] {
  const isFromThen = row.eventType.startsWith('order.') ? 0 : note.after
  return withoutRepetitions(
    customerEventsOf(trace).filter(
      (event) =>
        event.eventType === row.eventType &&
        seqOf(event) > isFromThen &&
        row.names(trace, event, note.text),
    ),
  )
}

/** Each fact that was brought about is told; one of a creation once. */
const factIsTold = (row: FactRow): Look =>
  function* look(trace) {
    for (const note of trace.notes(row.note)) {
      const told = tellingEvents(row, note, trace)
      const isCreation = row.eventType.endsWith('.created')
      yield sighting(
        told.map(({ observed }) => observed),
        told.length === 0
          ? `it emits no ${row.eventType} of what was done at its side`
          : isCreation && told.length > 1
            ? `it emits ${told.length} ${row.eventType} of one fact`
            : undefined,
      )
    }
  }

const isMisspelt = (type: string): boolean =>
  type === 'order.cancelled' || type === 'order.delivered'

/** Events of orders in relationship context are spelt as the documents do. */
const spelling: Look = function* look(trace) {
  for (const { observed, eventType = '' } of customerEventsOf(trace))
    if (eventType.startsWith('order.cancel'))
      yield sighting(
        [observed],
        isMisspelt(eventType) ? `it emits ${eventType}, not order.canceled` : undefined,
      )
}

/** A completion is not told before its beginning, where both are. */
const completionFollows: Look = function* look(trace) {
  const events = customerEventsOf(trace)
  for (const done of events.filter(({ eventType }) => eventType === 'order.completed')) {
    const { orderId } = payloadOf(done)
    if (typeof orderId !== 'string') continue
    const isOfOrder = ({ eventType, event }: ObservedEvent): boolean =>
      eventType === 'order.created' && containsText(event, orderId)
    const begun = events.find(isOfOrder)
    if (begun)
      yield sighting(
        [begun.observed, done.observed],
        seqOf(begun) < seqOf(done)
          ? undefined
          : 'it emits order.completed before order.created of the same order',
      )
  }
}

const consentOf = (record: Readonly<Record<string, unknown>>): unknown =>
  isUnknownRecord(record['consent']) ? record['consent']['marketing'] : undefined

/** The next that it shows of the customer agrees with the consent that it has told. */
const consentIsShown = (noteName: string, marketing: boolean): Look =>
  function* look(trace) {
    const eventType = marketing ? 'customer.opted_in' : 'customer.opted_out'
    for (const note of trace.notes(noteName)) {
      const told = customerEventsOf(trace).find(
        (event) => event.eventType === eventType && seqOf(event) > note.after,
      )
      if (!told) continue
      const shown = sharedRecords(trace, 'customer').find(
        ({ observed, record }) =>
          observed.exchange.seq > seqOf(told) &&
          containsText(record, note.text) &&
          consentOf(record) !== undefined,
      )
      if (shown)
        yield sighting(
          [told.observed, shown.observed],
          consentOf(shown.record) === marketing
            ? undefined
            : `after ${eventType} it shows the consent to marketing as ${String(!marketing)}`,
        )
    }
  }

const furtherLooks: Readonly<Record<string, Look>> = {
  'CUS-EVT-05': consentIsShown('opted-in', true),
  'CUS-EVT-06': consentIsShown('opted-out', false),
  'CUS-EVT-09': completionFollows,
  'CUS-EVT-10': spelling,
}

const factChecks = facts.map((row): Check => ({
  clauses: [row.clause],
  roles: customerRoles,
  needs: ['customer'],
  procedures: row.procedures,
  look: every(factIsTold(row), furtherLooks[row.clause] ?? (() => [])),
  remedy: `Emit ${row.eventType} for each such fact of your side.`,
  defect:
    row.clause === 'CUS-EVT-10'
      ? wrongCall('spells order.cancelled with two l', eventCall('order.canceled'), (call) => {
          call.text = JSON.stringify(call.body).replace('order.canceled', 'order.cancelled')
        })
      : missingCall(`does not emit ${row.eventType}`, eventCall(row.eventType), 204),
}))

/** Where each field of an event comes up: facts of its own. */
const procedures = ['own-customers', 'own-leads']

interface ObjectRow {
  readonly clause: string
  readonly field: string
  readonly problem: (event: ObservedEvent) => Deviation
  readonly wrong: unknown
}

const prefixOf = (eventType = ''): string => eventType.slice(0, eventType.indexOf('.'))

const objectRows: readonly ObjectRow[] = [
  {
    clause: 'CUS-EVO-01',
    field: 'eventType',
    problem: ({ eventType = 'nothing' }) =>
      customerEventTypes.some((type) => type === eventType)
        ? undefined
        : `it emits an event of type ${eventType}`,
    wrong: 'customer.consent.updated',
  },
  {
    clause: 'CUS-EVO-02',
    field: 'entityType',
    problem: ({ event, eventType }) => {
      const { entityType } = event
      const known = customerEventTypes.find((type) => type === eventType)
      const expected = known ? customerEvents[known].entity : prefixOf(eventType)
      return entityType === expected
        ? undefined
        : `its event ${eventType} has the entityType ${String(entityType)}`
    },
    wrong: 'profile',
  },
  {
    clause: 'CUS-EVO-03',
    field: 'occurredAt',
    problem: ({ event }) => {
      const problem = isDateTime(event['occurredAt'])
      return problem === undefined ? undefined : `occurredAt of its event: ${problem}`
    },
    wrong: 1_767_625_200,
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
    wrong: 'customer 7',
  },
]

const objectChecks = objectRows.map(({ clause, field, problem, wrong }): Check => ({
  clauses: [clause],
  roles: customerRoles,
  needs: ['customer'],
  procedures,
  look: function* look(trace) {
    for (const event of customerEventsOf(trace)) yield sighting([event.observed], problem(event))
  },
  remedy: `Give each event its ${field} as the documents define it.`,
  defect: wrongCall(`has another ${field} in its events`, receivers, ({ body }) =>
    setMember(body, ['event', field], wrong),
  ),
}))

export const eventChecks = defineChecks([
  ...factChecks,
  ...objectChecks,
  {
    clauses: ['CUS-EVR-02'],
    roles: application,
    needs: ['customer'],
    procedures: ['own-customers', 'own-leads', 'own-reviews', 'customer-orders'],
    look: every(...facts.map(factIsTold)),
    remedy: 'Emit an event on each change of a customer, a lead, an order and a review.',
    defect: missingCall('emits no events of Customer', receivers, 204),
  },
  {
    clauses: ['CUS-GEN-09'],
    roles: crm,
    needs: ['customer'],
    procedures: ['own-leads', 'customer-operations'],
    look: every(...facts.map(factIsTold), function* look(trace) {
      const asked = trace.at('customer-operations')
      if (asked.length === 0) return
      const served = asked.filter(
        ({ status, operation }) => status < 300 && operation !== 'getManifest',
      )
      const pulled = trace.calls('getCustomers', 'listCustomers')
      yield sighting(
        [...served, ...pulled].slice(0, 3),
        served.length + pulled.length > 0
          ? undefined
          : 'it serves no operation of Customer, and pulls nothing',
      )
    }),
    remedy:
      'Serve Customer or pull from the Ordering Application, and tell the facts of your side.',
    defect: missingCall('tells no fact of its own', receivers, 204),
  },
])
