/**
 * Exports spans over OTLP/HTTP in its JSON form: in batches, from a queue of bounded length, with retries where the
 * collector asks for them. A collector that cannot be reached costs one warning, and the spans that the queue has no
 * place for.
 */
import { createSocketTransport } from '../client/transport.ts'
import { parseRetryAfterMs } from '../client/call-outcome.ts'
import { wallNow } from '../clock/clock.ts'
import { headerValue } from '../../traffic/exchange.ts'
import type { InboundReply } from '../server/messages.ts'
import type { OtlpAttribute, OtlpSpan } from './otlp-span.ts'

export interface OtlpExporterOptions {
  /** Where traces are posted: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The attributes of the resource that a service name stands for. */
  readonly resource: (service: string) => readonly OtlpAttribute[]
  readonly version: string
  /** Called once for each kind of trouble, with one line. */
  readonly onWarning: (text: string) => void
  readonly pace?: Partial<ExportPace>
}

/** Limits in spans and in milliseconds of the wall clock. */
export interface ExportPace {
  /** Spans in memory; further ones are dropped. */
  readonly maxQueued: number
  readonly maxBatch: number
  /** A batch waits this long for further spans. */
  readonly batchMs: number
  /** The first pause after a failure, which doubles up to `maxPauseMs`. */
  readonly firstPauseMs: number
  readonly maxPauseMs: number
  readonly timeoutMs: number
  /** The last spans have this long when the session ends. */
  readonly closeMs: number
}

const defaultPace: ExportPace = {
  maxQueued: 2048,
  maxBatch: 512,
  batchMs: 1000,
  firstPauseMs: 1000,
  maxPauseMs: 30_000,
  timeoutMs: 10_000,
  closeMs: 500,
}

export interface SpanCounts {
  readonly exported: number
  /** Spans that found no place in the queue, that the collector refused, or that were left when the session ended. */
  readonly dropped: number
}

interface QueuedSpan {
  readonly service: string
  readonly span: OtlpSpan
}

/** What became of a batch. */
type BatchOutcome =
  | { readonly kind: 'taken'; readonly refused: number; readonly why?: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number | undefined }

const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Spans that a collector took only in part, by its reply. */
function partialSuccess(body: string): { readonly refused: number; readonly why?: string } {
  try {
    const read = JSON.parse(body) as {
      readonly partialSuccess?: {
        readonly rejectedSpans?: string | number
        readonly errorMessage?: string
      }
    }
    const { rejectedSpans = 0, errorMessage } = read.partialSuccess ?? {}
    const refused = Number(rejectedSpans) || 0
    return errorMessage === undefined ? { refused } : { refused, why: errorMessage }
  } catch {
    // A collector may answer without a body, or with one that is no JSON: it has taken the spans.
    return { refused: 0 }
  }
}

function outcomeOf({ status, headers, body }: InboundReply): BatchOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken', ...partialSuccess(body) }
  const why = `it answered ${status}`
  if (!retriedStatuses.has(status)) return { kind: 'refused', why }
  const asked = headerValue(headers, 'retry-after')
  return { kind: 'retry', why, afterMs: parseRetryAfterMs(asked, wallNow()) }
}

export class OtlpExporter {
  readonly #options: OtlpExporterOptions
  readonly #pace: ExportPace
  readonly #sockets
  readonly #headers: Readonly<Record<string, string>>
  readonly #warned = new Set<string>()
  #queue: QueuedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #failures = 0
  #exported = 0
  #dropped = 0
  #closing = false

  constructor(options: OtlpExporterOptions) {
    this.#options = options
    this.#pace = { ...defaultPace, ...options.pace }
    this.#sockets = createSocketTransport({ timeoutMs: this.#pace.timeoutMs })
    this.#headers = { ...options.headers, 'content-type': 'application/json' }
  }

