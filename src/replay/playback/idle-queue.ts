/**
 * Idle queue: runs low-priority work between sends, so that a due send never waits for a comparison. Runs at least one
 * job per event loop turn, so the queue drains however busy the process is.
 */
export interface IdleQueueOptions {
  /** Whether a send is due now. */
  readonly isBusy: () => boolean
  /** Milliseconds, with fractions. */
  readonly now: () => number
  /** Schedules a callback for the next event loop turn. */
  readonly nextTurn: (work: () => void) => void
}

/** Runs a job at once when idle, else queues it (FIFO) and resolves when it is done. */
export type IdleQueue = (work: () => void) => Promise<void> | undefined

/** Maximum time between checks for due sends; sockets wait as long. */
const sliceMs = 1

export function createIdleQueue({ isBusy, now, nextTurn }: IdleQueueOptions): IdleQueue {
  let queue: (() => void)[] = []
  let next = 0

  function slice(): void {
    const until = now() + sliceMs
    do queue[next++]?.()
    while (next < queue.length && now() < until && !isBusy())
    if (next < queue.length) return nextTurn(slice)
    queue = []
    next = 0
  }

  return (work) => {
    if (queue.length === 0 && !isBusy()) {
      work()
      return undefined
    }
    const done = Promise.withResolvers<void>()
    queue.push(() => {
      try {
        done.resolve(work())
      } catch (error) {
        // Errors go to the caller that waits for this job.
        done.reject(error)
      }
    })
    if (queue.length === 1) nextTurn(slice)
    return done.promise
  }
}
