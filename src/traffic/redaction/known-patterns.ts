/** The byte patterns under which a known value is searched, and what takes the place of each. */
import { percentDecode, percentEncode } from './percent-encoding.ts'
import { bytesToBase64, toUrlAlphabet } from './base64.ts'
import type { RedactionClassId } from './class.ts'
import { createUnescapedBytes, undoEscapes } from './undo-escapes.ts'

export interface KnownValue {
  readonly value: string
  readonly replacement: string
  readonly id: RedactionClassId
}

/** How a value is written. */
export interface KnownPattern {
  readonly known: KnownValue
  readonly kind: 'plain' | 'base64' | 'hexadecimal'
  /** Characters of the first base64 group before the pattern. */
  readonly before: number
}

type PatternBytes = readonly [pattern: KnownPattern, bytes: Uint8Array]

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function bytesToHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexOfByte[byte]
  return hex
}

/** Characters that no notation escapes or reads otherwise; most tokens have no others. */
const isUnescaped = (value: string): boolean => !/[^\w.~@:-]/.test(value)

/** The value without escapes, as the search sees every text. */
function plainBytes(value: string): Uint8Array {
  const bytes = encoder.encode(value)
  if (isUnescaped(value)) return bytes
  const plain = createUnescapedBytes()
  undoEscapes(bytes, 0, bytes.length, plain)
  return plain.bytes.slice(0, plain.length)
}

/** The base64 of a text behind 0, 1 and 2 other bytes: the characters that depend on nothing else. */
function base64Cores(text: string): (readonly [core: string, before: number])[] {
  const bytes = encoder.encode(text)
  return [0, 1, 2].flatMap((shift) => {
    const shifted = new Uint8Array(shift + bytes.length)
    shifted.set(bytes, shift)
    const before = Math.ceil((shift * 8) / 6)
    const core = bytesToBase64(shifted).slice(before, Math.floor((shifted.length * 8) / 6))
    return /[+/]/.test(core)
      ? [[core, before] as const, [toUrlAlphabet(core), before] as const]
      : [[core, before] as const]
  })
}

/** The value, and what it stands for when it is escaped itself, as in a cookie. */
const meanings = (value: string): readonly string[] =>
  value.includes('\\') ? [value] : [value, percentDecode(value), decoder.decode(plainBytes(value))]

const inLowerCase = (encoded: string): string =>
  encoded.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase())

const jsonEscape = (text: string): string => JSON.stringify(text).slice(1, -1)

/** In forms a plus is a space, and some programs read a plus of base64 so. */
const plainForms = (value: string): ReadonlySet<string> =>
  new Set(
    isUnescaped(value)
      ? [value]
      : meanings(value).flatMap((each) => [
          each,
          each.replaceAll(' ', '+'),
          each.replaceAll('+', ' '),
        ]),
  )

/** As it may stand inside an encoded text: as it is, in a URL of any program, in JSON and in JSON within JSON. */
const innerForms = (value: string): ReadonlySet<string> =>
  new Set(
    isUnescaped(value) && percentEncode(value) === value
      ? [value]
      : meanings(value).flatMap((each) => [
          each,
          percentEncode(each),
          inLowerCase(percentEncode(each)),
          percentEncode(percentEncode(each)),
          jsonEscape(each),
          jsonEscape(jsonEscape(each)),
        ]),
  )

export const plainPatterns = (known: KnownValue): readonly PatternBytes[] =>
  Array.from(plainForms(known.value), (form) => [
    { known, kind: 'plain', before: 0 },
    plainBytes(form),
  ])

export const encodedPatterns = (known: KnownValue): readonly PatternBytes[] =>
  Array.from(innerForms(known.value)).flatMap((form) => {
    const hex = bytesToHex(encoder.encode(form))
    const inHex = { known, kind: 'hexadecimal', before: 0 } as const
    return [
      ...base64Cores(form).map(([core, before]): PatternBytes => [
        { known, kind: 'base64', before },
        encoder.encode(core),
      ]),
      [inHex, encoder.encode(hex)] as const,
      [inHex, encoder.encode(hex.toUpperCase())] as const,
    ]
  })

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
