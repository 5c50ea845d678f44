/** What takes the place of a known value where it was found: written as the text around it is written. */
import { bytesFromBase64, bytesToBase64, toUrlAlphabet } from './base64.ts'
import type { RedactionClassId } from './class.ts'
import { bytesToHex, type KnownPattern, percentLevels } from './known-patterns.ts'
import { percentEncode } from './percent-encoding.ts'
import type { UnescapedBytes } from './undo-escapes.ts'

export type ReportKnown = (id: RedactionClassId) => void

/** A part of a text, and the same without its escapes. */
export interface SearchWindow {
  readonly text: Uint8Array
  readonly plain: Pick<UnescapedBytes, 'bytes' | 'length'>
  /** Where each byte of `plain` begins in the text; undefined: at the same place. */
  readonly from: Uint32Array | undefined
  /** Where the part ends in the text. */
  readonly end: number
  readonly report: ReportKnown
  /** Replaces what is known in decoded content; undefined when there is nothing. */
  readonly replaceInside: (bytes: Uint8Array) => Uint8Array | undefined
}

/** A pattern that was found, from `at` to `end` in the text without escapes. */
export interface KnownMatch extends KnownPattern {
  readonly at: number
  readonly end: number
}

export interface KnownEdit {
  /** In the text. */
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
  /** Where it ends in the text without escapes. */
  readonly end: number
}

/** Shorter values are replaced only as whole words. */
const minPartLength = 16
const encoder = new TextEncoder()
const decoder = new TextDecoder()

const isDigits = (text: string): boolean => /^\d+$/.test(text)

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 48 && byte < 58) || (byte >= 65 && byte < 91) || (byte >= 97 && byte < 123))

export const offsetOf = ({ plain, from, end }: SearchWindow, at: number): number =>
  at < plain.length ? (from ? (from[at] ?? end) : at) : end

/** Percent-encodes a replacement as often as the original was. */
function encodedLike(original: Uint8Array, replacement: string): Uint8Array {
  let text = replacement
  for (let level = percentLevels(original); level > 0; level--) text = percentEncode(text)
  return encoder.encode(text)
}

const isOneOf = (characters: string, byte: number | undefined): boolean =>
  byte !== undefined && characters.includes(String.fromCharCode(byte))

/** Whether a number stands there that is no string: `"pin":1234`, `[1,1234]`. */
function isBareNumber({ plain: { bytes, length } }: SearchWindow, match: KnownMatch): boolean {
  let before = match.at - 1
  while (bytes[before] === 32) before--
  let after = match.end
  while (after < length && bytes[after] === 32) after++
  return isOneOf(':[,', bytes[before]) && after < length && isOneOf(',]}', bytes[after])
}

function isWhole({ plain: { bytes, length } }: SearchWindow, match: KnownMatch): boolean {
  const { known, at, end } = match
  if (known.value.length >= minPartLength && !isDigits(known.value)) return true
  // The letter of a line feed (`\\n`) is no part of a word.
  const isBegun = isWordByte(bytes[at - 1]) && bytes[at - 2] !== 92
  return !isBegun && !(end < length && isWordByte(bytes[end]))
}

function plainEdit(window: SearchWindow, match: KnownMatch): KnownEdit | undefined {
  if (!isWhole(window, match)) return undefined
  const { known, at, end } = match
  const from = offsetOf(window, at)
  const to = offsetOf(window, end)
  const isNumber = isDigits(known.value) && !isDigits(known.replacement)
  const replacement = isNumber && isBareNumber(window, match) ? '0' : known.replacement
  window.report(known.id)
  return { from, to, end, bytes: encodedLike(window.text.subarray(from, to), replacement) }
}

/** UTF-16: what stands between two letters, a zero byte or its escape, stands between those of the replacement. */
function wideEdit(window: SearchWindow, { known, at, end }: KnownMatch): KnownEdit | undefined {
  const { text, plain } = window
  const isPart = isWordByte(plain.bytes[at - 2]) || isWordByte(plain.bytes[end + 1])
  if (known.value.length < minPartLength && isPart) return undefined
  const zero = text.subarray(offsetOf(window, at + 1), offsetOf(window, at + 2))
  const letters = Array.from(encoder.encode(known.replacement))
  window.report(known.id)
  return {
    from: offsetOf(window, at),
    to: offsetOf(window, end),
    end,
    bytes: Uint8Array.from(
      letters.flatMap((letter, index) => (index === 0 ? [letter] : [...zero, letter])),
    ),
  }
}

