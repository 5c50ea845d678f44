/**
 * Filters the facts that matter to the tracker. Half of all facts are about agenda items, and hardly any of those was
 * delayed by a fault; filtering them as they happen avoids queueing the rest.
 */
import type { Fact } from '../../engine/fact.ts'
import type { JournalEntry } from '../../engine/journal.ts'
import type { AgendaUndoFact } from './fact-handlers.ts'

/** Whether a fact is relevant. Must be called once per fact, in order. */
export type FactFilter = (entry: JournalEntry) => boolean

type Planned = Extract<Fact, { kind: 'agenda.planned' }>['item']

export function createFactFilter(): FactFilter {
  /** Cause of the last fault fired: an item planned by the same cause may be delayed by it. */
  let lastFaultCause: number | undefined
  /** Items that wait for a condition. */
  const waiting = new Set<number>()

  function isRelevantPlan({ id, wait, command }: Planned, cause: number): boolean {
    if (wait) waiting.add(id)
    // The time-out of a waiting item is not a delay.
    return (
      wait !== undefined ||
      (cause !== 0 && cause === lastFaultCause && command.kind !== 'agenda.release')
    )
  }

  function applyAgendaEdit({ items, removed }: AgendaUndoFact): void {
    for (const id of removed) waiting.delete(id)
    for (const { id, wait } of items)
      if (wait) waiting.add(id)
      else waiting.delete(id)
  }

  return ({ fact, cause, by }) => {
    switch (fact.kind) {
      case 'agenda.planned':
        return isRelevantPlan(fact.item, cause)
      case 'agenda.released':
      case 'agenda.taken':
      case 'agenda.dropped':
        return waiting.size > 0 && waiting.delete(fact.id)
      case 'agenda.undone':
      case 'agenda.redone':
        applyAgendaEdit(fact)
        return true
      // The subject's own calls are observed as exchanges.
      case 'order.requested':
        return by !== 'subject'
      case 'fault.fired':
        lastFaultCause = cause
        return true
      default:
        return true
    }
  }
}
