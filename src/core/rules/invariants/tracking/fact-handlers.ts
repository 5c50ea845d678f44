/**
 * Handlers of facts by kind. Tens of facts occur per order and most kinds concern no handler, so handlers are looked up
 * once per kind.
 */
import type { Fact } from '../../../engine/fact.ts'
import type { JournalEntry } from '../../../engine/journal.ts'

export type FactKind = Fact['kind']

/** An operator undid or redid an edit of the agenda: items are restored or removed. */
export type AgendaUndoFact = Extract<Fact, { kind: 'agenda.undone' | 'agenda.redone' }>

/** Handlers for some kinds of facts. */
export type FactHandlers = {
  readonly [Each in FactKind]?: (fact: Extract<Fact, { kind: Each }>, entry: JournalEntry) => void
}

export type FactHandler = (fact: Fact, entry: JournalEntry) => void

/** The handler for one kind; must be called with facts of that kind only. */
export const factHandlerOf = (handlers: FactHandlers, kind: FactKind): FactHandler | undefined =>
  handlers[kind] as FactHandler | undefined
