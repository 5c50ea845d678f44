/**
 * Matches live acknowledgments with recorded ones by their event ids: a subject that polls at another pace groups
 * events differently, and only that each event is acknowledged counts.
 */
import { editJson } from '../../core/traffic/entities/edit-json.ts'
import { meaningAt } from '../../core/traffic/entities/field-meaning.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { MatchStrategy } from '../../core/traffic/recording/match-strategy.ts'
import { appendTo } from '../../core/traffic/append-to.ts'

/** The event ids in an acknowledgment. */
export function extractAcknowledgedIds({
  operation,
  request,
  eventIds,
}: Pick<Exchange, 'operation' | 'request' | 'eventIds'>): readonly string[] {
  const ids = new Set<string>()
  editJson(request.body ?? '', (frames, value) => {
    if (meaningAt(frames, operation).kind === 'event') ids.add(value)
    return undefined
  })
  return ids.size > 0 ? [...ids] : (eventIds ?? [])
}

export interface MatchedAcknowledgment {
  readonly strategy: MatchStrategy
  readonly recorded: RecordedExchange
  /** Recorded acknowledgments that are now complete. */
  readonly completed: readonly RecordedExchange[]
  /** Events without an acknowledgment in the recording. */
  readonly unknown: readonly string[]
}

export interface AcknowledgmentMatcher {
  /** `live` with recorded identifiers. Undefined for events that are not in the recording. */
  readonly next: (live: Exchange) => MatchedAcknowledgment | undefined
  readonly unused: () => readonly string[]
  readonly unusedCount: () => number
}

interface PendingAcknowledgment {
  readonly recorded: RecordedExchange
  readonly open: Set<string>
}

/** `handed` says whether the recording hands over an event. */
export function createAcknowledgmentMatcher(
  exchanges: readonly RecordedExchange[],
  handed: (eventId: string) => boolean,
): AcknowledgmentMatcher {
  const byEvent = new Map<string, PendingAcknowledgment[]>()
  const all = exchanges.map((recorded): PendingAcknowledgment => ({
    recorded,
    open: new Set(extractAcknowledgedIds(recorded)),
  }))
  for (const each of all) for (const id of each.open) appendTo(byEvent, id, each)
  let unusedCount = all.filter(({ open }) => open.size > 0).length
  const defaultAcknowledgment = all.find(({ recorded: { reply } }) => reply && reply.status < 300)

  return {
    next(live) {
      const ids = extractAcknowledgedIds(live)
      const unknown = ids.filter((id) => !byEvent.has(id))
      if (ids.length > 0 && unknown.length === ids.length && !ids.some(handed)) return undefined
      const votes = new Map<PendingAcknowledgment, number>()
      const completed: RecordedExchange[] = []
      let fresh = false
      for (const id of ids) {
        const candidates = byEvent.get(id)
        const pending = candidates?.find(({ open }) => open.has(id))
        const voted = pending ?? candidates?.at(-1)
        if (voted) votes.set(voted, (votes.get(voted) ?? 0) + (pending ? 2 : 1))
        if (!pending) continue
        fresh = true
        pending.open.delete(id)
        if (pending.open.size > 0) continue
        completed.push(pending.recorded)
        unusedCount--
      }
      const [best] = [...votes].toSorted(([, a], [, b]) => b - a)
      const chosen = best?.[0] ?? defaultAcknowledgment
      if (!chosen) return undefined
      const strategy = unknown.length > 0 ? 'body' : fresh ? 'exact' : 'repeat'
      return { strategy, recorded: chosen.recorded, completed, unknown }
    },
    unused: () => all.flatMap(({ open, recorded }) => (open.size > 0 ? [recorded.recordId] : [])),
    unusedCount: () => unusedCount,
  }
}
