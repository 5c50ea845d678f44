/** Imports dumps of mitmproxy and mitmdump (`-w`): a sequence of flows as tagged netstrings. */
import { compact } from '../../core/base/compact.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { isRecordableInstant } from '../../core/traffic/date-time.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { type ByteQueue, createByteQueue } from './byte-queue.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createProblemList } from './problem-list.ts'
import { foreignMessage, type ForeignMessage } from './http-message.ts'

/**
 * Parser for tagged netstrings, the dump format of mitmproxy: `5:hello,` is payload length, payload and type character;
 * lists and dictionaries nest. Lengths are untrusted and checked against the available bytes.
 */
type TaggedValue =
  | Uint8Array
  | string
  | number
  | boolean
  | null
  | readonly TaggedValue[]
  | ReadonlyMap<string, TaggedValue>

const colon = 58
/** More digits than any allowed length has. */
const maxDigits = 10
const maxDepth = 40

const utf8 = new TextDecoder('utf-8')

interface Element {
  readonly payload: Uint8Array
  readonly type: string
  /** Offset behind its type character. */
  readonly end: number
}

/** The element that begins at `start`. */
function elementAt(bytes: Uint8Array, start: number): Result<Element, string> {
  let length = 0
  let at = start
  for (; bytes[at] !== colon; at++) {
    const digit = (bytes[at] ?? 0) - 48
    if (digit < 0 || digit > 9 || at - start >= maxDigits)
      return err('a length was expected and something else is there')
    length = length * 10 + digit
  }
  const from = at + 1
  const end = from + length
  if (at === start || end >= bytes.length) return err(`a length says ${length} and less is there`)
  return ok({
    payload: bytes.subarray(from, end),
    type: String.fromCharCode(bytes[end] ?? 0),
    end: end + 1,
  })
}

type Reader = (payload: Uint8Array, depth: number) => Result<TaggedValue, string>

const numberIn: Reader = (payload) => {
  const value = Number(utf8.decode(payload))
  return payload.length > 0 && payload.length < 40 && Number.isFinite(value)
    ? ok(value)
    : err('a number is none')
}

function valuesIn(payload: Uint8Array, depth: number): Result<readonly TaggedValue[], string> {
  if (depth > maxDepth) return err(`it is nested deeper than ${maxDepth} levels`)
  const values: TaggedValue[] = []
  for (let at = 0; at < payload.length;) {
    const element = elementAt(payload, at)
    if (!element.ok) return element
    const value = valueOf(element.value, depth)
    if (!value.ok) return value
    values.push(value.value)
    at = element.value.end
  }
  return ok(values)
}

const keyOf = (key: TaggedValue | undefined): string | undefined =>
  key instanceof Uint8Array ? utf8.decode(key) : typeof key === 'string' ? key : undefined

const readers: Readonly<Record<string, Reader>> = {
  ',': (payload) => ok(payload),
  ';': (payload) => ok(utf8.decode(payload)),
  '#': numberIn,
  '^': numberIn,
  '!': (payload) => ok(utf8.decode(payload) === 'true'),
  '~': () => ok(null),
  ']': valuesIn,
  '}': (payload, depth) => {
    const list = valuesIn(payload, depth)
    if (!list.ok) return list
    const map = new Map<string, TaggedValue>()
    for (let index = 0; index < list.value.length; index += 2) {
      const key = keyOf(list.value[index])
      const value = list.value[index + 1]
      if (key === undefined || value === undefined)
        return err('a dictionary has a key that is no text')
      map.set(key, value)
    }
    return ok(map)
  },
}

function valueOf({ payload, type }: Element, depth: number): Result<TaggedValue, string> {
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  return read ? read(payload, depth + 1) : err(`the type ${JSON.stringify(type)} is not known`)
}

/**
 * Removes the first value of the queue; undefined while it is incomplete. The queue cannot be read on after an error.
 */
function takeTaggedValue(
  queue: ByteQueue,
  maxBytes: number,
): Result<TaggedValue, string> | undefined {
  const head = queue.indexOf(colon)
  if (head < 0) return queue.size() > maxDigits ? err('there is no length here') : undefined
  const front = queue.peek(head)
  const text = utf8.decode(front)
  if (head > maxDigits || !/^\d+$/.test(text)) return err('there is no length here')
  const length = Number(text)
  if (length > maxBytes)
    return err(`a flow of ${length} bytes is more than the ${maxBytes} that are read`)
  const totalBytes = head + 1 + length + 1
  if (queue.size() < totalBytes) return undefined
  const element = elementAt(queue.take(totalBytes), 0)
  return element.ok ? valueOf(element.value, 0) : element
}

