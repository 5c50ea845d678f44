/** Time and chance for the reference subject: the machine's, or a test's. Nothing else here sleeps or knows the hour. */

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves when the time is over, or as soon as `enough` is aborted. */
  readonly sleep: (ms: number, enough?: AbortSignal) => Promise<void>
  /** From 0, below 1: for jitter and for names. */
  readonly random: () => number
}

/** A timer of the machine takes no more; whoever sleeps longer looks at the clock again. */
const longestMs = 2 ** 31 - 1

export const machineClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, enough) =>
    new Promise((resolve) => {
      if (enough?.aborted) return resolve()
      const timer = setTimeout(wake, Math.min(Math.max(ms, 0), longestMs))
      // What is asleep keeps no process alive: the socket that it listens on does.
      timer.unref()
      function wake(): void {
        clearTimeout(timer)
        enough?.removeEventListener('abort', wake)
        resolve()
      }
      enough?.addEventListener('abort', wake, { once: true })
    }),
  random: () => Math.random(),
}

/** The same clock at another speed: so many milliseconds pass in one. */
export const faster = (clock: Clock, speed: number): Clock => {
  const origin = clock.now()
  return {
    ...clock,
    now: () => Math.round(origin + (clock.now() - origin) * speed),
    sleep: (ms, enough) => clock.sleep(ms / speed, enough),
  }
}

/** What something comes to within a time; `late` when it does not, or when nobody waits any longer. */
export async function within<Value>(
  work: Promise<Value>,
  ms: number,
  clock: Clock,
  enough?: AbortSignal,
): Promise<Value | 'late'> {
  const done = new AbortController()
  const end = (): void => done.abort()
  if (enough?.aborted) end()
  enough?.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work, clock.sleep(ms, done.signal).then((): 'late' => 'late')])
  } finally {
    enough?.removeEventListener('abort', end)
    end()
  }
}
