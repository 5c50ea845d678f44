/** Converts a transfer that curl reported to an exchange. */
import { compact } from '../../core/base/compact.ts'
import { parseHttpDate } from '../../core/traffic/date-time.ts'
import { type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import { joinedBytes } from './byte-queue.ts'
import type { CurlRequest } from './curl-request.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import type { ContentDecoder, ImportedExchange } from './format.ts'
import { bodyOfMessage, contentCodings, decodeForeignBody } from './http-message.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { endOfJsonString } from '../../core/traffic/json/json-string.ts'

/**
 * Places transfers in time. A transcript has no date: `--trace-time` gives the local time of day, and the `Date` header
 * of a reply the instant in whole seconds; both together give the instant, since zones differ by quarters of an hour.
 */
const dayMs = 86_400_000
const quarterMs = 900_000

interface TransferTimes {
  /** Times of day in ms, of the request and the end of the reply. */
  readonly from?: number
  readonly to?: number
  /** The instant of the `Date` header. */
  readonly date?: number
}

type TraceClock = ReturnType<typeof createTraceClock>

export function createTraceClock(now: number) {
  /** Instant of the midnight that times of day count from. */
  let midnight: number | undefined
  let isDateKnown = false
  let lastTimeOfDay = 0
  let next: number | undefined

  return {
    /** In the order of the transcript. */
    place({ from, to = from, date }: TransferTimes): {
      readonly startedAt: number
      readonly tookMs: number
      /** No instant is known. */
      readonly isInferred: boolean
    } {
      const passedMidnight = from !== undefined && to !== undefined && to < from
      const tookMs =
        from === undefined || to === undefined ? 0 : to - from + (passedMidnight ? dayMs : 0)
      if (from === undefined) {
        const startedAt = Math.max(date ?? next ?? now, next ?? 0)
        next = startedAt + 1
        return { startedAt, tookMs, isInferred: date === undefined }
      }
      if (midnight !== undefined && from < lastTimeOfDay) midnight += dayMs
      lastTimeOfDay = from
      if (date !== undefined && !isDateKnown) {
        midnight = Math.round((date - (from + tookMs)) / quarterMs) * quarterMs
        isDateKnown = true
      }
      midnight ??= now - from
      return { startedAt: midnight + from, tookMs, isInferred: !isDateKnown }
    },
  }
}

/**
 * What is known of bodies: the text that `-v` shows, the bytes of the wire, or those with dots for what is not
 * printable.
 */
export type BodyStyle = 'text' | 'wire' | 'dots'

export interface CurlTransfer {
  readonly method: string
  /** Path, or URL for a proxy. */
  readonly target: string
  /** `http:` or `https:` */
  readonly scheme: string
  /** The port alone says it, or nothing does. */
  readonly isSchemeAssumed: boolean
  readonly headers: readonly (readonly [string, string])[]
  readonly sent: readonly Uint8Array[]
  readonly status: number | undefined
  readonly replyHeaders: readonly (readonly [string, string])[]
  readonly received: readonly Uint8Array[]
  /** Times of day in ms. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly failure: string | undefined
}

export interface TransferContext {
  readonly style: () => BodyStyle
  readonly clock: TraceClock
  readonly decode: ContentDecoder | undefined
  /** Finds the command line that made a request. */
  readonly commandOf: (method: string, url: string) => CurlRequest | undefined
}

export const isInformational = (status: number | undefined): boolean =>
  status !== undefined && status < 200 && status !== 101

export const declaredLength = (headers: HeaderPairs): number | undefined => {
  const value = headerValue(headers, 'content-length')
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

export function urlOfTransfer({ target, headers, scheme }: CurlTransfer): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return target
  return `${scheme}//${headerValue(headers, 'host') ?? 'unknown.invalid'}${target}`
}

export const isCoded = (headers: HeaderPairs): boolean => contentCodings(headers).length > 0

const sizeLine = /^[\da-f]{1,8}[^\r\n]{0,100}\r\n/i

/** Some versions of curl report chunks, some what is in them. */
function bodyOfWire(bytes: Uint8Array, headers: HeaderPairs): ReturnType<typeof bodyOfMessage> {
  const isChunked = sizeLine.test(new TextDecoder('latin1').decode(bytes.subarray(0, 120)))
  return bodyOfMessage(
    bytes,
    isChunked ? headers : headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding'),
  )
}

interface DecodedBody {
  readonly text?: string
  readonly warn: readonly string[]
}

function decodedBody(
  pieces: readonly Uint8Array[],
  headers: HeaderPairs,
  { style: styleOf, decode }: TransferContext,
): DecodedBody {
  const bytes = joinedBytes(pieces)
  const style = styleOf()
  if (bytes.length === 0) return { warn: [] }
  if (style === 'dots' && isCoded(headers))
    return { warn: ['a compressed body cannot be read from --trace-ascii'] }
  // What -v shows is decoded, and its length is that of the coded bytes.
  const isDecoded = style === 'text' && isCoded(headers)
  const { body, warn: broken } = isDecoded ? { body: bytes } : bodyOfWire(bytes, headers)
  const { text, warn } = decodeForeignBody(body, isDecoded ? [] : headers, decode)
  const problems = [broken, warn].filter((each) => each !== undefined)
  if (text === undefined) return { warn: problems }
  if (style === 'text' && text.includes('\uFFFD'))
    return { warn: [...problems, 'a body that is no text was left out'] }
  if (style !== 'dots' || !text.includes('.')) return { text, warn: problems }
  const undotted = undotJson(text)
  return {
    text: undotted,
    warn: [
      ...problems,
      'line ends and letters beyond ASCII may be dots, as --trace-ascii has them',
    ],
  }
}

const bodilessStatuses: ReadonlySet<number | undefined> = new Set([204, 304])

export const hasNoReplyBody = (method: string, status: number | undefined): boolean =>
  method === 'HEAD' || bodilessStatuses.has(status) || isInformational(status)

const notShown = 'the body is not in the transcript'

const onSide = (side: string, warn: readonly string[]): readonly string[] =>
  warn.map((each) => `${side}: ${each}`)

function replyOf(transfer: CurlTransfer, context: TransferContext) {
  const { method, status, replyHeaders: headers, received } = transfer
  if (status === undefined || isInformational(status)) return { warn: ['no response'] }
  const { text, warn } = decodedBody(received, headers, context)
  const isMissing =
    received.length === 0 && (declaredLength(headers) ?? 0) > 0 && !hasNoReplyBody(method, status)
  return {
    reply: { status, headers, ...compact({ body: text }) },
    warn: onSide('response', isMissing ? [...warn, notShown] : warn),
  }
}

function requestOf(transfer: CurlTransfer, context: TransferContext) {
  const { method, headers, sent } = transfer
  const command = context.commandOf(method, urlOfTransfer(transfer))
  const isHttps = command?.url.startsWith('https:') === true
  const url = urlOfTransfer(isHttps ? { ...transfer, scheme: 'https:' } : transfer)
  const isAssumed = transfer.isSchemeAssumed && url.startsWith('https:')
  const { text, warn } = decodedBody(sent, headers, context)
  const isMissing =
    sent.length === 0 &&
    ((declaredLength(headers) ?? 0) > 0 || headerValue(headers, 'transfer-encoding') !== undefined)
  const body = isMissing ? command?.body : text
  return {
    url,
    body,
    warn: [
      ...(isAssumed ? ['https by the command or its port: no line shows TLS'] : []),
      ...onSide('request', isMissing && body === undefined ? [...warn, notShown] : warn),
    ],
  }
}

export function exchangeOfTransfer(
  transfer: CurlTransfer,
  context: TransferContext,
): ImportedExchange {
  const { method, headers, failure, startedAt: from, endedAt: to } = transfer
  const asked = requestOf(transfer, context)
  const { reply, warn } = replyOf(transfer, context)
  const date = parseHttpDate(headerValue(transfer.replyHeaders, 'date') ?? '')
  const { startedAt, tookMs, isInferred } = context.clock.place(compact({ from, to, date }))
  const remarks = [...asked.warn, ...warn, ...(isInferred ? ['clock inferred'] : [])]
  return {
    exchange: createForeignExchange({
      startedAt,
      tookMs,
      method,
      url: asked.url,
      headers: headers.filter(([name]) => !name.startsWith(':')),
      body: asked.body,
      reply,
      failure: reply || failure === undefined ? undefined : { code: 'CURL', message: failure },
    }),
    ...(remarks.length > 0 ? { warn: remarks } : {}),
  }
}

/** Outside of texts a dot is part of a number, or a line end. */
function withLineEnds(text: string): string {
  let result = ''
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at)
    const end = char === '"' ? endOfJsonString(text, at) : at + 1
    if (end < 0) return text
    const isNumber = /\d/.test(text.charAt(at - 1)) && /\d/.test(text.charAt(at + 1))
    result += char === '.' && !isNumber ? '\n' : text.slice(at, end)
    at = end
  }
  return result
}

/**
 * Restores the line ends of a JSON text in which every byte that is not printable is a dot. The text unchanged, unless
 * line ends make it JSON.
 */
function undotJson(text: string): string {
  const restored = withLineEnds(text)
  return tryParseJson(text) === undefined && tryParseJson(restored) !== undefined ? restored : text
}
