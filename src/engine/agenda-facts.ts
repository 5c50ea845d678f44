/** What the facts about the agenda do to it. */
import { unreachable } from '../protocol/result.ts'
import { type Agenda, put, remove, replace } from './agenda.ts'
import type { AgendaFact } from './fact.ts'
import type { Item } from './item.ts'

function change(agenda: Agenda, id: number, changes: Partial<Item>): void {
  const item = agenda.byId.get(id)
  if (item) replace(agenda, { ...item, ...changes })
}

export function applyAgenda(agenda: Agenda, fact: AgendaFact): void {
  switch (fact.kind) {
    case 'agenda.planned':
      return put(agenda, fact.item)
    case 'agenda.taken':
    case 'agenda.dropped':
      remove(agenda, fact.id)
      return
    case 'agenda.refused':
      return
    case 'agenda.held':
      return change(agenda, fact.id, { held: true })
    case 'agenda.released':
      return change(agenda, fact.id, { held: false, due: fact.due })
    case 'agenda.delayed':
      return change(agenda, fact.id, { due: fact.due })
    case 'agenda.moved': {
      // All leave before any returns: two items may not hold one place even for a moment, or the list loses them.
      const moving = fact.places.flatMap(({ id, due, rank }) => {
        const item = remove(agenda, id)
        return item ? [{ ...item, due, rank }] : []
      })
      for (const item of moving) put(agenda, item)
      return
    }
    case 'agenda.edited':
      return change(agenda, fact.id, { command: fact.command, edited: true })
    default:
      return unreachable(fact)
  }
}
