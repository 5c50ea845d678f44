/**
 * Recording target: a folder of segments, each a complete recording with its own header. Only the live segment grows;
 * when it is large or old enough, the next one starts and it is closed and compressed in the background. Large bodies
 * are stored in separate files.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { compact } from '../../base/compact.ts'
import { createGenerationalCache } from '../../traffic/generational-cache.ts'
import type { HeaderLine } from '../../traffic/recording/format.ts'
import { saltFromId } from '../../traffic/recording/line-ids.ts'
import type { StoreBlob } from '../../traffic/recording/message-writer.ts'
import { formatLine } from '../../traffic/recording/recording-lines.ts'
import { decodeUtf8 } from '../../traffic/redaction/base64.ts'
import type { Redactor } from '../../traffic/redaction/redactor.ts'
import { fileProblem } from '../files/file-problem.ts'
import { makeFolder } from '../files/make-folder.ts'
import { type Disk, type AppenderOptions, Appender, realDisk } from './appender.ts'
import { compressSegment } from './compress-segment.ts'
import { appendEndLine } from './file-target.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import type { RecordingFolder } from './recording-folder.ts'
import { blobFolder, listSegments, segmentFileName, type SegmentFile } from './recording-names.ts'
import { surveyRecording } from './recording-survey.ts'
import {
  type ClosingSummary,
  maxPendingTargetBytes,
  type RecordingTarget,
  type TargetStats,
} from './recording-target.ts'
import {
  type LastPassOptions,
  replaceKnownInFile,
  lastPassProblem,
} from './replace-known-in-file.ts'
import { writeAtomically } from './write-atomically.ts'

interface BlobStoreOptions {
  /** Folder of the recording. */
  readonly folder: string
  readonly disk: Disk
  /** Milliseconds between retries while the disk fails. */
  readonly retryMs: number
}

interface Waiting {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * Content-addressed store for large bodies: each is a file named by its SHA-256, so duplicates are stored once. Await
 * `idle` before writing a line that refers to a body. Failed writes are retried; only pending bodies are held in
 * memory.
 */
class BlobStore {
  readonly #disk: Disk
  readonly #retryMs: number
  readonly #blobDirectory: string
  readonly #stored = createGenerationalCache<true>({ entries: 20_000, bytes: 4_000_000 })
  readonly #waiting: Waiting[] = []
  #problem: string | undefined
  #running: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #waiters: (() => void)[] = []

  constructor({ folder, disk, retryMs }: BlobStoreOptions) {
    this.#disk = disk
    this.#retryMs = retryMs
    this.#blobDirectory = join(folder, blobFolder)
  }

