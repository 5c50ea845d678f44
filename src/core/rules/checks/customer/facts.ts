/** Facts that are brought about at a service, and the events that tell them (CUS-EVT-03 to 10, REV-EVT-01). */
import type { customerEventTypes } from '../../../protocol/customer/events.ts'
import type { Assertion } from '../check.ts'
import { observation } from '../assertion.ts'
import { wordIn } from '../document-form.ts'
import type { ObservedEvent, Trace, TraceNote } from '../trace.ts'
import { customerEventsOf, namesCustomer, eventSeq, withoutRepetitions } from './records.ts'
import { containsText, sharedRecords, notesOf } from './records.ts'

/** The procedures that bring facts about. */
export const factProcedures = [
  'own-customers',
  'own-leads',
  'own-reviews',
  'own-orders',
  'customer-orders',
]

export interface AnnouncedFact {
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

/** The event has the id that the service assigned to the record with this text. */
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

export const facts: readonly AnnouncedFact[] = [
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
function eventsOfFact(
  row: AnnouncedFact,
  eventType: string,
  { note, trace }: { readonly note: TraceNote; readonly trace: Trace },
): readonly ObservedEvent[] {
  const isFromThen = row.eventType.startsWith('order.') ? 0 : note.after
  return withoutRepetitions(
    customerEventsOf(trace).filter(
      (event) =>
        event.eventType === eventType &&
        eventSeq(event) > isFromThen &&
        row.names(trace, event, note.text),
    ),
  )
}

/** Each fact that was brought about is announced; one of a creation once. */
export const factIsAnnounced = (row: AnnouncedFact): Assertion =>
  function* (trace) {
    // In a dialect several facts share a type, and some have none.
    const eventType = wordIn(trace, 'receiveCustomerEvent', 'request', 'eventType', row.eventType)
    if (eventType === undefined) return
    for (const note of notesOf(trace, factProcedures, row.note)) {
      const emitted = eventsOfFact(row, eventType, { note, trace })
      const isCreation = eventType.endsWith('.created')
      yield observation(
        emitted.map(({ observed }) => observed),
        emitted.length === 0
          ? `it emits no ${row.eventType} of what was done at its side`
          : isCreation && emitted.length > 1
            ? `it emits ${emitted.length} ${row.eventType} of one fact`
            : undefined,
      )
    }
  }
