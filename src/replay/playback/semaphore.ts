/** Semaphore: limits concurrent work; waiters are served in FIFO order. */
export interface Semaphore {
  readonly run: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Whether the next caller would have to wait. */
  readonly isFull: () => boolean
}

export function createSemaphore(maxActive: number, onWaiting: (count: number) => void): Semaphore {
  const waiters: (() => void)[] = []
  let active = 0

  async function enter(): Promise<void> {
    if (active < maxActive) {
      active++
      return
    }
    await new Promise<void>((resolve) => {
      waiters.push(resolve)
      onWaiting(waiters.length)
    })
  }

  function leave(): void {
    const next = waiters.shift()
    // Hand the permit to the next waiter.
    if (next) next()
    else active--
  }

  return {
    isFull: () => active >= maxActive,
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
