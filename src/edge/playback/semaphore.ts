/** Semaphore: limits concurrent work; waiters are served in FIFO order. */
export interface Gate {
  readonly pass: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Whether the next caller would have to wait. */
  readonly isFull: () => boolean
}

export function createGate(atOnce: number, onWaiting: (count: number) => void): Gate {
  const line: (() => void)[] = []
  let under = 0

  async function enter(): Promise<void> {
    if (under < atOnce) {
      under++
      return
    }
    await new Promise<void>((resolve) => {
      line.push(resolve)
      onWaiting(line.length)
    })
  }

  function leave(): void {
    const next = line.shift()
    // Hand the permit to the next waiter.
    if (next) next()
    else under--
  }

  return {
    isFull: () => under >= atOnce,
    async pass(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
