/**
 * The address of the target in what passes through the proxy: put into the head of a request, and replaced by ours in
 * a response that names it. All other bytes stay as they are.
 */
import type { MessageHead, RequestLine } from './message-parser.ts'
import { contentCodings } from '../formats/http-message.ts'
import { joinUrl } from '../../core/base/join-url.ts'
import { type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'

/**
 * Replaces the target's address by ours in one response, byte by byte. Only an uncompressed body that fits in memory
 * is rewritten; another one, and one without the address, is forwarded unchanged.
 */
interface AddressRewriteOptions {
  readonly from: string
  readonly to: string
  readonly write: (bytes: Buffer | string) => void
  /** Called with the other addresses that the response names; undefined when it could not be read. */
  readonly onLeft: (addresses: readonly string[] | undefined) => void
}

/** Takes the parts of a response as the parser finds them. */
export type AddressRewriter = ReturnType<typeof createAddressRewriter>

/** Maximum body size to buffer: a manifest has a few kilobytes. */
const maxHeldBytes = 1024 * 1024

/** The body with the framing of its head. */
function framed(
  body: Buffer,
  { text, headers }: MessageHead,
  trailers: HeaderPairs,
): readonly (Buffer | string)[] {
  if (headerValue(headers, 'transfer-encoding') !== undefined) {
    const fields = trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return [text, `${body.length.toString(16)}\r\n`, body, `\r\n0\r\n${fields}\r\n`]
  }
  return [text.replace(/(?<=\ncontent-length[ \t]*:[ \t]*)\d+/i, String(body.length)), body]
}

/** Addresses in a text; a slash of JSON may be escaped. */
function addressesIn(text: string, own: string): readonly string[] {
  const found = new Set<string>()
  for (const [, scheme = '', host = ''] of text.matchAll(
    /\b(https?|wss?):(?:\\?\/){2}([^\s"'<>\\/?#]+)/gi,
  ))
    if (URL.canParse(`${scheme}://${host}`)) {
      const { protocol, host: name } = new URL(`${scheme}://${host}`)
      found.add(`${protocol}//${name}`)
    }
  found.delete(own)
  return [...found]
}

export function createAddressRewriter(
  head: MessageHead,
  { from, to, write, onLeft }: AddressRewriteOptions,
) {
  let held: (Buffer | string)[] = [head.text]
  let content: Buffer[] = []
  let size = 0
  let isHolding = true

  function flush(): void {
    for (const each of held) write(each)
    isHolding = false
    held = []
    content = []
  }

  if (contentCodings(head.headers).length > 0) flush()

  return {
    content(bytes: Buffer) {
      if (isHolding) content.push(bytes)
    },
    pass(bytes: Buffer) {
      size += bytes.length
      if (isHolding) held.push(bytes)
      else write(bytes)
      if (isHolding && size > maxHeldBytes) flush()
    },
    end(trailers: HeaderPairs) {
      const theirs = Buffer.concat(content).toString('latin1')
      const ours = theirs.replaceAll(from, to)
      onLeft(isHolding ? addressesIn(ours, to) : undefined)
      if (isHolding && ours !== theirs)
        held = [...framed(Buffer.from(ours, 'latin1'), head, trailers)]
      flush()
    },
    /** The response broke off: what was held is forwarded. */
    flush,
  }
}

export interface ForwardedRequest {
  /** The head as it is sent on, decoded as latin1. */
  readonly text: string
  /** As logged. */
  readonly url: string
  /** The request's own path, without the target's. */
  readonly path: string
}

export interface ForwardOptions {
  /** Base URL of the target. */
  readonly target: string
  /** The Host header goes on as it came. */
  readonly keepHost: boolean
  /** Removes Accept-Encoding from requests to these paths, so that their responses can be rewritten. */
  readonly rewrites: (path: string) => boolean
}

/** A client in proxy mode sends the absolute URL (RFC 9112, 3.2.2): use its path. */
function pathOf(target: string): string {
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? [undefined, target]
  return path === '*' || path?.startsWith('/') ? path : `/${path}`
}

const hostLine = /(?<=\n)(host[ \t]*:[ \t]*)[^\r\n]*/gi
const acceptEncodingLine = /(?<=\n)accept-encoding[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*/gi

export function forwardTo({
  target,
  keepHost,
  rewrites,
}: ForwardOptions): (head: MessageHead, line: RequestLine) => ForwardedRequest {
  const { host, pathname, search } = new URL(target)
  return ({ text, startLine }, { method, target: asked }) => {
    const path = pathOf(asked)
    // `OPTIONS *` addresses the server as a whole.
    const sent = path === '*' ? path : joinUrl(pathname + search, path)
    const from = startLine.indexOf(asked, method.length)
    const first = startLine.slice(0, from) + sent + startLine.slice(from + asked.length)
    const fields = text.slice(startLine.length)
    const addressed = keepHost
      ? fields
      : fields.replace(hostLine, (_line, name: string) => name + host)
    return {
      text: first + (rewrites(path) ? addressed.replace(acceptEncodingLine, '') : addressed),
      url: path === '*' ? joinUrl(target, '/*') : joinUrl(target, path),
      path,
    }
  }
}
