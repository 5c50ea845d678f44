/**
 * Recording reverse proxy: each connection of a client has its own connection to the target, bytes go through unchanged
 * in both directions, and a copy of each exchange is logged. `docs/recording-proxy.md` lists what differs.
 */
import { createServer } from 'node:net'
import type { SecureContext } from 'node:tls'
import { listenOn } from '../../core/runtime/server/listen-problem.ts'
import { listenUrl } from '../../core/runtime/server/loopback.ts'
import {
  type ForwardedRequest,
  forwardTo,
  type AddressRewriter,
  createAddressRewriter,
} from './target-address.ts'
import {
  type ExchangeFailure,
  failures,
  type ObservedRequest,
  observeExchange,
  type ProxiedExchange,
  type ProxiedExchangeOptions,
  socketFailure,
} from './proxied-exchange.ts'
import {
  acceptSocket,
  connectUpstream,
  type ProxySocket,
  type UpstreamOptions,
} from './proxy-socket.ts'
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { wallNow } from '../../core/runtime/clock/clock.ts'
import {
  MessageParser,
  type Framing,
  type MessageHead,
  listedValues,
  parseRequestLine,
  parseStatusLine,
  requestFraming,
  type RequestLine,
  responseFraming,
} from './message-parser.ts'
import { STATUS_CODES } from 'node:http'

/**
 * The few responses that the proxy gives in place of the target: it could not be reached, or it cannot be asked this.
 */
interface ProxyAnswer {
  readonly status: number
  readonly sentence: string
  /** The value of `X-Sparring-Proxy`, by which a client can tell that this is no response of the target. */
  readonly kind: 'unreachable' | 'refused'
}

