/** The few responses that the proxy gives in place of the target: it could not be reached, or it cannot be asked this. */
import { STATUS_CODES } from 'node:http'
import type { RequestLine } from './message-framing.ts'

interface ProxyAnswer {
  readonly status: number
  readonly sentence: string
  /** The value of `X-Sparring-Proxy`, by which a client can tell that this is no response of the target. */
  readonly kind: 'unreachable' | 'refused'
}

/** The bytes of a response, after which the connection ends. */
export function formatProxyAnswer({ status, sentence, kind }: ProxyAnswer, method = ''): string {
  const body = `${sentence}\n`
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
    `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    `X-Sparring-Proxy: ${kind}\r\nConnection: close\r\n\r\n${method === 'HEAD' ? '' : body}`
  )
}

/** Why a request cannot be passed on; undefined when it can. */
export function refusalOf({ method, version }: RequestLine): ProxyAnswer | undefined {
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
