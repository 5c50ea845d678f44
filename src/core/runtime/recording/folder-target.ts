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
import {
  type Disk,
  type Appender,
  type AppenderOptions,
  createAppender,
  realDisk,
} from './appender.ts'
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
} from './recording-target.ts'
import {
  type LastPassOptions,
  replaceKnownInFile,
  lastPassProblem,
} from './replace-known-in-file.ts'
import { writeAtomically } from './write-atomically.ts'

/**
 * Content-addressed store for large bodies: each is a file named by its SHA-256, so duplicates are stored once. Await
 * `idle` before writing a line that refers to a body. Failed writes are retried; only pending bodies are held in
 * memory.
 */
interface BlobStore {
  readonly put: StoreBlob
  /** Whether no write is pending. */
  readonly isIdle: () => boolean
  /** Resolves when all pending bodies are written or abandoned. */
  readonly idle: () => Promise<void>
  /** Retries pending writes; resolves when done, or when the disk fails. */
  readonly flush: () => Promise<void>
  readonly problem: () => string | undefined
  /** Retries pending writes a last time; false when some had to be abandoned. */
  readonly close: () => Promise<boolean>
}

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

function createBlobStore({ folder, disk, retryMs }: BlobStoreOptions): BlobStore {
  const blobDirectory = join(folder, blobFolder)
  const stored = createGenerationalCache<true>({ entries: 20_000, bytes: 4_000_000 })
  const waiting: Waiting[] = []
  let problem: string | undefined
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let waiters: (() => void)[] = []

  function settle(): void {
    const settled = waiters
    waiters = []
    for (const resolve of settled) resolve()
  }

  async function write({ name, bytes }: Waiting): Promise<void> {
    makeFolder(blobDirectory)
    const file = join(blobDirectory, name)
    if (!existsSync(file)) await writeAtomically(file, disk, (made) => made.write(bytes))
    stored.set(name, true, name.length + 50)
  }

  /** Writes pending bodies one after the other, until done or the disk fails. */
  async function work(): Promise<void> {
    try {
      for (let next = waiting[0]; next; next = waiting[0]) {
        await write(next)
        waiting.shift()
        problem = undefined
      }
      settle()
    } catch (error) {
      problem = fileProblem(`writing a body to ${blobDirectory}`, error)
      retry = setTimeout(start, retryMs)
      // A retry must not keep the process alive.
      retry.unref()
    } finally {
      running = undefined
    }
    // Bodies added while the last one settled.
    if (waiting.length > 0 && !retry) start()
  }

  function start(): void {
    if (running) return
    clearTimeout(retry)
    retry = undefined
    running = work()
  }

  return {
    put: (body) => {
      const bytes = 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')
      const name = createHash('sha256').update(bytes).digest('hex')
      if (stored.get(name) || waiting.some((each) => each.name === name)) return name
      waiting.push({ name, bytes })
      if (!retry) start()
      return name
    },
    isIdle: () => waiting.length === 0,
    idle: () =>
      waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve)),
    flush: async () => {
      if (waiting.length > 0) start()
      await running
    },
    problem: () => problem,
    close: async () => {
      if (waiting.length > 0) start()
      await running
      clearTimeout(retry)
      const isWhole = waiting.length === 0
      waiting.length = 0
      settle()
      return isWhole
    },
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

