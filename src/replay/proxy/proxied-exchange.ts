/**
 * One exchange as the proxy observes it: collects head, body and trailers of both messages, and logs it once it is
 * over.
 */
import { compact } from '../../core/base/compact.ts'
import {
  type Exchange,
  type ExchangeRequest,
  type HeaderPairs,
  type Party,
  type Wire,
} from '../../core/traffic/exchange.ts'
import type { TrafficLog } from '../../core/traffic/log.ts'
import { failedOutcome } from '../../core/runtime/client/call-outcome.ts'
import { wallNow } from '../../core/runtime/clock/clock.ts'
import { createHash } from 'node:crypto'
import { maxBodyBytes } from '../../core/runtime/server/limits.ts'
import { contentCodings, maxCodings } from '../formats/http-message.ts'
import { codings } from './content-codings.ts'
import { listedValues, type StatusLine } from './message-parser.ts'

interface TappedBody {
  readonly body?: string
  readonly wire?: Wire
}

/** Limit against decompression bombs. */
const maxDecodedBytes = 64 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Copies a body while it streams through and decodes it afterwards to text, or to bytes when it is no text. The stream
 * itself is untouched; of a body over the limit only length and hash are kept.
 */
function createBodyTap() {
  const chunks: Buffer[] = []
  const hash = createHash('sha256')
  let size = 0

  async function decoded(bytes: Buffer, names: readonly string[]) {
    const decoders = names.flatMap((name) => codings.get(name) ?? [])
    if (names.length === 0 || names.length > maxCodings || decoders.length < names.length)
      return { bytes, undone: undefined }
    try {
      let whole: Uint8Array = bytes
      for (const { later } of decoders.toReversed())
        whole = await later(whole, { maxOutputLength: maxDecodedBytes })
      return { bytes: Buffer.from(whole), undone: names.join(', ') }
    } catch {
      // Content does not match its header: keep the bytes as they came.
      return { bytes, undone: undefined }
    }
  }

  return {
    take: (chunk: Buffer) => {
      size += chunk.length
      hash.update(chunk)
      if (size <= maxBodyBytes) chunks.push(chunk)
      else chunks.length = 0
    },
    /** The body, with its content coding decoded. */
    async body(names: readonly string[]): Promise<TappedBody> {
      if (size === 0) return {}
      const digest = { bytes: size, sha256: hash.digest('hex') }
      if (size > maxBodyBytes) return { wire: digest }
      const { bytes, undone } = await decoded(Buffer.concat(chunks), names)
      const text = textOf(bytes)
      const wire = undone === undefined ? digest : { ...digest, coding: undone }
      if (text === undefined) return { wire: { ...wire, base64: bytes.toString('base64') } }
      // Plain text needs no separate byte record.
      return undone === undefined ? { body: text } : { body: text, wire }
    },
  }
}

export type ExchangeFailure = NonNullable<Exchange['failure']>

export const socketFailure = (error: unknown): ExchangeFailure => {
  const { code, message } = failedOutcome(error)
  return { code, message }
}

/** Why an exchange has no reply, or an incomplete one, where no error of a socket says it. */
export const failures = {
  clientGone: { code: 'CALLER_GONE', message: 'the caller hung up' },
  replyCutOff: {
    code: 'ERR_STREAM_PREMATURE_CLOSE',
    message: 'the connection was ended before the answer was complete',
  },
  stopped: {
    code: 'STOPPED',
    message: 'the recording was stopped before the answer was complete',
  },
} as const satisfies Readonly<Record<string, ExchangeFailure>>

export type ProxiedExchange = ReturnType<typeof observeExchange>

export interface ObservedRequest {
  readonly startedAt: number
  readonly method: string
  readonly url: string
  readonly version: string
  readonly headers: HeaderPairs
}

export interface ProxiedExchangeOptions {
  /** Caller and callee. */
  readonly from: Party
  readonly to: Party
  readonly log: TrafficLog
  /** Adds operation and correlation to an exchange after it has ended. */
  readonly recognise: (exchange: Exchange) => Exchange
  /** Called with the work of logging, which decodes bodies. */
  readonly onOver: (work: Promise<void>) => void
}

/** One of the two messages. */
function observeMessage(version: string, headers: HeaderPairs) {
  const tap = createBodyTap()
  let trailers: HeaderPairs | undefined
  return {
    take: tap.take,
    end: (pairs: HeaderPairs) => void (trailers = pairs),
    isOver: () => trailers !== undefined,
    async body() {
      const { body, wire } = await tap.body(contentCodings(headers))
      const facts = {
        ...wire,
        ...(trailers?.length ? { trailers } : {}),
        ...(version === '1.0' ? ({ version } as const) : {}),
      }
      return compact({ body, wire: Object.keys(facts).length > 0 ? facts : undefined })
    },
  }
}

export function observeExchange(
  { startedAt, method, url, version, headers }: ObservedRequest,
  { from, to, log, recognise, onOver }: ProxiedExchangeOptions,
) {
  const head: ExchangeRequest = { method, url, headers }
  const seq = log.begin({ startedAt, soFar: () => ({ from, to, request: head }) })
  const sent = observeMessage(version, headers)
  let sentMs: number | undefined
  let got: ReturnType<typeof observeMessage> | undefined
  let replyHead: { readonly status: number; readonly headers: HeaderPairs } | undefined
  let repliedMs: number | undefined
  let isOver = false

  async function logIt(tookMs: number, failure: ExchangeFailure | undefined): Promise<void> {
    const request = { ...head, ...(await sent.body()) }
    const reply = replyHead && { ...replyHead, ...(await got?.body()) }
    log.add(
      recognise({
        seq,
        startedAt,
        tookMs,
        ...compact({ sentMs, repliedMs }),
        from,
        to,
        request,
        ...compact({ reply, failure }),
      }),
    )
  }

  function over(failure?: ExchangeFailure): void {
    if (isOver) return
    isOver = true
    onOver(logIt(wallNow() - startedAt, failure))
  }

  return {
    method,
    /** The client asks for another protocol: what follows depends on the response. */
    isUpgrade: listedValues(headers, 'connection').includes('upgrade'),
    takeRequest: sent.take,
    endRequest(trailers: HeaderPairs) {
      sentMs = wallNow() - startedAt
      sent.end(trailers)
      if (got?.isOver()) over()
    },
    beginReply(line: StatusLine, replyHeaders: HeaderPairs) {
      repliedMs = wallNow() - startedAt
      replyHead = { status: line.status, headers: replyHeaders }
      got = observeMessage(line.version, replyHeaders)
    },
    takeReply: (bytes: Buffer) => got?.take(bytes),
    endReply(trailers: HeaderPairs) {
      got?.end(trailers)
      if (sent.isOver()) over()
    },
    /** The connection is over: what has not come will not come. Without a failure if the reply is complete. */
    close: (failure?: ExchangeFailure) => over(got?.isOver() ? undefined : failure),
  }
}