function hexadecimalEdit(window: SearchWindow, { known, at, end }: KnownMatch): KnownEdit {
  const hex = bytesToHex(encoder.encode(known.replacement))
  const isUpper = window.plain.bytes.subarray(at, end).some((byte) => byte >= 65 && byte < 71)
  window.report(known.id)
  return {
    from: offsetOf(window, at),
    to: offsetOf(window, end),
    end,
    bytes: encoder.encode(isUpper ? hex.toUpperCase() : hex),
  }
}

const plainAlphabet = 1
const urlAlphabet = 2
const bothAlphabets = 3

/** The alphabets that a base64 character belongs to. */
function alphabetsOf(byte: number | undefined): number {
  if (isWordByte(byte)) return bothAlphabets
  if (byte === 43 || byte === 47) return plainAlphabet
  return byte === 45 || byte === 95 ? urlAlphabet : 0
}

/** The end of the base64 that begins at `from`, and its alphabet. */
function base64Run({ bytes, length }: SearchWindow['plain'], from: number) {
  let alphabet = bothAlphabets
  let end = from
  while (end < length && (alphabet & alphabetsOf(bytes[end])) !== 0)
    alphabet &= alphabetsOf(bytes[end++])
  return { end, alphabet }
}

const toBase64 = (bytes: Uint8Array, alphabet: number): string =>
  alphabet === urlAlphabet ? toUrlAlphabet(bytesToBase64(bytes)) : bytesToBase64(bytes)

/** Base64 that fits both alphabets: that of URLs has no padding, and is part of tokens. */
const alphabetOf = (plain: SearchWindow['plain'], start: number, end: number): number =>
  (plain.bytes[end] !== 61 && (end - start) % 4 !== 0) ||
  plain.bytes[start - 1] === 46 ||
  plain.bytes[end] === 46
    ? urlAlphabet
    : plainAlphabet

const withoutPadding = (base64: string): string => base64.replace(/=+$/, '')

/**
 * Decodes from the group in which the match begins to the end of the base64, replaces what is known, and encodes again.
 * What only looks like base64 behind the match (segments of a path) is left as it is.
 */
function base64Edit(window: SearchWindow, match: KnownMatch): KnownEdit | undefined {
  const { plain, text } = window
  const start = match.at - match.before
  if (start < 0) return undefined
  const run = base64Run(plain, start)
  const groups = start + Math.ceil((match.end - start) / 4) * 4
  const slash = plain.bytes.subarray(0, run.end).indexOf(47, match.end)
  for (const end of new Set([run.end, slash < 0 ? run.end : slash, Math.min(groups, run.end)])) {
    const alphabet = run.alphabet === bothAlphabets ? alphabetOf(plain, start, end) : run.alphabet
    const coded = decoder.decode(plain.bytes.subarray(start, end))
    const bytes = bytesFromBase64(coded)
    if (!bytes || withoutPadding(toBase64(bytes, alphabet)) !== coded) continue
    const next = window.replaceInside(bytes)
    if (!next) continue
    let padded = end
    while (padded < plain.length && padded < end + 2 && plain.bytes[padded] === 61) padded++
    const base64 = toBase64(next, alphabet)
    const written = padded > end ? base64 : withoutPadding(base64)
    const from = offsetOf(window, start)
    const to = offsetOf(window, padded)
    return { from, to, end: padded, bytes: encodedLike(text.subarray(from, to), written) }
  }
  return undefined
}

/** Whether a match may go on behind the window: then a larger one is needed. */
export const isCutOff = ({ plain }: SearchWindow, { kind, at, before }: KnownMatch): boolean =>
  kind === 'base64' && base64Run(plain, Math.max(0, at - before)).end === plain.length

/** The edit for a match; undefined when it is part of another word, or no base64 after all. */
export function editForMatch(window: SearchWindow, match: KnownMatch): KnownEdit | undefined {
  if (match.kind === 'plain') return plainEdit(window, match)
  if (match.kind === 'wide') return wideEdit(window, match)
  return match.kind === 'base64' ? base64Edit(window, match) : hexadecimalEdit(window, match)
}
