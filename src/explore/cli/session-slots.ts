/** Slots for sessions that are open at the same time: who finds none free waits, first come, first served. */
export interface SessionSlots {
  /** Resolves when a slot is free; disposing of it frees it again. */
  readonly take: () => Promise<Disposable>
}

export function createSessionSlots(max: () => number): SessionSlots {
  const waiting: (() => void)[] = []
  let taken = 0

  function admit(): void {
    while (taken < Math.max(1, max())) {
      const next = waiting.shift()
      if (!next) return
      taken++
      next()
    }
  }

  return {
    async take() {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        admit()
      })
      return {
        [Symbol.dispose]() {
          taken--
          admit()
        },
      }
    },
  }
}
