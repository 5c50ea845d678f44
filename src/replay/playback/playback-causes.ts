/**
 * Tracks causes of recorded exchanges during a playback. An exchange caused by a skipped one inherits the causes of
 * that one. Bounded: evicted causes are long concluded.
 */
import { compact } from '../../core/base/compact.ts'
import { setBounded } from '../../core/engine/bounded.ts'
import type { Instant } from '../../core/engine/instant.ts'
import type { PlaybackPacer } from '../../core/engine/playback/pace.ts'
import type { PlaybackLoadRow } from '../../core/engine/playback/row.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'

const maxKnown = 100_000
/** Maximum number of causes per exchange; the latest are kept. */
const maxCauses = 16

interface Known {
  readonly label: string
  /** When it ended in the recording. */
  readonly ended: number
  /** When it ended in this playback. */
  readonly done?: Instant
  readonly failed?: true
}

export interface PlaybackCauses {
  /** What a row must wait for. */
  readonly causesOf: (
    recorded: RecordedExchange,
  ) => Pick<PlaybackLoadRow, 'causes' | 'notBefore' | 'blocked'>
  /** Registers a played exchange with its label. */
  readonly addPlayed: (recorded: RecordedExchange, label: string) => void
  /** Registers a skipped exchange: its effects inherit its causes. */
  readonly addSkipped: (recorded: RecordedExchange) => void
  readonly conclude: (recordId: string, at: Instant, failed: boolean) => void
}

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

export function createPlaybackCauses(pacer: PlaybackPacer): PlaybackCauses {
  const known = new Map<string, Known>()
  /** Played causes of skipped exchanges. */
  const inherited = new Map<string, readonly string[]>()

  const playedCauses = ({ causes = [] }: RecordedExchange): readonly string[] => {
    const all = causes.flatMap(({ id }) => (known.has(id) ? [id] : (inherited.get(id) ?? [])))
    return [...new Set(all)].slice(-maxCauses)
  }

  return {
    causesOf(recorded) {
      let notBefore: Instant | undefined
      const open: { recordId: string; thinkMs: number }[] = []
      for (const recordId of playedCauses(recorded)) {
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
      return { causes: open, ...compact({ notBefore }) }
    },
    addPlayed(recorded, label) {
      setBounded(known, recorded.recordId, { label, ended: endOf(recorded) }, maxKnown)
    },
    addSkipped(recorded) {
      const all = playedCauses(recorded)
      if (all.length > 0) setBounded(inherited, recorded.recordId, all, maxKnown)
    },
    conclude(recordId, at, failed) {
      const cause = known.get(recordId)
      if (cause) known.set(recordId, { ...cause, done: at, ...(failed ? { failed } : {}) })
    },
  }
}
