/**
 * Ingest of records into the CRM: accepted for asynchronous processing (CUS-RUL-01) within the declared limits, then
 * applied one by one. A duplicate is accepted like any other and changes nothing (CUS-TEN-06).
 */
import { batchKeys } from '../../protocol/customer/batch.ts'
import { absentBindingFields, readCustomer } from '../../protocol/customer/customer.ts'
import type { IngestEntry } from '../../protocol/customer/ingest-batch.ts'
import type { CustomerConduct } from '../../protocol/customer/conduct.ts'
import { ok, assertNever } from '../../protocol/result.ts'
import type { Role } from '../../protocol/role.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { refuse } from '../refusal.ts'
import { findSentCustomer, isStale, mergeCustomer } from './merge.ts'
import { createMergeContext } from './merge-context.ts'
import { mergeLead, mergeOrder, mergeReview } from './records.ts'
import { saveAndAnnounce } from './announce-changes.ts'
import { crmSide, type CustomerSide } from './side.ts'
import type { SavedRecord } from './world.ts'

/** Merges a record into a store; empty if it changes nothing. */
export function mergeEntry(
  entry: IngestEntry,
  side: CustomerSide,
  owner: Role,
  context: DecisionContext,
): readonly SavedRecord[] {
  const mergeContext = createMergeContext(side, owner, context)
  const { statusField, firstOrder } = context.settings.conduct.customer
  switch (entry.entity) {
    case 'customer': {
      const data = readCustomer(entry.record, statusField)
      const known = findSentCustomer(data, owner, mergeContext.store)
      const late = known !== undefined && isStale(data, known)
      const saved = mergeCustomer(data, {
        ...mergeContext,
        ...(late ? { fillsGapsOnly: true } : {}),
      })
      return saved ? [saved] : []
    }
    case 'lead': {
      const saved = mergeLead(entry.record, mergeContext)
      return saved ? [saved] : []
    }
    case 'order':
      return mergeOrder(entry.record, {
        ...mergeContext,
        ...(firstOrder ? { trigger: 'order' } : {}),
      })
    case 'review': {
      const saved = mergeReview(entry.record, mergeContext)
      return saved ? [saved] : []
    }
    default:
      return assertNever(entry)
  }
}

/** The first missing field of the configured required set (CUS-TEN-01). */
function missingFields(entry: IngestEntry, { requiredFields }: CustomerConduct): readonly string[] {
  if (entry.entity !== 'customer' || requiredFields === 'either') return []
  if (requiredFields === 'binding') return absentBindingFields(entry.record)
  return entry.record.identifier ? [] : ['identifier']
}

/** Whether a newer version of the same customer has been received. */
function isLate(entry: IngestEntry, owner: Role, { world, settings }: DecisionContext): boolean {
  if (entry.entity !== 'customer') return false
  const data = readCustomer(entry.record, settings.conduct.customer.statusField)
  const known = findSentCustomer(data, owner, crmSide.store(world))
  return known !== undefined && isStale(data, known)
}

/**
 * Whether applying the record would change nothing. Draws ids from a separate random stream, to leave the real one
 * alone.
 */
export const isDuplicateEntry = (
  entry: IngestEntry,
  owner: Role,
  context: DecisionContext,
): boolean => {
  const probeContext: DecisionContext = {
    ...context,
    chance: () => context.chance('customer.questions'),
  }
  return mergeEntry(entry, crmSide, owner, probeContext).length === 0
}

export function ingestRecords(
  { intake, from }: CommandOf<'customer.ingest'>,
  context: DecisionContext,
): Decision {
  const { customer: conduct } = context.settings.conduct
  const [first] = intake
  if (!first) return refuse('INVALID_PAYLOAD', 'there is nothing in it')
  const { one, many } = batchKeys[first.entity]
  if (conduct.enforceLimits && intake.length > 1 && !conduct.supportsBatchPost)
    return refuse('BATCH_NOT_SUPPORTED', `${many}: send them one by one, each as ${one}`)
  if (conduct.enforceLimits && intake.length > conduct.maxBatchSize)
    return refuse(
      'BATCH_TOO_LARGE',
      `${many}: ${intake.length} are more than the ${conduct.maxBatchSize} that may come at once`,
    )
  const lacking = intake.map((entry) => missingFields(entry, conduct))
  const invalidIndex = lacking.findIndex(({ length }) => length > 0)
  const names = lacking[invalidIndex]
  if (names) {
    const place = intake.length === 1 ? one : `${many}.${invalidIndex}`
    const verb = names.length === 1 ? 'is' : 'are'
    const text = names.map((name) => `${place}.${name}`).join(', ')
    return refuse('INVALID_PAYLOAD', `${text} ${verb} missing`)
  }
  if (conduct.staleWrite === 409 && intake.every((each) => isLate(each, from, context)))
    return refuse('VERSION_CONFLICT', `${one}.updatedAt: a newer version is known`)
  if (conduct.duplicate === 409 && intake.every((each) => isDuplicateEntry(each, from, context)))
    return refuse('DUPLICATE', `${one}: this is known already`)
  const receipt = context.chance('customer.receipts').uuid()
  return ok([{ kind: 'customer.accepted', intake, from, receipt }])
}

/**
 * Applies an accepted record. The CRM does not announce the Ordering Application's own data back to it, only its own
 * conclusion: that a known lead became active by an order (CUS-GEN-09).
 */
export function applyEntry(
  { entry, from }: CommandOf<'customer.apply'>,
  context: DecisionContext,
): Decision {
  const saved = mergeEntry(entry, crmSide, from, context)
  return ok(
    saved.flatMap((each) =>
      each.entity === 'customer' && each.trigger === 'order' && !each.isNew
        ? saveAndAnnounce(crmSide, [each], context)
        : [{ kind: 'customer.saved', saved: each }],
    ),
  )
}
