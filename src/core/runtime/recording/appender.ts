/**
 * Buffered asynchronous append to a file: text appended within a few ms is written in one write and synced by a timer.
 * A killed process loses the last few ms, a power failure up to 200 ms. A busy event loop delays the asynchronous write:
 * who appends calls `catchUp`, which writes what is overdue at once.
 *
 * Memory is bounded: when the disk is slow or full, the backlog grows to its limit; beyond it text is counted as
 * dropped, writing is retried, and `stats` describes the problem. Never throws.
 */
import { compact } from '../../base/compact.ts'
import { fdatasync, fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { type Batch, createBatches } from './batches.ts'
import { errorCode, fileProblem } from '../files/file-problem.ts'
import { writeSome } from '../files/output.ts'
import type { LineFile } from './line-file.ts'

// Schedules fdatasync, one at a time: after every write, or by a timer that runs only while there
// is unsynced data.

/** Sync policy: after each write, by timer, or left to the system. */
export type SyncPolicy = 'each' | 'timer' | 'off'

interface DiskSyncOptions {
  readonly policy: SyncPolicy
  readonly everyMs: number
  readonly force: (done: (error: Error | null) => void) => void
  readonly onProblem: (error: Error) => void
}

interface DiskSync {
  /** To be called after a write; `next` is called when the policy allows the next write. */
  readonly wrote: (next: () => void) => void
  /** Syncs what is left and stops the timer. */
  readonly close: () => Promise<void>
}

/** Errors of pipes and devices, which need no sync. */
const needless: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EROFS'])

function createDiskSync(options: DiskSyncOptions): DiskSync {
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

export interface AppenderOptions {
  readonly sync?: SyncPolicy
  /**
   * Milliseconds that the first text of a batch waits for more; 0 means until the end of the current event loop turn.
   */
  readonly delayMs?: number
  readonly syncMs?: number
  /** Milliseconds between retries while the disk fails. */
  readonly retryMs?: number
  /** Maximum backlog in memory, in bytes; the last text taken may exceed it. */
  readonly maxPendingBytes?: number
  /** File system access; replaced in tests to simulate failures. */
  readonly disk?: Disk
}

export interface Disk {
  readonly write: (
    fd: number,
    bytes: Buffer,
    done: (error: Error | null, count: number) => void,
  ) => void
  readonly force: (fd: number, done: (error: Error | null) => void) => void
  /** Without it nothing is written at once. */
  readonly writeSync?: (fd: number, bytes: Buffer) => number
}

export interface AppenderStats {
  /** Counted items that are in the file. */
  readonly written: number
  /** Counted items that were dropped. */
  readonly dropped: number
  readonly pendingBytes: number
  readonly writtenBytes: number
  /** The current problem. */
  readonly problem?: string
}

export interface Appender {
  /** Appends whole lines that count as `counts` items; false when the backlog is full. */
  readonly append: (text: string, counts?: number) => boolean
  /**
   * Writes at once if something waits that was appended before this instant of `performance.now`; false when the disk
   * does not let it.
   */
  readonly catchUp: (before: number) => boolean
  /** Resolves when everything is written, or when the disk fails. */
  readonly flush: () => Promise<void>
  /** Flushes, syncs and closes the file. What the disk does not accept is counted as dropped. */
  readonly close: () => Promise<void>
  readonly stats: () => AppenderStats
}

/** Writes without a position: the file is open in append mode. */
export const realDisk: Disk = {
  write: writeSome,
  force: fdatasync,
  writeSync: (fd, bytes) => writeSync(fd, bytes),
}

export function createAppender(target: LineFile, options: AppenderOptions = {}): Appender {
  const { delayMs = 10, retryMs = 1000, disk = realDisk } = options
  const { maxPendingBytes = 16 * 1024 * 1024 } = options
  const attempted = `writing to ${target.file}`
  const batches = createBatches()
  const sync = createDiskSync({
    policy: options.sync ?? 'timer',
    everyMs: options.syncMs ?? 100,
    force: (done) => disk.force(target.fd, done),
    onProblem: (error) => {
      problem = fileProblem(attempted, error)
    },
  })
  /** A pipe may block, and what is forced to the disk with each write waits for it. */
  const canCatchUp = target.path !== undefined && options.sync !== 'each'
  let pendingBytes = 0
  let writtenBytes = 0
  let written = 0
  let dropped = 0
  let problem: string | undefined
  let isBusy = false
  /** Number of the asynchronous write under way. */
  let writeNumber = 0
  let isClosed = false
  let isPlanned = false
  let retry: NodeJS.Timeout | undefined
  let waiters: (() => void)[] = []

  function append(text: string, counts = 1): boolean {
    // A text that is longer than the whole backlog is no fault of the disk: it is taken where there is room for any.
    if (isClosed || pendingBytes >= maxPendingBytes) {
      dropped += counts
      return false
    }
    pendingBytes += batches.add(text, counts)
    scheduleWrite()
    return true
  }

  /** Schedules the next write: a full batch at once, another after the delay. */
  function scheduleWrite(): void {
    if (isBusy || retry) return
    if (batches.first()) writeFirst()
    else if (!isPlanned) {
      isPlanned = true
      if (delayMs === 0) setImmediate(writePending)
      else setTimeout(writePending, delayMs)
    }
  }

  function writePending(): void {
    isPlanned = false
    batches.seal()
    if (!isBusy && !retry) writeFirst()
  }

  function writeFirst(): void {
    const batch = batches.first()
    if (!batch) {
      settle()
      return
    }
    isBusy = true
    const number = ++writeNumber
    disk.write(target.fd, restOf(batch), (error, count) => {
      // It was found in the file before.
      if (number !== writeNumber) return
      if (error) onFailed(error)
      else {
        markWritten(batch, count)
        sync.wrote(continueWriting)
      }
    })
  }

  const restOf = ({ buffer, done, used }: Batch): Buffer => buffer.subarray(done, used)

  function markWritten(batch: Batch, count: number): void {
    problem = undefined
    batch.done += count
    writtenBytes += count
    pendingBytes -= count
    if (batch.done >= batch.used) {
      written += batch.counted
      batches.firstWritten()
    }
  }

  /**
   * Whether the asynchronous write under way, whose callback waits for the event loop, is in the file already. No one
   * else writes to it.
   */
  function isInFile(batch: Batch): boolean {
    return fstatSync(target.fd).size >= target.size + writtenBytes + restOf(batch).length
  }

  function catchUp(before: number): boolean {
    if (batches.oldestAt() > before) return true
    if (!disk.writeSync || !canCatchUp || retry || isClosed) return false
    try {
      const underWay = isBusy ? batches.first() : undefined
      if (underWay && !isInFile(underWay)) return false
      if (underWay) {
        writeNumber++
        isBusy = false
        markWritten(underWay, restOf(underWay).length)
      }
      batches.seal()
      for (let batch = batches.first(); batch; batch = batches.first())
        markWritten(batch, disk.writeSync(target.fd, restOf(batch)))
      sync.wrote(settle)
      return true
    } catch (error) {
      onFailed(error instanceof Error ? error : new Error(String(error)))
      return false
    }
  }

  function continueWriting(): void {
    isBusy = false
    if (waiters.length > 0) batches.seal()
    if (waiters.length > 0 || batches.first()) writeFirst()
    else if (batches.isFilling()) scheduleWrite()
  }

  /** Retries later from where the partial write stopped. */
  function onFailed(error: Error): void {
    isBusy = false
    problem = fileProblem(attempted, error)
    retry = setTimeout(() => {
      retry = undefined
      writeFirst()
    }, retryMs)
    // A retry must not keep the process alive.
    retry.unref()
    settle()
  }

  function settle(): void {
    const settled = waiters
    waiters = []
    for (const resolve of settled) resolve()
  }

  function flush(): Promise<void> {
    batches.seal()
    if (!isBusy && !batches.first()) return Promise.resolve()
    return new Promise((resolve) => {
      waiters.push(resolve)
      if (isBusy) return
      clearTimeout(retry)
      retry = undefined
      writeFirst()
    })
  }

  function giveUp(): void {
    clearTimeout(retry)
    const torn = batches.first()?.done ?? 0
    dropped += batches.clear()
    pendingBytes = 0
    if (torn === 0) return
    try {
      // Remove the partial batch, so that the file ends with a whole line.
      ftruncateSync(target.fd, target.size + writtenBytes - torn)
    } catch {
      // Otherwise the next writer repairs the torn tail.
    }
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await flush()
    giveUp()
    await sync.close()
    target.close()
  }

  return {
    append,
    catchUp,
    flush,
    close,
    stats: () => ({
      written,
      dropped,
      pendingBytes,
      writtenBytes,
      ...compact({ problem }),
    }),
  }
}
