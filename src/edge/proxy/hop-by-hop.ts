/** Removes hop-by-hop headers; all others keep order and spelling. */

/** RFC 9110, section 7.6.1. Transfer-Encoding is kept: the body is forwarded with the same framing. */
const hopByHopNames: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

/** `raw` as in node: names and values alternate. `host` replaces the Host header. */
export function endToEndHeaders(raw: readonly string[], host?: string): string[] {
  const named = new Set(connectionNames(raw))
  const forwarded: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const lower = name.toLowerCase()
    if (hopByHopNames.has(lower) || named.has(lower)) continue
    forwarded.push(name, lower === 'host' && host !== undefined ? host : (raw[at + 1] ?? ''))
  }
  return forwarded
}

/** Headers named by a Connection header. */
function* connectionNames(raw: readonly string[]): Generator<string> {
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === 'connection')
      for (const name of (raw[at + 1] ?? '').split(',')) yield name.trim().toLowerCase()
}

/** Drops Accept-Encoding, so that the response is uncompressed. */
export function withoutAcceptEncoding(headers: readonly string[]): string[] {
  const plain: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2)
    if (headers[at]?.toLowerCase() !== 'accept-encoding')
      plain.push(headers[at] ?? '', headers[at + 1] ?? '')
  return plain
}
