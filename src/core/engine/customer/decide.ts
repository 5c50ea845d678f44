/** The decision of each command of Customer. */
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import type { CustomerCommand } from './commands.ts'
import { commonDecisions } from './common-decisions.ts'
import { applyEntry, ingestRecords } from './ingest.ts'
import { pullRecords } from './pull.ts'
import { recordOrder, registerCustomer } from './relation.ts'
import { applicationSide, crmSide, ofSide } from './side.ts'
import {
  batchKeys,
  ingestBodyOf,
  type RecordKind,
  recordKinds,
} from '../../protocol/customer/batch.ts'
import { customerView } from '../../protocol/customer/customer-view.ts'
import { reviewView } from '../../protocol/customer/review.ts'
import { assertNever, ok } from '../../protocol/result.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import { refuse } from '../refusal.ts'
import {
  callableOperation,
  partnerDeclares,
  partnerLimits,
  partnerManifest,
  pushOperations,
} from './partner.ts'
import { announceCustomerEvent, enqueueEntries } from './announce-changes.ts'
import { customerById } from './store.ts'
import { outboxSize } from './world.ts'

/**
 * The Ordering Application flushes its outbox step by step (CUS-GEN-10): each step sends one batch of records, no
 * larger than the CRM accepts (LIM-CUS-01), or one event. The counterpart decides the pause between steps.
 */
const side = applicationSide

/** The current wire form of a record; undefined if it has been evicted. */
function currentBody(
  entity: RecordKind,
  id: string,
  { world, settings }: DecisionContext,
): unknown {
  const store = side.store(world)
  const { customer: conduct } = settings.conduct
  switch (entity) {
    case 'customer': {
      const customer = customerById(id, store)
      return customer && customerView(customer, conduct)
    }
    case 'lead':
      return store.leads.get(id)?.document
    case 'order':
      return store.orders.get(id)?.document
    case 'review': {
      const review = store.reviews.get(id)
      return review && reviewView(review.document, conduct)
    }
    default:
      return assertNever(entity)
  }
}

/** The first ids, oldest first, up to the batch limit. */
function takeFirst(ids: ReadonlySet<string>, max: number): readonly string[] {
  const first: string[] = []
  for (const id of ids) {
    if (first.length >= max) break
    first.push(id)
  }
  return first
}

/** One call with records of one kind. Records that the CRM does not accept, or that are evicted, leave the outbox. */
function sendRecords(entity: RecordKind, remaining: number, context: DecisionContext): Decision {
  const { supportsBatchPost, maxBatchSize } = partnerLimits(side, context)
  const queuedIds = context.world.customer.outbox.records[entity]
  const ids = takeFirst(queuedIds, supportsBatchPost ? maxBatchSize : 1)
  const records = ids
    .map((id) => currentBody(entity, id, context))
    .filter((each) => each !== undefined)
  const operation = callableOperation(side, ['push', pushOperations[entity]], context)
  const sending = { entity, ids }
  const remainingAfter = remaining - ids.length
  if (operation === undefined || records.length === 0)
    return ok([{ kind: 'relation.left-out', records: sending, left: remainingAfter }])
  const requestId = context.chance('requests').uuid()
  const body = ingestBodyOf(records, batchKeys[entity], context.settings.conduct.customer)
  const { role: from, partner: to } = side
  return ok([
    { kind: 'relation.sent', requestId, sending, left: remainingAfter },
    callPlacedFact({ from, to, operation, body, attempt: 1, requestId }, context),
  ])
}

/** The next step: records before events, since an event refers to records that the receiver should already have. */
function flushOutbox(context: DecisionContext): Decision {
  const { outbox } = context.world.customer
  const remaining = outboxSize(outbox)
  if (remaining === 0 || partnerManifest(side, context).state === 'unknown')
    return ok([{ kind: 'relation.rested', left: remaining }])
  const entity = recordKinds.find((each) => outbox.records[each].size > 0)
  if (entity) return sendRecords(entity, remaining, context)
  const [first] = outbox.events
  if (!first) return ok([{ kind: 'relation.rested', left: remaining }])
  const [number, draft] = first
  const { eventType } = draft
  return ok(
    partnerDeclares(side, ['receiveCustomerEvent'], context)
      ? [
          { kind: 'relation.told', number, eventType, left: remaining - 1 },
          announceCustomerEvent(side, draft, context),
        ]
      : [{ kind: 'relation.left-out', number, left: remaining - 1 }],
  )
}

export const customerDecisions: Decisions<CustomerCommand> = {
  ...ofSide(crmSide, commonDecisions),
  'customer.ingest': ingestRecords,
  'customer.apply': applyEntry,
  'customer.pull': pullRecords,
  ...ofSide(applicationSide, commonDecisions),
  'relation.register': registerCustomer,
  'relation.record': recordOrder,
  'relation.share': (_command, context) => flushOutbox(context),
  /** Pushes a record again on request. */
  'relation.push'({ entity, id }, context) {
    if (currentBody(entity, id, context) === undefined)
      return refuse('NOT_FOUND', `the Ordering Application has no ${entity} ${id}`)
    return ok(enqueueEntries([{ kind: 'record', entity, id }], context))
  },
}
