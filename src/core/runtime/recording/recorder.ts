/**
 * Records exchanges to a file or a folder. `record` only enqueues; lines are serialised a few ms later in time slices,
 * so that neither replies nor the screen wait. When the event loop has no turn for that, the next `record` writes what is
 * overdue, so that a process which is killed in the middle of much work lacks no more than one in calm: 200 ms, and the
 * time for which the system gave it no processor. Exchanges that do not fit are counted as dropped and reported.
 * Exchanges are never modified.
 */
import { performance } from 'node:perf_hooks'
import { compact } from '../../base/compact.ts'
import { ok, type Result, err } from '../../protocol/result.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { InFlightCall } from '../../traffic/log.ts'
import type { RecordedClock } from '../../traffic/recording/format.ts'
import { saltFromId } from '../../traffic/recording/line-ids.ts'
import {
  formatSessionEndLine,
  type LinePosition,
  createExchangeFormatter,
  type ExchangeLineType,
  formatClockLine,
  formatMarkLine,
} from '../../traffic/recording/recording-lines.ts'
import type { SessionEnd } from '../../traffic/recording/session-end.ts'
import { KnownValues } from '../../traffic/redaction/known-values.ts'
import { type Redactor, createRedactor } from '../../traffic/redaction/redactor.ts'
import { wallNow } from '../clock/clock.ts'
import type { AppenderOptions } from './appender.ts'
import { fullBatchBytes } from './batches.ts'
import { createExchangeQueue } from './exchange-queue.ts'
import { createFileTarget } from './file-target.ts'
import { createFolderTarget, type SegmentOptions } from './folder-target.ts'
import { rawRecordingRefusal } from './raw-recording.ts'
import { openRecordingFile, type RecordingFileOptions } from './recording-file.ts'
import { openRecordingFolder } from './recording-folder.ts'
import { isRecordingFolder } from './recording-names.ts'
import type { ClosingSummary, RecordingTarget } from './recording-target.ts'

/**
 * Watches for secrets that are recognised after other lines were written: those lines may hold them as well, so they
 * get a last pass when the recording is closed.
 */
interface LateSecrets {
  /** Runs `format`, which writes the line of an exchange. */
  readonly watch: (exchange: Exchange, format: () => string) => string
  readonly lastPass: () => ClosingSummary['lastPass']
}

/** A token of ours did not exist before. */
const issuesOwnToken = ({ operation, to }: Exchange): boolean =>
  operation === 'issueToken' && to.party === 'sparring'

function watchLateSecrets(
  redactor: Redactor | undefined,
  target: Pick<RecordingTarget, 'after' | 'position'>,
): LateSecrets {
  const secrets = (): number => redactor?.known?.secrets() ?? 0
  /** Whether a line of an exchange was written, in this session or in one before. */
  let hasLines = target.after > 0
  let searchUpTo: number | undefined
  return {
    watch(exchange, format) {
      const before = secrets()
      const line = format()
      const isLate = secrets() - before > (issuesOwnToken(exchange) ? 1 : 0)
      if (hasLines && isLate) searchUpTo = target.position()
      hasLines = true
      return line
    },
    lastPass: () =>
      redactor && searchUpTo !== undefined ? { redactor, upTo: searchUpTo } : undefined,
  }
}

type TargetOptions = RecordingFileOptions & {
  readonly appender?: AppenderOptions
  readonly segments?: SegmentOptions
}

function openTarget(options: TargetOptions): Result<RecordingTarget, string> {
  if (isRecordingFolder(options.file)) {
    const opened = openRecordingFolder(options)
    return opened.ok
      ? ok(createFolderTarget(opened.value, options.appender, options.segments))
      : opened
  }
  const opened = openRecordingFile(options)
  return opened.ok ? ok(createFileTarget(opened.value, options.appender)) : opened
}

