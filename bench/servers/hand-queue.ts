/** What the hand-written server will do later: a heap by due time and one timer for its head. */

export interface Due {
  readonly at: number
  readonly run: () => void
}

export interface DueQueue {
  readonly push: (due: Due) => void
  readonly nextAt: () => number | undefined
}

export function createDueQueue(): DueQueue {
  const heap: Due[] = []
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY

  function swap(a: number, b: number): void {
    const kept = heap[a]
    const other = heap[b]
    if (!kept || !other) return
    heap[a] = other
    heap[b] = kept
  }

  function take(): Due | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    heap[0] = last
    for (let index = 0; ;) {
      const left = 2 * index + 1
      const least = at(left + 1) < at(left) ? left + 1 : left
      if (at(index) <= at(least)) return first
      swap(index, least)
      index = least
    }
  }

  function wake(): void {
    if (heap.length === 0 || at(0) >= timerAt) return
    clearTimeout(timer)
    timerAt = at(0)
    timer = setTimeout(drain, Math.max(0, timerAt - Date.now()))
  }

  function drain(): void {
    timerAt = Number.POSITIVE_INFINITY
    const now = Date.now()
    while (at(0) <= now) take()?.run()
    wake()
  }

  return {
    push(due) {
      let index = heap.push(due) - 1
      while (index > 0) {
        const parent = (index - 1) >> 1
        if (at(parent) <= at(index)) break
        swap(parent, index)
        index = parent
      }
      wake()
    },
    nextAt: () => heap[0]?.at,
  }
}
