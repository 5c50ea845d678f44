/** The concurrency of a campaign over sockets: as asked for, or as it is found by what each session measures. */
import { availableParallelism } from 'node:os'
import { type Concurrency, concurrencyAfter } from '../batch/concurrency.ts'
import type { GroupSizes } from '../search/neighbours.ts'
import type { OpenedSession } from '../batch/session-runner.ts'
import { measureEventLoopLag } from '../../terminal/cli/event-loop-lag.ts'
import type { ServiceSession } from './explored-service.ts'

export interface ConcurrencyControl {
  /** Schedules side by side in one session. */
  readonly width: () => number
  /** Sessions at the same time. */
  readonly sessions: () => number
  /** The session, from which is learned when it ends. */
  readonly measured: (session: ServiceSession, schedules: number) => OpenedSession
}

/** What is too much for a service shows in the first session. */
const firstWidth = 96
/** Sessions for each core at first: a session waits most of its time. */
const sessionsPerCore = 2
/** All sessions share this process. */
const maxSessions = 8
/** Schedules of the widest session, where there is one at a time. */
const maxWidth = 384

/** The sizes of groups of neighbours: where sessions follow each other large ones are needed. */
export const groupSizesOf = (isSideBySide: boolean): GroupSizes => ({
  first: firstWidth,
  groupsPerSize: 1,
  max: isSideBySide ? firstWidth : maxWidth,
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
  const several: Concurrency = { ...single, maxWidth: firstWidth, sessions, maxSessions }
  let current = width === undefined ? (isSideBySide ? several : single) : { ...single, width }
  return {
    width: () => current.width,
    sessions: () => current.sessions,
    measured(session, schedules) {
      const atOpening = current
      const lag = measureEventLoopLag()
      return {
        ...session,
        async [Symbol.asyncDispose]() {
          const load = { schedules, lagMs: lag.latestMs(), answerMs: session.answerMs() }
          lag[Symbol.dispose]()
          if (width === undefined) current = concurrencyAfter(current, atOpening, load)
          await session[Symbol.asyncDispose]()
        },
      }
    },
  }
}
