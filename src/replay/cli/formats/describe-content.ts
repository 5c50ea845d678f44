/** What the beginning of a file looks like, for messages about files that cannot be imported; never quotes it. */

/** Magic numbers as hexadecimal, and what begins with them. */
const magics: readonly (readonly [RegExp, string])[] = [
  [/^504b0304/, 'a zip archive'],
  [/^1f8b/, 'gzip data'],
  [/^25504446/, 'a PDF document'],
  [/^(?:89504e47|ffd8ff|47494638)/, 'a picture'],
  [/^53514c69746520/, 'an SQLite database'],
]

/** pcap in both byte orders, with microseconds or nanoseconds; pcapng. */
const packetCapture = /^(?:a1b2c3d4|d4c3b2a1|a1b23c4d|4d3cb2a1|0a0d0d0a.{8}(?:1a2b3c4d|4d3c2b1a))/

const texts: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(?:!doctype\s+html|html)/i, 'an HTML page'],
  [/^\s*</, 'XML'],
  [/^\s*[[{]/, 'JSON'],
  [/^---\s|^\s*[\w"'-]+:(?:\s|$)/, 'YAML, or text that is like it'],
]

const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 16)).toString('hex')

export const isPacketCapture = (beginning: Uint8Array): boolean =>
  packetCapture.test(startOf(beginning))

/** The UTF-8 text, which may end in the middle of a character; undefined for binary data. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

export function describeContent(beginning: Uint8Array): string {
  if (beginning.length === 0) return 'nothing: it is empty'
  const start = startOf(beginning)
  const magic = magics.find(([pattern]) => pattern.test(start))
  if (magic) return magic[1]
  const text = textOf(beginning)
  if (text !== undefined) return texts.find(([pattern]) => pattern.test(text))?.[1] ?? 'text'
  return `binary data that begins with the bytes ${start.match(/../g)?.slice(0, 8).join(' ')}`
}
