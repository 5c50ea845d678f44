/**
 * Records exchanges to a file. `record` only puts the exchange on a queue; lines are made a few milliseconds later, in
 * slices, so that neither an answer nor the screen waits for a recording. What does not fit any more is counted as
 * dropped and told. The past is only read here: no exchange is ever changed.
 */
import { performance } from 'node:perf_hooks'
import { ok, type Result } from '../../protocol/result.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { createExchangeLine, endLine, lineOf } from '../../traffic/recording.ts'
import { saltIn } from '../../traffic/recording-id.ts'
import { createRedactor } from '../../traffic/redaction/redactor.ts'
import { type AppenderOptions, createAppender } from './appender.ts'
import { fullBytes } from './batches.ts'
import { createExchangeQueue } from './exchange-queue.ts'
import {
  openRecordingFile,
  type RecordingFile,
  type RecordingFileOptions,
} from './recording-file.ts'
import { hashOf } from './recording-survey.ts'

export type RecorderOptions = RecordingFileOptions & {
  /** How it is written; the defaults are right for a session. */
  readonly appender?: Pick<AppenderOptions, 'sync' | 'mostPendingBytes' | 'retryMs' | 'disk'>
}

export interface RecorderStats {
  /** Exchanges that are in the file. */
  readonly written: number
  /** Exchanges that never will be. */
  readonly dropped: number
  /** Exchanges on their way there. */
  readonly queued: number
  /** Written by this session. */
  readonly bytes: number
  /** What stands in the way, or what is missing from the recording. */
  readonly problem?: string
}

export interface RecorderEnd {
  readonly written: number
  readonly dropped: number
}

export interface Recorder {
  readonly file: string
  readonly record: (exchange: Exchange) => void
  readonly stats: () => RecorderStats
  /** Writes what is left and closes the recording. */
  readonly close: () => Promise<RecorderEnd>
}

const delayMs = 10
/** So long one slice of line-making may keep everybody else waiting. */
const sliceMs = 4
/** A disk that is behind by so much is waited for. */
const mostAhead = 8 * 1024 * 1024

export function createRecorder(options: RecorderOptions): Result<Recorder, string> {
  const opened = openRecordingFile(options)
  return opened.ok ? ok(recorderOn(opened.value, options)) : opened
}

function recorderOn(recording: RecordingFile, options: RecorderOptions): Recorder {
  const { target, header, t0, isNew, survey } = recording
  const appender = createAppender(target, { ...options.appender, delayMs: 0 })
  const lineFor = createExchangeLine({
    header,
    t0,
    after: survey.seq,
    ...(options.redact ? { redactor: createRedactor(options.key.hash) } : {}),
  })
  const queue = createExchangeQueue()
  let refused = 0
  /** Lines of exchanges that the appender was given. */
  let made = 0
  let lastSeq = 0
  let lastAt = t0
  let later: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let closed: Promise<RecorderEnd> | undefined
  /** The counts of a recording that is complete. */
  let atEnd: RecorderEnd | undefined
  if (isNew) appender.append(lineOf(header))

  function record(exchange: Exchange): void {
    if (closed || !queue.push(exchange)) {
      refused++
      return
    }
    if (soon) return
    if (queue.bytes() >= fullBytes) soon = setImmediate(onTime)
    else later ??= setTimeout(onTime, delayMs)
  }

  function clearTimers(): void {
    clearTimeout(later)
    clearImmediate(soon)
    later = undefined
    soon = undefined
  }

  function onTime(): void {
    clearTimers()
    makeLines()
    if (queue.size() === 0) return
    // A long queue goes on after whatever else is due; a disk that cannot follow is asked again later.
    if (hasRoom()) soon = setImmediate(onTime)
    else later = setTimeout(onTime, delayMs)
  }

  const hasRoom = (): boolean => appender.stats().pendingBytes < mostAhead

  function makeLines(): void {
    const until = performance.now() + sliceMs
    while (queue.size() > 0 && hasRoom() && performance.now() < until)
      for (let some = 0; some < 16; some++) {
        const exchange = queue.take()
        if (!exchange) return
        lastSeq = Math.max(lastSeq, exchange.seq)
        lastAt = exchange.startedAt
        appender.append(lineFor(exchange))
        made++
      }
  }

  function counts(): RecorderEnd {
    if (atEnd) return atEnd
    const { written, dropped } = appender.stats()
    // The appender's first text is the header of a new recording, and no exchange.
    const inFile = Math.max(0, written - (isNew ? 1 : 0))
    return { written: inFile, dropped: refused + Math.min(dropped, made - inFile) }
  }

  function stats(): RecorderStats {
    const { problem, writtenBytes } = appender.stats()
    const { written, dropped } = counts()
    const trouble = problem ?? (dropped > 0 ? missing(options.file, dropped) : undefined)
    return {
      written,
      dropped,
      queued: queue.size(),
      bytes: writtenBytes,
      ...(trouble === undefined ? {} : { problem: trouble }),
    }
  }

  async function finish(): Promise<RecorderEnd> {
    clearTimers()
    while (queue.size() > 0) {
      makeLines()
      await appender.flush()
      // A disk that refuses now will not take the rest either.
      if (appender.stats().problem !== undefined) break
    }
    refused += queue.forget()
    await appender.flush()
    const end = await endOf(counts())
    if (end !== undefined) {
      // From here on the appender's texts are not only exchanges.
      atEnd = counts()
      appender.append(end)
    }
    await appender.close()
    return counts()
  }

  /** The line that closes the recording; none when not all of it could be written or read again. */
  async function endOf({ written, dropped }: RecorderEnd): Promise<string | undefined> {
    const { pendingBytes, writtenBytes } = appender.stats()
    if (pendingBytes > 0) return undefined
    try {
      return endLine({
        salt: saltIn(header._rec.id),
        instant: lastAt,
        seq: survey.seq + lastSeq,
        http: survey.http + written,
        dropped,
        sha256: await hashOf(target.fd, target.size + writtenBytes),
      })
    } catch {
      return undefined
    }
  }

  return { file: options.file, record, stats, close: () => (closed ??= finish()) }
}

const missing = (file: string, dropped: number): string =>
  `recording to ${file}: ${dropped} exchanges are missing, because the disk could not follow. ` +
  'Record to a faster disk, or with fewer calls at once'
