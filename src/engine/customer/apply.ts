/** What the facts of Customer change. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { unreachable } from '../../protocol/result.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import { applyHeard, applySaved } from './apply-store.ts'
import type { CustomerFact } from './fact.ts'
import { applicationSide, crmSide, sideOf } from './side.ts'
import { customerBounds, type CustomerWorld, type Notice, type Sending } from './world.ts'

/** What tells one record from another among all that was shared. */
export const recordKey = (entity: RecordKind, id: string): string => `${entity}|${id}`

/** A record that waits already goes with what it is then; events all go, in their order. */
function queue(world: CustomerWorld, notices: readonly Notice[]): void {
  const { records, events } = world.outbox
  for (const notice of notices)
    if (notice.kind === 'record')
      addBounded(records[notice.entity], notice.id, customerBounds.outbox)
    else setBounded(events, world.nextNotice++, notice.told, customerBounds.outbox)
}

function takeRecords({ outbox }: CustomerWorld, { entity, ids }: Sending): void {
  for (const id of ids) outbox.records[entity].delete(id)
}

export function applyCustomer(world: CustomerWorld, fact: CustomerFact, at: Instant): void {
  switch (fact.kind) {
    case 'customer.saved':
    case 'relation.saved':
      return applySaved(sideOf(fact.kind).store({ customer: world }), fact.saved)
    case 'customer.heard':
    case 'relation.heard':
      return applyHeard(sideOf(fact.kind).store({ customer: world }), fact)
    case 'customer.pulled':
      // A round that is not read to its end is begun again from where the last one ended.
      if (fact.next === undefined) world.cursors.set(fact.resource, fact.to)
      return
    case 'relation.queued':
      queue(world, fact.notices)
      if (fact.wakes) world.sharing = true
      return
    case 'relation.sent':
      takeRecords(world, fact.sending)
      setBounded(world.underWay, fact.requestId, fact.sending, customerBounds.underWay)
      world.sharing = fact.left > 0
      return
    case 'relation.told':
      world.outbox.events.delete(fact.number)
      world.sharing = fact.left > 0
      return
    case 'relation.left-out':
      if (fact.records) takeRecords(world, fact.records)
      if (fact.number !== undefined) world.outbox.events.delete(fact.number)
      world.sharing = fact.left > 0
      return
    case 'relation.rested':
      world.sharing = false
      return
    case 'relation.answered': {
      world.underWay.delete(fact.requestId)
      const { outcome, sending } = fact
      for (const id of sending.ids)
        setBounded(
          world.shared,
          recordKey(sending.entity, id),
          { at, outcome },
          customerBounds.shared,
        )
      return
    }
    case 'customer.fell-back':
    case 'relation.fell-back': {
      const side = fact.kind === 'customer.fell-back' ? crmSide : applicationSide
      world.fellBack.add(side.role)
      return
    }
    case 'customer.accepted':
    case 'customer.event-repeated':
    case 'relation.event-repeated':
      return
    default:
      return unreachable(fact)
  }
}
