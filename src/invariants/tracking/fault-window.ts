/**
 * Since when no fault is in force. A fault may delay an event or an answer long after it fired; until that has been
 * delivered, a late reaction is not the subject's fault.
 */
import type { ActiveFault } from '../../engine/faults/fault.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Entry } from '../../engine/journal.ts'
import type { World } from '../../engine/world.ts'
import type { Keeps, Undone } from './fact-handlers.ts'

export interface Weather {
  readonly facts: Keeps
  /** Extends the window to the end of a distorted exchange. */
  readonly settled: (at: Instant) => void
  /** Undefined while a fault is in force or holds something back. */
  readonly calmSince: () => Instant | undefined
  /** A fault fired that no correct partner produces. */
  readonly robustness: () => boolean
}

const leftOf = ({ limit, fired }: ActiveFault): number =>
  (limit ?? Number.POSITIVE_INFINITY) - fired

export function createWeather({ faults }: World, now: () => Instant): Weather {
  /** Faults in force, and how often each may still fire. */
  const live = new Map<number, number>()
  for (const fault of faults.live.values()) live.set(fault.id, leftOf(fault))
  /** End of the last distortion; may lie in the future. */
  let last = now()
  /** Agenda items that a fault holds back until a condition is met. */
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
      // Other planned items are filtered out (fact-filter.ts).
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
