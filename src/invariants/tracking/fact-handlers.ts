/**
 * What is kept of facts, by their kind. A session writes tens of facts for each order, and most kinds are nobody's
 * concern: who is concerned is found out once for each kind, and not asked again for each fact.
 */
import type { Fact } from '../../engine/fact.ts'
import type { Entry } from '../../engine/journal.ts'

export type Kind = Fact['kind']

/** Hands undid an edit of the agenda, or did it again: items are as they were, or gone. */
export type Undone = Extract<Fact, { kind: 'agenda.undone' | 'agenda.redone' }>

/** What is done with facts of these kinds, and with no others. */
export type Keeps = {
  readonly [Each in Kind]?: (fact: Extract<Fact, { kind: Each }>, entry: Entry) => void
}

export type Keep = (fact: Fact, entry: Entry) => void

/** What is done with facts of one kind; it is to be given no others. */
export const keepOf = (keeps: Keeps, kind: Kind): Keep | undefined =>
  keeps[kind] as Keep | undefined
