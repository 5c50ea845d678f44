/** The byte patterns under which a known value is searched in texts without their escapes. */
import { textToBase64 } from './base64.ts'
import type { RedactionClassId } from './class.ts'
import { percentDecode } from './percent-encoding.ts'
import { createUnescapedBytes, undoEscapes } from './undo-escapes.ts'

export interface KnownValue {
  readonly value: string
  readonly replacement: string
  readonly id: RedactionClassId
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Characters that no notation escapes or reads otherwise; most tokens have no others. */
const isUnescaped = (value: string): boolean => !/[^\w.~@:-]/.test(value)

/** The value without escapes, as the search sees every text. */
function plainBytes(value: string, bytes: Uint8Array = encoder.encode(value)): Uint8Array {
  if (isUnescaped(value)) return bytes
  const plain = createUnescapedBytes()
  undoEscapes(bytes, 0, bytes.length, plain)
  return plain.bytes.slice(0, plain.length)
}

/** The value, and what it stands for when it is escaped itself, as in a cookie. */
const meanings = (value: string): readonly string[] =>
  value.includes('\\') ? [value] : [value, percentDecode(value), decoder.decode(plainBytes(value))]

/** Hexadecimal digits mean the same in capitals and in small letters. */
const hexForms = (value: string): readonly string[] =>
  /^[\da-f-]+$/i.test(value) ? [value, value.toLowerCase(), value.toUpperCase()] : [value]

/** In forms a plus is a space, and some programs read a plus of base64 so. */
const forms = (value: string): ReadonlySet<string> =>
  new Set(
    isUnescaped(value)
      ? hexForms(value)
      : meanings(value).flatMap((each) => [
          each,
          each.replaceAll(' ', '+'),
          each.replaceAll('+', ' '),
          each.replaceAll('=', '=3D'),
        ]),
  )

const isAscii = (value: string): boolean => !/[^ -~]/.test(value)
const isLatin1 = (value: string): boolean => !/[^\0-\xFF]/.test(value)

const latin1Bytes = (value: string): Uint8Array =>
  Uint8Array.from(value, (char) => char.charCodeAt(0))

/** Longer texts in base64 are replaced whole, whatever they say. */
const maxCodedLength = 11

const codedForms = (value: string): readonly string[] =>
  value.length > maxCodedLength ? [] : [textToBase64(value, 'url')]

export const knownPatterns = ({ value }: KnownValue): readonly Uint8Array[] => [
  ...Array.from(forms(value), (form) => plainBytes(form)),
  ...codedForms(value).map((form) => encoder.encode(form)),
  ...Array.from(new Set(meanings(value)))
    .filter((each) => !isAscii(each) && isLatin1(each))
    .map((each) => plainBytes(each, latin1Bytes(each))),
]

/** How often a text is percent-encoded: `%2B` once, `%252B` twice. */
export function percentLevels(bytes: Uint8Array): number {
  let levels = 0
  for (let at = bytes.indexOf(37); at >= 0; at = bytes.indexOf(37, at + 1)) {
    let level = 1
    for (let next = at + 1; bytes[next] === 50 && bytes[next + 1] === 53; next += 2) level++
    levels = Math.max(levels, level)
  }
  return levels
}
