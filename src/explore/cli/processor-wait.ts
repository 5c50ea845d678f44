/** How long processes have waited for a processor: what the system says of them, where there is such a system. */
import { readFile } from 'node:fs/promises'

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    // It has ended, or there is no such file system.
    return ''
  }
}

/** The process and those that it has started. */
async function family(pid: number): Promise<readonly number[]> {
  const children = (await textOf(`/proc/${pid}/task/${pid}/children`)).split(' ')
  const pids = children.flatMap((text) => (/^\d+$/.test(text) ? [Number(text)] : []))
  return [pid, ...(await Promise.all(pids.map(family))).flat()]
}

/** The second number of schedstat, in ns. */
async function waitMsOf(pid: number): Promise<number | undefined> {
  const [, wait] = (await textOf(`/proc/${pid}/schedstat`)).trim().split(' ')
  return wait === undefined ? undefined : Number(wait) / 1e6
}

export interface ProcessorWait {
  /** The share of the time since it was begun for which the process that waited most did so; undefined where unknown. */
  readonly share: () => Promise<number | undefined>
}

/** Of a process and those that it starts. */
export async function measureProcessorWait(pid: number | undefined): Promise<ProcessorWait> {
  const began = performance.now()
  const before = new Map<number, number>()
  if (pid !== undefined)
    for (const each of await family(pid)) before.set(each, (await waitMsOf(each)) ?? 0)
  return {
    async share() {
      if (pid === undefined) return undefined
      const elapsedMs = performance.now() - began
      const waits = await Promise.all(
        (await family(pid)).map(async (each) => {
          const wait = await waitMsOf(each)
          return wait === undefined ? [] : [wait - (before.get(each) ?? 0)]
        }),
      )
      const all = waits.flat()
      if (all.length === 0 || elapsedMs <= 0) return undefined
      // The system counts a wait when it ends, with what of it was before the beginning.
      return Math.min(1, Math.max(...all) / elapsedMs)
    },
  }
}
