/** What takes the place of a known value where it was found: written as the text around it is written. */
import type { RedactionClassId } from './class.ts'
import { type KnownValue, percentLevels } from './known-patterns.ts'
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
}

/** A value that was found, from `at` to `end` in the text without escapes. */
export interface KnownMatch {
  readonly known: KnownValue
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

/** The edit for a match; undefined when it is part of another word. */
export function editForMatch(window: SearchWindow, match: KnownMatch): KnownEdit | undefined {
  if (!isWhole(window, match)) return undefined
  const { known, at, end } = match
  const from = offsetOf(window, at)
  const to = offsetOf(window, end)
  const isNumber = isDigits(known.value) && !isDigits(known.replacement)
  const replacement = isNumber && isBareNumber(window, match) ? '0' : known.replacement
  window.report(known.id)
  return { from, to, end, bytes: encodedLike(window.text.subarray(from, to), replacement) }
}
