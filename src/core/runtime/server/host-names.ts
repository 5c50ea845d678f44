/**
 * Which Host headers are meant for a server (RFC 9110, 7.4). A web page can have the name of its own site resolve to this
 * machine (DNS rebinding); its requests name that site as their Host.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from './loopback.ts'
import type { RequestFailure } from './unparsed-requests.ts'

/** The normal form of a host name or address, without brackets, port and last dot; undefined for anything else. */
export function hostName(text: string): string | undefined {
  const url = /[/?#@\\]/.test(text) ? null : URL.parse(`http://${text}`)
  return url?.hostname.replace(/^\[|\]$|\.$/g, '')
}

/** An address as the host of a URL. */
const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address)

/**
 * Decides whether a Host header names the server: a loopback name or address, the address it listens on, or one of
 * `allowedHosts`. Beyond loopback any IP address does: no other site can have one as its name.
 */
export function createHostCheck(
  address: string,
  allowedHosts: readonly string[],
): (header: string) => boolean {
  const names = new Set([address, ...allowedHosts].map((each) => hostName(inUrl(each))))
  const isBeyondLoopback = !isLoopback(address)
  /** Clients send the same one each time. */
  let lastAllowed: string | undefined
  return (header) => {
    if (header === lastAllowed) return true
    const name = hostName(header)
    const isAllowed =
      name !== undefined &&
      (isLoopback(name) ||
        name.endsWith('.localhost') ||
        names.has(name) ||
        (isBeyondLoopback && isIP(name) !== 0))
    if (isAllowed) lastAllowed = header
    return isAllowed
  }
}

/**
 * The refusal of a request that is meant for another host (421), or for none, which only HTTP/1.0 allows (400): no
 * browser leaves the Host header out.
 */
export function misdirection(
  { headers: { host }, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  isOurHost: (header: string) => boolean,
): RequestFailure | undefined {
  if (host === undefined)
    return httpVersion === '1.0'
      ? undefined
      : { code: 'INVALID_PAYLOAD', status: 400, message: 'there is no Host header' }
  if (isOurHost(host)) return undefined
  const quoted = JSON.stringify(host.slice(0, 200))
  return {
    code: 'FORBIDDEN',
    status: 421,
    message: `the request is meant for the host ${quoted}, which is not this one; if it is, say so with --public-url, or in allowedHosts of the configuration`,
  }
}
