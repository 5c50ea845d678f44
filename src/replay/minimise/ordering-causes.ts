/**
 * Determines which exchanges must end before another may be sent again: its causes, and earlier exchanges about the
 * same entity. Reordering calls about one order would be another scenario.
 */
import { inferCauses } from '../identity/causality/causes.ts'
import { minCertainty } from '../identity/causality/closure.ts'
import { isAcknowledgmentCall, isPollCall } from '../../core/traffic/polling.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { endOf } from '../../core/traffic/exchange.ts'

/** The recording with only those causes that a replay must respect. */
export function withOrderingCauses(content: RecordingContent): RecordingContent {
  const { exchanges } = content
  const causes = inferCauses(exchanges)
  const ends = new Map(exchanges.map((each) => [each.recordId, endOf(each)]))
  /** By caller and host roles: the last poll or acknowledgment, which decides what a poll returns. */
  const lastReads = new Map<string, RecordedExchange>()

  const wasOver = (id: string, { startedAt }: RecordedExchange): boolean =>
    (ends.get(id) ?? Number.NEGATIVE_INFINITY) <= startedAt

  function previousRead(each: RecordedExchange): readonly Cause[] {
    if (!isPollCall(each) && !isAcknowledgmentCall(each)) return []
    const key = `${each.from.role}>${each.to.role}`
    const last = lastReads.get(key)
    lastReads.set(key, each)
    return last && wasOver(last.recordId, each)
      ? [{ id: last.recordId, kind: 'order', sure: 1 }]
      : []
  }

  return {
    ...content,
    exchanges: exchanges.map((each) => {
      const kept = (causes.get(each.recordId) ?? []).filter(
        ({ id, kind, sure }) => sure >= minCertainty || (kind === 'order' && wasOver(id, each)),
      )
      const all = [...kept, ...previousRead(each)]
      const { causes: _causes, ...rest } = each
      return all.length > 0 ? { ...rest, causes: all } : rest
    }),
  }
}