export function createFolderTarget(
  { folder, lock, header, t0, next, unsealed }: RecordingFolder,
  options: AppenderOptions = {},
  {
    bytes: maxBytes = defaultLimits.bytes,
    ms: maxMs = defaultLimits.ms,
    frame,
  }: SegmentOptions = {},
): RecordingTarget {
  const { disk = realDisk, retryMs = 1000 } = options
  const salt = saltFromId(header._rec.id)
  const isPrivate = header._rec.redaction.mode === 'none'
  const blobs = createBlobStore({ folder, disk, retryMs })
  const seal = { disk, ...compact({ frame }) }
  /** Totals of closed segments. */
  const closedTotals = { written: 0, dropped: 0, bytes: 0 }
  let current: Segment | undefined
  /** The full segment that is being flushed and closed. */
  let closing: Segment | undefined
  let number = next.number
  /** The current problem with opening, closing or compressing a segment. */
  let problem: string | undefined
  let retryAt = 0
  /** Highest sequence number so far, for the end line of a segment. */
  let lastSeq = next.seq
  /** Closed segments to be compressed; those of a killed session are repaired first. */
  const plain: string[] = []
  let work: Promise<void> = Promise.resolve()
  for (const segment of unsealed) enqueueJob(() => repair(segment))
  enqueueJob(compress)
  /** Exchanges appended in this session. */
  let appended = 0
  current = open()

  /** Runs background jobs one after the other. */
  function enqueueJob(job: () => Promise<void>): void {
    work = work.then(job).catch((error: unknown) => {
      problem = fileProblem(`closing a segment in ${folder}`, error)
    })
  }

  function open(): Segment | undefined {
    const opened = openLineFile(join(folder, segmentFileName(number)), { isPrivate })
    if (!opened.ok) {
      problem = opened.error
      retryAt = performance.now() + retryMs
      return undefined
    }
    const appender = createAppender(opened.value, { ...options, delayMs: 0 })
    const segment = { number, http: next.http + appended, seq: lastSeq }
    appender.append(formatLine(headerOf(header, segment)), 0)
    const began = performance.now()
    return { number: number++, target: opened.value, appender, began }
  }

  const isFull = ({ appender, began }: Segment): boolean => {
    const { writtenBytes, pendingBytes } = appender.stats()
    return writtenBytes + pendingBytes >= maxBytes || performance.now() - began >= maxMs
  }

  /** The segment for the next line; if no new one can be opened, the old one continues. */
  function live(): Segment | undefined {
    if (current && !(isFull(current) && !closing)) return current
    if (performance.now() < retryAt) return current
    const old = current
    closing = old
    const fresh = open()
    if (!fresh) {
      closing = undefined
      return current
    }
    current = fresh
    problem = undefined
    if (old) {
      const seq = lastSeq
      enqueueJob(() => closeFull(old, seq))
      enqueueJob(compress)
    }
    return current
  }

  /** Closes a full segment once all of it is written; retries while the disk fails. */
  async function closeFull(segment: Segment, seq: number): Promise<void> {
    const { appender } = segment
    await appender.flush()
    while (appender.stats().pendingBytes > 0 && !isClosed) {
      await new Promise((resolve) => {
        wake = resolve as () => void
        setTimeout(resolve, retryMs).unref()
      })
      await appender.flush()
    }
    const http = appender.stats().written
    await appendEndLine(segment, { salt, instant: t0, seq, http, dropped: 0, goesOn: true })
    await close(segment)
  }

  async function close(segment: Segment): Promise<void> {
    const { appender, target } = segment
    await appender.close()
    if (closing === segment) closing = undefined
    if (current === segment) current = undefined
    const { written, dropped, writtenBytes } = appender.stats()
    closedTotals.written += written
    closedTotals.dropped += dropped
    closedTotals.bytes += writtenBytes
    plain.push(target.file)
  }

  /** Repairs a segment of a killed session: sets a torn tail aside and appends the end line. */
  async function repair({ file, number: which }: SegmentFile): Promise<void> {
    const opened = openLineFile(file, { isPrivate })
    if (!opened.ok) throw new Error(opened.error)
    const target = opened.value
    const { http, seq, ended } = surveyRecording(target)
    const appender = createAppender(target, { ...options, delayMs: 0 })
    const isEmpty = target.size === 0
    // Killed before its first write, while the next segment had started already.
    if (isEmpty)
      appender.append(formatLine(headerOf(header, { number: which, http: 0, seq: 0 })), 0)
    await appender.flush()
    const totals = { salt, instant: t0, seq, http, dropped: 0, goesOn: true } as const
    if (!ended) await appendEndLine({ appender, target }, totals)
    await appender.close()
    plain.push(file)
  }

  /** Compresses closed segments; on failure the file stays uncompressed and is retried with the next. */
  async function compress(): Promise<void> {
    for (let file = plain[0]; file !== undefined; file = plain[0]) {
      try {
        await compressSegment(file, seal)
        problem = undefined
      } catch (error) {
        problem = fileProblem(`compressing ${file}, which stays as it is`, error)
        return
      }
      plain.shift()
    }
  }

  let isClosed = false
  let wake = (): void => undefined

  async function end({ instant, seq, dropped, lastPass }: ClosingSummary): Promise<void> {
    isClosed = true
    wake()
    if (!(await blobs.close())) problem ??= blobs.problem()
    await work
    const last = current
    if (last) {
      await last.appender.flush()
      const http = last.appender.stats().written
      const totals = { seq: next.seq + seq, http, dropped: dropped() }
      await appendEndLine(last, { salt, instant, ...totals })
      await close(last)
    }
    enqueueJob(compress)
    await work
    try {
      if (lastPass) await replaceKnownInFolder(folder, { ...lastPass, disk })
    } catch (error) {
      problem = lastPassProblem(folder, error)
    }
    lock.release()
  }

  const pending = (): number =>
    (current?.appender.stats().pendingBytes ?? 0) + (closing?.appender.stats().pendingBytes ?? 0)

  function stats() {
    const own = [current, closing].flatMap((each) => (each ? [each.appender.stats()] : []))
    const sumOf = (of: 'written' | 'dropped' | 'writtenBytes'): number =>
      own.reduce((total, each) => total + each[of], 0)
    const writeProblem = own.find((each) => each.problem !== undefined)?.problem ?? blobs.problem()
    const currentProblem = writeProblem ?? problem
    return {
      written: closedTotals.written + sumOf('written'),
      dropped: closedTotals.dropped + lost + sumOf('dropped'),
      bytes: closedTotals.bytes + sumOf('writtenBytes'),
      ...compact({ problem: currentProblem }),
    }
  }

  let lost = 0

  return {
    header,
    t0,
    after: next.seq,
    append(line, exchanges, seq) {
      const segment = live()
      if (segment) {
        segment.appender.append(line, exchanges)
        appended += exchanges
      } else lost += exchanges
      if (seq > lastSeq) lastSeq = seq
    },
    catchUp: (before) => [closing, current].every((each) => each?.appender.catchUp(before) ?? true),
    hasRoom: () =>
      pending() < maxPendingTargetBytes && (current !== undefined || live() !== undefined),
    putBlob: blobs.put,
    blobs: () => (blobs.isIdle() ? undefined : blobs.idle()),
    flush: async () => {
      await blobs.flush()
      await closing?.appender.flush()
      await current?.appender.flush()
    },
    stats,
    position: () => current?.number ?? number,
    close: end,
  }
}
