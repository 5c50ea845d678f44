/** What any measured server says about itself: CPU and memory, from inside the process. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Memory, Usage } from '../asks.ts'

export function usage(): Usage {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system }
}

/** RSS as it stands, then what a full collection leaves: the one is what a user sees, the other shows leaks. */
export function memory(): Memory {
  const rssBytes = process.memoryUsage.rss()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return { rssBytes, liveBytes: heapUsed + external }
}
