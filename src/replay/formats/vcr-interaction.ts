/**
 * Converts an interaction of a cassette to an exchange: VCR (Ruby), vcrpy (Python) and go-vcr (Go) name it differently.
 */
import { compact } from '../../core/base/compact.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import {
  isRecordableInstant,
  parseHttpDate,
  parseIsoInstant,
} from '../../core/traffic/date-time.ts'
import type { ExchangeReply, HeaderPairs } from '../../core/traffic/exchange.ts'
import { bytesFromBase64 } from '../../core/traffic/redaction/base64.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import type { ImportedExchange, ImporterOptions } from './format.ts'
import {
  parseLoggedDuration,
  parseLoggedHeaders,
  parseLoggedNumber,
  scalarText,
} from './log-values.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { decodeForeignBody } from './http-message.ts'

/** The first value that is no absence. */
const firstOf = (...values: readonly unknown[]): unknown =>
  values.find((each) => each !== undefined && each !== null)

/** A text, bytes, or an object with one of them: `string`, and `base64_string` where the text is none. */
function bytesOf(body: unknown): Uint8Array {
  const value = isUnknownRecord(body) ? firstOf(body['string'], body['text']) : body
  if (value instanceof Uint8Array) return value
  const coded = isUnknownRecord(body) ? scalarText(body['base64_string']) : undefined
  const decoded = coded === undefined ? undefined : bytesFromBase64(coded.replaceAll(/\s+/g, ''))
  return decoded ?? new TextEncoder().encode(scalarText(value) ?? '')
}

interface Message {
  readonly headers: HeaderPairs
  readonly body?: string
  readonly warn: readonly string[]
}

function messageOf(message: UnknownRecord, side: string, options: ImporterOptions): Message {
  const headers = parseLoggedHeaders(message['headers'])
  // httpx of vcrpy calls it content.
  const bytes = bytesOf(firstOf(message['body'], message['content']))
  const { text, warn } = decodeForeignBody(bytes, headers, options.decode)
  return {
    headers,
    ...compact({ body: text }),
    warn: warn === undefined ? [] : [`${side}: ${warn}`],
  }
}

/** `status: {code: 200}`, `code: 200` with `status: 200 OK`, `status_code: 200`. */
function statusOf(response: UnknownRecord): number | undefined {
  const { status } = response
  const code = parseLoggedNumber(
    firstOf(
      isUnknownRecord(status) ? status['code'] : undefined,
      response['code'],
      response['status_code'],
      status,
    ),
  )
  return code !== undefined && code >= 100 && code <= 999 ? Math.trunc(code) : undefined
}

interface Reply {
  readonly reply?: ExchangeReply
  readonly warn: readonly string[]
}

function replyOf(response: unknown, options: ImporterOptions): Reply {
  const status = isUnknownRecord(response) ? statusOf(response) : undefined
  if (!isUnknownRecord(response) || status === undefined) return { warn: ['no response'] }
  const { headers, body, warn } = messageOf(response, 'response', options)
  return { reply: { status, headers, ...compact({ body }) }, warn }
}

/** `Tue, 01 Nov 2011 04:58:44 GMT`, or RFC 3339. */
function instantOf(value: unknown): number | undefined {
  const text = scalarText(value) ?? ''
  const at = parseHttpDate(text) ?? parseIsoInstant(text)
  return at !== undefined && isRecordableInstant(at) ? at : undefined
}

/** A duration of Go: `1m2.5s`, `131.2ms`; old cassettes have nanoseconds. */
export function parseGoDuration(value: unknown): number | undefined {
  const text = scalarText(value) ?? ''
  if (/^\d+$/.test(text)) return parseLoggedDuration(Number(text), 'ns')
  const whole = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(\d.*)?$/.exec(text)
  if (!whole || text === '') return undefined
  const [, hours = '0', minutes = '0', rest = '0s'] = whole
  const ms = parseLoggedDuration(rest)
  return ms === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * 60_000 + ms
}

const recordedTemplate = /<%[-=]?\s/

/** The exchange of an interaction; `startedAt` is for one that does not say when it was. */
export function importInteraction(
  interaction: unknown,
  startedAt: number,
  options: ImporterOptions,
): Result<ImportedExchange, string> {
  const request = isUnknownRecord(interaction) ? interaction['request'] : undefined
  if (!isUnknownRecord(interaction) || !isUnknownRecord(request)) return err('it has no request')
  const method = (scalarText(request['method']) ?? '').replace(/^:/, '').toUpperCase()
  const url = scalarText(firstOf(request['uri'], request['url'])) ?? ''
  if (method === '' || !URL.canParse(url)) return err('its request has no method or no URL')
  const { response } = interaction
  const asked = messageOf(request, 'request', options)
  const { reply, warn } = replyOf(response, options)
  const recordedAt = instantOf(interaction['recorded_at'])
  const took = firstOf(
    isUnknownRecord(response) ? response['duration'] : undefined,
    request['duration'],
  )
  const remarks = [
    ...asked.warn,
    ...warn,
    ...(recordedAt === undefined ? ['clock inferred'] : []),
    ...(recordedTemplate.test(url + (asked.body ?? '') + (reply?.body ?? ''))
      ? ['its templates were left as they are written']
      : []),
  ]
  return ok({
    exchange: createForeignExchange({
      startedAt: recordedAt ?? startedAt,
      tookMs: parseGoDuration(took),
      method,
      url,
      headers: asked.headers,
      body: asked.body,
      reply,
    }),
    ...(remarks.length > 0 ? { warn: remarks } : {}),
  })
}
