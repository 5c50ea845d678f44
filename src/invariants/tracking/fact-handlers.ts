/**
 * Handlers of facts by kind. Tens of facts occur per order and most kinds concern no handler, so handlers are looked up
 * once per kind.
 */
import type { Fact } from '../../engine/fact.ts'
import type { Entry } from '../../engine/journal.ts'

export type Kind = Fact['kind']

/** An operator undid or redid an edit of the agenda: items are restored or removed. */
export type Undone = Extract<Fact, { kind: 'agenda.undone' | 'agenda.redone' }>

/** Handlers for some kinds of facts. */
export type Keeps = {
  readonly [Each in Kind]?: (fact: Extract<Fact, { kind: Each }>, entry: Entry) => void
}

export type Keep = (fact: Fact, entry: Entry) => void

/** The handler for one kind; must be called with facts of that kind only. */
export const keepOf = (keeps: Keeps, kind: Kind): Keep | undefined =>
  keeps[kind] as Keep | undefined
