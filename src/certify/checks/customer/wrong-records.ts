/** A defect of records: in the ingests that a service sends, and in the queries that it answers. */
import type { RecordKind } from '../../../core/protocol/customer/batch.ts'
import { pullOperations, pushOperations } from '../../../core/engine/customer/partner.ts'
import type { UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { type Defect, wrongCall, wrongReply } from '../../judge/defect.ts'
import { recordsIn, recordsSent } from './records.ts'

export function wrongRecords(
  about: string,
  kind: RecordKind,
  change: (record: UnknownRecord) => void,
): Defect {
  const { binding: push, flow: pushByFlow } = pushOperations[kind]
  const { binding: pull, flow: pullByFlow } = pullOperations[kind]
  return {
    ...wrongCall(about, [push, pushByFlow], ({ body }) => {
      for (const record of recordsSent(body, kind)) change(record)
    }),
    ...wrongReply(about, [pull, pullByFlow], ({ body }) => {
      for (const record of recordsIn(body, kind)) change(record)
    }),
  }
}
