/**
 * Redacts encoded texts (percent-encoding, entities, base64, hexadecimal, JSON string): decodes, redacts, and encodes
 * again only when something changed.
 */
import { textFromBase64, decodeUtf8, textToBase64 } from './base64.ts'
import { bytesToHex } from './known-patterns.ts'
import { percentDecode, percentEncode } from './percent-encoding.ts'
import { hasUnusualTypography, normaliseTypography } from './typography.ts'
import { withDeeperNotation, type RedactionWalk } from './walk.ts'

interface Encoding {
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

/** Decodes hexadecimal UTF-8. */
function fromHex(value: string): string | undefined {
  const bytes = new Uint8Array(value.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Number.parseInt(value.slice(2 * at, 2 * at + 2), 16)
  return decodeUtf8(bytes)
}

const toHex = (text: string): string => bytesToHex(new TextEncoder().encode(text))

const hexadecimal: Encoding = {
  fits: (value) => value.length >= 20 && value.length % 2 === 0 && !/[^\da-f]/i.test(value),
  decode: fromHex,
  encode: (text, was) =>
    /[A-F]/.test(was) && !/[a-f]/.test(was) ? toHex(text).toUpperCase() : toHex(text),
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

const base64: Encoding = {
  fits: isBase64,
  decode: (value) => textFromBase64(value.replaceAll(/\s/g, '')),
  encode: (text, was) => textToBase64(text, /[+/=]/.test(was) ? 'plain' : 'url'),
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

const allEncodings = [percent, entities, hexadecimal, base64, literal, typography]
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

/** Redacts encoded runs within a text. Runs are found by their ends: a run may be too long for a regular expression. */
export function redactEncodedRuns(walk: RedactionWalk, text: string, place: TextContext): string {
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
