/** CPU and memory of a measured server, from inside its process. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { MemoryUsage, CpuUsage } from '../ipc.ts'

export function measureCpu(): CpuUsage {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system }
}

/** RSS first, then what a full garbage collection leaves: RSS is what a user sees, the rest shows leaks. */
export function measureMemory(): MemoryUsage {
  const rssBytes = process.memoryUsage.rss()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return { rssBytes, liveBytes: heapUsed + external }
}
