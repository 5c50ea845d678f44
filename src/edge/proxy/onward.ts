/** Where a request goes on to: behind the target's own path, with its own path as it came, byte by byte. */
import { urlToHttpOptions } from 'node:url'

export interface Onward {
  /** For node: no URL is made of it, which would spell it anew. */
  readonly options: {
    readonly protocol: string | null | undefined
    readonly hostname: string | null | undefined
    readonly port: string | number | null | undefined
    readonly path: string
  }
  /** As it is written down. */
  readonly url: string
  readonly path: string
}

/** A client that takes us for a proxy sends the whole URL (RFC 9112, 3.2.2): its path is what it asks for. */
function pathOf(target: string): string {
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? [undefined, target]
  return path === '*' || path?.startsWith('/') ? path : `/${path}`
}

export function onwardTo(target: string): (asked: string) => Onward {
  const base = new URL(target)
  const { protocol, hostname, port } = urlToHttpOptions(base)
  const before = base.pathname.replace(/\/+$/, '')
  const root = target.replace(/\/+$/, '')
  return (asked) => {
    const path = pathOf(asked)
    // `OPTIONS *` is about the server as a whole.
    return path === '*'
      ? { options: { protocol, hostname, port, path }, url: `${root}/*`, path }
      : { options: { protocol, hostname, port, path: before + path }, url: root + path, path }
  }
}
