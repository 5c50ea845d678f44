/**
 * Recording reverse proxy: each connection of a client has its own connection to the target, bytes go through unchanged
 * in both directions, and a copy of each exchange is logged. `docs/recording-proxy.md` lists what differs.
 */
import { createServer } from 'node:net'
import type { SecureContext } from 'node:tls'
import { listenOn } from '../../core/runtime/server/listen-problem.ts'
import { listenUrl } from '../../core/runtime/server/loopback.ts'
import { forwardTo } from './forward-target.ts'
import { type ProxiedConnection, proxyConnection } from './proxied-connection.ts'
import {
  type ExchangeFailure,
  observeExchange,
  type ProxiedExchangeOptions,
} from './proxied-exchange.ts'
import { acceptSocket, connectUpstream, type UpstreamOptions } from './proxy-socket.ts'
import { createAddressRewriter } from './rewrite-address.ts'

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
  const base = target.replace(/\/+$/, '')
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
    const connection = proxyConnection(acceptSocket(tcp, options.secure), {
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
