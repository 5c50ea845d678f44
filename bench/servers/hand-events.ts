/** The events that a hand-written service has made: kept, the oldest forgotten, and sent by nobody. */

const mostEvents = 50_000

export interface EventList {
  /** Gives the event its id and keeps it. */
  readonly add: (event: Readonly<Record<string, unknown>>) => void
}

export function createEventList(): EventList {
  const events: unknown[] = []
  return {
    add(event) {
      events.push(event)
      // Now and then, and not each time: to make room at the front moves all the others.
      if (events.length > mostEvents * 1.25) events.splice(0, events.length - mostEvents)
    },
  }
}
