/**
 * Measures how late Sparring itself is on the real clock: by how much a short timer is late, which is also how long a
 * request waited between its arrival and its handler, since one event loop serves both; and by how much items of the
 * agenda are. The virtual clock waits for us, so there is no lag on it; one that stands has that of the wall clock.
 */
import type { Instant } from '../../engine/instant.ts'
import { createLagRecord } from '../../rules/invariants/tracking/lag-record.ts'
import type { LagSource } from '../../rules/invariants/tracking/timing.ts'
import { wallNow } from './clock.ts'

export interface LagMonitorOptions {
  /** Session time, and how much of it one millisecond of wall time is: 0 where it stands; undefined where it waits for us. */
  readonly clock: () => { readonly at: number; readonly speed: number } | undefined
}

export interface LagMonitor extends Required<LagSource> {
  /** Starts or stops the timer, by the mode of the clock. */
  readonly start: () => void
  readonly stop: () => void
  /** An item of the agenda was taken after its time. */
  readonly itemTaken: (due: Instant) => void
}

const intervalMs = 20
/** Timers are late by this much on a machine that has nothing to do. */
const toleranceMs = 10
/** The backlog of a block of the event loop is served within this time after it, by the wall clock. */
const backlogMs = 100

export function createLagMonitor({ clock }: LagMonitorOptions): LagMonitor {
  const record = createLagRecord(() => backlogMs * (clock()?.speed || 1))
  const wallRecord = createLagRecord(() => backlogMs)
  let timer: NodeJS.Timeout | undefined
  /** Wall time at which the timer is due; what is over of its lateness is recorded and counts no more. */
  let expected = 0

  function measure(): void {
    const wall = wallNow()
    const lateMs = wall - expected
    const now = clock()
    if (timer === undefined || !now || lateMs < toleranceMs) return
    wallRecord.add({ from: expected, to: wall, ms: lateMs })
    const ms = lateMs * now.speed
    if (ms > 0) record.add({ from: now.at - ms, to: now.at, ms })
    expected = wall
  }

  function tick(): void {
    measure()
    expected = wallNow() + intervalMs
    timer = setTimeout(tick, intervalMs)
    timer.unref()
  }

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    start() {
      measure()
      stop()
      expected = Infinity
      if (clock()) tick()
    },
    stop,
    itemTaken(due) {
      const now = clock()
      if (timer === undefined || !now || now.at - due < toleranceMs * now.speed) return
      record.add({ from: due, to: now.at, ms: now.at - due })
    },
    between(from, to) {
      // The block that is just over may not have been measured: sockets are served before timers.
      measure()
      return record.between(from, to)
    },
    betweenWall(from, to) {
      measure()
      return wallRecord.between(from, to)
    },
  }
}
