/**
 * Which recorded acknowledgment a live one stands for. Who polls at another pace acknowledges other events together, so
 * they are known by their events: all that counts is that each is acknowledged.
 */
import { editJson } from '../correlation/json-text.ts'
import { kindAt } from '../correlation/kinds.ts'
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type { Rung } from './match-strategy.ts'

/** The events that an acknowledgment names. */
export function acknowledgedIn({
  operation,
  request,
  eventIds,
}: Pick<Exchange, 'operation' | 'request' | 'eventIds'>): readonly string[] {
  const ids = new Set<string>()
  editJson(request.body ?? '', (frames, value) => {
    if (kindAt(frames, operation).kind === 'event') ids.add(value)
    return undefined
  })
  return ids.size > 0 ? [...ids] : (eventIds ?? [])
}

export interface Acknowledged {
  readonly rung: Rung
  readonly recorded: RecordedExchange
  /** Acknowledgments of the recording whose last event this was. */
  readonly completed: readonly RecordedExchange[]
  /** Events that nobody acknowledged in the recording. */
  readonly unknown: readonly string[]
}

export interface Acknowledgments {
  /** In the names of the recording. None for events that the recording does not know at all. */
  readonly next: (live: Exchange) => Acknowledged | undefined
  readonly unused: () => readonly string[]
  readonly left: () => number
}

interface Recorded {
  readonly recorded: RecordedExchange
  readonly open: Set<string>
}

/** `handed` says whether the recording hands an event over. */
export function createAcknowledgments(
  exchanges: readonly RecordedExchange[],
  handed: (eventId: string) => boolean,
): Acknowledgments {
  const byEvent = new Map<string, Recorded[]>()
  const all = exchanges.map((recorded): Recorded => ({
    recorded,
    open: new Set(acknowledgedIn(recorded)),
  }))
  for (const each of all)
    for (const id of each.open) {
      const others = byEvent.get(id)
      if (others) others.push(each)
      else byEvent.set(id, [each])
    }
  let left = all.filter(({ open }) => open.size > 0).length
  const usual = all.find(({ recorded: { reply } }) => reply && reply.status < 300)

  return {
    next(live) {
      const ids = acknowledgedIn(live)
      const unknown = ids.filter((id) => !byEvent.has(id))
      if (ids.length > 0 && unknown.length === ids.length && !ids.some(handed)) return undefined
      const votes = new Map<Recorded, number>()
      const completed: RecordedExchange[] = []
      let fresh = false
      for (const id of ids) {
        const places = byEvent.get(id)
        const place = places?.find(({ open }) => open.has(id))
        const one = place ?? places?.at(-1)
        if (one) votes.set(one, (votes.get(one) ?? 0) + (place ? 2 : 1))
        if (!place) continue
        fresh = true
        place.open.delete(id)
        if (place.open.size > 0) continue
        completed.push(place.recorded)
        left--
      }
      const [best] = [...votes].toSorted(([, a], [, b]) => b - a)
      const chosen = best?.[0] ?? usual
      if (!chosen) return undefined
      const rung = unknown.length > 0 ? 'body' : fresh ? 'exact' : 'repeat'
      return { rung, recorded: chosen.recorded, completed, unknown }
    },
    unused: () => all.flatMap(({ open, recorded }) => (open.size > 0 ? [recorded.recordId] : [])),
    left: () => left,
  }
}
