/** Tasks that run at the same time; the first error is thrown when all that were begun have ended. */

/** Maps items by tasks, at most `limit` at the same time; with 1 they follow each other. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const pool = createTaskPool()
  const entries = items.entries()
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (pool.hasFailed()) return
      results[index] = await task(item, index)
    }
  }
  for (let worker = 0; worker < Math.min(Math.max(1, limit), items.length); worker++)
    pool.start(work)
  await pool.allEnded()
  return results
}

/**
 * Takes what came of items, in whatever order they end, and handles it in the order of the items, one at a time; nothing
 * after `enough`. The promise is fulfilled when what is there so far has been handled.
 */
export function handleInOrder<Item, Result>(
  items: readonly Item[],
  handle: (item: Item, result: Result) => Promise<void>,
  enough: AbortSignal,
): (item: Item, result: Result) => Promise<void> {
  const waiting = new Map<Item, { readonly result: Result }>()
  const rest = [...items]
  let handled = Promise.resolve()
  async function handleNext(): Promise<void> {
    for (let [first] = rest; first !== undefined && !enough.aborted; [first] = rest) {
      const next = waiting.get(first)
      if (!next) return
      rest.shift()
      waiting.delete(first)
      await handle(first, next.result)
    }
  }
  return (item, result) => {
    waiting.set(item, { result })
    return (handled = handled.then(handleNext))
  }
}

export interface TaskPool {
  readonly size: () => number
  readonly hasFailed: () => boolean
  readonly start: (task: () => Promise<void>) => void
  /** Resolves when a task ends. */
  readonly nextEnd: () => Promise<void>
  /** Resolves when all tasks have ended; throws the first error. */
  readonly allEnded: () => Promise<void>
}

export function createTaskPool(): TaskPool {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined

  return {
    size: () => running.size,
    hasFailed: () => failure !== undefined,
    start(task) {
      const ended = task()
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => running.delete(ended))
      running.add(ended)
    },
    nextEnd: () => Promise.race(running),
    async allEnded() {
      while (running.size > 0) await Promise.race(running)
      if (failure) throw failure.error
    },
  }
}
