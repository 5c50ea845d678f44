/**
 * Work that needs the ports of a campaign waits for the gap between two of its batches, and the campaign waits for it.
 */
export interface BatchGap {
  /** Does the work where no session of the campaign is open. */
  readonly use: (work: () => Promise<void>) => Promise<void>
  /** Called in each gap: resolves when what waited for it is done. */
  readonly pass: () => Promise<void>
  /** No session of the campaign is opened any more. */
  readonly end: () => void
  /** How long the campaign has waited, in ms. */
  readonly waitedMs: () => number
}

export function createBatchGap(): BatchGap {
  const waiting = new Set<() => Promise<void>>()
  let isOver = false
  let waitedMs = 0

  async function begin(): Promise<void> {
    const all = [...waiting]
    waiting.clear()
    await Promise.all(all.map((each) => each()))
  }

  return {
    use(work) {
      if (isOver) return work()
      return new Promise((resolve, reject) => {
        waiting.add(() => work().then(resolve, reject))
      })
    },
    async pass() {
      if (waiting.size === 0) return
      const began = performance.now()
      await begin()
      waitedMs += performance.now() - began
    },
    end() {
      isOver = true
      void begin()
    },
    waitedMs: () => waitedMs,
  }
}
