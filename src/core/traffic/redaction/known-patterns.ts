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
  readonly kind: 'plain' | 'wide' | 'base64' | 'hexadecimal'
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
function plainBytes(value: string, bytes: Uint8Array = encoder.encode(value)): Uint8Array {
  if (isUnescaped(value)) return bytes
  const plain = createUnescapedBytes()
  undoEscapes(bytes, 0, bytes.length, plain)
  return plain.bytes.slice(0, plain.length)
}

/** The base64 of bytes behind 0, 1 and 2 other bytes: the characters that depend on nothing else. */
function base64Cores(bytes: Uint8Array): (readonly [core: string, before: number])[] {
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

/** Hexadecimal digits mean the same in capitals and in small letters. */
const hexForms = (value: string): readonly string[] =>
  /^[\da-f-]+$/i.test(value) ? [value, value.toLowerCase(), value.toUpperCase()] : [value]

/** In forms a plus is a space, and some programs read a plus of base64 so. */
const plainForms = (value: string): ReadonlySet<string> =>
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

/** Letters and digits of UTF-16 without the zero before or behind all of them, so that the byte order does not matter. */
function wideBytes(value: string): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, value.length * 2 - 1))
  for (let at = 0; at < value.length; at++) bytes[at * 2] = value.charCodeAt(at)
  return bytes
}

const isAscii = (value: string): boolean => !/[^ -~]/.test(value)
const isLatin1 = (value: string): boolean => !/[^\0-\xFF]/.test(value)

const latin1Bytes = (value: string): Uint8Array =>
  Uint8Array.from(value, (char) => char.charCodeAt(0))

export const plainPatterns = (known: KnownValue): readonly PatternBytes[] =>
  Array.from(plainForms(known.value), (form) => [
    { known, kind: 'plain', before: 0 },
    plainBytes(form),
  ])

const inBase64 = (known: KnownValue, bytes: Uint8Array): readonly PatternBytes[] =>
  base64Cores(bytes).map(([core, before]) => [
    { known, kind: 'base64', before },
    encoder.encode(core),
  ])

export const encodedPatterns = (known: KnownValue): readonly PatternBytes[] =>
  Array.from(innerForms(known.value)).flatMap((form) => {
    const bytes = encoder.encode(form)
    const hex = bytesToHex(bytes)
    const inHex = { known, kind: 'hexadecimal', before: 0 } as const
    return [
      ...inBase64(known, bytes),
      [inHex, encoder.encode(hex)] as const,
      [inHex, encoder.encode(hex.toUpperCase())] as const,
    ]
  })

/** So many bytes of what is encoded twice tell that it is worth decoding. */
const tellingLength = 24

function rarePatternsOf(known: KnownValue, value: string): readonly PatternBytes[] {
  const bytes = encoder.encode(value)
  const twice = base64Cores(bytes).flatMap(([core]) =>
    inBase64(known, encoder.encode(core.slice(0, tellingLength))),
  )
  const isWide = isAscii(value)
  if (!isWide && !isLatin1(value)) return twice
  const other = isWide ? wideBytes(value) : latin1Bytes(value)
  return [
    ...twice,
    [
      { known, kind: isWide ? 'wide' : 'plain', before: 0 },
      isWide ? other : plainBytes(value, other),
    ],
    ...inBase64(known, other.subarray(0, tellingLength)),
  ]
}

/** In base64 of base64, in UTF-16 and in Latin-1, as they are and in base64. */
export const rarePatterns = (known: KnownValue): readonly PatternBytes[] =>
  Array.from(new Set(meanings(known.value))).flatMap((value) => rarePatternsOf(known, value))

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
