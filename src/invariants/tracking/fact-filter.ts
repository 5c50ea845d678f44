/**
 * Which items of the agenda have to do with the weather. Of all facts half are about items that come and go, and next to
 * none of them was held back: it is found out as they happen, so that nobody need wait for the others to be heard.
 */
import type { Fact } from '../../engine/fact.ts'
import type { Entry } from '../../engine/journal.ts'
import type { Undone } from './fact-handlers.ts'

/** Whether a fact means something; to be asked of each, once, in the order in which they happen. */
export type Screen = (entry: Entry) => boolean

type Planned = Extract<Fact, { kind: 'agenda.planned' }>['item']

export function createScreen(): Screen {
  /** What was distorted last: whatever is planned because of it may come late. */
  let distorted: number | undefined
  /** Items that wait until something else has happened. */
  const waiting = new Set<number>()

  function plan({ id, wait, command }: Planned, cause: number): boolean {
    if (wait) waiting.add(id)
    // The end of an item's patience is no delay of its own.
    return (
      wait !== undefined ||
      (cause !== 0 && cause === distorted && command.kind !== 'agenda.release')
    )
  }

  function turn({ items, removed }: Undone): void {
    for (const id of removed) waiting.delete(id)
    for (const { id, wait } of items)
      if (wait) waiting.add(id)
      else waiting.delete(id)
  }

  return ({ fact, cause, by }) => {
    switch (fact.kind) {
      case 'agenda.planned':
        return plan(fact.item, cause)
      case 'agenda.released':
      case 'agenda.taken':
      case 'agenda.dropped':
        return waiting.size > 0 && waiting.delete(fact.id)
      case 'agenda.undone':
      case 'agenda.redone':
        turn(fact)
        return true
      // The subject's own calls say that themselves.
      case 'order.requested':
        return by !== 'subject'
      case 'fault.fired':
        distorted = cause
        return true
      default:
        return true
    }
  }
}
