/**
 * What of a recording must be over before something else of it may be sent again: what it came of, as far as that is
 * known, and what was over before it and is about the same. Two calls about one order in another order are another story.
 */
import { causesOf } from '../causality/causes.ts'
import { leastSure } from '../causality/closure.ts'
import { isAcknowledgment, isPoll } from '../polling.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import type { RecordingContent } from '../recording/content.ts'

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

/** The same recording, with those causes alone that are to be kept to. */
export function inOrder(content: RecordingContent): RecordingContent {
  const { exchanges } = content
  const causes = causesOf(exchanges)
  const ends = new Map(exchanges.map((each) => [each.recordId, endOf(each)]))
  /** The last poll or acknowledgment of each role: what a poll brings depends on them. */
  const reads = new Map<string, RecordedExchange>()

  const wasOver = (id: string, { startedAt }: RecordedExchange): boolean =>
    (ends.get(id) ?? Number.NEGATIVE_INFINITY) <= startedAt

  function before(each: RecordedExchange): readonly Cause[] {
    if (!isPoll(each) && !isAcknowledgment(each)) return []
    const key = `${each.from.role}>${each.to.role}`
    const last = reads.get(key)
    reads.set(key, each)
    return last && wasOver(last.recordId, each)
      ? [{ id: last.recordId, kind: 'order', sure: 1 }]
      : []
  }

  return {
    ...content,
    exchanges: exchanges.map((each) => {
      const kept = (causes.get(each.recordId) ?? []).filter(
        ({ id, kind, sure }) => sure >= leastSure || (kind === 'order' && wasOver(id, each)),
      )
      const all = [...kept, ...before(each)]
      const { causes: _causes, ...rest } = each
      return all.length > 0 ? { ...rest, causes: all } : rest
    }),
  }
}
