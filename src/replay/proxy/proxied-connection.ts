/**
 * One connection of a client and its own connection to the target. Bytes, ends and resets are passed on in both
 * directions as they come; only the head of a request is changed, to address it to the target.
 */
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import { wallNow } from '../../core/runtime/clock/clock.ts'
import type { ForwardedRequest } from './forward-target.ts'
import {
  listedValues,
  parseRequestLine,
  parseStatusLine,
  type RequestLine,
  requestFraming,
  responseFraming,
} from './message-framing.ts'
import { createMessageParser, type MessageHead } from './message-parser.ts'
import {
  type ExchangeFailure,
  socketFailure,
  failures,
  type ObservedRequest,
  type ProxiedExchange,
} from './proxied-exchange.ts'
import { formatProxyAnswer, refusalOf } from './proxy-answer.ts'
import type { ProxySocket } from './proxy-socket.ts'
import type { AddressRewriter } from './rewrite-address.ts'

export interface ProxiedConnectionOptions {
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

export interface ProxiedConnection {
  /** Closes the connection once the responses that are due have come. */
  readonly stop: () => void
  /** Closes the connection at once. */
  readonly destroy: () => void
}

interface PendingRequest {
  readonly exchange: ProxiedExchange
  readonly path: string
}

/** Maximum number of requests that wait for their responses; more are not read. */
const maxPending = 1000
/** Maximum of bytes that wait for the response to an upgrade. */
const maxHeldBytes = 64 * 1024

export function proxyConnection(
  client: ProxySocket,
  options: ProxiedConnectionOptions,
): ProxiedConnection {
  /** Requests without a complete response, oldest first. */
  const pending: PendingRequest[] = []
  /** The last exchange: its request may go on after its response. */
  let last: ProxiedExchange | undefined
  let upstream: ProxySocket | undefined
  let isUpstreamOpen = false
  /** When the first bytes of the current request came. */
  let headAt = 0
  let rewriter: AddressRewriter | undefined
  let isInterim = false
  let hasClientEnded = false
  /** The answer to the client in place of the target's; nothing more goes to the target. */
  let refusal: string | undefined
  let isRefused = false
  let isStopping = false

  const toUpstream = (bytes: Buffer | string): void => {
    if (refusal !== undefined) return
    upstream ??= openUpstream()
    if (upstream.stream.writable) upstream.stream.write(bytes, 'latin1')
  }
  const toClient = (bytes: Buffer | string): void => {
    if (client.stream.writable) client.stream.write(bytes, 'latin1')
  }

  const requests = createMessageParser({
    isStartLine: (line) => parseRequestLine(line) !== undefined,
    head(head) {
      const line = parseRequestLine(head.startLine)
      const framing = line && requestFraming(head.headers)
      if (!line || framing === undefined) {
        toUpstream(head.text)
        requestUnreadable('the length of its body is not clear')
        return 'tunnel'
      }
      const refused = refusalOf(line)
      if (refused) {
        refusal = formatProxyAnswer(refused)
        options.onNotice(`a request was refused: ${refused.sentence}`)
        settle()
        return 'tunnel'
      }
      const { text, url, path } = options.forward(head, line)
      const { method, version } = line
      last = options.observe({ startedAt: headAt, method, url, version, headers: head.headers })
      pending.push({ exchange: last, path })
      toUpstream(text)
      return framing
    },
    content: (bytes) => last?.takeRequest(bytes),
    pass: toUpstream,
    end(trailers) {
      last?.endRequest(trailers)
      if (last?.isUpgrade && pending.at(-1)?.exchange === last) requests.hold()
    },
    unreadable: requestUnreadable,
  })

  const replies = createMessageParser({
    isStartLine: (line) => parseStatusLine(line) !== undefined,
    head(head) {
      const [current] = pending
      const line = parseStatusLine(head.startLine)
      const framing =
        current && line && responseFraming(line, head.headers, current.exchange.method)
      if (!current || !line || framing === undefined) {
        toClient(head.text)
        replyUnreadable(current ? 'its length is not clear' : 'there was no request for it')
        return 'tunnel'
      }
      if (line.status >= 100 && line.status < 200 && line.status !== 101) {
        toClient(head.text)
        isInterim = true
        return 0
      }
      current.exchange.beginReply(line, head.headers)
      if (line.status === 101) {
        toClient(head.text)
        switchProtocol(head)
        return 'tunnel'
      }
      rewriter = options.rewriterOf(current.path, head, toClient)
      if (!rewriter) toClient(head.text)
      return framing
    },
    content(bytes) {
      pending[0]?.exchange.takeReply(bytes)
      rewriter?.content(bytes)
    },
    pass: (bytes) => (rewriter ? rewriter.pass(bytes) : toClient(bytes)),
    end(trailers) {
      if (isInterim) {
        isInterim = false
        return
      }
      rewriter?.end(trailers)
      rewriter = undefined
      endExchange(trailers)
    },
    unreadable: replyUnreadable,
  })

  function endExchange(trailers: HeaderPairs): void {
    const exchange = pending.shift()?.exchange
    exchange?.endReply(trailers)
    if (exchange?.isUpgrade) requests.release('message')
    settle()
  }

  function switchProtocol({ headers }: MessageHead): void {
    pending.shift()?.exchange.endReply([])
    requests.release('tunnel')
    const protocol = listedValues(headers, 'upgrade').join(', ') || 'another protocol'
    options.onNotice(`a connection went over to ${protocol}: from there on it is not recorded`)
    settle()
  }

  function requestUnreadable(reason: string): void {
    options.onNotice(`a request is passed on and not recorded: ${reason}`)
  }

  /** Without this response, it is unknown which of the next ones belongs to which request. */
  function replyUnreadable(reason: string): void {
    const failure = { code: 'NOT_HTTP', message: `the answer cannot be read: ${reason}` }
    options.onNotice(`an answer is passed on and not recorded whole: ${reason}`)
    rewriter?.flush()
    fail(failure)
    requests.release('tunnel')
  }

  /** Ends all exchanges: no more responses will come, or none can be read. */
  function fail(failure: ExchangeFailure): void {
    for (const { exchange } of pending.splice(0)) exchange.close(failure)
    last?.close(failure)
  }

  function openUpstream(): ProxySocket {
    const opened = options.connect(() => (isUpstreamOpen = true))
    const { stream } = opened
    stream.on('data', (bytes: Buffer) => {
      client.stream.cork()
      replies.feed(bytes)
      client.stream.uncork()
      if (client.stream.writableNeedDrain) stream.pause()
      regulate()
    })
    stream.on('drain', regulate)
    stream.on('end', () => {
      replies.finish()
      rewriter?.flush()
      fail(hasClientEnded ? failures.clientGone : failures.replyCutOff)
      client.stream.end()
    })
    stream.on('error', (error) => {
      if (isUpstreamOpen) {
        rewriter?.flush()
        fail(hasClientEnded ? failures.clientGone : socketFailure(error))
        resetClient()
      } else answerUnreachable(socketFailure(error))
    })
    return opened
  }

  function answerUnreachable(failure: ExchangeFailure): void {
    const sentence = options.unreachableText(failure)
    const method = pending[0]?.exchange.method
    refusal = formatProxyAnswer({ status: 502, sentence, kind: 'unreachable' }, method)
    fail(failure)
    settle()
  }

  /** What has come goes before the reset, as it did from the target. */
  function resetClient(): void {
    if (client.stream.writableLength === 0) client.reset()
    else client.stream.write('', () => client.reset())
  }

  /** Reads no more than can be passed on. */
  function regulate(): void {
    const isFull =
      pending.length >= maxPending ||
      requests.heldBytes() > maxHeldBytes ||
      (upstream?.stream.writableNeedDrain ?? false)
    if (isFull && refusal === undefined) client.stream.pause()
    else client.stream.resume()
  }

  /** Does what waits for the responses that are due. */
  function settle(): void {
    if (pending.length > 0) return
    if (refusal !== undefined && !isRefused) {
      isRefused = true
      client.stream.end(refusal)
      upstream?.stream.destroy()
    }
    if (isStopping) {
      client.stream.destroySoon()
      upstream?.stream.destroy()
    }
  }

  client.stream.on('data', (bytes: Buffer) => {
    if (refusal !== undefined) return
    if (!requests.isInHead()) headAt = wallNow()
    upstream?.stream.cork()
    requests.feed(bytes)
    upstream?.stream.uncork()
    regulate()
  })
  client.stream.on('drain', () => upstream?.stream.resume())
  client.stream.on('end', () => {
    hasClientEnded = true
    if (requests.heldBytes() > 0) requests.release('tunnel')
    requests.finish()
    if (upstream) upstream.stream.end()
    else client.stream.end()
  })
  client.stream.on('error', () => {
    fail(failures.clientGone)
    upstream?.reset()
  })

  return {
    stop() {
      isStopping = true
      settle()
    },
    destroy() {
      fail(failures.stopped)
      client.stream.destroy()
      upstream?.stream.destroy()
    },
  }
}
