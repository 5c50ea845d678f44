/**
 * Recognises texts in a code that redaction does not read: base64, hexadecimal, escapes of scripts, entities,
 * quoted-printable, UTF-16. `YW5hQHByb3ZlZG9yLmNvbQ==` says whom it is about only to who decodes it.
 */
import { bytesFromBase64, decodeUtf8 } from './base64.ts'

const minWideBytes = 8

/** Whether two bytes are one character, nearly all of them ASCII: one of the two is zero. */
function isUtf16(bytes: Uint8Array): boolean {
  if (bytes.length < minWideBytes || bytes.length % 2 !== 0) return false
  if (!bytes.subarray(0, minWideBytes).includes(0)) return false
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  return Math.min(even, odd) === 0 && Math.max(even, odd) > (bytes.length / 2) * 0.7
}

/** Letters with accents, ordinal signs, quotation marks and dashes of Western European texts. */
const isAccented = (byte: number): boolean =>
  byte >= 0xc0 || byte === 0xaa || byte === 0xba || (byte >= 0x91 && byte <= 0x97)

/** Random bytes have other characters than these among the first few, and more accents than any language. */
function isLatin1(bytes: Uint8Array): boolean {
  let accented = 0
  for (const byte of bytes) {
    if (isAccented(byte)) accented++
    else if (byte >= 127 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return false
  }
  return accented * 8 <= bytes.length
}

/** The text of bytes in UTF-8, Latin-1 or UTF-16; undefined when they are none. */
function textOfBytes(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes)
  if (text !== undefined) return text
  if (!isLatin1(bytes) && !isUtf16(bytes)) return undefined
  return Array.from(bytes, (byte) => String.fromCharCode(byte))
    .join('')
    .replaceAll('\0', '')
}

/** A number has no letters; ids in hexadecimal are seldom texts. */
const isHexadecimal = (run: string): boolean =>
  run.length >= 20 && run.length % 2 === 0 && !/[^\da-f]/i.test(run) && /[a-f]/i.test(run)

function bytesFromHex(run: string): Uint8Array {
  const bytes = new Uint8Array(run.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Number.parseInt(run.slice(2 * at, 2 * at + 2), 16)
  return bytes
}

/** A longer run is judged by its beginning, in characters: whole groups of base64, whole bytes of hexadecimal. */
const maxSampleLength = 4096

/** The beginning may end within a character, which has four bytes at most. */
const textOfSample = (bytes: Uint8Array): string | undefined =>
  textOfBytes(bytes) ??
  [1, 2, 3].map((cut) => decodeUtf8(bytes.subarray(0, -cut))).find((text) => text !== undefined)

/** The text that a run of letters and digits encodes, or its beginning; undefined when it encodes none. */
export function decodeRun(run: string): string | undefined {
  const sample = run.slice(0, maxSampleLength)
  const read = sample === run ? textOfBytes : textOfSample
  const text = isHexadecimal(sample) ? read(bytesFromHex(sample)) : undefined
  if (text !== undefined) return text
  const bytes = bytesFromBase64(sample)
  return bytes && read(bytes)
}

/**
 * Whether a text is base64 as a whole. Mail programs and some libraries wrap it into lines. Without a repeated group, for
 * which a text of millions of characters would be too long.
 */
export function isBase64(text: string): boolean {
  if (text.length < 11 || /[^\w+/=\r\n-]/.test(text)) return false
  const end = text.indexOf('=')
  return (end < 0 || /^={1,2}$/.test(text.slice(end))) && !/^[\w+/-]{0,10}\s|\n\r?\n|\n$/.test(text)
}

/** A soft line break, a character beyond ASCII, or one of `@`, `.` and `=`: other escapes may be values of a form. */
const quotedPrintable =
  /=\r?\n|=40[\w-]+(?:\.|=2E)\w|\w=(?:2E|3D)["'\w]|=(?:[Cc][2-9A-Fa-f]|[DdEe][\dA-Fa-f])=[89ABab][\dA-Fa-f]|\p{Ll}=[EF][\dA-F]\p{Ll}/u

const scriptEscape = /\\(?:u[\da-f]{4}|x[\da-f]{2}|[0-3][0-7]{2})/i

/** Entities but for the apostrophe, `&amp;` and `&gt;`, which hide nothing. */
const entity = /&(?:#(?!(?:0*39|x27);)[\dx]|quot;|commat;|lt;)/i

/** Whether characters of a text are escaped otherwise than in JSON, a URL or a form. */
export const isEscaped = (text: string): boolean =>
  text.includes('\0') ||
  (text.includes('\\') && scriptEscape.test(text)) ||
  (text.includes('&') ? entity.test(text) : text.includes('=') && quotedPrintable.test(text))
