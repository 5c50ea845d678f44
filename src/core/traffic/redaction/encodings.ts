/**
 * Redacts encoded texts (percent-encoding, entities, base64, hexadecimal, JSON string): decodes, redacts, and encodes
 * again only when something changed.
 */
import { bytesFromBase64, bytesToBase64, toUrlAlphabet } from './base64.ts'
import { decodeBytes } from './charsets.ts'
import { bytesToHex } from './known-patterns.ts'
import { percentDecode, percentEncode } from './percent-encoding.ts'
import { hasUnusualTypography, normaliseTypography } from './typography.ts'
import { withDeeperNotation, type RedactionWalk } from './walk.ts'

export interface Encoding {
  readonly fits: (value: string) => boolean
  /** Undefined when it holds no text. */
  readonly decode: (value: string) => string | undefined
  /** `was` is the original, for encodings with several spellings. */
  readonly encode: (text: string, was: string) => string
}

const percent: Encoding = {
  // URLs and forms are redacted as such.
  fits: (value) => /%[\da-f]{2}/i.test(value) && !value.includes('://') && !value.includes('='),
  decode: (value) => {
    const decoded = percentDecode(value)
    return decoded === value ? undefined : decoded
  },
  encode: percentEncode,
}

const namedEntities: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  commat: '@',
}
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(quot|amp|lt|gt|apos|commat));/gi

const charOf = (code: number): string =>
  code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD'

