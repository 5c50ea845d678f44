/**
 * Addresses a request to the target: its Host and, where the target's URL has a path, that path before the request's.
 * Every other byte of the head stays.
 */
import type { MessageHead, RequestLine } from './message-parser.ts'

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
  const { host, pathname } = new URL(target)
  const basePath = pathname.replace(/\/+$/, '')
  const root = target.replace(/\/+$/, '')
  return ({ text, startLine }, { method, target: asked }) => {
    const path = pathOf(asked)
    // `OPTIONS *` addresses the server as a whole.
    const sent = path === '*' ? path : basePath + path
    const from = startLine.indexOf(asked, method.length)
    const first = startLine.slice(0, from) + sent + startLine.slice(from + asked.length)
    const fields = text.slice(startLine.length)
    const addressed = keepHost
      ? fields
      : fields.replace(hostLine, (_line, name: string) => name + host)
    return {
      text: first + (rewrites(path) ? addressed.replace(acceptEncodingLine, '') : addressed),
      url: path === '*' ? `${root}/*` : root + path,
      path,
    }
  }
}
