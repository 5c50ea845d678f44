/**
 * Follows trace contexts through a world: from the request that a fact came from to the agenda items, events and calls
 * that follow from it. It watches facts from outside, so a world is the same with and without it.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { JournalEntry } from '../../engine/journal.ts'
import type { TraceContext } from './trace-context.ts'

export interface Causality {
  /** Notes where a fact came from. */
  readonly fact: (entry: JournalEntry) => void
  /** Does work whose facts follow from this context; from none when it is undefined. */
  readonly during: <Value>(context: TraceContext | undefined, work: () => Value) => Value
  /** What a call follows from: for a webhook what its event follows from. */
  readonly ofCall: (
    callId: number | undefined,
    eventId: string | undefined,
  ) => TraceContext | undefined
  readonly ofEvent: (eventId: string) => TraceContext | undefined
}

/** Maximum number of contexts of each kind: as many facts as the journal keeps, and events and items that may wait long. */
const maxFacts = 20_000
const maxOthers = 50_000

export function createCausality(): Causality {
  const byFact = new Map<number, TraceContext>()
  const byItem = new Map<number, TraceContext>()
  const byCall = new Map<number, TraceContext>()
  const byEvent = new Map<string, TraceContext>()
  let current: TraceContext | undefined

  function put<Key>(map: Map<Key, TraceContext>, key: Key, context: TraceContext | undefined) {
    if (context) setBounded(map, key, context, maxOthers)
  }

  /** The context of a fact, where it is noted under anything but its number. */
  function contextOf({ fact, cause }: JournalEntry): TraceContext | undefined {
    const from = cause > 0 ? byFact.get(cause) : current
    switch (fact.kind) {
      case 'agenda.planned': {
        const { id, background, copyOf } = fact.item
        // An endless loop, such as polling, follows from nothing: else it were one endless trace.
        if (!background) put(byItem, id, copyOf === undefined ? from : byItem.get(copyOf))
        return from
      }
      case 'agenda.taken': {
        const planned = byItem.get(fact.id)
        byItem.delete(fact.id)
        return planned
      }
      case 'agenda.dropped':
        byItem.delete(fact.id)
        return from
      case 'call.placed':
        put(byCall, fact.call.id, from)
        return from
      case 'call.concluded':
        byCall.delete(fact.call.id)
        return from
      case 'event.emitted':
      case 'event.announced':
        put(byEvent, fact.event.eventId, from)
        return from
      default:
        return from
    }
  }

  return {
    fact(entry) {
      const context = contextOf(entry)
      if (context) setBounded(byFact, entry.seq, context, maxFacts)
    },
    during(context, work) {
      const before = current
      current = context
      try {
        return work()
      } finally {
        current = before
      }
    },
    ofCall: (callId, eventId) =>
      (eventId === undefined ? undefined : byEvent.get(eventId)) ??
      (callId === undefined ? undefined : byCall.get(callId)),
    ofEvent: (eventId) => byEvent.get(eventId),
  }
}