  put(body: Parameters<StoreBlob>[0]): string {
    const bytes = 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')
    const name = createHash('sha256').update(bytes).digest('hex')
    if (this.#stored.get(name) || this.#waiting.some((each) => each.name === name)) return name
    this.#waiting.push({ name, bytes })
    if (!this.#retry) this.#start()
    return name
  }

  /** Whether no write is pending. */
  readonly isIdle = (): boolean => this.#waiting.length === 0

  /** Resolves when all pending bodies are written or abandoned. */
  idle(): Promise<void> {
    return this.#waiting.length === 0
      ? Promise.resolve()
      : new Promise((resolve) => this.#waiters.push(resolve))
  }

  /** Retries pending writes; resolves when done, or when the disk fails. */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0) this.#start()
    await this.#running
  }

  readonly problem = (): string | undefined => this.#problem

  /** Retries pending writes a last time; false when some had to be abandoned. */
  async close(): Promise<boolean> {
    if (this.#waiting.length > 0) this.#start()
    await this.#running
    clearTimeout(this.#retry)
    const isWhole = this.#waiting.length === 0
    this.#waiting.length = 0
    this.#settle()
    return isWhole
  }

  #settle(): void {
    const settled = this.#waiters
    this.#waiters = []
    for (const resolve of settled) resolve()
  }

  async #write({ name, bytes }: Waiting): Promise<void> {
    makeFolder(this.#blobDirectory)
    const file = join(this.#blobDirectory, name)
    if (!existsSync(file)) await writeAtomically(file, this.#disk, (made) => made.write(bytes))
    this.#stored.set(name, true, name.length + 50)
  }

  /** Writes pending bodies one after the other, until done or the disk fails. */
  async #work(): Promise<void> {
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        await this.#write(next)
        this.#waiting.shift()
        this.#problem = undefined
      }
      this.#settle()
    } catch (error) {
      this.#problem = fileProblem(`writing a body to ${this.#blobDirectory}`, error)
      this.#retry = setTimeout(() => this.#start(), this.#retryMs)
      // A retry must not keep the process alive.
      this.#retry.unref()
    } finally {
      this.#running = undefined
    }
    // Bodies added while the last one settled.
    if (this.#waiting.length > 0 && !this.#retry) this.#start()
  }

  #start(): void {
    if (this.#running) return
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#running = this.#work()
  }
}

const blobName = /^[\da-f]{64}$/

/** Undefined when nothing had to be replaced. */
function replaceInBlob(
  bytes: Uint8Array,
  { known, replaceKnown }: Redactor,
): Uint8Array | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return known?.replaceInBytes(bytes, () => undefined)
  const { value } = replaceKnown(text)
  return value === text ? undefined : Buffer.from(value)
}

/** A body is named by its hash, so a changed one gets another name, which is replaced in the lines as well. */
async function replaceInBlobs(
  folder: string,
  { redactor, disk }: LastPassOptions,
): Promise<readonly string[]> {
  const blobs = join(folder, blobFolder)
  const replaced: string[] = []
  if (!existsSync(blobs)) return replaced
  for (const name of readdirSync(blobs)) {
    if (!blobName.test(name)) continue
    const bytes = readFileSync(join(blobs, name))
    const next = replaceInBlob(bytes, redactor)
    if (!next) continue
    const renamed = createHash('sha256').update(next).digest('hex')
    await writeAtomically(join(blobs, renamed), disk, ({ write }) => write(Buffer.from(next)))
    redactor.known?.learn('secret', { id: 'secret', value: name, replacement: renamed })
    replaced.push(join(blobs, name))
  }
  return replaced
}

/** \`upTo\` is the number of a segment. */
async function replaceKnownInFolder(
  folder: string,
  { redactor, disk, upTo = Number.POSITIVE_INFINITY }: LastPassOptions,
): Promise<void> {
  const replaced = await replaceInBlobs(folder, { redactor, disk })
  for (const { file, number } of listSegments(folder))
    if (number <= upTo || replaced.length > 0) await replaceKnownInFile(file, { redactor, disk })
  // Only now does no line name them.
  for (const file of replaced) rmSync(file)
}

export interface SegmentOptions {
  /** Maximum size of a segment, in bytes. */
  readonly bytes?: number
  /** Maximum age of a segment, in ms. */
  readonly ms?: number
  /** Size of a compressed frame, in bytes. */
  readonly frame?: number
}

interface Segment {
  readonly number: number
  readonly target: LineFile
  readonly appender: Appender
  readonly began: number
}

const defaultLimits = { bytes: 64 * 1024 * 1024, ms: 15 * 60_000 } as const

/** The header with the segment's number and the counts before it. */
const headerOf = ({ _rec }: HeaderLine, segment: RecordingFolder['next']): HeaderLine => ({
  _rec: { ..._rec, segment },
})

export class FolderTarget implements RecordingTarget {
  readonly header: HeaderLine
  readonly t0: number
  readonly after: number
  readonly #recording: RecordingFolder
  readonly #options: AppenderOptions
  readonly #limits: SegmentOptions
  readonly #disk: Disk
  readonly #retryMs: number
  readonly #salt: string
  readonly #isPrivate: boolean
  readonly #blobs: BlobStore
  /** Totals of closed segments. */
  readonly #closedTotals = { written: 0, dropped: 0, bytes: 0 }
  #current: Segment | undefined
  /** The full segment that is being flushed and closed. */
  #closing: Segment | undefined
  #number: number
  /** The current problem with opening, closing or compressing a segment. */
  #problem: string | undefined
  /** The problem of a segment that was closed without all of its lines. */
  #closedProblem: string | undefined
  #retryAt = 0
  /** Highest sequence number so far, for the end line of a segment. */
  #lastSeq: number
  /** Closed segments to be compressed; those of a killed session are repaired first. */
  readonly #plain: string[] = []
  #work: Promise<void> = Promise.resolve()
  /** Exchanges appended in this session. */
  #appended = 0
  #lost = 0
  #isClosed = false
  #wake = (): void => undefined