/**
 * Converts a mitmproxy flow (a dictionary of the dump) to an exchange. From flow version 0.18 to 21 most of what changed
 * describes connections, which are not read here. Of the rest: up to 8 the messages said `is_replay`, not the flow, and
 * HTTP/2 left `:authority` among the headers; 9 brought `authority`; up to 11 a WebSocket was a flow of its own beside
 * that of its handshake; up to 13 a response could lack its start.
 */
type Dictionary = ReadonlyMap<string, TaggedValue>

const oldestFlowVersion = 0.18
const newestFlowVersion = 21

const otherTypes: ReadonlySet<string> = new Set(['tcp', 'udp', 'dns', 'quic', 'websocket'])
const remedy = 'Open it with mitmproxy and save it again (mitmdump --no-server -r old -w new)'

const latin1 = new TextDecoder('latin1')

/** Headers and paths are bytes, decoded as Latin-1: non-ASCII ones are rarely UTF-8. */
const textOf = (value: TaggedValue | undefined): string =>
  value instanceof Uint8Array ? latin1.decode(value) : typeof value === 'string' ? value : ''

const numberOf = (value: TaggedValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

const isDictionary = (value: TaggedValue | undefined): value is Dictionary => value instanceof Map

const headersOf = (value: TaggedValue | undefined): HeaderPairs =>
  Array.isArray(value)
    ? value.map((pair: TaggedValue) =>
        Array.isArray(pair) ? ([textOf(pair[0]), textOf(pair[1])] as const) : (['', ''] as const),
      )
    : []

const defaultPorts: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
])

function urlOf(request: Dictionary): string {
  const scheme = textOf(request.get('scheme')) || 'http'
  const port = numberOf(request.get('port'))
  // Prefer the authority or Host header to the address that was connected to.
  const requestedHost =
    textOf(request.get('authority')) ||
    headersOf(request.get('headers')).find(([name]) => /^(?:host|:authority)$/i.test(name))?.[1] ||
    ''
  const host = textOf(request.get('host'))
  const defaultPort = defaultPorts.get(scheme)
  const portSuffix = port === undefined || port === defaultPort ? '' : `:${port}`
  const authority =
    requestedHost === '' ? `${host.includes(':') ? `[${host}]` : host}${portSuffix}` : requestedHost
  const bare =
    defaultPort === undefined ? authority : authority.replace(new RegExp(`:${defaultPort}$`), '')
  return `${scheme}://${bare}${textOf(request.get('path'))}`
}

/** The number of a version; before 4 it was the release, as a tuple: 0.18, 3.0. */
function versionOf(flow: Dictionary): number | undefined {
  const version = flow.get('version')
  if (!Array.isArray(version)) return numberOf(version)
  const [major, minor] = version.map(numberOf)
  return major === undefined || minor === undefined ? undefined : major + minor / 100
}

/** The reason why a flow cannot be imported; undefined when it can. */
function rejectionReason(flow: Dictionary): string | undefined {
  const version = versionOf(flow)
  if (version === undefined) return 'it is no flow: it has no version'
  if (version < oldestFlowVersion)
    return `it is a flow of version ${version}, and versions ${oldestFlowVersion} to ${newestFlowVersion} are read here. ${remedy}`
  const type = textOf(flow.get('type'))
  if (type !== 'http')
    return `it is a flow of ${otherTypes.has(type) ? `type ${type}` : 'another type'}, and only HTTP is imported`
  return isDictionary(flow.get('request')) ? undefined : 'it is a flow without a request'
}

function messageOf(message: Dictionary, side: string, options: ImporterOptions): ForeignMessage {
  const headers = headersOf(message.get('headers')).filter(([name]) => !name.startsWith(':'))
  const content = message.get('content')
  if (!(content instanceof Uint8Array))
    return { headers, warn: [`the ${side} body was not kept by who recorded it`] }
  return foreignMessage(content, headers, side, options.decode)
}

