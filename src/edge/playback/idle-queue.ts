/**
 * Idle queue: runs low-priority work between sends, so that a due send never waits for a comparison. Runs at least one
 * job per event loop turn, so the queue drains however busy the process is.
 */
export interface LullOptions {
  /** Whether a send is due now. */
  readonly pressing: () => boolean
  /** Milliseconds, with fractions. */
  readonly now: () => number
  /** Schedules a callback for the next event loop turn. */
  readonly nextTurn: (work: () => void) => void
}

/** Runs a job at once when idle, else queues it (FIFO) and resolves when it is done. */
export type Lull = (work: () => void) => Promise<void> | undefined

/** Maximum time between checks for due sends; sockets wait as long. */
const sliceMs = 1

export function createLull({ pressing, now, nextTurn }: LullOptions): Lull {
  let line: (() => void)[] = []
  let next = 0

  function slice(): void {
    const until = now() + sliceMs
    do line[next++]?.()
    while (next < line.length && now() < until && !pressing())
    if (next < line.length) return nextTurn(slice)
    line = []
    next = 0
  }

  return (work) => {
    if (line.length === 0 && !pressing()) {
      work()
      return undefined
    }
    const done = Promise.withResolvers<void>()
    line.push(() => {
      try {
        done.resolve(work())
      } catch (error) {
        // Errors go to the caller that waits for this job.
        done.reject(error)
      }
    })
    if (line.length === 1) nextTurn(slice)
    return done.promise
  }
}
