/**
 * Tracks causes of recorded exchanges during a playback. An exchange caused by a skipped one inherits the causes of
 * that one. Bounded: evicted causes are long concluded.
 */
import { compact } from '../../compact.ts'
import { setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Pacer } from '../../engine/playback/pace.ts'
import type { PlaybackRow } from '../../engine/playback/row.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'

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

export interface Origins {
  /** What a row must wait for. */
  readonly of: (recorded: RecordedExchange) => Pick<PlaybackRow, 'causes' | 'notBefore' | 'blocked'>
  /** Registers a played exchange with its label. */
  readonly played: (recorded: RecordedExchange, label: string) => void
  /** Registers a skipped exchange: its effects inherit its causes. */
  readonly passed: (recorded: RecordedExchange) => void
  readonly concluded: (recordId: string, at: Instant, failed: boolean) => void
}

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

export function createOrigins(pacer: Pacer): Origins {
  const known = new Map<string, Known>()
  /** Played causes of skipped exchanges. */
  const inherited = new Map<string, readonly string[]>()

  const playedCauses = ({ causes = [] }: RecordedExchange): readonly string[] => {
    const all = causes.flatMap(({ id }) => (known.has(id) ? [id] : (inherited.get(id) ?? [])))
    return [...new Set(all)].slice(-maxCauses)
  }

  return {
    of(recorded) {
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
    played(recorded, label) {
      setBounded(known, recorded.recordId, { label, ended: endOf(recorded) }, maxKnown)
    },
    passed(recorded) {
      const all = playedCauses(recorded)
      if (all.length > 0) setBounded(inherited, recorded.recordId, all, maxKnown)
    },
    concluded(recordId, at, failed) {
      const cause = known.get(recordId)
      if (cause) known.set(recordId, { ...cause, done: at, ...(failed ? { failed } : {}) })
    },
  }
}
