/**
 * What the exchanges of a playback come of, while it goes through the recording. What comes of something that is not
 * played comes of whatever that came of. Bounded: a cause that has left is long over.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Pacer } from '../../engine/playback/pace.ts'
import type { PlaybackRow } from '../../engine/playback/row.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'

const mostKept = 100_000
/** Causes of one exchange at most; of more than that the latest count. */
const mostCauses = 16

interface Known {
  readonly label: string
  /** When it was over in the recording. */
  readonly ended: number
  /** When it was over now. */
  readonly done?: Instant
  readonly failed?: true
}

export interface Origins {
  /** What a row has to wait for. */
  readonly of: (recorded: RecordedExchange) => Pick<PlaybackRow, 'causes' | 'notBefore' | 'blocked'>
  /** It is played, under this label. */
  readonly played: (recorded: RecordedExchange, label: string) => void
  /** It is not played: whatever came of it comes of what it came of. */
  readonly passed: (recorded: RecordedExchange) => void
  readonly concluded: (recordId: string, at: Instant, failed: boolean) => void
}

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

export function createOrigins(pacer: Pacer): Origins {
  const known = new Map<string, Known>()
  /** The played ones behind those that are not. */
  const behind = new Map<string, readonly string[]>()

  const roots = ({ causes = [] }: RecordedExchange): readonly string[] => {
    const all = causes.flatMap(({ id }) => (known.has(id) ? [id] : (behind.get(id) ?? [])))
    return [...new Set(all)].slice(-mostCauses)
  }

  return {
    of(recorded) {
      let notBefore: Instant | undefined
      const open: { recordId: string; thinkMs: number }[] = []
      for (const recordId of roots(recorded)) {
        const cause = known.get(recordId)
        if (!cause) continue
        if (cause.failed)
          return {
            causes: [],
            blocked: `it comes of ${cause.label}, which could not be played`,
          }
        const thinkMs = pacer.think(recorded.startedAt - cause.ended)
        if (cause.done === undefined) open.push({ recordId, thinkMs })
        else notBefore = Math.max(notBefore ?? 0, cause.done + thinkMs)
      }
      return { causes: open, ...(notBefore === undefined ? {} : { notBefore }) }
    },
    played(recorded, label) {
      setBounded(known, recorded.recordId, { label, ended: endOf(recorded) }, mostKept)
    },
    passed(recorded) {
      const all = roots(recorded)
      if (all.length > 0) setBounded(behind, recorded.recordId, all, mostKept)
    },
    concluded(recordId, at, failed) {
      const cause = known.get(recordId)
      if (cause) known.set(recordId, { ...cause, done: at, ...(failed ? { failed } : {}) })
    },
  }
}
