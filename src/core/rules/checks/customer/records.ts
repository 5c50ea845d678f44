/**
 * Records of customers, leads, orders and reviews in the messages of a service, in any shape that the documents leave
 * open; the events of Customer and Loyalty that it emits, and what they name.
 */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { batchKeys, recordsOfBatch, type RecordKind } from '../../../protocol/customer/batch.ts'
import { pullOperations, pushOperations } from '../../../engine/customer/partner.ts'
import { shortValue } from '../../../protocol/issue-text.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../protocol/unknown-record.ts'
import { bodyValue, type Deviation, observation, type Selection } from '../assertion.ts'
import type { Assertion } from '../check.ts'
import { perMessage } from '../live.ts'
import type { Observed, Trace, TraceNote, ObservedEvent } from '../trace.ts'

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

const recordsOf = (list: unknown): readonly UnknownRecord[] | undefined =>
  Array.isArray(list) ? list.filter(isUnknownRecord) : undefined

/** The records of a list: under items, under the name of the resource, or bare (CUS-UND-04). */
export function recordsIn(body: unknown, kind: RecordKind): readonly UnknownRecord[] {
  if (!isUnknownRecord(body)) return recordsOf(body) ?? []
  return recordsOf(body[batchKeys[kind].many]) ?? recordsOf(body['items']) ?? []
}

/** What a customer is found again by: identifier and external ids (CUS-OVR-09). */
export function keysOf({ identifier, externalIds }: UnknownRecord): readonly string[] {
  const ids = Array.isArray(externalIds) ? externalIds : []
  return [
    ...(isUnknownRecord(identifier)
      ? [`identifier ${String(identifier['type'])} ${String(identifier['value'])}`]
      : []),
    ...new Set(ids.map((id) => `external id ${shortValue(id)}`)),
  ]
}

/** The records of an ingest: one under its key, several, or one as it is (CUS-UND-05). */
export function recordsSent(body: unknown, kind: RecordKind): readonly UnknownRecord[] {
  return recordsOfBatch(body, batchKeys[kind])
    .map(({ value }) => value)
    .filter(isUnknownRecord)
}

/** Records in all of a page, where it says so; nothing otherwise. */
export const totalIn = (body: unknown): number => {
  const total = bodyValue(body, '/total') ?? bodyValue(body, '/pagination/total')
  return typeof total === 'number' ? total : 0
}

/** A record that the service has sent or returned. */
export interface SharedRecord {
  readonly observed: Observed
  readonly record: UnknownRecord
}

/** The operation of one record by its id. */
const singleOperations: Readonly<Partial<Record<RecordKind, OperationId>>> = {
  customer: 'getCustomerById',
  order: 'getOrderById',
  review: 'getReviewById',
}

const isOf = (
  { operation }: Observed,
  { flow, binding }: { readonly flow: OperationId; readonly binding: OperationId },
): boolean => operation === flow || operation === binding

function recordsShared(observed: Observed, kind: RecordKind): readonly UnknownRecord[] {
  const { isCall, operation, status, request, reply } = observed
  if (isCall) return isOf(observed, pushOperations[kind]) ? recordsSent(request, kind) : []
  if (status !== 200) return []
  if (isOf(observed, pullOperations[kind])) return recordsIn(reply, kind)
  return operation === singleOperations[kind] && isUnknownRecord(reply) ? [reply] : []
}

const inExchanges = (all: readonly Observed[], kind: RecordKind): readonly SharedRecord[] =>
  all.flatMap((observed) => recordsShared(observed, kind).map((record) => ({ observed, record })))

/** The records of a kind that the service has sent in ingests, or returned to queries. */
export const sharedRecords = (trace: Trace, kind: RecordKind): readonly SharedRecord[] =>
  inExchanges(trace.all, kind)

/** The records of a kind that it returned at a step. */
export const recordsAt = (trace: Trace, step: string, kind: RecordKind): readonly SharedRecord[] =>
  inExchanges(trace.at(step), kind)

/** What a procedure has written down under a name; other procedures may use the same name. */
export const notesOf = (
  trace: Trace,
  procedures: readonly string[],
  name: string,
): readonly TraceNote[] =>
  trace.notes(name).filter(({ procedure }) => procedures.includes(procedure))

/** Whether a text stands anywhere in a value. */
export const containsText = (value: unknown, text: string): boolean =>
  JSON.stringify(value)?.includes(text) ?? false

/**
 * The exchanges of these steps; of two in a row about the same thing only the one whose path the service has: what it does
 * not serve by the paths of the binding is asked for by those of the flows (CUS-TEN-03).
 */
export const servedAt =
  (...steps: readonly string[]): Selection =>
  (trace) =>
    steps.flatMap((step) => {
      const all = trace.at(step)
      return all.filter(({ status }, index) => status !== 404 || index === all.length - 1)
    })

/** Each record of a kind that the service sends or returns. */
export const eachRecord = (
  kind: RecordKind,
  applies: (shared: SharedRecord) => boolean,
  test: (shared: SharedRecord) => Deviation,
): Assertion =>
  perMessage(function* (trace) {
    for (const shared of sharedRecords(trace, kind))
      if (applies(shared)) yield observation([shared.observed], test(shared))
  })

export const hasIdentifier = ({ record }: SharedRecord): boolean =>
  Object.hasOwn(record, 'identifier')

/** A message in the notation of the binding. */
export const isBinding = ({ observed: { operation } }: SharedRecord): boolean =>
  operation === 'ingestCustomer' || operation === 'getCustomers' || operation === 'ingestLead'
