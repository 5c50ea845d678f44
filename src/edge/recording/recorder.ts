/**
 * Records exchanges to a file, or into a folder when it is to be long. `record` only puts the exchange on a queue; lines
 * are made a few milliseconds later, in slices, so that neither an answer nor the screen waits for a recording. What does
 * not fit any more is counted as dropped and told. The past is only read here: no exchange is ever changed.
 */
import { performance } from 'node:perf_hooks'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { UnderWay } from '../../traffic/log.ts'
import { createExchangeLine, markLine } from '../../traffic/recording/recording.ts'
import { saltIn } from '../../traffic/recording/id.ts'
import { createRedactor } from '../../traffic/redaction/redactor.ts'
import { wallNow } from '../clock/clock.ts'
import type { AppenderOptions } from './appender.ts'
import { fullBytes } from './batches.ts'
import { createExchangeQueue } from './exchange-queue.ts'
import { createFileTarget } from './file-target.ts'
import { createFolderTarget, type SegmentOptions } from './folder-target.ts'
import { openRecordingFile, type RecordingFileOptions } from './recording-file.ts'
import { openRecordingFolder } from './recording-folder.ts'
import { isFolder } from './recording-names.ts'
import type { RecordingTarget } from './recording-target.ts'
import { whyNotRaw } from './raw-place.ts'

/** `file` is a folder when it is one already, or ends with a slash: a recording that may grow as long as it likes. */
export type RecorderOptions = RecordingFileOptions & {
  /** How we came by the traffic: `mock` unless it says otherwise, `proxy`, `import:<format>`. */
  readonly via?: string
  /** How it is written; the defaults are right for a session. `sync` is `--fsync`. */
  readonly appender?: Pick<AppenderOptions, 'sync' | 'mostPendingBytes' | 'retryMs' | 'disk'>
  /** When a segment of a folder is full. */
  readonly segments?: SegmentOptions
  /** Bodies that are no text stay in although the rest is redacted: nobody can look into them. */
  readonly keepBinary?: boolean
  /** The calls that are under way: those that take long are recorded before they are over. */
  readonly underWay?: () => Iterable<UnderWay>
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
  /** Sets a bookmark behind what was recorded so far. */
  readonly mark: (text: string) => void
  readonly stats: () => RecorderStats
  /** Writes what is left and closes the recording. */
  readonly close: () => Promise<RecorderEnd>
}

const delayMs = 10
/** So long one slice of line-making may keep everybody else waiting. */
const sliceMs = 4
/** A call that is under way for so long is recorded as it stands. */
const longMs = 5000
const lookMs = 1000
/** Calls under way that are recorded at once. */
const mostOpen = 10_000

function openTarget(options: RecorderOptions): Result<RecordingTarget, string> {
  if (isFolder(options.file)) {
    const opened = openRecordingFolder(options)
    return opened.ok
      ? ok(createFolderTarget(opened.value, options.appender, options.segments))
      : opened
  }
  const opened = openRecordingFile(options)
  return opened.ok ? ok(createFileTarget(opened.value, options.appender)) : opened
}

export function createRecorder(options: RecorderOptions): Result<Recorder, string> {
  const refusal = options.redact ? undefined : whyNotRaw(options.file)
  if (refusal !== undefined) return no(refusal)
  const opened = openTarget(options)
  return opened.ok ? ok(recorderOn(opened.value, options)) : opened
}

