/** Base64 with text in it, in either alphabet. What is no text inside is nobody's business here. */

const whole = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The bytes that a base64 value stands for; undefined when it is none. */
export function bytesFromBase64(value: string): Uint8Array | undefined {
  // Most that look like it are ids: to be told so by an exception would cost more than to look.
  if (!whole.test(value) || value.replace(/=+$/, '').length % 4 === 1) return undefined
  try {
    const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

/** Of the bytes behind the first of a letter; undefined where no letter begins so. */
const bytesBehind = (first: number): number | undefined =>
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

/** Control characters other than tab and line ends do not stand in texts. */
const isControl = (byte: number): boolean =>
  byte < 32 && (byte < 9 || byte > 13 || byte === 11 || byte === 12)

/** Whether bytes may be UTF-8 text: random ones hardly ever pass. */
function mayBeText(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const behind = bytesBehind(byte)
    if (behind === undefined || isControl(byte) || at + behind >= bytes.length) return false
    for (let step = 1; step <= behind; step++)
      if (((bytes[at + step] ?? 0) & 0xc0) !== 0x80) return false
    at += behind
  }
  return true
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text that bytes are; undefined when they are none. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (!mayBeText(bytes)) return undefined
  try {
    const text = utf8.decode(bytes)
    return text.includes('\uFFFD') ? undefined : text
  } catch {
    return undefined
  }
}

/** The text that a base64 value holds; undefined when it holds none. */
export function fromBase64(value: string): string | undefined {
  const bytes = bytesFromBase64(value)
  return bytes && textOf(bytes)
}

export function toBase64(text: string, alphabet: 'url' | 'plain'): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  const plain = btoa(binary)
  return alphabet === 'plain'
    ? plain
    : plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
