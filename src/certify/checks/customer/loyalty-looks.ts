/** Looks and defects of the records that a Loyalty host shows. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import type { Look } from '../../judge/check.ts'
import { wrongReply, type Defect } from '../../judge/defect.ts'
import { type Deviation, sighting } from '../../judge/look.ts'
import type { Trace } from '../../judge/trace.ts'
import { entriesIn } from './loyalty-host.ts'
import type { Shown } from './loyalty-views.ts'

export const eachShown = (
  shown: (trace: Trace) => readonly Shown[],
  test: (record: UnknownRecord) => Deviation,
): Look =>
  function* look(trace) {
    for (const { observed, record } of shown(trace)) yield sighting([observed], test(record))
  }

export const inWords = (what: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${what} is wrong at ${problem}`

/** The records of these replies are changed. */
export const wrongItems = (
  about: string,
  operations: readonly OperationId[],
  change: (record: UnknownRecord) => void,
): Defect =>
  wrongReply(about, operations, (reply) => {
    const items = entriesIn(reply.body)
    for (const record of items) change(record)
    if (items.length === 0 && reply.status === 200) change(reply.body as UnknownRecord)
  })