  add(service: string, span: OtlpSpan): void {
    if (this.#closing || this.#queue.length >= this.#pace.maxQueued) {
      this.#dropped++
      return
    }
    this.#queue.push({ service, span })
    if (this.#sending || this.#failures > 0) return
    if (this.#queue.length >= this.#pace.maxBatch) this.#schedule(0)
    else if (this.#timer === undefined) this.#schedule(this.#pace.batchMs)
  }

  readonly counts = (): SpanCounts => ({ exported: this.#exported, dropped: this.#dropped })

  /** Sends what is left, for a short time. */
  async close(): Promise<void> {
    // From here on nothing but this sends.
    this.#closing = true
    clearTimeout(this.#timer)
    const late = new Promise<void>((resolve) => {
      setTimeout(resolve, this.#pace.closeMs).unref()
    })
    await Promise.race([this.#sendAll(), late])
    this.#dropped += this.#queue.length
    this.#queue = []
    this.#sockets.close()
  }

  #warn(kind: string, text: string): void {
    if (this.#warned.has(kind)) return
    this.#warned.add(kind)
    this.#options.onWarning(text)
  }

  #requestBody(batch: readonly QueuedSpan[]): string {
    const byService = Map.groupBy(batch, ({ service }) => service)
    const scope = { name: 'sparring', version: this.#options.version }
    const resourceSpans = Array.from(byService, ([service, spans]) => ({
      resource: { attributes: this.#options.resource(service) },
      scopeSpans: [{ scope, spans: spans.map(({ span }) => span) }],
    }))
    return JSON.stringify({ resourceSpans })
  }

  async #post(batch: readonly QueuedSpan[]): Promise<BatchOutcome> {
    try {
      const request = {
        method: 'POST',
        url: this.#options.url,
        headers: this.#headers,
        body: this.#requestBody(batch),
      }
      return outcomeOf(await this.#sockets.transport(request))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      return { kind: 'retry', why: code }
    }
  }

  /** Sends the oldest spans; what must be sent again stays at the head of the queue. */
  async #sendBatch(): Promise<void> {
    const batch = this.#queue.slice(0, this.#pace.maxBatch)
    const outcome = await this.#post(batch)
    if (outcome.kind === 'retry') {
      this.#failures++
      this.#warn(
        'unreachable',
        `tracing: ${this.#options.url} takes no spans (${outcome.why}); they are kept up to ${this.#pace.maxQueued}, and it is tried again`,
      )
      const pauseMs = Math.min(
        this.#pace.maxPauseMs,
        this.#pace.firstPauseMs * 2 ** (this.#failures - 1),
      )
      return this.#schedule(
        Math.min(this.#pace.maxPauseMs, Math.max(pauseMs, outcome.afterMs ?? 0)),
      )
    }
    this.#queue = this.#queue.slice(batch.length)
    this.#failures = 0
    const refused = outcome.kind === 'refused' ? batch.length : outcome.refused
    this.#exported += batch.length - refused
    this.#dropped += refused
    if (refused > 0)
      this.#warn(
        'refused',
        `tracing: ${this.#options.url} refuses spans: ${outcome.why ?? 'no reason'}`,
      )
    if (this.#queue.length > 0)
      this.#schedule(this.#queue.length >= this.#pace.maxBatch ? 0 : this.#pace.batchMs)
  }

  #send(): void {
    this.#timer = undefined
    if (this.#queue.length === 0) return
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined
      // One that came while the last batch ended.
      if (this.#queue.length > 0 && this.#timer === undefined) this.#schedule(this.#pace.batchMs)
    })
  }

  #schedule(afterMs: number): void {
    if (this.#closing) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#send(), afterMs)
    this.#timer.unref()
  }

  /** One batch after the other, until one fails: a collector that was away may be back. */
  async #sendAll(): Promise<void> {
    await this.#sending
    this.#failures = 0
    while (this.#queue.length > 0 && this.#failures === 0) await this.#sendBatch()
  }
}
