/** Reducer for the facts of Customer. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import { applyReceivedEvent, applySavedRecord } from './apply-store.ts'
import type { CustomerFact } from './fact.ts'
import { applicationSide, crmSide, sideOfKind } from './side.ts'
import { customerBounds, type CustomerWorld, type OutboxEntry, type RecordBatch } from './world.ts'

/** Key of a record in `pushResults`. */
export const recordKey = (entity: RecordKind, id: string): string => `${entity}|${id}`

/** Adds entries to the outbox. A record that is in it already is sent once, in its latest state; all events are sent. */
function addToOutbox(world: CustomerWorld, entries: readonly OutboxEntry[]): void {
  const { records, events } = world.outbox
  for (const entry of entries)
    if (entry.kind === 'record') addBounded(records[entry.entity], entry.id, customerBounds.outbox)
    else setBounded(events, world.nextEventNumber++, entry.told, customerBounds.outbox)
}

function removeRecords({ outbox }: CustomerWorld, { entity, ids }: RecordBatch): void {
  for (const id of ids) outbox.records[entity].delete(id)
}

export function applyCustomer(world: CustomerWorld, fact: CustomerFact, at: Instant): void {
  switch (fact.kind) {
    case 'customer.saved':
    case 'relation.saved':
      return applySavedRecord(sideOfKind(fact.kind).store({ customer: world }), fact.saved)
    case 'customer.heard':
    case 'relation.heard':
      return applyReceivedEvent(sideOfKind(fact.kind).store({ customer: world }), fact)
    case 'customer.pulled':
      // An unfinished round does not move the cursor: the next round repeats it.
      if (fact.next === undefined) world.cursors.set(fact.resource, fact.to)
      return
    case 'relation.queued':
      addToOutbox(world, fact.notices)
      if (fact.wakes) world.isFlushPlanned = true
      return
    case 'relation.sent':
      removeRecords(world, fact.sending)
      setBounded(world.pushesInFlight, fact.requestId, fact.sending, customerBounds.pushesInFlight)
      world.isFlushPlanned = fact.left > 0
      return
    case 'relation.told':
      world.outbox.events.delete(fact.number)
      world.isFlushPlanned = fact.left > 0
      return
    case 'relation.left-out':
      if (fact.records) removeRecords(world, fact.records)
      if (fact.number !== undefined) world.outbox.events.delete(fact.number)
      world.isFlushPlanned = fact.left > 0
      return
    case 'relation.rested':
      world.isFlushPlanned = false
      return
    case 'relation.answered': {
      world.pushesInFlight.delete(fact.requestId)
      const { outcome, sending } = fact
      for (const id of sending.ids)
        setBounded(
          world.pushResults,
          recordKey(sending.entity, id),
          { at, outcome },
          customerBounds.pushResults,
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
      return assertNever(fact)
  }
}
