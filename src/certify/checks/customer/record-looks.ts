/** Looks at the records that a service sends or returns. */
import type { RecordKind } from '../../../core/protocol/customer/batch.ts'
import type { Look } from '../../judge/check.ts'
import { type Deviation, sighting } from '../../judge/look.ts'
import { sharedRecords, type SharedRecord } from './records.ts'

/** Each record of a kind that the service sends or returns. */
export const eachRecord = (
  kind: RecordKind,
  applies: (shared: SharedRecord) => boolean,
  test: (shared: SharedRecord) => Deviation,
): Look =>
  function* look(trace) {
    for (const shared of sharedRecords(trace, kind))
      if (applies(shared)) yield sighting([shared.observed], test(shared))
  }

export const hasIdentifier = ({ record }: SharedRecord): boolean =>
  Object.hasOwn(record, 'identifier')

/** A message in the notation of the binding. */
export const isBinding = ({ observed: { operation } }: SharedRecord): boolean =>
  operation === 'ingestCustomer' || operation === 'getCustomers' || operation === 'ingestLead'
