/**
 * Records exchanges to a file or a folder. `record` only enqueues; lines are serialised a few ms later in time slices,
 * so that neither replies nor the screen wait. When the event loop has no turn for that, the next `record` writes what is
 * overdue, so that a process which is killed in the middle of much work lacks no more than one in calm: 200 ms, and the
 * time for which the system gave it no processor. Exchanges that do not fit are counted as dropped and reported.
 * Exchanges are never modified.
 */
import { performance } from 'node:perf_hooks'
import { compact } from '../../base/compact.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { type Exchange, largeChars } from '../../traffic/exchange.ts'
import type { InFlightCall } from '../../traffic/log.ts'
import type { RecordedClock } from '../../traffic/recording/format.ts'
import { saltFromId } from '../../traffic/recording/line-ids.ts'
import {
  createExchangeFormatter,
  type ExchangeLineType,
  formatClockLine,
  formatMarkLine,
  formatSessionEndLine,
  type LinePosition,
} from '../../traffic/recording/recording-lines.ts'
import type { SessionEnd } from '../../traffic/recording/session-end.ts'
import { KnownValues } from '../../traffic/redaction/known-values.ts'
import { createRedactor, type Redactor } from '../../traffic/redaction/redactor.ts'
import { wallNow } from '../clock/clock.ts'
import type { AppenderOptions } from './appender.ts'
import { fullBatchBytes } from './batches.ts'
import { createFileTarget } from './file-target.ts'
import { FolderTarget, type SegmentOptions } from './folder-target.ts'
import { rawRecordingRefusal } from './raw-recording.ts'
import { openRecordingFile, type RecordingFileOptions } from './recording-file.ts'
import { openRecordingFolder } from './recording-folder.ts'
import { isRecordingFolder } from './recording-names.ts'
import type { ClosingSummary, RecordingTarget } from './recording-target.ts'

interface ExchangeQueue {
  /** Adds an exchange that ended at this instant; false when it is full. */
  readonly push: (exchange: Exchange, at: number) => boolean
  readonly take: () => Exchange | undefined
  readonly size: () => number
  /** When the oldest one ended; infinite without any. */
  readonly oldestAt: () => number
  /** Approximate size of the queue in a recording, in bytes. */
  readonly bytes: () => number
  /** Discards all; returns their number. */
  readonly clear: () => number
}

const maxExchanges = 20_000
const maxBytes = 32 * 1024 * 1024
/** Estimated bytes of an exchange without its bodies. */
const baseBytes = 1500

const bytesOf = (exchange: Exchange): number => baseBytes + largeChars(exchange)

/** Bounded FIFO queue of exchanges that wait to be serialised. */
export function createExchangeQueue(): ExchangeQueue {
  // One long-lived array whose slots are cleared: short-lived arrays are promoted to the old
  // generation with what they hold.
  const waiting: (Exchange | undefined)[] = []
  const endedAt: number[] = []
  /** Number of slots already taken at the front: shifting the rest each time would cost more than the work itself. */
  let taken = 0
  let end = 0
  let bytes = 0

  function compactQueue(): void {
    waiting.copyWithin(0, taken, end)
    endedAt.copyWithin(0, taken, end)
    waiting.fill(undefined, end - taken, end)
    end -= taken
    taken = 0
  }

  return {
    push: (exchange, at) => {
      if (end - taken >= maxExchanges || bytes >= maxBytes) return false
      endedAt[end] = at
      waiting[end++] = exchange
      bytes += bytesOf(exchange)
      return true
    },
    take: () => {
      const exchange = waiting[taken]
      if (!exchange) return undefined
      waiting[taken++] = undefined
      bytes -= bytesOf(exchange)
      if (taken === end) taken = end = 0
      else if (taken >= 1000) compactQueue()
      return exchange
    },
    size: () => end - taken,
    oldestAt: () => (end > taken ? endedAt[taken] : undefined) ?? Number.POSITIVE_INFINITY,
    bytes: () => bytes,
    clear: () => {
      const count = end - taken
      waiting.length = 0
      taken = 0
      end = 0
      bytes = 0
      return count
    },
  }
}

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
      ? ok(new FolderTarget(opened.value, options.appender, options.segments))
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
  return opened.ok ? ok(new Recorder(opened.value, options)) : opened
}

