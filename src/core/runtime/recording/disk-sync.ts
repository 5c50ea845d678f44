/** Schedules fdatasync, one at a time: after every write, or by a timer that runs only while there is unsynced data. */
import { errorCode } from '../files/file-problem.ts'

/** Sync policy: after each write, by timer, or left to the system. */
export type SyncPolicy = 'each' | 'timer' | 'off'

export interface DiskSyncOptions {
  readonly policy: SyncPolicy
  readonly everyMs: number
  readonly force: (done: (error: Error | null) => void) => void
  readonly onProblem: (error: Error) => void
}

export interface DiskSync {
  /** To be called after a write; `next` is called when the policy allows the next write. */
  readonly wrote: (next: () => void) => void
  /** Syncs what is left and stops the timer. */
  readonly close: () => Promise<void>
}

/** Errors of pipes and devices, which need no sync. */
const needless: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EROFS'])

export function createDiskSync(options: DiskSyncOptions): DiskSync {
  const { policy, everyMs, force, onProblem } = options
  let isDue = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let atEnd: (() => void)[] = []

  function run(after: () => void): void {
    isDue = false
    isRunning = true
    force((error) => {
      isRunning = false
      if (error && !needless.has(errorCode(error))) onProblem(error)
      const those = [after, ...atEnd]
      atEnd = []
      for (const call of those) call()
    })
  }

  function arm(): void {
    if (timer || isRunning || isClosed || !isDue) return
    timer = setTimeout(() => {
      timer = undefined
      run(arm)
    }, everyMs)
  }

  return {
    wrote: (next) => {
      isDue = true
      if (policy === 'each') run(next)
      else {
        if (policy === 'timer') arm()
        next()
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      if (isRunning) await new Promise<void>((resolve) => atEnd.push(resolve))
      if (policy !== 'off' && isDue) await new Promise<void>((resolve) => run(resolve))
    },
  }
}
