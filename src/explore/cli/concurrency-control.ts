/** The concurrency of a campaign over sockets: as asked for, or as it is found by what each session measures. */
import { availableParallelism } from 'node:os'
import { type BatchLoad, type Concurrency, concurrencyAfter } from '../batch/concurrency.ts'
import type { BatchResult } from '../schedules/result.ts'
import type { GroupSizes } from '../search/neighbours.ts'
import { measureEventLoopLag } from '../../terminal/cli/event-loop-lag.ts'
import type { ServiceSession } from './explored-service.ts'

export interface ConcurrencyControl {
  /** Schedules side by side in one session. */
  readonly width: () => number
  /** Sessions at the same time. */
  readonly sessions: () => number
  /** Sessions beyond these in which single schedules are played again; none where one follows the other. */
  readonly further: number
  /** Begins to measure a session; it is learned from when its verdicts are known. */
  readonly measure: (session: ServiceSession) => SessionMeasure
}

export interface SessionMeasure {
  /** The session is over: what it has measured. */
  readonly end: () => Promise<void>
  /** Share of it for which the service waited for a processor; 0 where that is unknown. */
  readonly starved: () => number
  readonly learn: (batch: Pick<BatchResult, 'results'>) => void
}

/** What every machine carries: it grows from there. */
const firstWidth = 24
/** Schedules of the largest sessions that run at the same time. */
const maxWidthOfSeveral = 96
/** Sessions for each core at first: a session waits most of its time. */
const sessionsPerCore = 2
/** Small groups: what is played at the same time at first differs in what it shares. */
const groupsOfFirstSize = 8
/** All sessions share this process. */
const maxSessions = 8
/** What was found is played again three times. */
const furtherSessions = 3
/** Schedules of the widest session, where there is one at a time. */
const maxWidth = 384

/** The sizes of groups of neighbours: where sessions follow each other large ones are needed. */
export const groupSizesOf = (isSideBySide: boolean): GroupSizes => ({
  first: isSideBySide ? firstWidth : maxWidthOfSeveral,
  groupsPerSize: isSideBySide ? groupsOfFirstSize : 1,
  max: isSideBySide ? maxWidthOfSeveral : maxWidth,
})

export interface ConcurrencyControlOptions {
  /** Whether sessions can be open at the same time. */
  readonly isSideBySide: boolean
  /** `--concurrency`: so many schedules at the same time, in one session. */
  readonly width?: number | undefined
}

export function createConcurrencyControl({
  isSideBySide,
  width,
}: ConcurrencyControlOptions): ConcurrencyControl {
  const single: Concurrency = { width: firstWidth, maxWidth, sessions: 1, maxSessions: 1 }
  const sessions = Math.min(maxSessions, sessionsPerCore * availableParallelism())
  const several: Concurrency = { ...single, maxWidth: maxWidthOfSeveral, sessions, maxSessions }
  let current = width === undefined ? (isSideBySide ? several : single) : { ...single, width }
  return {
    width: () => current.width,
    sessions: () => current.sessions,
    further: isSideBySide && width === undefined ? furtherSessions : 0,
    measure(session) {
      const atOpening = current
      const lag = measureEventLoopLag()
      let load: Omit<BatchLoad, 'schedules'> | undefined
      return {
        async end() {
          const { answerMs, starved } = session
          load = { lagMs: lag.latestMs(), answerMs: answerMs(), starved: await starved() }
          lag[Symbol.dispose]()
        },
        starved: () => load?.starved ?? 0,
        learn({ results }) {
          if (!load || width !== undefined) return
          const { length: inconclusive } = results.filter((each) => each.inconclusive.length > 0)
          const measured = { ...load, schedules: results.length, inconclusive }
          current = concurrencyAfter(current, atOpening, measured)
        },
      }
    },
  }
}