/** The bytes of a response, after which the connection ends. */
function formatProxyAnswer({ status, sentence, kind }: ProxyAnswer, method = ''): string {
  const body = `${sentence}\n`
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
    `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    `X-Sparring-Proxy: ${kind}\r\nConnection: close\r\n\r\n${method === 'HEAD' ? '' : body}`
  )
}

/** Why a request cannot be passed on; undefined when it can. */
function refusalOf({ method, version }: RequestLine): ProxyAnswer | undefined {
  if (!version.startsWith('1.'))
    return {
      status: 505,
      sentence: `sparring record cannot read HTTP/${version}. Have the client speak HTTP/1.1.`,
      kind: 'refused',
    }
  if (method === 'CONNECT')
    return {
      status: 501,
      sentence:
        'sparring record is no HTTP proxy for any address: it takes the place of one partner. ' +
        'Give your service this address as that of the partner, not as its proxy.',
      kind: 'refused',
    }
  return undefined
}

interface ProxiedConnectionOptions {
  /** Connects to the target; calls `onOpen` once it can be sent to. */
  readonly connect: (onOpen: () => void) => ProxySocket
  readonly forward: (head: MessageHead, line: RequestLine) => ForwardedRequest
  readonly observe: (request: ObservedRequest) => ProxiedExchange
  /** Rewrites the response to a request to this path; undefined leaves it as it is. */
  readonly rewriterOf: (
    path: string,
    head: MessageHead,
    write: (bytes: Buffer | string) => void,
  ) => AddressRewriter | undefined
  /** The answer to a client whose target is unreachable. */
  readonly unreachableText: (failure: ExchangeFailure) => string
  /** Called with what goes through unrecorded, or is refused. */
  readonly onNotice: (notice: string) => void
}

interface PendingRequest {
  readonly exchange: ProxiedExchange
  readonly path: string
}

/** Maximum number of requests that wait for their responses; more are not read. */
const maxPending = 1000
/** Maximum of bytes that wait for the response to an upgrade. */
const maxHeldBytes = 64 * 1024

/**
 * One connection of a client and its own connection to the target. Bytes, ends and resets are passed on in both
 * directions as they come; only the head of a request is changed, to address it to the target.
 */
class ProxiedConnection {
  readonly #client: ProxySocket
  readonly #options: ProxiedConnectionOptions
  /** Requests without a complete response, oldest first. */
  readonly #pending: PendingRequest[] = []
  /** The last exchange: its request may go on after its response. */
  #last: ProxiedExchange | undefined
  #upstream: ProxySocket | undefined
  #isUpstreamOpen = false
  /** When the first bytes of the current request came. */
  #headAt = 0
  #rewriter: AddressRewriter | undefined
  #isInterim = false
  #hasClientEnded = false
  /** The answer to the client in place of the target's; nothing more goes to the target. */
  #refusal: string | undefined
  #isRefused = false
  #isStopping = false
  readonly #requests: MessageParser
  readonly #replies: MessageParser

  constructor(client: ProxySocket, options: ProxiedConnectionOptions) {
    this.#client = client
    this.#options = options
    this.#requests = new MessageParser({
      isStartLine: (line) => parseRequestLine(line) !== undefined,
      head: (head) => this.#takeRequestHead(head),
      content: (bytes) => this.#last?.takeRequest(bytes),
      pass: (bytes) => this.#toUpstream(bytes),
      end: (trailers) => {
        this.#last?.endRequest(trailers)
        if (this.#last?.isUpgrade && this.#pending.at(-1)?.exchange === this.#last)
          this.#requests.hold()
      },
      unreadable: (reason) => this.#requestUnreadable(reason),
    })
    this.#replies = new MessageParser({
      isStartLine: (line) => parseStatusLine(line) !== undefined,
      head: (head) => this.#takeReplyHead(head),
      content: (bytes) => {
        this.#pending[0]?.exchange.takeReply(bytes)
        this.#rewriter?.content(bytes)
      },
      pass: (bytes) => (this.#rewriter ? this.#rewriter.pass(bytes) : this.#toClient(bytes)),
      end: (trailers) => this.#endReply(trailers),
      unreadable: (reason) => this.#replyUnreadable(reason),
    })
    client.stream.on('data', (bytes: Buffer) => {
      if (this.#refusal !== undefined) return
      if (!this.#requests.isInHead()) this.#headAt = wallNow()
      this.#upstream?.stream.cork()
      this.#requests.feed(bytes)
      this.#upstream?.stream.uncork()
      this.#regulate()
    })
    client.stream.on('drain', () => this.#upstream?.stream.resume())
    client.stream.on('end', () => {
      this.#hasClientEnded = true
      if (this.#requests.heldBytes() > 0) this.#requests.release('tunnel')
      this.#requests.finish()
      if (this.#upstream) this.#upstream.stream.end()
      else this.#client.stream.end()
    })
    client.stream.on('error', () => {
      this.#fail(failures.clientGone)
      this.#upstream?.reset()
    })
  }

  /** Closes the connection once the responses that are due have come. */
  stop(): void {
    this.#isStopping = true
    this.#settle()
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#fail(failures.stopped)
    this.#client.stream.destroy()
    this.#upstream?.stream.destroy()
  }

  #toUpstream(bytes: Buffer | string): void {
    if (this.#refusal !== undefined) return
    this.#upstream ??= this.#openUpstream()
    if (this.#upstream.stream.writable) this.#upstream.stream.write(bytes, 'latin1')
  }

  #toClient(bytes: Buffer | string): void {
    if (this.#client.stream.writable) this.#client.stream.write(bytes, 'latin1')
  }

  #takeRequestHead(head: MessageHead): Framing {
    const line = parseRequestLine(head.startLine)
    const framing = line && requestFraming(head.headers)
    if (!line || framing === undefined) {
      this.#toUpstream(head.text)
      this.#requestUnreadable('the length of its body is not clear')
      return 'tunnel'
    }
    const refused = refusalOf(line)
    if (refused) {
      this.#refusal = formatProxyAnswer(refused)
      this.#options.onNotice(`a request was refused: ${refused.sentence}`)
      this.#settle()
      return 'tunnel'
    }
    const { text, url, path } = this.#options.forward(head, line)
    const { method, version } = line
    const { headers } = head
    const exchange = this.#options.observe({
      startedAt: this.#headAt,
      method,
      url,
      version,
      headers,
    })
    this.#last = exchange
    this.#pending.push({ exchange, path })
    this.#toUpstream(text)
    return framing
  }

  #takeReplyHead(head: MessageHead): Framing {
    const [current] = this.#pending
    const line = parseStatusLine(head.startLine)
    const framing = current && line && responseFraming(line, head.headers, current.exchange.method)
    if (!current || !line || framing === undefined) {
      this.#toClient(head.text)
      this.#replyUnreadable(current ? 'its length is not clear' : 'there was no request for it')
      return 'tunnel'
    }
    if (line.status >= 100 && line.status < 200 && line.status !== 101) {
      this.#toClient(head.text)
      this.#isInterim = true
      return 0
    }
    current.exchange.beginReply(line, head.headers)
    if (line.status === 101) {
      this.#toClient(head.text)
      this.#switchProtocol(head)
      return 'tunnel'
    }
    const toClient = (bytes: Buffer | string): void => this.#toClient(bytes)
    this.#rewriter = this.#options.rewriterOf(current.path, head, toClient)
    if (!this.#rewriter) this.#toClient(head.text)
    return framing
  }

  #endReply(trailers: HeaderPairs): void {
    if (this.#isInterim) {
      this.#isInterim = false
      return
    }
    this.#rewriter?.end(trailers)
    this.#rewriter = undefined
    const exchange = this.#pending.shift()?.exchange
    exchange?.endReply(trailers)
    if (exchange?.isUpgrade) this.#requests.release('message')
    this.#settle()
  }

  #switchProtocol({ headers }: MessageHead): void {
    this.#pending.shift()?.exchange.endReply([])
    this.#requests.release('tunnel')
    const protocol = listedValues(headers, 'upgrade').join(', ') || 'another protocol'
    const notice = `a connection went over to ${protocol}: from there on it is not recorded`
    this.#options.onNotice(notice)
    this.#settle()
  }

  #requestUnreadable(reason: string): void {
    this.#options.onNotice(`a request is passed on and not recorded: ${reason}`)
  }

  /** Without this response, it is unknown which of the next ones belongs to which request. */
  #replyUnreadable(reason: string): void {
    const failure = { code: 'NOT_HTTP', message: `the answer cannot be read: ${reason}` }
    this.#options.onNotice(`an answer is passed on and not recorded whole: ${reason}`)
    this.#rewriter?.flush()
    this.#fail(failure)
    this.#requests.release('tunnel')
  }

  /** Ends all exchanges: no more responses will come, or none can be read. */
  #fail(failure: ExchangeFailure): void {
    for (const { exchange } of this.#pending.splice(0)) exchange.close(failure)
    this.#last?.close(failure)
  }

  #openUpstream(): ProxySocket {
    const opened = this.#options.connect(() => (this.#isUpstreamOpen = true))
    const { stream } = opened
    stream.on('data', (bytes: Buffer) => {
      this.#client.stream.cork()
      this.#replies.feed(bytes)
      this.#client.stream.uncork()
      if (this.#client.stream.writableNeedDrain) stream.pause()
      this.#regulate()
    })
    stream.on('drain', () => this.#regulate())
    stream.on('end', () => {
      this.#replies.finish()
      this.#rewriter?.flush()
      this.#fail(this.#hasClientEnded ? failures.clientGone : failures.replyCutOff)
      this.#client.stream.end()
    })
    stream.on('error', (error) => {
      if (this.#isUpstreamOpen) {
        this.#rewriter?.flush()
        this.#fail(this.#hasClientEnded ? failures.clientGone : socketFailure(error))
        this.#resetClient()
      } else this.#answerUnreachable(socketFailure(error))
    })
    return opened
  }

  #answerUnreachable(failure: ExchangeFailure): void {
    const sentence = this.#options.unreachableText(failure)
    const method = this.#pending[0]?.exchange.method
    this.#refusal = formatProxyAnswer({ status: 502, sentence, kind: 'unreachable' }, method)
    this.#fail(failure)
    this.#settle()
  }

  /** What has come goes before the reset, as it did from the target. */
  #resetClient(): void {
    if (this.#client.stream.writableLength === 0) this.#client.reset()
    else this.#client.stream.write('', () => this.#client.reset())
  }

  /** Reads no more than can be passed on. */
  #regulate(): void {
    const isFull =
      this.#pending.length >= maxPending ||
      this.#requests.heldBytes() > maxHeldBytes ||
      (this.#upstream?.stream.writableNeedDrain ?? false)
    if (isFull && this.#refusal === undefined) this.#client.stream.pause()
    else this.#client.stream.resume()
  }

  /** Does what waits for the responses that are due. */
  #settle(): void {
    if (this.#pending.length > 0) return
    if (this.#refusal !== undefined && !this.#isRefused) {
      this.#isRefused = true
      this.#client.stream.end(this.#refusal)
      this.#upstream?.stream.destroy()
    }
    if (this.#isStopping) {
      this.#client.stream.destroySoon()
      this.#upstream?.stream.destroy()
    }
  }
}

export interface ProxyOptions extends UpstreamOptions, Omit<ProxiedExchangeOptions, 'onOver'> {
  readonly address: string
  readonly port: number
  /** The certificate of an HTTPS server. */
  readonly secure?: SecureContext | undefined
  /** Forwards the Host header unchanged instead of the target's. */
  readonly keepHost?: boolean
  /**
   * Responses to these paths have the target's address replaced by ours, so that a client that follows a manifest does
   * not bypass the proxy.
   */
  readonly rewrites?: ((path: string) => boolean) | undefined
  /** The address that is put there, where that is not the listening one. */
  readonly publicUrl?: ((ownUrl: string) => string | undefined) | undefined
  /** Called with the addresses in such a response that are left as they are. */
  readonly onLeft?: (notice: string) => void
  /** What to do when the target's certificate is not trusted. */
  readonly certificateRemedy?: string
  /** Called with what goes through unrecorded, or is refused. */
  readonly onNotice?: (notice: string) => void
  readonly onBug: (error: unknown) => void
}

export interface RunningProxy {
  /** The proxy's own base URL. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Grace period for open exchanges when the proxy stops. */
const graceMs = 1000

/** Codes of node for a certificate that is not trusted, or not for this host. */
const isCertificateError = (code: string): boolean =>
  /CERT|SELF_SIGNED|^UNABLE_TO_(?:GET|VERIFY)/.test(code)

/** Addresses named in one notice. */
const maxAddresses = 20

const leftText = (url: string, addresses: readonly string[] | undefined): string =>
  addresses === undefined
    ? `${url} is compressed or too long to be read, and left as it is: a service that follows it goes past this recording`
    : `${url} names ${addresses.slice(0, maxAddresses).join(', ')}${addresses.length > maxAddresses ? ` and ${addresses.length - maxAddresses} more` : ''}, left as they are: ` +
      'a service that follows them goes past this recording. Record the one of another role with --to <role>=<url>, ' +
      'and tell your service the address of its proxy'

export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, address, port, keepHost = false, rewrites = () => false } = options
  const base = target.replace(/\/*(?:[?#].*)?$/s, '')
  const forward = forwardTo({ target, keepHost, rewrites })
  /** Exchanges still to be logged. */
  const open = new Set<Promise<void>>()
  const connections = new Set<ProxiedConnection>()
  let isClosing = false
  let ownUrl = ''

  function onOver(logging: Promise<void>): void {
    const work = logging.catch(options.onBug).finally(() => open.delete(work))
    open.add(work)
  }

  function unreachableText({ code, message }: ExchangeFailure): string {
    const remedy = isCertificateError(code) ? (options.certificateRemedy ?? '') : ''
    return `sparring record could not reach ${new URL(target).origin}: ${message} (${code})${remedy && `. ${remedy}`}`
  }

  const server = createServer({ allowHalfOpen: true }, (tcp) => {
    const connection = new ProxiedConnection(acceptSocket(tcp, options.secure), {
      connect: (onOpen) => connectUpstream(options, onOpen),
      forward,
      observe: (request) => observeExchange(request, { ...options, onOver }),
      rewriterOf: (path, head, write) =>
        rewrites(path)
          ? createAddressRewriter(head, {
              from: base,
              to: options.publicUrl?.(ownUrl) ?? ownUrl,
              write,
              onLeft: (addresses) => {
                if (addresses?.length !== 0) options.onLeft?.(leftText(base + path, addresses))
              },
            })
          : undefined,
      unreachableText,
      onNotice: options.onNotice ?? (() => undefined),
    })
    connections.add(connection)
    tcp.once('close', () => connections.delete(connection))
    if (isClosing) connection.stop()
  })
  const chosen = await listenOn(server, 'recording', { address, port })
  ownUrl = listenUrl(address, chosen, options.secure ? 'https' : 'http')

  return {
    url: ownUrl,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const connection of connections) connection.stop()
      const late = setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, graceMs)
      await closed
      clearTimeout(late)
      // Wait until all exchanges are logged, before the recording ends.
      await Promise.all(open)
    },
  }
}
