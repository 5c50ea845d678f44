/** The text of bytes in UTF-8, UTF-16 or Latin-1, and bytes of the same character set for a changed text. */
import { decodeUtf8 } from './base64.ts'

export interface DecodedBytes {
  readonly text: string
  /** Characters that the set does not have become question marks. */
  readonly encode: (text: string) => Uint8Array
}

const encoder = new TextEncoder()
const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)

const minWideBytes = 8

/** Whether two bytes are one character, nearly all of them ASCII: one of the two is zero. */
function wideOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < minWideBytes || bytes.length % 2 !== 0) return undefined
  if (!bytes.subarray(0, minWideBytes).includes(0)) return undefined
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = (bytes.length / 2) * 0.7
  return odd > most && even === 0 ? 'utf-16le' : even > most && odd === 0 ? 'utf-16be' : undefined
}

function encodeWide(text: string, isBigEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), !isBigEndian)
  return new Uint8Array(view.buffer)
}

/** Letters with accents, ordinal signs, quotation marks and dashes of Western European texts. */
const isAccented = (byte: number): boolean =>
  byte >= 0xc0 || byte === 0xaa || byte === 0xba || (byte >= 0x91 && byte <= 0x97)

/** Random bytes have other characters than these among the first few. */
function isLatin1(bytes: Uint8Array): boolean {
  let accented = 0
  for (const byte of bytes) {
    if (isAccented(byte)) accented++
    else if (byte >= 127 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return false
  }
  return accented * 3 <= bytes.length
}

const encodeLatin1 = (text: string): Uint8Array =>
  Uint8Array.from(text, (char) => (char.charCodeAt(0) > 255 ? 63 : char.charCodeAt(0)))

/** Undefined when the bytes are no text. */
export function decodeBytes(bytes: Uint8Array): DecodedBytes | undefined {
  const utf8 = decodeUtf8(bytes)
  if (utf8 !== undefined) return { text: utf8, encode: encodeUtf8 }
  if (isLatin1(bytes))
    return {
      text: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
      encode: encodeLatin1,
    }
  const wide = wideOrder(bytes)
  if (wide === undefined) return undefined
  const text = new TextDecoder(wide, { ignoreBOM: true }).decode(bytes)
  return { text, encode: (next) => encodeWide(next, wide === 'utf-16be') }
}
