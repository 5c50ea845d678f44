/**
 * The CRM pulls changes from the Ordering Application page by page (CUS-GEN-10): those since the last round, within the
 * maximum query period (LIM-CUS-02). Pulled records are accepted like pushed ones.
 */
import { batchKeys, type RecordKind } from '../../protocol/customer/batch.ts'
import { IngestEntry } from '../../protocol/customer/ingest-batch.ts'
import { msPerDay } from '../../protocol/customer/limits.ts'
import { parseDateTime } from '../../protocol/date-time.ts'
import { ok } from '../../protocol/result.ts'
import { type OutgoingCall, isSuccess } from '../calls/call.ts'
import { type AnswerReader, callPlacedFact } from '../calls/place-call.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { isoOf } from '../instant.ts'
import { unreadableAnswer } from '../calls/answer-reader.ts'
import { isPlainObject } from './json-difference.ts'
import { fallbackFacts } from './fallback.ts'
import { isDuplicateEntry } from './ingest.ts'
import { callableOperation, partnerLimits, partnerManifest, pullOperations } from './partner.ts'
import { crmSide } from './side.ts'

const side = crmSide

/** Overlap of two pull rounds in ms: clocks differ, and a change may become visible late. */
const overlapMs = 60_000

/** Query parameter names for the period; reviews never change, so theirs is the creation time. */
const periodNames = (resource: RecordKind) =>
  resource === 'review'
    ? ({ from: 'createdFrom', to: 'createdTo' } as const)
    : ({ from: 'updatedFrom', to: 'updatedTo' } as const)

export function pullRecords(
  { resource, page, period }: CommandOf<'customer.pull'>,
  context: DecisionContext,
): Decision {
  const { world, settings, now } = context
  if (partnerManifest(side, context).state === 'unknown') return ok([])
  const operation = callableOperation(side, ['pull', pullOperations[resource]], context)
  if (operation === undefined) return ok([])
  const { maxGetPeriodDays, maxBatchSize, supportsBatchGet } = partnerLimits(side, context)
  const maxPeriodMs = maxGetPeriodDays * msPerDay
  const cursor = world.customer.cursors.get(resource)
  const since = cursor === undefined ? -Infinity : cursor - overlapMs
  const { from, to } = period ?? { from: Math.max(since, now - maxPeriodMs), to: now }
  const pageSize = supportsBatchGet ? Math.min(settings.conduct.customer.pageSize, maxBatchSize) : 1
  const names = periodNames(resource)
  const query = {
    page: String(page),
    pageSize: String(pageSize),
    [names.from]: isoOf(from),
    [names.to]: isoOf(to),
  }
  return ok([
    callPlacedFact({ from: side.role, to: side.partner, operation, query, attempt: 1 }, context),
  ])
}

/** The resource that a pull call reads; undefined for any other call. */
export const pulledResource = ({
  operation,
}: Pick<OutgoingCall, 'operation'>): RecordKind | undefined =>
  (Object.keys(pullOperations) as RecordKind[]).find(
    (kind) => pullOperations[kind].flow === operation || pullOperations[kind].binding === operation,
  )

interface Page {
  readonly values: readonly unknown[]
  readonly total?: number
}

/** Reads a page in any known shape (CUS-UND-04); undefined if it has none of them. */
function readPage(body: unknown, resource: RecordKind): Page | undefined {
  if (Array.isArray(body)) return { values: body as readonly unknown[] }
  if (!isPlainObject(body)) return undefined
  const list = body['items'] ?? body[batchKeys[resource].many]
  if (!Array.isArray(list)) return undefined
  const pagination = isPlainObject(body['pagination']) ? body['pagination'] : body
  const { total } = pagination
  return {
    values: list as readonly unknown[],
    ...(typeof total === 'number' ? { total } : {}),
  }
}

/** Maximum number of pages per round: a host that repeats one page for ever must not be pulled for ever. */
const maxPages = 1000
/** After this many pages, a host that gives no total is pulled on only while pages hold new records. */
const maxPagesWithoutNews = 50

export const readPullAnswer: AnswerReader = (call, outcome, context) => {
  const resource = pulledResource(call)
  if (resource === undefined || call.from !== side.role) return []
  const fallback = fallbackFacts(call, outcome, side, context)
  if (fallback.length > 0) return fallback
  if (outcome.kind === 'failed' || !isSuccess(outcome)) return []
  const { page: number = '1', pageSize = '1', ...query } = call.query ?? {}
  const names = periodNames(resource)
  const instantOf = (text: string | undefined): number => parseDateTime(text ?? '') ?? context.now
  const page = readPage(outcome.body, resource)
  const { values, total }: Page = page ?? { values: [] }
  const { many } = batchKeys[resource]
  const entries = values.flatMap((record) => {
    const entry = IngestEntry.safeParse({ entity: resource, record })
    return entry.success && !isDuplicateEntry(entry.data, side.partner, context) ? [entry.data] : []
  })
  const pageNumber = Number(number)
  const requestedSize = Number(pageSize)
  const hasMore =
    total === undefined
      ? values.length >= requestedSize && (pageNumber < maxPagesWithoutNews || entries.length > 0)
      : values.length > 0 && pageNumber * requestedSize < total
  const pulled: Fact = {
    kind: 'customer.pulled',
    resource,
    page: pageNumber,
    count: values.length,
    from: instantOf(query[names.from]),
    // What an answer that cannot be read holds is asked for again in the next round.
    to: instantOf(query[page ? names.to : names.from]),
    ...(hasMore && pageNumber < maxPages ? { next: pageNumber + 1 } : {}),
  }
  return [
    ...(page ? [] : unreadableAnswer(call, outcome, `it has no list "${many}" or "items"`)),
    pulled,
    ...(entries.length > 0
      ? [{ kind: 'customer.accepted', intake: entries, from: side.partner } as const]
      : []),
  ]
}
