/**
 * The Ordering Application shares what waits, step by step (CUS-GEN-10): a batch of records no larger than the CRM takes,
 * or an event. How long it rests between two steps is its habit; how much goes in one is decided here (LIM-CUS-01).
 */
import { batchKeys, bodyOf, type RecordKind, recordKinds } from '../../protocol/customer/batch.ts'
import { customerView } from '../../protocol/customer/customer-view.ts'
import { reviewView } from '../../protocol/customer/review.ts'
import { ok, unreachable } from '../../protocol/result.ts'
import { placed } from '../calls/place-call.ts'
import type { Context, Decision } from '../decision.ts'
import { refuse } from '../refusal.ts'
import type { CustomerCommand } from './command.ts'
import { callable, declares, limitsOfPartner, manifestOf, pushes } from './partner.ts'
import { announced, queued } from './share.ts'
import { applicationSide } from './side.ts'
import { customerById } from './store.ts'
import { waitingIn } from './world.ts'

const side = applicationSide

/** A record as it is now; undefined when it is there no more. */
function written(entity: RecordKind, id: string, { world, settings }: Context): unknown {
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
      return review && reviewView(review.document, conduct.reviewShape)
    }
    default:
      return unreachable(entity)
  }
}

/** As many records of a kind as may go at once; the oldest first. */
function firstOf(ids: ReadonlySet<string>, most: number): readonly string[] {
  const first: string[] = []
  for (const id of ids) {
    if (first.length >= most) break
    first.push(id)
  }
  return first
}

/** One call with records of a kind. What the CRM does not take, or what is gone, waits for nothing. */
function sendRecords(entity: RecordKind, left: number, context: Context): Decision {
  const { supportsBatchPost, maxBatchSize } = limitsOfPartner(side, context)
  const waiting = context.world.customer.outbox.records[entity]
  const ids = firstOf(waiting, supportsBatchPost ? maxBatchSize : 1)
  const records = ids.map((id) => written(entity, id, context)).filter((each) => each !== undefined)
  const operation = callable(side, ['push', pushes[entity]], context)
  const sending = { entity, ids }
  const after = left - ids.length
  if (operation === undefined || records.length === 0)
    return ok([{ kind: 'relation.left-out', records: sending, left: after }])
  const requestId = context.chance('requests').uuid()
  const body = bodyOf(records, batchKeys[entity], context.settings.conduct.customer)
  const { role: from, partner: to } = side
  return ok([
    { kind: 'relation.sent', requestId, sending, left: after },
    placed({ from, to, operation, body, attempt: 1, requestId }, context),
  ])
}

/** The next step: records before events, since an event tells of what should be there by then. */
export function share(context: Context): Decision {
  const { outbox } = context.world.customer
  const left = waitingIn(outbox)
  if (left === 0 || manifestOf(side, context).state === 'unknown')
    return ok([{ kind: 'relation.rested', left }])
  const entity = recordKinds.find((each) => outbox.records[each].size > 0)
  if (entity) return sendRecords(entity, left, context)
  const [first] = outbox.events
  if (!first) return ok([{ kind: 'relation.rested', left }])
  const [number, told] = first
  const { eventType } = told
  return ok(
    declares(side, ['receiveCustomerEvent'], context)
      ? [
          { kind: 'relation.told', number, eventType, left: left - 1 },
          announced(side, told, context),
        ]
      : [{ kind: 'relation.left-out', number, left: left - 1 }],
  )
}

/** A record once more, by somebody's wish. */
export function push(
  { entity, id }: Extract<CustomerCommand, { kind: 'relation.push' }>,
  context: Context,
): Decision {
  if (written(entity, id, context) === undefined)
    return refuse('NOT_FOUND', `the Ordering Application has no ${entity} ${id}`)
  return ok(queued([{ kind: 'record', entity, id }], context))
}