/** `before` is the number of exchanges that the recording had before this session. */
function sessionEndLine(
  position: LinePosition,
  { verdicts, faults, orders }: SessionEnd,
  redactor: Redactor | undefined,
  before: number,
): string {
  const redactedId = (id: string): string => redactor?.id(id) ?? id
  const redacted = (text: string): string => {
    const message = redactor?.message(text, 'verdict').value ?? text
    return redactor?.replaceKnown(message).value ?? message
  }
  return formatSessionEndLine(position, {
    verdicts: verdicts.map((verdict) => ({
      ...verdict,
      findings: verdict.findings.map(({ orderId, ...finding }) => ({
        ...finding,
        because: redacted(finding.because),
        evidence: finding.evidence.map((seq) => seq + before),
        ...(orderId === undefined ? {} : { orderId: redactedId(orderId) }),
      })),
    })),
    faults: faults.map((fault) => ({ ...fault, text: redacted(fault.text) })),
    orders: orders.map((order) => ({ ...order, orderId: redactedId(order.orderId) })),
  })
}

/** `file` is a folder when it exists as one or ends with a slash: a segmented recording of unlimited length. */
export type RecorderOptions = RecordingFileOptions & {
  /** Origin of the traffic: `mock` by default, `proxy`, `import:<format>`. */
  readonly via?: string
  /** Write options; the defaults suit a session. `sync` is `--fsync`. */
  readonly appender?: Pick<AppenderOptions, 'sync' | 'maxPendingBytes' | 'retryMs' | 'disk'>
  /** Segment limits of a folder. */
  readonly segments?: SegmentOptions
  /** Keep binary bodies in a redacted recording although they cannot be redacted. */
  readonly keepBinary?: boolean
  /** Exchanges in flight: long ones are recorded before they end. */
  readonly underWay?: () => Iterable<InFlightCall>
  /** Session time, in milliseconds since 1970; the wall clock when absent. */
  readonly now?: () => number
}

export interface RecorderStats {
  /** Exchanges written to the file. */
  readonly written: number
  /** Exchanges dropped. */
  readonly dropped: number
  /** Exchanges queued. */
  readonly queued: number
  /** Bytes written by this session. */
  readonly bytes: number
  /** The current write problem, or what is missing from the recording. */
  readonly problem?: string
}

export interface RecorderResult {
  readonly written: number
  readonly dropped: number
}

export interface Recorder {
  readonly file: string
  readonly record: (exchange: Exchange) => void
  /** Adds a bookmark after the last recorded exchange. */
  readonly mark: (text: string) => void
  /** Notes how the session's clock goes from now on, when that changed. */
  readonly setClock: (clock: RecordedClock) => void
  readonly stats: () => RecorderStats
  /** Flushes and closes the recording, with what the session tells at its end behind its exchanges. */
  readonly close: (end?: SessionEnd) => Promise<RecorderResult>
}

const delayMs = 10
/**
 * What waited for so long is serialised, and then written, at once: twice this and some are the 200 ms of the promise.
 */
const overdueMs = 50
/** Time slice for serialising lines. */
const sliceMs = 4
/** Exchanges in flight for longer than this are recorded as they are. */
const openAfterMs = 5000
const openCheckMs = 1000
/** Maximum number of in-flight exchanges recorded at once. */
const maxOpen = 10_000

export function createRecorder(options: RecorderOptions): Result<Recorder, string> {
  const refusal =
    options.redact || options.unsafe === true ? undefined : rawRecordingRefusal(options.file)
  if (refusal !== undefined) return err(refusal)
  const opened = openTarget(options)
  return opened.ok ? ok(recorderOn(opened.value, options)) : opened
}