  constructor(
    recording: RecordingFolder,
    options: AppenderOptions = {},
    limits: SegmentOptions = {},
  ) {
    const { folder, header, t0, next, unsealed } = recording
    this.header = header
    this.t0 = t0
    this.after = next.seq
    this.#recording = recording
    this.#options = options
    this.#limits = limits
    this.#disk = options.disk ?? realDisk
    this.#retryMs = options.retryMs ?? 1000
    this.#salt = saltFromId(header._rec.id)
    this.#isPrivate = header._rec.redaction.mode === 'none'
    this.#blobs = new BlobStore({ folder, disk: this.#disk, retryMs: this.#retryMs })
    this.#number = next.number
    this.#lastSeq = next.seq
    for (const segment of unsealed) this.#enqueueJob(() => this.#repair(segment))
    this.#enqueueJob(() => this.#compress())
    this.#current = this.#open()
  }

  append(line: string, exchanges: number, seq: number): void {
    const segment = this.#live()
    if (segment) {
      segment.appender.append(line, exchanges)
      this.#appended += exchanges
    } else this.#lost += exchanges
    if (seq > this.#lastSeq) this.#lastSeq = seq
  }

  catchUp(before: number): boolean {
    return [this.#closing, this.#current].every((each) => each?.appender.catchUp(before) ?? true)
  }

  hasRoom(): boolean {
    return (
      this.#pending() < maxPendingTargetBytes &&
      (this.#current !== undefined || this.#live() !== undefined)
    )
  }

  readonly putBlob: StoreBlob = (body) => this.#blobs.put(body)
  readonly blobs = () => (this.#blobs.isIdle() ? undefined : this.#blobs.idle())

  async flush(): Promise<void> {
    await this.#blobs.flush()
    await this.#closing?.appender.flush()
    await this.#current?.appender.flush()
  }

  stats(): TargetStats {
    const own = [this.#current, this.#closing].flatMap((each) =>
      each ? [each.appender.stats()] : [],
    )
    const sumOf = (of: 'written' | 'dropped' | 'writtenBytes'): number =>
      own.reduce((total, each) => total + each[of], 0)
    const writeProblem =
      own.find((each) => each.problem !== undefined)?.problem ?? this.#blobs.problem()
    const currentProblem = writeProblem ?? this.#problem ?? this.#closedProblem
    return {
      written: this.#closedTotals.written + sumOf('written'),
      dropped: this.#closedTotals.dropped + this.#lost + sumOf('dropped'),
      bytes: this.#closedTotals.bytes + sumOf('writtenBytes'),
      ...compact({ problem: currentProblem }),
    }
  }

  readonly position = () => this.#current?.number ?? this.#number

  async close({ instant, seq, dropped, lastPass }: ClosingSummary): Promise<void> {
    this.#isClosed = true
    this.#wake()
    if (!(await this.#blobs.close())) this.#problem ??= this.#blobs.problem()
    await this.#work
    const last = this.#current
    if (last) {
      await last.appender.flush()
      const http = last.appender.stats().written
      const totals = { seq: this.#recording.next.seq + seq, http, dropped: dropped() }
      await appendEndLine(last, { salt: this.#salt, instant, ...totals })
      await this.#closeSegment(last)
    }
    this.#enqueueJob(() => this.#compress())
    await this.#work
    try {
      if (lastPass)
        await replaceKnownInFolder(this.#recording.folder, { ...lastPass, disk: this.#disk })
    } catch (error) {
      this.#problem = lastPassProblem(this.#recording.folder, error)
    }
    this.#recording.lock.release()
  }

  /** Runs background jobs one after the other. */
  #enqueueJob(job: () => Promise<void>): void {
    this.#work = this.#work.then(job).catch((error: unknown) => {
      this.#problem = fileProblem(`closing a segment in ${this.#recording.folder}`, error)
    })
  }

  #open(): Segment | undefined {
    const opened = openLineFile(join(this.#recording.folder, segmentFileName(this.#number)), {
      isPrivate: this.#isPrivate,
    })
    if (!opened.ok) {
      this.#problem = opened.error
      this.#retryAt = performance.now() + this.#retryMs
      return undefined
    }
    const appender = new Appender(opened.value, { ...this.#options, delayMs: 0 })
    const segment = {
      number: this.#number,
      http: this.#recording.next.http + this.#appended,
      seq: this.#lastSeq,
    }
    appender.append(formatLine(headerOf(this.header, segment)), 0)
    const began = performance.now()
    return { number: this.#number++, target: opened.value, appender, began }
  }

  #isFull({ appender, began }: Segment): boolean {
    const { bytes: maxBytes = defaultLimits.bytes, ms: maxMs = defaultLimits.ms } = this.#limits
    const { writtenBytes, pendingBytes } = appender.stats()
    return writtenBytes + pendingBytes >= maxBytes || performance.now() - began >= maxMs
  }

  /** The segment for the next line; if no new one can be opened, the old one continues. */
  #live(): Segment | undefined {
    if (this.#current && !(this.#isFull(this.#current) && !this.#closing)) return this.#current
    if (performance.now() < this.#retryAt) return this.#current
    const old = this.#current
    this.#closing = old
    const fresh = this.#open()
    if (!fresh) {
      this.#closing = undefined
      return this.#current
    }
    this.#current = fresh
    this.#problem = undefined
    if (old) {
      const seq = this.#lastSeq
      this.#enqueueJob(() => this.#closeFull(old, seq))
      this.#enqueueJob(() => this.#compress())
    }
    return this.#current
  }

  /** Closes a full segment once all of it is written; retries while the disk fails. */
  async #closeFull(segment: Segment, seq: number): Promise<void> {
    const { appender } = segment
    await appender.flush()
    while (appender.stats().pendingBytes > 0 && !this.#isClosed) {
      await new Promise((resolve) => {
        this.#wake = resolve as () => void
        setTimeout(resolve, this.#retryMs).unref()
      })
      await appender.flush()
    }
    await appendEndLine(segment, this.#totalsOf(seq, appender.stats().written))
    await this.#closeSegment(segment)
  }

  /** The end of a segment that another one follows. */
  #totalsOf(seq: number, http: number) {
    return { salt: this.#salt, instant: this.t0, seq, http, dropped: 0, goesOn: true } as const
  }

  async #closeSegment(segment: Segment): Promise<void> {
    const { appender, target } = segment
    await appender.close()
    if (this.#closing === segment) this.#closing = undefined
    if (this.#current === segment) this.#current = undefined
    const { written, dropped, writtenBytes, problem } = appender.stats()
    this.#closedProblem ??= problem
    this.#closedTotals.written += written
    this.#closedTotals.dropped += dropped
    this.#closedTotals.bytes += writtenBytes
    this.#plain.push(target.file)
  }

  /** Repairs a segment of a killed session: sets a torn tail aside and appends the end line. */
  async #repair({ file, number: which }: SegmentFile): Promise<void> {
    const opened = openLineFile(file, { isPrivate: this.#isPrivate })
    if (!opened.ok) throw new Error(opened.error)
    const target = opened.value
    const { http, seq, ended } = surveyRecording(target)
    const appender = new Appender(target, { ...this.#options, delayMs: 0 })
    const isEmpty = target.size === 0
    // Killed before its first write, while the next segment had started already.
    if (isEmpty)
      appender.append(formatLine(headerOf(this.header, { number: which, http: 0, seq: 0 })), 0)
    await appender.flush()
    if (!ended) await appendEndLine({ appender, target }, this.#totalsOf(seq, http))
    await appender.close()
    this.#plain.push(file)
  }

  /** Compresses closed segments; on failure the file stays uncompressed and is retried with the next. */
  async #compress(): Promise<void> {
    for (let file = this.#plain[0]; file !== undefined; file = this.#plain[0]) {
      try {
        await compressSegment(file, { disk: this.#disk, ...compact({ frame: this.#limits.frame }) })
        this.#problem = undefined
      } catch (error) {
        this.#problem = fileProblem(`compressing ${file}, which stays as it is`, error)
        return
      }
      this.#plain.shift()
    }
  }

  #pending(): number {
    return (
      (this.#current?.appender.stats().pendingBytes ?? 0) +
      (this.#closing?.appender.stats().pendingBytes ?? 0)
    )
  }
}
