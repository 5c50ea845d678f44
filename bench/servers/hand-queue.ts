/**
 * Delay queue of the hand-written servers: a heap ordered by due time, FIFO for equal times, with one timer for its
 * head.
 */

export interface DelayedTask {
  readonly at: number
  readonly run: () => void
}

interface QueuedTask extends DelayedTask {
  readonly rank: number
}

export interface DelayQueue {
  readonly push: (due: DelayedTask) => void
  readonly nextAt: () => number | undefined
}

/** A random integer between both limits, inclusive. */
export const randomBetween = (least: number, most: number): number =>
  least + Math.floor(Math.random() * (most - least + 1))

export function createDelayQueue(): DelayQueue {
  const heap: QueuedTask[] = []
  let nextRank = 0
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY

  function isBefore(one: number, other: number): boolean {
    const a = heap[one]
    const b = heap[other]
    if (!a || !b) return a !== undefined
    return a.at === b.at ? a.rank < b.rank : a.at < b.at
  }

  function swap(a: number, b: number): void {
    const moved = heap[a]
    const other = heap[b]
    if (!moved || !other) return
    heap[a] = other
    heap[b] = moved
  }

  function removeFirst(): DelayedTask | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    heap[0] = last
    for (let index = 0; ;) {
      const left = 2 * index + 1
      const least = isBefore(left + 1, left) ? left + 1 : left
      if (!isBefore(least, index)) return first
      swap(index, least)
      index = least
    }
  }

  function armTimer(): void {
    if (heap.length === 0 || at(0) >= timerAt) return
    clearTimeout(timer)
    timerAt = at(0)
    timer = setTimeout(drain, Math.max(0, timerAt - Date.now()))
  }

  function drain(): void {
    timerAt = Number.POSITIVE_INFINITY
    const now = Date.now()
    while (at(0) <= now) removeFirst()?.run()
    armTimer()
  }

  return {
    push(due) {
      let index = heap.push({ at: due.at, run: due.run, rank: nextRank++ }) - 1
      while (index > 0) {
        const parent = (index - 1) >> 1
        if (!isBefore(index, parent)) break
        swap(parent, index)
        index = parent
      }
      armTimer()
    },
    nextAt: () => heap[0]?.at,
  }
}
