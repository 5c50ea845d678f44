/** The events of Customer and Loyalty that a service emits, and what they name. */
import { isUnknownRecord, type UnknownRecord } from '../../../protocol/unknown-record.ts'
import type { ObservedEvent, Trace } from '../trace.ts'
import { containsText, sharedRecords } from './records.ts'

export const isLoyalty = ({ eventType = '', observed: { operation } }: ObservedEvent): boolean =>
  eventType.startsWith('loyalty.') || operation?.startsWith('receiveLoyalty') === true

const isCustomer = (event: ObservedEvent): boolean =>
  event.observed.operation?.startsWith('receiveCustomer') === true && !isLoyalty(event)

export const customerEventsOf = (trace: Trace): readonly ObservedEvent[] =>
  trace.emitted().filter(isCustomer)

/** Loyalty events of these types; of all types when the list is empty. */
export const loyaltyEventsOf = (
  trace: Trace,
  ...types: readonly string[]
): readonly ObservedEvent[] =>
  trace
    .emitted()
    .filter(
      (event) => isLoyalty(event) && (types.length === 0 || types.includes(event.eventType ?? '')),
    )

export const eventSeq = ({ observed: { exchange } }: ObservedEvent): number => exchange.seq

export const payloadOf = ({ event }: ObservedEvent): UnknownRecord => {
  const { payload } = event
  return isUnknownRecord(payload) ? payload : {}
}

/** An event once, however often it was handed over. */
export function withoutRepetitions(events: readonly ObservedEvent[]): readonly ObservedEvent[] {
  const known = new Set<string>()
  return events.filter(({ eventId, event }) => {
    const key = eventId ?? JSON.stringify(event)
    if (known.has(key)) return false
    known.add(key)
    return true
  })
}

/** Whether an event names a customer who is known by this text: with it, or by the id that the service has for it. */
export function namesCustomer(trace: Trace, event: ObservedEvent, text: string): boolean {
  if (containsText(event.event, text)) return true
  const { customerId } = payloadOf(event)
  return sharedRecords(trace, 'customer').some(
    ({ record }) => record['id'] === customerId && containsText(record, text),
  )
}
