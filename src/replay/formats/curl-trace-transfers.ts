/** Follows the transfers of a curl transcript: headers, data and remarks, in the order in which curl reports them. */
import type { CurlRequest } from './curl-request.ts'
import {
  type BodyStyle,
  type CurlTransfer,
  declaredLength,
  exchangeOfTransfer,
  hasNoReplyBody,
  isCoded,
  isInformational,
  type TransferContext,
  createTraceClock,
} from './curl-trace-exchange.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import type { ImportedExchange, ImporterOptions } from './format.ts'
import type { ProblemList } from './problem-list.ts'

type Headers = (readonly [string, string])[]

interface OpenTransfer extends CurlTransfer {
  readonly headers: Headers
  readonly sent: Uint8Array[]
  readonly received: Uint8Array[]
  receivedBytes: number
  isHeadSent: boolean
  status: number | undefined
  replyHeaders: Headers
  isHeadReceived: boolean
  isBodyIgnored: boolean
  endedAt: number | undefined
  failure: string | undefined
}

export const requestLine = /^([A-Z][A-Z-]{1,30}) (\S+) HTTP\/[\d.]+$/
const statusLine = /^HTTP\/[\d.]+ (\d{3})(?: |$)/
const maxBodyBytes = 64 * 1024 * 1024
const maxCommands = 100
const maxHeaders = 1000

function addHeader(headers: Headers, line: string): void {
  const cut = line.indexOf(':', line.startsWith(':') ? 1 : 0)
  if (cut > 0 && headers.length < maxHeaders)
    headers.push([line.slice(0, cut), line.slice(cut + 1).trim()])
}

const pathOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).pathname + new URL(url).search : undefined

export class CurlTransfers {
  readonly #problems: ProblemList
  readonly #connections = createTraceConnections()
  readonly #clock: ReturnType<typeof createTraceClock>
  #current: OpenTransfer | undefined
  /** Requests of the last command line that have not been sent. */
  #commands: readonly CurlRequest[] = []
  #ready: ImportedExchange[] = []
  readonly #context: TransferContext