const entities: Encoding = {
  fits: (value) => value.includes('&') && value.search(entity) >= 0,
  decode: (value) =>
    value.replaceAll(entity, (_, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? charOf(decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal))
        : (namedEntities[name.toLowerCase()] ?? ''),
    ),
  encode: (text) => text.replaceAll(/[&<>"'@]/g, (char) => `&#${char.charCodeAt(0)};`),
}

function bytesFromHex(value: string): Uint8Array {
  const bytes = new Uint8Array(value.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Number.parseInt(value.slice(2 * at, 2 * at + 2), 16)
  return bytes
}

const encoder = new TextEncoder()

const hexadecimal: Encoding = {
  fits: (value) => value.length >= 20 && value.length % 2 === 0 && !/[^\da-f]/i.test(value),
  decode: (value) => decodeBytes(bytesFromHex(value))?.text,
  encode: (text, was) => {
    const hex = bytesToHex(decodeBytes(bytesFromHex(was))?.encode(text) ?? encoder.encode(text))
    return /[A-F]/.test(was) && !/[a-f]/.test(was) ? hex.toUpperCase() : hex
  },
}

/** By hand instead of one regular expression, which would overflow the stack on bodies of millions of characters. */
function isBase64(value: string): boolean {
  if (/[^A-Za-z0-9+/_=\s-]/.test(value)) return false
  const text = value.trimEnd()
  const end = text.indexOf('=')
  const digits = end === -1 ? text : text.slice(0, end)
  if (end !== -1 && !/^={1,2}$/.test(text.slice(end))) return false
  // Mail programs and some libraries wrap base64 into lines.
  if (/[^\S\r\n]|\r(?!\n)|\n\r?\n|\n$/.test(digits)) return false
  const first = digits.search(/\s/)
  return (first === -1 ? digits.length : first) >= 11
}

const decodeBase64 = (value: string) => {
  const bytes = bytesFromBase64(value.replaceAll(/\s/g, ''))
  return bytes && decodeBytes(bytes)
}

const base64: Encoding = {
  fits: isBase64,
  decode: (value) => decodeBase64(value)?.text,
  encode: (text, was) => {
    const coded = bytesToBase64(decodeBase64(was)?.encode(text) ?? encoder.encode(text))
    return /[+/=]/.test(was) ? coded : toUrlAlphabet(coded)
  },
}

/** Texts of bytes that are written one by one, in UTF-8 or Latin-1. */
const decodeHexRun = (run: string): string => decodeBytes(bytesFromHex(run))?.text ?? ''

/** A soft line break, a character beyond ASCII, or one of `@`, `.` and `=`: other escapes may be values of a form. */
const quotedPrintableSign =
  /=\r?\n|=40[\w-]+(?:\.|=2E)\w|\w=(?:2E|3D)["'\w]|=(?:[Cc][2-9A-Fa-f]|[DdEe][\dA-Fa-f])=[89ABab][\dA-Fa-f]|\p{Ll}=[EF][\dA-F]\p{Ll}/u

/** As mail programs write texts: `=C3=A7` for `ç`, and lines that go on end with `=`. */
export const quotedPrintable: Encoding = {
  fits: (value) => value.includes('=') && !value.includes('&') && quotedPrintableSign.test(value),
  decode: (value) =>
    value
      .replaceAll(/=[ \t]*\r?\n/g, '')
      .replaceAll(/(?:=[\dA-F]{2})+/gi, (run) => decodeHexRun(run.replaceAll('=', '')) || run),
  encode: (text) =>
    text.replaceAll(/[^\t\r\n\x20-<>-~]+/g, (run) =>
      bytesToHex(encoder.encode(run)).toUpperCase().replaceAll(/../g, '=$&'),
    ),
}

const escapedByte = /\\(?:x[\da-f]{2}|[0-3][0-7]{2})/i
const scriptEscape = /\\(?:u[\da-f]{4}|x[\da-f]{2}|[0-3][0-7]{2})/i

/** `\u0040`, `\x40` and `\100`, as programs print texts. */
const scriptEscapes: Encoding = {
  fits: (value) => value.includes('\\') && scriptEscape.test(value),
  decode: (value) =>
    value
      .replaceAll(
        new RegExp(`(?:${escapedByte.source})+`, 'gi'),
        (run) =>
          decodeHexRun(
            run.replaceAll(/\\(?:x(..)|(...))/gi, (_, hex?: string, octal?: string) =>
              hex === undefined
                ? Number.parseInt(octal ?? '0', 8)
                    .toString(16)
                    .padStart(2, '0')
                : hex,
            ),
          ) || run,
      )
      .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
  encode: (text) =>
    text.replaceAll(
      /[^\t\r\n\x20-~]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
}

const literal: Encoding = {
  fits: (value) => value.startsWith('"') && value.endsWith('"') && value.length > 2,
  decode: (value) => {
    try {
      const text: unknown = JSON.parse(value)
      return typeof text === 'string' ? text : undefined
    } catch {
      return undefined
    }
  },
  encode: (text) => JSON.stringify(text),
}

const typography: Encoding = {
  fits: hasUnusualTypography,
  decode: normaliseTypography,
  encode: (text) => text,
}

interface TextContext {
  readonly path: string
  readonly quiet: boolean
}

function redactAs(
  walk: RedactionWalk,
  encodings: readonly Encoding[],
  value: string,
  { path, quiet }: TextContext,
): string | undefined {
  for (const encoding of encodings) {
    const decoded = encoding.fits(value) ? encoding.decode(value) : undefined
    if (decoded === undefined) continue
    const next = walk.text(withDeeperNotation(walk), decoded, path, quiet)
    if (next !== decoded) return encoding.encode(next, value)
  }
  return undefined
}

const allEncodings = [
  percent,
  entities,
  hexadecimal,
  base64,
  quotedPrintable,
  scriptEscapes,
  literal,
  typography,
]
const runEncodings = [hexadecimal, base64]

/** Redacts a value that is encoded as a whole; undefined when it is not, or when nothing changed. */
export const redactEncoded = (
  walk: RedactionWalk,
  value: string,
  place: TextContext,
): string | undefined => redactAs(walk, allEncodings, value, place)

/** Characters that end a run. */
const runEnd = /[^A-Za-z0-9+/_-]/g
/** Minimum length of a run, in characters. */
const minRunLength = 20

/** Whether the run continues as part of a JWT or a path, which are redacted as a whole. */
const continuesRun = (character: string | undefined): boolean =>
  character !== undefined && /[\w+/.~-]/.test(character)

/** Percent-encoded parts of a text that is not encoded as a whole: `state=email%3Dana%2540example.org`. */
function redactPercentRuns(walk: RedactionWalk, text: string, place: TextContext): string {
  if (!text.includes('%') || percent.fits(text)) return text
  return text
    .split(/([\s"'<>&=;,]+)/)
    .map((part) => redactAs(walk, [percent], part, place) ?? part)
    .join('')
}

/** Redacts encoded runs within a text. Runs are found by their ends: a run may be too long for a regular expression. */
export function redactEncodedRuns(walk: RedactionWalk, whole: string, place: TextContext): string {
  const text = redactPercentRuns(walk, whole, place)
  let out = ''
  let done = 0
  for (let from = 0, to = 0; text.length - from >= minRunLength; from = to + 1) {
    runEnd.lastIndex = from
    to = runEnd.exec(text)?.index ?? text.length
    if (to - from < minRunLength || continuesRun(text[from - 1])) continue
    const padding = text[to] === '=' ? (text[to + 1] === '=' ? 2 : 1) : 0
    const end = continuesRun(text[to + padding]) ? to : to + padding
    if (continuesRun(text[end])) continue
    const next = redactAs(walk, runEncodings, text.slice(from, end), place)
    if (next === undefined) continue
    out += text.slice(done, from) + next
    done = end
  }
  return done === 0 ? text : out + text.slice(done)
}