function replyOf(flow: Dictionary, options: ImporterOptions) {
  const response = flow.get('response')
  if (!isDictionary(response)) return { warn: ['no response'] }
  const { headers, body, wire, warn } = messageOf(response, 'response', options)
  const status = numberOf(response.get('status_code')) ?? 0
  const end = numberOf(response.get('timestamp_end')) ?? numberOf(response.get('timestamp_start'))
  return { reply: { status, headers, ...compact({ body, wire }) }, end, warn }
}

const isReplayed = (flow: Dictionary): boolean => {
  const request = flow.get('request')
  return (
    textOf(flow.get('is_replay')) === 'request' ||
    (isDictionary(request) && request.get('is_replay') === true)
  )
}

const remarksOf = (flow: Dictionary): readonly string[] => [
  ...(isDictionary(flow.get('websocket')) ? ['the messages of a WebSocket were left out'] : []),
  ...((versionOf(flow) ?? 0) > newestFlowVersion
    ? [`the flow is of version ${versionOf(flow)}, newer than ${newestFlowVersion}`]
    : []),
  ...(isReplayed(flow) ? ['it was replayed by mitmproxy'] : []),
]

/** The exchange of a flow, or the reason why it has none. */
function importFlow(flow: TaggedValue, options: ImporterOptions): Result<ImportedExchange, string> {
  if (!isDictionary(flow)) return err('it is no flow')
  const rejection = rejectionReason(flow)
  const request = flow.get('request')
  if (rejection !== undefined || !isDictionary(request))
    return err(rejection ?? 'it has no request')
  const requestMessage = messageOf(request, 'request', options)
  const { reply, end, warn } = replyOf(flow, options)
  const startSeconds = numberOf(request.get('timestamp_start'))
  const start =
    startSeconds !== undefined && isRecordableInstant(startSeconds * 1000)
      ? startSeconds
      : undefined
  const error = flow.get('error')
  const failed = isDictionary(error) ? error : undefined
  const until = end ?? numberOf(failed?.get('timestamp')) ?? start
  const remarks = [
    ...requestMessage.warn,
    ...warn,
    ...remarksOf(flow),
    ...(start === undefined ? ['clock inferred'] : []),
  ]
  return ok({
    exchange: createForeignExchange({
      startedAt: start === undefined ? options.now : start * 1000,
      tookMs: start === undefined || until === undefined ? 0 : (until - start) * 1000,
      method: textOf(request.get('method')).toUpperCase(),
      url: urlOf(request),
      headers: requestMessage.headers,
      body: requestMessage.body,
      wire: requestMessage.wire,
      reply,
      failure: failed && { code: 'MITMPROXY', message: textOf(failed.get('msg')) || 'it failed' },
    }),
    ...(remarks.length > 0 ? { warn: remarks } : {}),
  })
}

const maxFlowBytes = 256 * 1024 * 1024

function createImporter(options: ImporterOptions): Importer {
  const queue = createByteQueue()
  const problems = createProblemList()
  let count = 0
  let broken = false

  function takeFlows(): readonly ImportedExchange[] {
    const flows: ImportedExchange[] = []
    while (!broken) {
      const at = queue.position()
      const value = takeTaggedValue(queue, maxFlowBytes)
      if (!value) break
      count++
      const flow = value.ok ? importFlow(value.value, options) : value
      if (flow.ok) flows.push(flow.value)
      else problems.add(`byte ${at}, flow ${count}`, flow.error, !value.ok)
      broken = !value.ok
    }
    return flows
  }

  return {
    feed(bytes) {
      if (broken) return []
      queue.push(bytes)
      return takeFlows()
    },
    finish() {
      if (!broken && queue.size() > 0)
        problems.add(
          `byte ${queue.position()}, flow ${count + 1}`,
          `the file breaks off in the middle of it: ${queue.size()} bytes are there`,
          true,
        )
      return { remaining: [], problems: problems.all(), creator: { name: 'mitmproxy' } }
    },
  }
}

const opening = /^\d{1,10}:\d{1,10}:[a-z_]+[;,]/

export const mitmproxyFormat = defineFormat({
  name: 'mitmproxy',
  summary: 'flows saved by mitmproxy or mitmdump',
  fileExtensions: ['.mitm', '.flow', '.flows', '.mitmproxy'],
  recognises: (beginning) => {
    const text = new TextDecoder('latin1').decode(beginning.subarray(0, 100))
    return opening.test(text) ? 0.95 : 0
  },
  importer: createImporter,
})
