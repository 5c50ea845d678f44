/** Measures what stays in memory: the heap and what is outside it, after full collections. */
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Measurements until nothing more is freed. */
const maxRounds = 8
const settledMb = 0.1

function measureMb(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

/** Megabytes that are reachable. Finalizers of requests and responses run between two collections. */
export async function reachableMb(): Promise<number> {
  let least = measureMb()
  for (let round = 0; round < maxRounds; round++) {
    await setImmediate()
    const now = measureMb()
    const isSettled = round > 0 && now > least - settledMb
    least = Math.min(least, now)
    if (isSettled) break
  }
  return least
}

/**
 * Megabytes of large objects and of buffers, of the last collection. Small objects of others that come and go are no part
 * of it.
 */
export function largeObjectsMb(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => name.includes('large'))
  const inHeap = spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0)
  return (inHeap + process.memoryUsage().external) / 1e6
}

/** Text of its own for each number: equal ones could be shared, and a padded one takes no memory before it is read. */
export function largeText(number: number, chars: number): string {
  const bytes = Buffer.alloc(chars, 'x')
  bytes.write(`${number} `, 'latin1')
  return bytes.toString('latin1')
}
