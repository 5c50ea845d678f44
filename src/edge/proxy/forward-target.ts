/** Builds the forwarding target of a request: the target's base path plus the request's path, byte by byte. */
import { urlToHttpOptions } from 'node:url'

export interface ForwardTarget {
  /** Request options for node; no URL object, which would normalise the path. */
  readonly options: {
    readonly protocol: string | null | undefined
    readonly hostname: string | null | undefined
    readonly port: string | number | null | undefined
    readonly path: string
  }
  /** As logged. */
  readonly url: string
  readonly path: string
}

/** A client in proxy mode sends the absolute URL (RFC 9112, 3.2.2): use its path. */
function pathOf(target: string): string {
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? [undefined, target]
  return path === '*' || path?.startsWith('/') ? path : `/${path}`
}

export function forwardTo(target: string): (asked: string) => ForwardTarget {
  const base = new URL(target)
  const { protocol, hostname, port } = urlToHttpOptions(base)
  const before = base.pathname.replace(/\/+$/, '')
  const root = target.replace(/\/+$/, '')
  return (asked) => {
    const path = pathOf(asked)
    // `OPTIONS *` addresses the server as a whole.
    return path === '*'
      ? { options: { protocol, hostname, port, path }, url: `${root}/*`, path }
      : { options: { protocol, hostname, port, path: before + path }, url: root + path, path }
  }
}
