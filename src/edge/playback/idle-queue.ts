/**
 * Work that nobody waits for, done in the lulls between sends: a send that is due never stands behind a comparison. Each
 * turn of the machine's loop does one piece of it at least, so that it is done in the end however busy the machine is.
 */
export interface LullOptions {
  /** Something is due now. */
  readonly pressing: () => boolean
  /** Milliseconds, with fractions. */
  readonly now: () => number
  /** Calls back in the next turn of the machine's loop. */
  readonly nextTurn: (work: () => void) => void
}

/**
 * Does it at once where nothing presses and nothing else waits; else later, in the order in which it came: resolves when
 * it is done.
 */
export type Lull = (work: () => void) => Promise<void> | undefined

/** Without a look at what is due; sockets wait as long. */
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
        // Whoever waits for it hears what went wrong.
        done.reject(error)
      }
    })
    if (line.length === 1) nextTurn(slice)
    return done.promise
  }
}
