/**
 * Appends text to a file without holding up whoever has something to write: what is appended within a few milliseconds
 * goes out in one write, and reaches the disk by a timer. So a killed process loses the last few milliseconds, a
 * machine without power the last fifth of a second.
 *
 * Memory has a bound. A slow or full disk makes the backlog grow to it and no further: what comes then is counted as
 * dropped, writing is tried again, and `stats` says in a sentence what is wrong. Nothing here throws.
 */
import { fdatasync, ftruncateSync, write } from 'node:fs'
import { type Batch, createBatches } from './batches.ts'
import { createDiskSync, type SyncPolicy } from './disk-sync.ts'
import { fileProblem } from '../files/file-problem.ts'
import type { LineFile } from './line-file.ts'

export interface AppenderOptions {
  readonly sync?: SyncPolicy
  /** How long the first text of a batch may wait for more; 0 is the end of the current turn. */
  readonly delayMs?: number
  readonly syncMs?: number
  /** Between two attempts while the disk refuses. */
  readonly retryMs?: number
  /** What waits in memory at most. */
  readonly mostPendingBytes?: number
  /** The disk, for whoever wants to see it fail. */
  readonly disk?: Disk
}

export interface Disk {
  readonly write: (
    fd: number,
    bytes: Buffer,
    done: (error: Error | null, count: number) => void,
  ) => void
  readonly force: (fd: number, done: (error: Error | null) => void) => void
}

export interface AppenderStats {
  /** What counts of the texts that are in the file. */
  readonly written: number
  /** What counts of those that never will be. */
  readonly dropped: number
  readonly pendingBytes: number
  readonly writtenBytes: number
  /** What stands in the way now. */
  readonly problem?: string
}

export interface Appender {
  /** Takes whole lines, which count for one or for as many as is said; false when there is no room for them. */
  readonly append: (text: string, counts?: number) => boolean
  /** Resolves when all that was appended is written, or when the disk refuses. */
  readonly flush: () => Promise<void>
  /** Flushes, forces to disk, closes the file. What the disk refuses even now is given up and counted. */
  readonly close: () => Promise<void>
  readonly stats: () => AppenderStats
}

/** Without a position: the file is open for appending, and the system puts every write at its end. */
export const realDisk: Disk = {
  write: (fd, bytes, done) => {
    write(fd, bytes, done)
  },
  force: fdatasync,
}

export function createAppender(target: LineFile, options: AppenderOptions = {}): Appender {
  const { delayMs = 10, retryMs = 1000, disk = realDisk } = options
  const { mostPendingBytes = 16 * 1024 * 1024 } = options
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
  let pendingBytes = 0
  let writtenBytes = 0
  let written = 0
  let dropped = 0
  let problem: string | undefined
  let isBusy = false
  let isClosed = false
  let isPlanned = false
  let retry: NodeJS.Timeout | undefined
  let waiters: (() => void)[] = []

  function append(text: string, counts = 1): boolean {
    if (isClosed || pendingBytes + text.length > mostPendingBytes) {
      dropped += counts
      return false
    }
    pendingBytes += batches.add(text, counts)
    plan()
    return true
  }

  /** A full batch is written at once, another when it has waited for more. */
  function plan(): void {
    if (isBusy || retry) return
    if (batches.first()) writeFirst()
    else if (!isPlanned) {
      isPlanned = true
      if (delayMs === 0) setImmediate(writeWhatThereIs)
      else setTimeout(writeWhatThereIs, delayMs)
    }
  }

  function writeWhatThereIs(): void {
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
    disk.write(target.fd, batch.buffer.subarray(batch.done, batch.used), (error, count) => {
      if (error) refused(error)
      else took(batch, count)
    })
  }

  function took(batch: Batch, count: number): void {
    problem = undefined
    batch.done += count
    writtenBytes += count
    pendingBytes -= count
    if (batch.done >= batch.used) {
      written += batch.counted
      batches.done()
    }
    sync.wrote(goOn)
  }

  function goOn(): void {
    isBusy = false
    if (waiters.length > 0) batches.seal()
    if (waiters.length > 0 || batches.first()) writeFirst()
    else if (batches.isFilling()) plan()
  }

  /** What of a batch is in the file stays there: the next attempt goes on where this one stopped. */
  function refused(error: Error): void {
    isBusy = false
    problem = fileProblem(attempted, error)
    retry = setTimeout(() => {
      retry = undefined
      writeFirst()
    }, retryMs)
    // No process stays up for a disk that refuses.
    retry.unref()
    settle()
  }

  function settle(): void {
    const those = waiters
    waiters = []
    for (const resolve of those) resolve()
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
    dropped += batches.forget()
    pendingBytes = 0
    if (torn === 0) return
    try {
      // The file ends with a whole line, as if the batch had never begun.
      ftruncateSync(target.fd, target.size + writtenBytes - torn)
    } catch {
      // Then the next writer finds a torn tail, and mends it.
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
    flush,
    close,
    stats: () => ({
      written,
      dropped,
      pendingBytes,
      writtenBytes,
      ...(problem === undefined ? {} : { problem }),
    }),
  }
}
