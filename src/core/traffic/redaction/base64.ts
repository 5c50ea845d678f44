/** Base64 of UTF-8 text, in the plain or the URL alphabet. Binary content gives undefined. */

const base64Pattern = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The bytes of a base64 value; undefined when it is none. */
export function bytesFromBase64(value: string): Uint8Array | undefined {
  // Most candidates are ids: this check is cheaper than an exception.
  if (!base64Pattern.test(value) || value.replace(/=+$/, '').length % 4 === 1) return undefined
  try {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

/** Number of continuation bytes after a first byte; undefined for an invalid first byte. */
const continuationBytes = (first: number): number | undefined =>
  first < 0x80
    ? 0
    : first < 0xc2
      ? undefined
      : first < 0xe0
        ? 1
        : first < 0xf0
          ? 2
          : first < 0xf5
            ? 3
            : undefined

/** Control characters other than tab and line ends do not occur in texts. */
const isControl = (byte: number): boolean =>
  byte < 32 && (byte < 9 || byte > 13 || byte === 11 || byte === 12)

/** Fast check for UTF-8 text: random bytes hardly ever pass. */
function mayBeText(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const following = continuationBytes(byte)
    if (following === undefined || isControl(byte) || at + following >= bytes.length) return false
    for (let step = 1; step <= following; step++)
      if (((bytes[at + step] ?? 0) & 0xc0) !== 0x80) return false
    at += following
  }
  return true
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8; undefined when the bytes are no text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (!mayBeText(bytes)) return undefined
  try {
    const text = utf8.decode(bytes)
    return text.includes('\uFFFD') ? undefined : text
  } catch {
    return undefined
  }
}

/** The text of a base64 value; undefined when it holds none. */
export function textFromBase64(value: string): string | undefined {
  const bytes = bytesFromBase64(value)
  return bytes && decodeUtf8(bytes)
}

export function bytesToBase64(bytes: Uint8Array): string {
  let binary = ''
  // In chunks, since too many arguments would overflow the stack.
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** Plain base64 in the alphabet of URLs, which has no padding. */
export const toUrlAlphabet = (base64: string): string =>
  base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export function textToBase64(text: string, alphabet: 'url' | 'plain'): string {
  const plain = bytesToBase64(new TextEncoder().encode(text))
  return alphabet === 'plain' ? plain : toUrlAlphabet(plain)
}
