/**
 * Since when no fault is in force. A fault may delay an event or an answer long after it fired; until that has been
 * delivered, a late reaction is not the subject's fault.
 */
import type { ActiveFault } from '../../../engine/faults/fault.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { JournalEntry } from '../../../engine/journal.ts'
import type { World } from '../../../engine/world.ts'
import type { FactHandlers, AgendaUndoFact } from './fact-handlers.ts'

export interface FaultWindow {
  readonly facts: FactHandlers
  /** Extends the window to the end of a distorted exchange. */
  readonly extendTo: (at: Instant) => void
  /** Undefined while a fault is in force or holds something back. */
  readonly faultFreeSince: () => Instant | undefined
  /** A fault fired that no correct partner produces. */
  readonly hasRobustnessFault: () => boolean
}

const leftOf = ({ limit, fired }: ActiveFault): number =>
  (limit ?? Number.POSITIVE_INFINITY) - fired

export function createFaultWindow({ faults }: World, now: () => Instant): FaultWindow {
  /** Faults in force, and how often each may still fire. */
  const live = new Map<number, number>()
  for (const fault of faults.live.values()) live.set(fault.id, leftOf(fault))
  /** End of the last distortion; may lie in the future. */
  let windowEnd = now()
  /** Agenda items that a fault holds back until a condition is met. */
  const held = new Set<number>()
  let robust = false
  /** Cause of the last fault fired. */
  let lastFaultCause: number | undefined

  const extendTo = (instant: Instant): void => {
    windowEnd = Math.max(windowEnd, instant)
  }

  function recordFired(id: number): void {
    const left = live.get(id)
    if (left === undefined) return
    if (left <= 1) live.delete(id)
    else live.set(id, left - 1)
  }

  function release({ id }: { readonly id: number }, { at }: JournalEntry): void {
    if (held.size > 0 && held.delete(id)) extendTo(at)
  }

  function applyAgendaEdit({ items, removed }: AgendaUndoFact, entry: JournalEntry): void {
    for (const id of removed) release({ id }, entry)
    for (const item of items)
      if (item.wait) held.add(item.id)
      else release(item, entry)
  }

  return {
    facts: {
      'fault.added': ({ fault }, { at }) => {
        live.set(fault.id, leftOf(fault))
        extendTo(at)
      },
      'fault.removed': ({ id }, { at }) => {
        live.delete(id)
        extendTo(at)
      },
      'fault.ended': (_, { at }) => extendTo(at),
      'fault.fired': ({ id, distortion, legal }, { at, cause }) => {
        lastFaultCause = cause
        recordFired(id)
        extendTo(at + (distortion?.afterMs ?? 0))
        if (!legal) robust = true
      },
      // An item that the same cause planned as a fault may be delayed by it; the time-out of a waiting item is no delay.
      'agenda.planned': ({ item: { id, wait, due, command } }, { cause }) => {
        if (wait) held.add(id)
        else if (cause !== 0 && cause === lastFaultCause && command.kind !== 'agenda.release')
          extendTo(due)
      },
      'agenda.released': ({ id, due }) => {
        if (held.delete(id)) extendTo(due)
      },
      'agenda.taken': release,
      'agenda.dropped': release,
      'agenda.undone': applyAgendaEdit,
      'agenda.redone': applyAgendaEdit,
    },
    extendTo,
    faultFreeSince: () =>
      live.size > 0 || held.size > 0 || windowEnd > now() ? undefined : windowEnd,
    hasRobustnessFault: () => robust,
  }
}