  constructor(options: ImporterOptions, style: () => BodyStyle, problems: ProblemList) {
    this.#problems = problems
    this.#clock = createTraceClock(options.now)
    this.#context = {
      style,
      clock: this.#clock,
      decode: options.decode,
      commandOf: (method, url) => {
        const path = pathOf(url)
        const found = this.#commands.find(
          (each) => each.method === method && pathOf(each.url) === path,
        )
        this.#commands = this.#commands.filter((each) => each !== found)
        return found
      },
    }
  }

  /** `at`: time of day in ms, where the lines have one. */
  sentHeader(line: string, at?: number): void {
    if (!this.#current || this.#current.isHeadSent) this.#beginTransfer(line, at)
    else if (line === '') this.#current.isHeadSent = true
    else addHeader(this.#current.headers, line)
  }

  receivedHeader(line: string, at?: number): void {
    const current = this.#current
    if (!current) return
    current.isHeadSent = true
    current.endedAt = at ?? current.endedAt
    const status = statusLine.exec(line)?.[1]
    if (status !== undefined && (!current.isHeadReceived || isInformational(current.status))) {
      current.status = Number(status)
      current.replyHeaders = []
      current.isHeadReceived = false
    } else if (line === '') current.isHeadReceived = true
    else if (!current.isHeadReceived) addHeader(current.replyHeaders, line)
  }

  sentData(bytes: Uint8Array): void {
    const current = this.#current
    if (current && (current.status === undefined || isInformational(current.status)))
      current.sent.push(bytes)
  }

  receivedData(bytes: Uint8Array, at?: number): void {
    const current = this.#current
    if (!current?.isHeadReceived || current.isBodyIgnored) return
    if (current.receivedBytes + bytes.length > maxBodyBytes) {
      current.isBodyIgnored = true
      return
    }
    current.received.push(bytes)
    current.receivedBytes += bytes.length
    current.endedAt = at ?? current.endedAt
  }

  info(text: string): void {
    this.#connections.info(text)
    if (this.#current && text.startsWith('Ignoring the response-body'))
      this.#current.isBodyIgnored = true
  }

  /** `curl: (52) Empty reply from server` */
  failed(message: string): void {
    if (this.#current) this.#current.failure = message
    else this.#failCommand(message)
  }

  /** The requests of a command line in the transcript: it has their bodies, which `-v` does not show. */
  command(requests: readonly CurlRequest[]): void {
    this.finish()
    this.#commands = requests.slice(0, maxCommands)
  }

  /** Bytes of the response body that are still to come; undefined when their number is not known. */
  missing(): number | undefined {
    const current = this.#current
    if (!current?.isHeadReceived || current.isBodyIgnored) return 0
    if (hasNoReplyBody(current.method, current.status)) return 0
    const { replyHeaders } = current
    // A length counts the coded bytes, and curl prints the decoded ones.
    const length = isCoded(replyHeaders) ? undefined : declaredLength(replyHeaders)
    return length === undefined ? undefined : Math.max(0, length - current.receivedBytes)
  }

  /** Bytes of the response body so far. */
  received(): number {
    return this.#current?.receivedBytes ?? 0
  }

  takeReady(): readonly ImportedExchange[] {
    const all = this.#ready
    this.#ready = []
    return all
  }

  finish(): void {
    if (this.#current?.method === 'CONNECT')
      this.#problems.add('the transcript', 'the CONNECT to a proxy was left out')
    else if (this.#current) this.#ready.push(exchangeOfTransfer(this.#current, this.#context))
    this.#current = undefined
  }

  #beginTransfer(line: string, at: number | undefined): void {
    const [, method, target] = requestLine.exec(line) ?? []
    if (method === undefined || target === undefined) return
    this.finish()
    this.#current = {
      method,
      target,
      ...this.#connections.scheme(),
      headers: [],
      sent: [],
      received: [],
      receivedBytes: 0,
      isHeadSent: false,
      status: undefined,
      replyHeaders: [],
      isHeadReceived: false,
      isBodyIgnored: false,
      startedAt: at,
      endedAt: undefined,
      failure: undefined,
    }
  }

  /** What a command line would have sent, when no connection was made. */
  #failCommand(message: string): void {
    const [first] = this.#commands
    if (!first) return this.#problems.add('the transcript', `no request was sent: ${message}`)
    this.#commands = this.#commands.slice(1)
    const { warn, ...call } = first
    const { startedAt } = this.#clock.place({})
    this.#ready.push({
      exchange: createForeignExchange({ startedAt, ...call, failure: { code: 'CURL', message } }),
      warn: [...warn, 'no response', 'clock inferred'],
    })
  }
}

const maxConnections = 1000
const tlsRemark =
  /\b(?:TLSv1|SSL connection|TLS connect|SSL certificate|Server certificate|schannel)\b|^ALPN|CAfile:|:scheme: https\]|stream for https:/i
const httpsPort = /^\s*(?:Trying .*:443\.\.\.$|Connected to .* port 443\b)/

/** Tells from curl's remarks whether the connection in use is encrypted; the request itself does not say it. */
function createTraceConnections() {
  const secureByNumber = new Map<string, boolean>()
  let isSecure = false
  /** Only its port says so. */
  let isAssumed = false

  function info(text: string): void {
    if (/^\s*(?:Trying|Connected to|Re-using) /.test(text)) isAssumed = httpsPort.test(text)
    const [, number] = /[Cc]onnection #(\d+)/.exec(text) ?? []
    const [, scheme] =
      /^(?:Re-using existing|Issue another request to this URL: '?)\s*(https?):/.exec(text) ?? []
    if (tlsRemark.test(text)) isSecure = true
    else if (/^\s*Trying /.test(text)) isSecure = false
    else if (scheme !== undefined) isSecure = scheme === 'https'
    else if (number !== undefined && text.startsWith('Re-using'))
      isSecure = secureByNumber.get(number) ?? isSecure
    else if (number !== undefined && text.endsWith(' left intact')) {
      if (secureByNumber.size >= maxConnections) secureByNumber.clear()
      secureByNumber.set(number, isSecure || isAssumed)
    }
  }

  return {
    info,
    /** Of the next request. */
    scheme: () => ({
      scheme: isSecure || isAssumed ? ('https:' as const) : ('http:' as const),
      isSchemeAssumed: !isSecure,
    }),
  }
}
