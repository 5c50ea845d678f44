/**
 * Since when nothing has been distorted any more. A fault may hold back an event or an answer long after it fired: until
 * that has gone on its way nobody may be blamed for being late, because the delay is ours.
 */
import type { ActiveFault } from '../../engine/faults/fault.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Entry } from '../../engine/journal.ts'
import type { World } from '../../engine/world.ts'
import type { Keeps, Undone } from './fact-handlers.ts'

export interface Weather {
  readonly facts: Keeps
  /** A distorted exchange came to its end. */
  readonly settled: (at: Instant) => void
  /** Undefined while something is distorted or held back. */
  readonly calmSince: () => Instant | undefined
  /** A fault has fired that no correct partner makes. */
  readonly robustness: () => boolean
}

const leftOf = ({ limit, fired }: ActiveFault): number =>
  (limit ?? Number.POSITIVE_INFINITY) - fired

export function createWeather({ faults }: World, now: () => Instant): Weather {
  /** Faults in force, and how often each of them may still fire. */
  const live = new Map<number, number>()
  for (const fault of faults.live.values()) live.set(fault.id, leftOf(fault))
  /** When the last distortion was, or will be, over. */
  let last = now()
  /** Items that a fault holds back until something else has happened. */
  const held = new Set<number>()
  let robust = false

  const until = (instant: Instant): void => {
    last = Math.max(last, instant)
  }

  function fire(id: number): void {
    const left = live.get(id)
    if (left === undefined) return
    if (left <= 1) live.delete(id)
    else live.set(id, left - 1)
  }

  function letGo({ id }: { readonly id: number }, { at }: Entry): void {
    if (held.size > 0 && held.delete(id)) until(at)
  }

  function turn({ items, removed }: Undone, entry: Entry): void {
    for (const id of removed) letGo({ id }, entry)
    for (const item of items)
      if (item.wait) held.add(item.id)
      else letGo(item, entry)
  }

  return {
    facts: {
      'fault.added': ({ fault }, { at }) => {
        live.set(fault.id, leftOf(fault))
        until(at)
      },
      'fault.removed': ({ id }, { at }) => {
        live.delete(id)
        until(at)
      },
      'fault.ended': (_, { at }) => until(at),
      'fault.fired': ({ id, distortion, legal }, { at }) => {
        fire(id)
        until(at + (distortion?.afterMs ?? 0))
        if (!legal) robust = true
      },
      // Whatever else is planned is none of the weather's business (screen.ts).
      'agenda.planned': ({ item: { id, wait, due } }) => {
        if (wait) held.add(id)
        else until(due)
      },
      'agenda.released': ({ id, due }) => {
        if (held.delete(id)) until(due)
      },
      'agenda.taken': letGo,
      'agenda.dropped': letGo,
      'agenda.undone': turn,
      'agenda.redone': turn,
    },
    settled: until,
    calmSince: () => (live.size > 0 || held.size > 0 || last > now() ? undefined : last),
    robustness: () => robust,
  }
}
