/** Assertions about the records that a service sends or returns. */
import type { RecordKind } from '../../../core/protocol/customer/batch.ts'
import type { Assertion } from '../../judge/check.ts'
import { type Deviation, observation } from '../../judge/assertion.ts'
import { sharedRecords, type SharedRecord } from './records.ts'

/** Each record of a kind that the service sends or returns. */
export const eachRecord = (
  kind: RecordKind,
  applies: (shared: SharedRecord) => boolean,
  test: (shared: SharedRecord) => Deviation,
): Assertion =>
  function* (trace) {
    for (const shared of sharedRecords(trace, kind))
      if (applies(shared)) yield observation([shared.observed], test(shared))
  }

export const hasIdentifier = ({ record }: SharedRecord): boolean =>
  Object.hasOwn(record, 'identifier')

/** A message in the notation of the binding. */
export const isBinding = ({ observed: { operation } }: SharedRecord): boolean =>
  operation === 'ingestCustomer' || operation === 'getCustomers' || operation === 'ingestLead'
