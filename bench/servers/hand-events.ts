/** Bounded list of the events that a hand-written service has created: the oldest are dropped, and none is sent. */

const maxEvents = 50_000

export interface BoundedEventList {
  /** Stores the event. */
  readonly add: (event: Readonly<Record<string, unknown>>) => void
}

export function createBoundedEventList(): BoundedEventList {
  const events: unknown[] = []
  return {
    add(event) {
      events.push(event)
      // Trimmed in batches: removing from the front moves all other elements.
      if (events.length > maxEvents * 1.25) events.splice(0, events.length - maxEvents)
    },
  }
}
