/**
 * Recording target: a folder of segments, each a complete recording with its own header. Only the live segment grows;
 * when it is large or old enough, the next one starts and it is closed and compressed in the background. Large bodies
 * are stored in separate files.
 */
import { compact } from '../../base/compact.ts'
import { performance } from 'node:perf_hooks'
import { join } from 'node:path'
import { formatLine } from '../../traffic/recording/recording-lines.ts'
import type { HeaderLine } from '../../traffic/recording/format.ts'
import { saltFromId } from '../../traffic/recording/line-ids.ts'
import { fileProblem } from '../files/file-problem.ts'
import { type Appender, type AppenderOptions, createAppender, realDisk } from './appender.ts'
import { createBlobStore } from './blob-store.ts'
import { appendEndLine } from './file-target.ts'
import { type LineFile, openLineFile } from './line-file.ts'
import type { RecordingFolder } from './recording-folder.ts'
import { segmentFileName, type SegmentFile } from './recording-names.ts'
import { surveyRecording } from './recording-survey.ts'
import {
  type ClosingSummary,
  maxPendingTargetBytes,
  type RecordingTarget,
} from './recording-target.ts'
import { compressSegment } from './compress-segment.ts'
import { replaceKnownInFolder } from './replace-known-in-folder.ts'
import { lastPassProblem } from './replace-known-in-file.ts'

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