export class Recorder {
  readonly file: string
  /** How many lines of earlier sessions are in the file. */
  readonly earlierLines: number
  readonly #target: RecordingTarget
  readonly #underWay: () => Iterable<InFlightCall>
  readonly #now: () => number
  readonly #redactor: Redactor | undefined
  readonly #late: LateSecrets
  readonly #format: (exchange: Exchange, type?: ExchangeLineType) => string
  readonly #queue = createExchangeQueue()
  /** Sequence numbers of exchanges already recorded while in flight. */
  readonly #open = new Set<number>()
  /** A line that waits for its bodies to be stored. */
  #held: { readonly line: string; readonly seq: number } | undefined
  #refused = 0
  #statesAndMarks = 0
  #lastSeq = 0
  #lastAt: number
  /** A resumed recording has the header of its first session. */
  #lastClock: RecordedClock | undefined
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #closed: Promise<RecorderResult> | undefined
  /** No exchange is taken any more. */
  #isEnding = false
  readonly #openCheck: NodeJS.Timeout | undefined

  constructor(target: RecordingTarget, options: RecorderOptions) {
    const { header, t0, after, putBlob } = target
    this.earlierLines = after
    this.file = options.file
    this.#target = target
    this.#underWay = options.underWay ?? (() => [])
    this.#now = options.now ?? wallNow
    this.#redactor = options.redact
      ? createRedactor(options.key.hash, new KnownValues())
      : undefined
    this.#late = watchLateSecrets(this.#redactor, target)
    this.#format = createExchangeFormatter({
      header,
      t0,
      after,
      redactor: this.#redactor,
      storeBlob: putBlob,
      keepBinary: options.keepBinary,
      ...compact({ via: options.via }),
    })
    this.#lastAt = t0
    this.#lastClock = after === 0 ? header._rec.clock : undefined
    this.#openCheck =
      options.underWay && setInterval(() => this.#recordOpen(wallNow() - openAfterMs), openCheckMs)
    this.#openCheck?.unref()
    if (options.info.clock) this.setClock(options.info.clock)
  }

  record(exchange: Exchange): void {
    const endedAt = performance.now()
    // Those that end later were recorded as they were.
    if (this.#isEnding) return
    if (!this.#queue.push(exchange, endedAt)) {
      this.#refused++
      return
    }
    if (this.#closed) return
    this.#catchUp(endedAt - overdueMs)
    if (this.#immediate || this.#held) return
    if (this.#queue.bytes() >= fullBatchBytes) this.#immediate = setImmediate(() => this.#onTime())
    else this.#timer ??= setTimeout(() => this.#onTime(), delayMs)
  }

  /** Adds a bookmark after the last recorded exchange. */
  mark(text: string): void {
    this.#addMark(text)
  }

  /** Adds a note on an exchange of this session; an empty one takes that of before away. */
  note(seq: number, text: string): void {
    this.#addMark(text, this.#target.after + seq)
  }

  #addMark(text: string, of?: number): void {
    if (this.#closed) return
    const message = this.#redactor?.message(text, 'mark').value ?? text
    const redactedText = this.#redactor?.replaceKnown(message).value ?? message
    this.#addNote((position) => formatMarkLine(position, redactedText, of))
  }

  /** Notes how the session's clock goes from now on, when that changed. */
  setClock(clock: RecordedClock): void {
    const last = this.#lastClock
    if (this.#closed || (clock.mode === last?.mode && clock.speed === last.speed)) return
    this.#lastClock = clock
    this.#addNote((position) => formatClockLine(position, clock))
  }

  stats(): RecorderStats {
    const { problem, bytes } = this.#target.stats()
    const { written, dropped } = this.#counts()
    const trouble = problem ?? (dropped > 0 ? missing(this.file, dropped) : undefined)
    return {
      written,
      dropped,
      queued: this.#queue.size() + (this.#held ? 1 : 0),
      bytes,
      ...compact({ problem: trouble }),
    }
  }

  /** Flushes and closes the recording, with what the session tells at its end behind its exchanges. */
  close(end?: SessionEnd): Promise<RecorderResult> {
    return (this.#closed ??= this.#finish(end))
  }

  /** What the closed recording lacks, in a sentence; undefined when it is whole. */
  loss(): string | undefined {
    const { written, dropped } = this.#counts()
    const { problem } = this.#target.stats()
    if (dropped === 0) return problem && `the recording ${this.file} is not finished: ${problem}`
    const counts = `${written} of ${written + dropped} exchanges are in it`
    const why = problem ?? 'the disk could not follow. Record to a faster disk'
    return `the recording ${this.file} is not whole: ${counts}; ${why}`
  }

  #lineFor(exchange: Exchange, type?: ExchangeLineType): string {
    return this.#late.watch(exchange, () => this.#format(exchange, type))
  }

  #catchUp(before: number): void {
    if (!this.#target.catchUp(before)) return
    while (!this.#held && this.#queue.oldestAt() <= before && this.#target.hasRoom())
      this.#makeLine()
  }

  #clearTimers(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#timer = undefined
    this.#immediate = undefined
  }

  #onTime(): void {
    this.#clearTimers()
    this.#makeLines()
    if (this.#queue.size() === 0 || this.#held) return
    // Yield to other work between slices; wait longer when the disk cannot keep up.
    if (this.#target.hasRoom()) this.#immediate = setImmediate(() => this.#onTime())
    else this.#timer = setTimeout(() => this.#onTime(), delayMs)
  }

  #makeLines(): void {
    const until = performance.now() + sliceMs
    const isTime = (): boolean => performance.now() < until
    while (!this.#held && this.#queue.size() > 0 && this.#target.hasRoom() && isTime())
      for (let count = 0; count < 16 && !this.#held; count++) this.#makeLine()
  }

  #makeLine(): void {
    const exchange = this.#queue.take()
    if (!exchange) return
    this.#lastSeq = Math.max(this.#lastSeq, exchange.seq)
    this.#lastAt = exchange.startedAt
    if (this.#open.size > 0) this.#open.delete(exchange.seq)
    this.#put(this.#lineFor(exchange), this.#target.after + exchange.seq)
  }

  /** Appends a line once the bodies that it refers to are stored. */
  #put(line: string, seq: number): void {
    const bodies = this.#target.blobs()
    if (!bodies) {
      this.#target.append(line, 1, seq)
      return
    }
    this.#held = { line, seq }
    void bodies.then(() => {
      this.#release()
      if (!this.#closed) this.#onTime()
    })
  }

  #release(): void {
    if (this.#held) this.#target.append(this.#held.line, 1, this.#held.seq)
    this.#held = undefined
  }

  /** Records exchanges in flight since before this instant. */
  #recordOpen(before: number): void {
    let count = 0
    for (const { seq, startedAt, soFar } of this.#underWay()) {
      if (startedAt > before || count++ >= maxOpen) return
      if (this.#open.has(seq) || !this.#target.hasRoom()) continue
      this.#open.add(seq)
      // Does not wait for separately stored bodies: they may be written a moment later.
      this.#target.append(
        this.#lineFor(soFar(wallNow() - startedAt), 'open'),
        0,
        this.#target.after + seq,
      )
    }
  }

  /** Appends a line that is no exchange, after the last recorded one. */
  #addNote(lineAt: (position: LinePosition) => string): void {
    const { header, t0, after } = this.#target
    const seq = after + this.#lastSeq
    const before = this.#statesAndMarks++
    const salt = saltFromId(header._rec.id)
    this.#target.append(lineAt({ salt, t0, instant: this.#now(), seq, before }), 0, seq)
  }

  #counts(): RecorderResult {
    const { written, dropped } = this.#target.stats()
    return { written, dropped: this.#refused + dropped }
  }

  async #finish(end: SessionEnd | undefined): Promise<RecorderResult> {
    this.#clearTimers()
    clearInterval(this.#openCheck)
    while (this.#queue.size() > 0 || this.#held) {
      this.#makeLines()
      await this.#target.flush()
      if (!this.#target.blobs()) this.#release()
      // Give up when the disk fails now.
      if (this.#held || this.#target.stats().problem !== undefined) break
    }
    this.#refused += this.#queue.clear()
    if (this.#held) this.#refused++
    this.#held = undefined
    this.#isEnding = true
    this.#recordOpen(Number.POSITIVE_INFINITY)
    if (end) this.#addNote((at) => sessionEndLine(at, end, this.#redactor, this.#target.after))
    await this.#target.flush()
    await this.#target.close({
      instant: this.#lastAt,
      seq: this.#lastSeq,
      dropped: () => this.#counts().dropped,
      ...compact({ lastPass: this.#late.lastPass() }),
    })
    return this.#counts()
  }
}

const missing = (file: string, dropped: number): string =>
  `recording to ${file}: ${dropped} exchanges are missing, because the disk could not follow. ` +
  'Record to a faster disk, or with fewer calls at once'
