/** The reference subject's only source of time and randomness: the machine's clock, or a test's virtual one. */

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves after `ms` milliseconds, or as soon as `enough` is aborted. */
  readonly sleep: (ms: number, enough?: AbortSignal) => Promise<void>
  /** A random number in [0, 1), for jitter and ids. */
  readonly random: () => number
}

/**
 * The longest delay that setTimeout accepts, in ms; longer sleeps return early and the caller checks the clock again.
 */
const longestMs = 2 ** 31 - 1

export const machineClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, enough) =>
    new Promise((resolve) => {
      if (enough?.aborted) return resolve()
      const timer = setTimeout(wake, Math.min(Math.max(ms, 0), longestMs))
      // A sleeping timer must not keep the process alive; the listening socket does that.
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

/** The same clock, running `speed` times as fast. */
export const scaledClock = (clock: Clock, speed: number): Clock => {
  const origin = clock.now()
  return {
    ...clock,
    now: () => Math.round(origin + (clock.now() - origin) * speed),
    sleep: (ms, enough) => clock.sleep(ms / speed, enough),
  }
}

/** The result of `work`, or `late` when it takes longer than `ms` or `enough` is aborted first. */
export async function withTimeout<Value>(
  work: Promise<Value>,
  ms: number,
  clock: Clock,
  enough?: AbortSignal,
): Promise<Value | 'late'> {
  const done = new AbortController()
  // Without a reason an exception with its stack would be created for each call.
  const end = (): void => done.abort('over')
  if (enough?.aborted) end()
  enough?.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work, clock.sleep(ms, done.signal).then((): 'late' => 'late')])
  } finally {
    enough?.removeEventListener('abort', end)
    end()
  }
}
