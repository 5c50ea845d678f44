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

export interface OtlpExporter {
  readonly add: (service: string, span: OtlpSpan) => void
  readonly counts: () => SpanCounts
  /** Sends what is left, for a short time. */
  readonly close: () => Promise<void>
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

export function createOtlpExporter(options: OtlpExporterOptions): OtlpExporter {
  const { url, onWarning } = options
  const pace = { ...defaultPace, ...options.pace }
  const { maxQueued, maxBatch, batchMs, firstPauseMs, maxPauseMs } = pace
  const sockets = createSocketTransport({ timeoutMs: pace.timeoutMs })
  const headers = { ...options.headers, 'content-type': 'application/json' }
  const warned = new Set<string>()
  let queue: QueuedSpan[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let failures = 0
  let exported = 0
  let dropped = 0
  let closing = false

  function warn(kind: string, text: string): void {
    if (warned.has(kind)) return
    warned.add(kind)
    onWarning(text)
  }

  function requestBody(batch: readonly QueuedSpan[]): string {
    const byService = Map.groupBy(batch, ({ service }) => service)
    const scope = { name: 'sparring', version: options.version }
    const resourceSpans = Array.from(byService, ([service, spans]) => ({
      resource: { attributes: options.resource(service) },
      scopeSpans: [{ scope, spans: spans.map(({ span }) => span) }],
    }))
    return JSON.stringify({ resourceSpans })
  }

  async function post(batch: readonly QueuedSpan[]): Promise<BatchOutcome> {
    try {
      const request = { method: 'POST', url, headers, body: requestBody(batch) }
      return outcomeOf(await sockets.transport(request))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      return { kind: 'retry', why: code }
    }
  }

  /** Sends the oldest spans; what must be sent again stays at the head of the queue. */
  async function sendBatch(): Promise<void> {
    const batch = queue.slice(0, maxBatch)
    const outcome = await post(batch)
    if (outcome.kind === 'retry') {
      failures++
      warn(
        'unreachable',
        `tracing: ${url} takes no spans (${outcome.why}); they are kept up to ${maxQueued}, and it is tried again`,
      )
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1))
      return schedule(Math.min(maxPauseMs, Math.max(pauseMs, outcome.afterMs ?? 0)))
    }
    queue = queue.slice(batch.length)
    failures = 0
    const refused = outcome.kind === 'refused' ? batch.length : outcome.refused
    exported += batch.length - refused
    dropped += refused
    if (refused > 0) warn('refused', `tracing: ${url} refuses spans: ${outcome.why ?? 'no reason'}`)
    if (queue.length > 0) schedule(queue.length >= maxBatch ? 0 : batchMs)
  }

  function send(): void {
    timer = undefined
    if (queue.length === 0) return
    sending ??= sendBatch().finally(() => {
      sending = undefined
      // One that came while the last batch ended.
      if (queue.length > 0 && timer === undefined) schedule(batchMs)
    })
  }

  function schedule(afterMs: number): void {
    if (closing) return
    clearTimeout(timer)
    timer = setTimeout(send, afterMs)
    timer.unref()
  }

  /** One batch after the other, until one fails: a collector that was away may be back. */
  async function sendAll(): Promise<void> {
    await sending
    failures = 0
    while (queue.length > 0 && failures === 0) await sendBatch()
  }

  return {
    add(service, span) {
      if (closing || queue.length >= maxQueued) {
        dropped++
        return
      }
      queue.push({ service, span })
      if (sending || failures > 0) return
      if (queue.length >= maxBatch) schedule(0)
      else if (timer === undefined) schedule(batchMs)
    },
    counts: () => ({ exported, dropped }),
    async close() {
      // From here on nothing but this sends.
      closing = true
      clearTimeout(timer)
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, pace.closeMs).unref()
      })
      await Promise.race([sendAll(), late])
      dropped += queue.length
      queue = []
      sockets.close()
    },
  }
}
