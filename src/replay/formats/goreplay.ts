/**
 * Imports GoReplay files: payloads with a meta line each: type (1 request, 2 response, 3 response to a replay), id, time
 * in nanoseconds. Requests and responses are paired by id and sorted by start.
 */
import { compact } from '../../core/base/compact.ts'
import { type ExchangeReply, headerValue } from '../../core/traffic/exchange.ts'
import { createByteQueue } from './byte-queue.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { parseHttpMessage, decodeForeignBody } from './http-message.ts'
import { createPairing } from './pairing.ts'
import { createProblemList } from './problem-list.ts'

/** Payload separator; the last one of a file may lack its line feed. */
const separator = new TextEncoder().encode('🐵🙈🙉\n')
const lineFeed = 10

const isSeparator = (line: Uint8Array): boolean =>
  line.length >= separator.length - 1 &&
  line.length <= separator.length &&
  line.every((byte, index) => byte === separator[index])

const maxPayloadBytes = 64 * 1024 * 1024
const minHeldBytes = 1024

interface Payload {
  readonly type: string
  readonly id: string
  readonly atMs: number
  readonly bytes: Uint8Array
  /** Location in the file, for problems. */
  readonly where: string
}

const metaLine = /^([123]) ([\w.:-]{1,100}) (\d{1,20})(?: (-?\d{1,20}))?\s*$/

function payloadOf(bytes: Uint8Array, where: string): Payload | undefined {
  const end = bytes.indexOf(10)
  const line = new TextDecoder('latin1').decode(bytes.subarray(0, Math.min(end, 300)))
  const found = end < 0 ? null : metaLine.exec(line)
  if (!found) return undefined
  const [, type = '', id = '', nanoseconds = ''] = found
  // Nanoseconds since 1970 exceed the safe integers: milliseconds and the remainder are converted separately.
  const atMs = Number(nanoseconds.slice(0, -6) || '0') + Number(nanoseconds.slice(-6)) / 1e6
  return { type, id, atMs, bytes: bytes.subarray(end + 1), where }
}

/** Duration in ms, rounded to whole microseconds. */
const durationBetween = (from: number, to = from): number =>
  Math.round(Math.max(0, to - from) * 1000) / 1000

interface PendingRequest {
  readonly payload: Payload
  readonly imported: ImportedExchange
}

const requestLine = /^([!#$%&'*+.^_`|~\w-]{1,40}) (\S+)(?: HTTP\/[\d.]+)?$/

function requestOf(payload: Payload, options: ImporterOptions): PendingRequest | undefined {
  const message = parseHttpMessage(payload.bytes)
  const [, method, target] = requestLine.exec(message.first) ?? []
  if (method === undefined || target === undefined) return undefined
  const { text, wire, warn } = decodeForeignBody(message.body, message.headers, options.decode)
  const host = headerValue(message.headers, 'host')
  const url = /^[a-z]+:\/\//i.test(target) ? target : `http://${host ?? 'unknown.invalid'}${target}`
  const remarks = [message.warn, warn, host === undefined ? 'no host is named' : undefined]
  const exchange = createForeignExchange({
    startedAt: payload.atMs,
    method,
    url,
    headers: message.headers,
    body: text,
    wire,
  })
  return { payload, imported: { exchange, warn: remarks.filter((each) => each !== undefined) } }
}

function replyOf(payload: Payload, options: ImporterOptions) {
  const message = parseHttpMessage(payload.bytes)
  const status = Number(/^HTTP\/[\d.]+ (\d{3})\b/.exec(message.first)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) return undefined
  const { text, wire, warn } = decodeForeignBody(message.body, message.headers, options.decode)
  const reply: ExchangeReply = {
    status,
    headers: message.headers,
    ...compact({ body: text, wire }),
  }
  return { reply, warn: [message.warn, warn].filter((each) => each !== undefined) }
}

function createImporter(options: ImporterOptions): Importer {
  const queue = createByteQueue()
  const problems = createProblemList()
  const pairing = createPairing<PendingRequest, Payload>({
    join: ({ payload: asked, imported }, answer) => {
      const answered = answer && replyOf(answer, options)
      const warn = [
        ...(imported.warn ?? []),
        ...(answered ? answered.warn : ['no response']),
        ...(answer?.type === '3' ? ['the response is that of a replay'] : []),
      ]
      if (answer && !answered) problems.add(answer.where, 'it is no HTTP response')
      return {
        exchange: answered
          ? {
              ...imported.exchange,
              tookMs: durationBetween(asked.atMs, answer?.atMs),
              reply: answered.reply,
            }
          : imported.exchange,
        ...(warn.length > 0 ? { warn } : {}),
      }
    },
    onUnmatchedResponse: ({ where }) =>
      problems.add(where, 'no request with its id comes before it'),
  })
  let count = 0
  let broken = false

  function takePayload(bytes: Uint8Array, at: number): void {
    if (bytes.length === 0) return
    const where = `byte ${at}, payload ${++count}`
    const payload = payloadOf(bytes, where)
    if (!payload) return problems.add(where, 'its first line is no "type id time"')
    if (payload.type !== '1') {
      // The response to a replay is used only when the original response is missing.
      return pairing.addResponse(payload.id, payload, payload.type === '3')
    }
    const request = requestOf(payload, options)
    if (request) pairing.addRequest(payload.id, request)
    else problems.add(where, 'it is no HTTP request')
  }

  /** Lines of the incomplete payload, with their line feeds: as one, since each may be a byte long. */
  let held = new Uint8Array(minHeldBytes)
  let heldBytes = 0
  let start = 0

  function takeLine(line: Uint8Array): void {
    if (isSeparator(line)) {
      // The line feed before the separator belongs to the separator.
      takePayload(held.subarray(0, Math.max(0, heldBytes - 1)), start)
      start = queue.position()
      held = new Uint8Array(minHeldBytes)
      heldBytes = 0
    } else {
      if (heldBytes + line.length > held.length) {
        const larger = new Uint8Array((heldBytes + line.length) * 2)
        larger.set(held)
        held = larger
      }
      held.set(line, heldBytes)
      heldBytes += line.length
    }
  }

  function takeLines(): void {
    for (let end = queue.indexOf(lineFeed); end >= 0; end = queue.indexOf(lineFeed))
      takeLine(queue.take(end + 1))
    if (heldBytes + queue.size() <= maxPayloadBytes) return
    problems.add(`byte ${start}`, `a payload is longer than ${maxPayloadBytes} bytes`, true)
    broken = true
    held = new Uint8Array(0)
  }

  return {
    feed(bytes) {
      if (broken) return []
      queue.push(bytes)
      takeLines()
      return pairing.takeReady()
    },
    finish() {
      if (!broken && queue.size() > 0) takeLine(queue.take(queue.size()))
      if (!broken && heldBytes > 0) {
        takePayload(held.subarray(0, heldBytes), start)
        problems.add(`byte ${start}`, 'the file breaks off in the middle of a payload', true)
      }
      return {
        remaining: pairing.finish(),
        problems: problems.all(),
        creator: { name: 'goreplay' },
      }
    },
  }
}

export const goreplayFormat = defineFormat({
  name: 'goreplay',
  summary: 'requests and responses captured by GoReplay',
  fileExtensions: ['.gor'],
  recognises: (beginning) => {
    const text = new TextDecoder('latin1').decode(beginning.subarray(0, 300))
    return metaLine.test(text.split('\n')[0] ?? '') ? 0.9 : 0
  },
  importer: createImporter,
})
