/** Headers as they go on: all of them, in their order and spelling, but for those that speak of one connection only. */

/** RFC 9110, section 7.6.1. How a body is framed is kept: it goes on in the same pieces. */
const ofOneConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

/** `raw` as node gives it: names and values in turn. With `host`, the Host header says that. */
export function goingOn(raw: readonly string[], host?: string): string[] {
  const named = new Set(connectionNames(raw))
  const on: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const lower = name.toLowerCase()
    if (ofOneConnection.has(lower) || named.has(lower)) continue
    on.push(name, lower === 'host' && host !== undefined ? host : (raw[at + 1] ?? ''))
  }
  return on
}

/** The headers that a Connection header names. */
function* connectionNames(raw: readonly string[]): Generator<string> {
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === 'connection')
      for (const name of (raw[at + 1] ?? '').split(',')) yield name.trim().toLowerCase()
}