function recorderOn(target: RecordingTarget, options: RecorderOptions): Recorder {
  const { header, t0, after, putBlob } = target
  const { underWay = () => [], now = wallNow } = options
  const redactor = options.redact ? createRedactor(options.key.hash, new KnownValues()) : undefined
  const late = watchLateSecrets(redactor, target)
  const format = createExchangeFormatter({
    header,
    t0,
    after,
    redactor,
    storeBlob: putBlob,
    keepBinary: options.keepBinary,
    ...compact({ via: options.via }),
  })
  const queue = createExchangeQueue()
  /** Sequence numbers of exchanges already recorded while in flight. */
  const open = new Set<number>()
  /** A line that waits for its bodies to be stored. */
  let held: { readonly line: string; readonly seq: number } | undefined
  let refused = 0
  let statesAndMarks = 0
  let lastSeq = 0
  let lastAt = t0
  // A resumed recording has the header of its first session.
  let lastClock = after === 0 ? header._rec.clock : undefined
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let closed: Promise<RecorderResult> | undefined
  const openCheck =
    options.underWay && setInterval(() => recordOpen(wallNow() - openAfterMs), openCheckMs)
  openCheck?.unref()

  const lineFor = (exchange: Exchange, type?: ExchangeLineType): string =>
    late.watch(exchange, () => format(exchange, type))

  function record(exchange: Exchange): void {
    const endedAt = performance.now()
    if (closed || !queue.push(exchange, endedAt)) {
      refused++
      return
    }
    catchUp(endedAt - overdueMs)
    if (immediate || held) return
    if (queue.bytes() >= fullBatchBytes) immediate = setImmediate(onTime)
    else timer ??= setTimeout(onTime, delayMs)
  }

  function catchUp(before: number): void {
    if (!target.catchUp(before)) return
    while (!held && queue.oldestAt() <= before && target.hasRoom()) makeLine()
  }

  function clearTimers(): void {
    clearTimeout(timer)
    clearImmediate(immediate)
    timer = undefined
    immediate = undefined
  }

  function onTime(): void {
    clearTimers()
    makeLines()
    if (queue.size() === 0 || held) return
    // Yield to other work between slices; wait longer when the disk cannot keep up.
    if (target.hasRoom()) immediate = setImmediate(onTime)
    else timer = setTimeout(onTime, delayMs)
  }

  function makeLines(): void {
    const until = performance.now() + sliceMs
    while (!held && queue.size() > 0 && target.hasRoom() && performance.now() < until)
      for (let count = 0; count < 16 && !held; count++) makeLine()
  }

  function makeLine(): void {
    const exchange = queue.take()
    if (!exchange) return
    lastSeq = Math.max(lastSeq, exchange.seq)
    lastAt = exchange.startedAt
    if (open.size > 0) open.delete(exchange.seq)
    put(lineFor(exchange), after + exchange.seq)
  }

  /** Appends a line once the bodies that it refers to are stored. */
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

  /** Records exchanges in flight since before this instant. */
  function recordOpen(before: number): void {
    let count = 0
    for (const { seq, startedAt, soFar } of underWay()) {
      if (startedAt > before || count++ >= maxOpen) return
      if (open.has(seq) || !target.hasRoom()) continue
      open.add(seq)
      // Does not wait for separately stored bodies: they may be written a moment later.
      target.append(lineFor(soFar(wallNow() - startedAt), 'open'), 0, after + seq)
    }
  }

  function mark(text: string): void {
    if (closed) return
    const message = redactor?.message(text, 'mark').value ?? text
    const redactedText = redactor?.replaceKnown(message).value ?? message
    const position = nextPosition()
    target.append(formatMarkLine(position, redactedText), 0, position.seq)
  }

  /** The place after the last recorded exchange. */
  const nextPosition = (): LinePosition => ({
    salt: saltFromId(header._rec.id),
    t0,
    instant: now(),
    seq: after + lastSeq,
    before: statesAndMarks++,
  })

  function setClock(clock: RecordedClock): void {
    if (closed || (clock.mode === lastClock?.mode && clock.speed === lastClock.speed)) return
    lastClock = clock
    const position = nextPosition()
    target.append(formatClockLine(position, clock), 0, position.seq)
  }

  function counts(): RecorderResult {
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
      ...compact({ problem: trouble }),
    }
  }

  async function finish(end: SessionEnd | undefined): Promise<RecorderResult> {
    clearTimers()
    clearInterval(openCheck)
    while (queue.size() > 0 || held) {
      makeLines()
      await target.flush()
      if (!target.blobs()) release()
      // Give up when the disk fails now.
      if (held || target.stats().problem !== undefined) break
    }
    refused += queue.clear()
    if (held) refused++
    held = undefined
    recordOpen(Number.POSITIVE_INFINITY)
    if (end) {
      const position = nextPosition()
      target.append(sessionEndLine(position, end, redactor, after), 0, position.seq)
    }
    await target.flush()
    await target.close({
      instant: lastAt,
      seq: lastSeq,
      dropped: () => counts().dropped,
      ...compact({ lastPass: late.lastPass() }),
    })
    return counts()
  }

  if (options.info.clock) setClock(options.info.clock)

  const close: Recorder['close'] = (end) => (closed ??= finish(end))
  return { file: options.file, record, mark, setClock, stats, close }
}

const missing = (file: string, dropped: number): string =>
  `recording to ${file}: ${dropped} exchanges are missing, because the disk could not follow. ` +
  'Record to a faster disk, or with fewer calls at once'
