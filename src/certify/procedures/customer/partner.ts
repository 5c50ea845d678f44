/** Calls to a service about customers, as its partner, in the notation that it serves. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { batchKeys, type RecordKind } from '../../../core/protocol/customer/batch.ts'
import { pullOperations, pushOperations } from '../../../core/engine/customer/partner.ts'
import type { Role } from '../../../core/protocol/role.ts'
import type { UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import type { ServiceCall } from '../../../core/session-api/service-call.ts'
import { type ProcedureContext, readUntil } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { containsText, recordsIn, totalIn } from '../../../core/rules/checks/customer/records.ts'

const maxPages = 10

export const customerPartnerOf = (role: Role): Role =>
  role === 'crm' ? 'ordering-application' : 'crm'

type CallOptions = Omit<ServiceCall, 'as' | 'operation'>

export const send = (
  context: ProcedureContext,
  step: string,
  operation: OperationId,
  options: CallOptions = {},
): Promise<Observed> =>
  context.call(step, { as: customerPartnerOf(context.role), operation, ...options })

/** By the path of the binding, and where there is none, by that of the flows. */
export async function sendEither(
  context: ProcedureContext,
  step: string,
  { binding, flow }: { readonly binding: OperationId; readonly flow: OperationId },
  options: CallOptions = {},
): Promise<Observed> {
  const first = await send(context, step, binding, options)
  return first.status === 404 ? send(context, step, flow, options) : first
}

export const push = (
  context: ProcedureContext,
  step: string,
  kind: RecordKind,
  record: unknown,
): Promise<Observed> =>
  sendEither(context, step, pushOperations[kind], { body: { [batchKeys[kind].one]: record } })

/** All records of a query, over its pages. */
export async function listRecords(
  context: ProcedureContext,
  step: string,
  kind: RecordKind,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly UnknownRecord[]> {
  const all: UnknownRecord[] = []
  for (let page = 1; page <= maxPages; page++) {
    const more: Readonly<Record<string, string>> = page === 1 ? {} : { page: String(page) }
    const { reply } = await sendEither(context, step, pullOperations[kind], {
      query: { ...query, ...more },
    })
    const records = recordsIn(reply, kind)
    all.push(...records)
    if (records.length === 0 || all.length >= totalIn(reply)) break
  }
  return all
}

/** The query for one customer; a service that does not know these filters returns more. */
export const customerFilter = ({
  identifier,
}: {
  readonly identifier: { readonly type: string; readonly value: string }
}): Readonly<Record<string, string>> => ({
  customerIdentifierType: identifier.type,
  customerIdentifierValue: identifier.value,
})

/** What a record contains, and the filter of the query. */
interface ListedRecord {
  readonly text: string
  readonly query?: Readonly<Record<string, string>>
}

/** Queries until a record contains the text; nothing when none does in time. */
export function untilListed(
  context: ProcedureContext,
  step: string,
  kind: RecordKind,
  { text, query = {} }: ListedRecord,
): Promise<UnknownRecord | undefined> {
  return readUntil(
    context,
    async () =>
      (await listRecords(context, step, kind, query)).find((each) => containsText(each, text)),
    (found) => found !== undefined,
  )
}