function recorderOn(target: RecordingTarget, options: RecorderOptions): Recorder {
  const { header, t0, after, putBlob } = target
  const { underWay = () => [] } = options
  const redactor = options.redact ? createRedactor(options.key.hash) : undefined
  const lineFor = createExchangeLine({
    header,
    t0,
    after,
    redactor,
    putBlob,
    keepBinary: options.keepBinary,
    ...(options.via === undefined ? {} : { via: options.via }),
  })
  const queue = createExchangeQueue()
  /** Numbers of the calls that were recorded although they were under way. */
  const open = new Set<number>()
  /** A line whose bodies are still on their way to their files. */
  let held: { readonly line: string; readonly seq: number } | undefined
  let refused = 0
  let marks = 0
  let lastSeq = 0
  let lastAt = t0
  let later: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let closed: Promise<RecorderEnd> | undefined
  const looking = options.underWay && setInterval(() => recordOpen(wallNow() - longMs), lookMs)
  looking?.unref()

  function record(exchange: Exchange): void {
    if (closed || !queue.push(exchange)) {
      refused++
      return
    }
    if (soon || held) return
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
    if (queue.size() === 0 || held) return
    // A long queue goes on after whatever else is due; a disk that cannot follow is asked again later.
    if (target.hasRoom()) soon = setImmediate(onTime)
    else later = setTimeout(onTime, delayMs)
  }

  function makeLines(): void {
    const until = performance.now() + sliceMs
    while (!held && queue.size() > 0 && target.hasRoom() && performance.now() < until)
      for (let some = 0; some < 16 && !held; some++) {
        const exchange = queue.take()
        if (!exchange) return
        lastSeq = Math.max(lastSeq, exchange.seq)
        lastAt = exchange.startedAt
        if (open.size > 0) open.delete(exchange.seq)
        put(lineFor(exchange), after + exchange.seq)
      }
  }

  /** A line never says more than is there: it waits for the bodies that it names. */
  function put(line: string, seq: number): void {
    const bodies = target.blobs()
    if (!bodies) {
      target.append(line, 1, seq)
      return
    }
    held = { line, seq }
    void bodies.then(() => {
      release()
      if (!closed) onTime()
    })
  }

  function release(): void {
    if (held) target.append(held.line, 1, held.seq)
    held = undefined
  }

  /** Records the calls that are under way since before then. */
  function recordOpen(before: number): void {
    let some = 0
    for (const { seq, startedAt, soFar } of underWay()) {
      if (startedAt > before || some++ >= mostOpen) return
      if (open.has(seq) || !target.hasRoom()) continue
      open.add(seq)
      const { reply: _reply, failure: _failure, ...known } = soFar()
      const tookMs = wallNow() - startedAt
      // Its bodies, if they lie elsewhere, may come a moment later: nobody waits for this line.
      target.append(lineFor({ ...known, seq, startedAt, tookMs }, 'open'), 0, after + seq)
    }
  }

  function mark(text: string): void {
    if (closed) return
    const told = redactor?.message(text, 'mark').value ?? text
    const seq = after + lastSeq
    const salt = saltIn(header._rec.id)
    const line = markLine({ salt, t0, instant: wallNow(), seq, before: marks++, text: told })
    target.append(line, 0, seq)
  }

  function counts(): RecorderEnd {
    const { written, dropped } = target.stats()
    return { written, dropped: refused + dropped }
  }

  function stats(): RecorderStats {
    const { problem, bytes } = target.stats()
    const { written, dropped } = counts()
    const trouble = problem ?? (dropped > 0 ? missing(options.file, dropped) : undefined)
    return {
      written,
      dropped,
      queued: queue.size() + (held ? 1 : 0),
      bytes,
      ...(trouble === undefined ? {} : { problem: trouble }),
    }
  }

  async function finish(): Promise<RecorderEnd> {
    clearTimers()
    clearInterval(looking)
    while (queue.size() > 0 || held) {
      makeLines()
      await target.flush()
      if (!target.blobs()) release()
      // A disk that refuses now will not take the rest either.
      if (held || target.stats().problem !== undefined) break
    }
    refused += queue.forget()
    if (held) refused++
    held = undefined
    recordOpen(Number.POSITIVE_INFINITY)
    await target.flush()
    await target.close({
      instant: lastAt,
      seq: lastSeq,
      dropped: () => counts().dropped,
    })
    return counts()
  }

  return { file: options.file, record, mark, stats, close: () => (closed ??= finish()) }
}

const missing = (file: string, dropped: number): string =>
  `recording to ${file}: ${dropped} exchanges are missing, because the disk could not follow. ` +
  'Record to a faster disk, or with fewer calls at once'
