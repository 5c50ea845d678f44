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

/** Sync policy: after each write, by timer, or left to the system. */
export type SyncPolicy = 'each' | 'timer' | 'off'

interface DiskSyncOptions {
  readonly policy: SyncPolicy
  readonly everyMs: number
  readonly force: (done: (error: Error | null) => void) => void
  readonly onProblem: (error: Error) => void
}

/** Errors that freed space ends. */
const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
/** Errors of pipes and devices, which need no sync. */
const needless: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EROFS'])

/** Schedules fdatasync, one at a time: after every write, or by a timer that runs only while there is unsynced data. */
class DiskSync {
  readonly #options: DiskSyncOptions
  #isDue = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #atEnd: (() => void)[] = []

  constructor(options: DiskSyncOptions) {
    this.#options = options
  }

  /** To be called after a write; `next` is called when the policy allows the next write. */
  wrote(next: () => void): void {
    this.#isDue = true
    if (this.#options.policy === 'each') this.#run(next)
    else {
      if (this.#options.policy === 'timer') this.#arm()
      next()
    }
  }

  /** Syncs what is left and stops the timer. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.#isRunning) await new Promise<void>((resolve) => this.#atEnd.push(resolve))
    if (this.#options.policy !== 'off' && this.#isDue)
      await new Promise<void>((resolve) => this.#run(resolve))
  }

  #run(after: () => void): void {
    this.#isDue = false
    this.#isRunning = true
    this.#options.force((error) => {
      this.#isRunning = false
      if (error && !needless.has(errorCode(error))) this.#options.onProblem(error)
      const those = [after, ...this.#atEnd]
      this.#atEnd = []
      for (const call of those) call()
    })
  }

  #arm(): void {
    if (this.#timer || this.#isRunning || this.#isClosed || !this.#isDue) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#run(() => this.#arm())
    }, this.#options.everyMs)
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

/** Writes without a position: the file is open in append mode. */
export const realDisk: Disk = {
  write: writeSome,
  force: fdatasync,
  writeSync: (fd, bytes) => writeSync(fd, bytes),
}

export class Appender {
  readonly #target: LineFile
  readonly #delayMs: number
  readonly #retryMs: number
  readonly #disk: Disk
  readonly #maxPendingBytes: number
  readonly #attempted: string
  readonly #batches = createBatches()
  readonly #sync: DiskSync
  /** A pipe may block, and what is forced to the disk with each write waits for it. */
  readonly #canCatchUp: boolean
  #pendingBytes = 0
  #writtenBytes = 0
  #written = 0
  #dropped = 0
  #problem: string | undefined
  /** The problem for one who does not wait for its end. */
  #failure: string | undefined
  #isBusy = false
  /** Number of the asynchronous write under way. */
  #writeNumber = 0
  #isClosed = false
  #isPlanned = false
  #retry: NodeJS.Timeout | undefined
  #waiters: (() => void)[] = []

  constructor(target: LineFile, options: AppenderOptions = {}) {
    this.#target = target
    this.#delayMs = options.delayMs ?? 10
    this.#retryMs = options.retryMs ?? 1000
    this.#disk = options.disk ?? realDisk
    this.#maxPendingBytes = options.maxPendingBytes ?? 16 * 1024 * 1024
    this.#attempted = `writing to ${target.file}`
    this.#sync = new DiskSync({
      policy: options.sync ?? 'timer',
      everyMs: options.syncMs ?? 100,
      force: (done) => this.#disk.force(this.#target.fd, done),
      onProblem: (error) => {
        this.#problem = fileProblem(this.#attempted, error)
      },
    })
    this.#canCatchUp = target.path !== undefined && options.sync !== 'each'
  }

  /** Appends whole lines that count as `counts` items; false when the backlog is full. */
  append(text: string, counts = 1): boolean {
    // A text that is longer than the whole backlog is no fault of the disk: it is taken where there is room for any.
    if (this.#isClosed || this.#pendingBytes >= this.#maxPendingBytes) {
      this.#dropped += counts
      return false
    }
    this.#pendingBytes += this.#batches.add(text, counts)
    this.#scheduleWrite()
    return true
  }

  /**
   * Writes at once if something waits that was appended before this instant of `performance.now`; false when the disk
   * does not let it.
   */
  catchUp(before: number): boolean {
    if (this.#batches.oldestAt() > before) return true
    if (!this.#disk.writeSync || !this.#canCatchUp || this.#retry || this.#isClosed) return false
    try {
      const underWay = this.#isBusy ? this.#batches.first() : undefined
      if (underWay && !this.#isInFile(underWay)) return false
      if (underWay) {
        this.#writeNumber++
        this.#isBusy = false
        this.#markWritten(underWay, this.#restOf(underWay).length)
      }
      this.#batches.seal()
      for (let batch = this.#batches.first(); batch; batch = this.#batches.first())
        this.#markWritten(batch, this.#disk.writeSync(this.#target.fd, this.#restOf(batch)))
      this.#sync.wrote(() => this.#settle())
      return true
    } catch (error) {
      this.#onFailed(error instanceof Error ? error : new Error(String(error)))
      return false
    }
  }

  /** Resolves when everything is written, or when the disk fails. */
  flush(): Promise<void> {
    this.#batches.seal()
    if (!this.#isBusy && !this.#batches.first()) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiters.push(resolve)
      if (this.#isBusy) return
      clearTimeout(this.#retry)
      this.#retry = undefined
      this.#writeFirst()
    })
  }

  /** Flushes, syncs and closes the file. What the disk does not accept is counted as dropped. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.flush()
    this.#giveUp()
    if (this.#problem !== undefined) this.#problem = this.#failure ?? this.#problem
    await this.#sync.close()
    this.#target.close()
  }

  stats(): AppenderStats {
    return {
      written: this.#written,
      dropped: this.#dropped,
      pendingBytes: this.#pendingBytes,
      writtenBytes: this.#writtenBytes,
      ...compact({ problem: this.#problem }),
    }
  }

  /** Schedules the next write: a full batch at once, another after the delay. */
  #scheduleWrite(): void {
    if (this.#isBusy || this.#retry) return
    if (this.#batches.first()) this.#writeFirst()
    else if (!this.#isPlanned) {
      this.#isPlanned = true
      if (this.#delayMs === 0) setImmediate(() => this.#writePending())
      else setTimeout(() => this.#writePending(), this.#delayMs)
    }
  }

  #writePending(): void {
    this.#isPlanned = false
    this.#batches.seal()
    if (!this.#isBusy && !this.#retry) this.#writeFirst()
  }

  #writeFirst(): void {
    const batch = this.#batches.first()
    if (!batch) {
      this.#settle()
      return
    }
    this.#isBusy = true
    const number = ++this.#writeNumber
    this.#disk.write(this.#target.fd, this.#restOf(batch), (error, count) => {
      // It was found in the file before.
      if (number !== this.#writeNumber) return
      if (error) this.#onFailed(error)
      else {
        this.#markWritten(batch, count)
        this.#sync.wrote(() => this.#continueWriting())
      }
    })
  }

  readonly #restOf = ({ buffer, done, used }: Batch): Buffer => buffer.subarray(done, used)

  #markWritten(batch: Batch, count: number): void {
    this.#problem = undefined
    batch.done += count
    this.#writtenBytes += count
    this.#pendingBytes -= count
    if (batch.done >= batch.used) {
      this.#written += batch.counted
      this.#batches.firstWritten()
    }
  }

  /**
   * Whether the asynchronous write under way, whose callback waits for the event loop, is in the file already. No one
   * else writes to it.
   */
  #isInFile(batch: Batch): boolean {
    return (
      fstatSync(this.#target.fd).size >=
      this.#target.size + this.#writtenBytes + this.#restOf(batch).length
    )
  }

  #continueWriting(): void {
    this.#isBusy = false
    if (this.#waiters.length > 0) this.#batches.seal()
    if (this.#waiters.length > 0 || this.#batches.first()) this.#writeFirst()
    else if (this.#batches.isFilling()) this.#scheduleWrite()
  }

  /** Retries later from where the partial write stopped. */
  #onFailed(error: Error): void {
    this.#isBusy = false
    const goesOn = fullDisk.has(errorCode(error)) ? ': writing then goes on by itself' : ''
    this.#failure = fileProblem(this.#attempted, error)
    this.#problem = `${this.#failure}${goesOn}`
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#writeFirst()
    }, this.#retryMs)
    // A retry must not keep the process alive.
    this.#retry.unref()
    this.#settle()
  }

  #settle(): void {
    const settled = this.#waiters
    this.#waiters = []
    for (const resolve of settled) resolve()
  }

  #giveUp(): void {
    clearTimeout(this.#retry)
    const torn = this.#batches.first()?.done ?? 0
    this.#dropped += this.#batches.clear()
    this.#pendingBytes = 0
    if (torn === 0) return
    try {
      // Remove the partial batch, so that the file ends with a whole line.
      ftruncateSync(this.#target.fd, this.#target.size + this.#writtenBytes - torn)
    } catch {
      // Otherwise the next writer repairs the torn tail.
    }
  }
}
