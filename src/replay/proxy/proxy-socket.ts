/** A TCP connection with or without TLS that can be reset, whose two directions end independently. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, TLSSocket } from 'node:tls'

export interface ProxySocket {
  /** Carries the bytes: the TCP socket itself, or TLS over it. */
  readonly stream: Socket
  /** Sends a TCP reset, which a peer tells apart from a regular end. */
  readonly reset: () => void
}

/** Only HTTP/1.1 can be read here; a client that wants HTTP/2 falls back to it. */
const ALPNProtocols = ['http/1.1']

/** Resets the connection below TLS, too. */
function proxySocket(tcp: Socket, stream: Socket): ProxySocket {
  tcp.setNoDelay(true)
  return {
    stream,
    reset() {
      if (!tcp.destroyed) tcp.resetAndDestroy()
      stream.destroy()
    },
  }
}

/** An accepted connection. The TCP socket must allow to be half open. */
export function acceptSocket(tcp: Socket, secure: SecureContext | undefined): ProxySocket {
  if (!secure) return proxySocket(tcp, tcp)
  const options = { isServer: true, secureContext: secure, ALPNProtocols, allowHalfOpen: true }
  return proxySocket(tcp, new TLSSocket(tcp, options))
}

export interface UpstreamOptions {
  readonly target: string
  /** Trusted certificates, when more than the machine's own authorities. */
  readonly trust?: SecureContext | undefined
  /** Accepts any certificate. */
  readonly insecure?: boolean | undefined
}

/** Connects to the target; `onOpen` is called once bytes can be sent. */
export function connectUpstream(
  { target, trust, insecure = false }: UpstreamOptions,
  onOpen: () => void,
): ProxySocket {
  const { protocol, hostname, port } = new URL(target)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isSecure = protocol === 'https:'
  const tcp = connectTcp({
    host,
    port: Number(port || (isSecure ? 443 : 80)),
    allowHalfOpen: true,
  })
  if (!isSecure) {
    tcp.once('connect', onOpen)
    return proxySocket(tcp, tcp)
  }
  const secured = connectTls({
    socket: tcp,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(trust ? { secureContext: trust } : {}),
    rejectUnauthorized: !insecure,
    ALPNProtocols,
  })
  secured.allowHalfOpen = true
  secured.once('secureConnect', onOpen)
  return proxySocket(tcp, secured)
}
