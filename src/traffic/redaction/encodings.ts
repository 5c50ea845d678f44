/**
 * A text that stands for another: percent-encoded, with entities, in base64 or hexadecimal, as a JSON string. It is
 * redacted inside and encoded again, and only when that changed anything.
 */
import { fromBase64, textOf, toBase64 } from './base64.ts'
import { decodeEscapes, encode } from './pairs.ts'
import { isUnusual, usually } from './typography.ts'
import { deeper, type Walk } from './walk.ts'

interface Encoding {
  readonly fits: (value: string) => boolean
  /** Undefined when it holds no text. */
  readonly decode: (value: string) => string | undefined
  /** `was` is the value before, for what may be written in several ways. */
  readonly encode: (text: string, was: string) => string
}

const percent: Encoding = {
  // What is a URL or a form is read as that.
  fits: (value) => /%[\da-f]{2}/i.test(value) && !value.includes('://') && !value.includes('='),
  decode: (value) => {
    const decoded = decodeEscapes(value)
    return decoded === value ? undefined : decoded
  },
  encode,
}

const named: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  commat: '@',
}
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(quot|amp|lt|gt|apos|commat));/gi

const letterOf = (code: number): string =>
  code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD'

const entities: Encoding = {
  fits: (value) => value.includes('&') && value.search(entity) >= 0,
  decode: (value) =>
    value.replaceAll(entity, (_, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? letterOf(decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal))
        : (named[name.toLowerCase()] ?? ''),
    ),
  encode: (text) => text.replaceAll(/[&<>"'@]/g, (char) => `&#${char.charCodeAt(0)};`),
}

/** The text of bytes that are written in two digits each. */
function fromHex(value: string): string | undefined {
  const bytes = new Uint8Array(value.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Number.parseInt(value.slice(2 * at, 2 * at + 2), 16)
  return textOf(bytes)
}

const toHex = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')

const hexadecimal: Encoding = {
  fits: (value) => value.length >= 20 && value.length % 2 === 0 && !/[^\da-f]/i.test(value),
  decode: fromHex,
  encode: (text, was) =>
    /[A-F]/.test(was) && !/[a-f]/.test(was) ? toHex(text).toUpperCase() : toHex(text),
}

/**
 * One pattern for the whole of it would have to remember every letter that it has passed: a body of some millions of
 * letters is more than a stack holds.
 */
function isBase64(value: string): boolean {
  if (/[^A-Za-z0-9+/_=\s-]/.test(value)) return false
  const text = value.trimEnd()
  const end = text.indexOf('=')
  const digits = end === -1 ? text : text.slice(0, end)
  if (end !== -1 && !/^={1,2}$/.test(text.slice(end))) return false
  // Mail programs and some libraries break it into lines.
  if (/[^\S\r\n]|\r(?!\n)|\n\r?\n|\n$/.test(digits)) return false
  const first = digits.search(/\s/)
  return (first === -1 ? digits.length : first) >= 11
}

const base64: Encoding = {
  fits: isBase64,
  decode: (value) => fromBase64(value.replaceAll(/\s/g, '')),
  encode: (text, was) => toBase64(text, /[+/=]/.test(was) ? 'plain' : 'url'),
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
  fits: isUnusual,
  decode: usually,
  encode: (text) => text,
}

interface Place {
  readonly path: string
  readonly quiet: boolean
}

function redactAs(
  walk: Walk,
  encodings: readonly Encoding[],
  value: string,
  { path, quiet }: Place,
): string | undefined {
  for (const encoding of encodings) {
    const decoded = encoding.fits(value) ? encoding.decode(value) : undefined
    if (decoded === undefined) continue
    const next = walk.text(deeper(walk), decoded, path, quiet)
    if (next !== decoded) return encoding.encode(next, value)
  }
  return undefined
}

const all = [percent, entities, hexadecimal, base64, literal, typography]
const ofRuns = [hexadecimal, base64]

/** A value that is encoded as a whole, redacted inside; undefined when it is not, or holds nothing. */
export const redactEncoded = (walk: Walk, value: string, place: Place): string | undefined =>
  redactAs(walk, all, value, place)

/** Letters that a run is made of end at one of these. */
const outside = /[^A-Za-z0-9+/_-]/g
/** What is long enough to hold more than a word. */
const leastRun = 20

/** Part of a signed token, or of a path: those are read as a whole. */
const goesOn = (letter: string | undefined): boolean =>
  letter !== undefined && /[\w+/.~-]/.test(letter)

/** Runs in the middle of a sentence that hold a text. Looked for by their ends: a run may be longer than a pattern bears. */
export function redactRuns(walk: Walk, text: string, place: Place): string {
  let out = ''
  let done = 0
  for (let from = 0, to = 0; text.length - from >= leastRun; from = to + 1) {
    outside.lastIndex = from
    to = outside.exec(text)?.index ?? text.length
    if (to - from < leastRun || goesOn(text[from - 1])) continue
    const padding = text[to] === '=' ? (text[to + 1] === '=' ? 2 : 1) : 0
    const end = goesOn(text[to + padding]) ? to : to + padding
    if (goesOn(text[end])) continue
    const next = redactAs(walk, ofRuns, text.slice(from, end), place)
    if (next === undefined) continue
    out += text.slice(done, from) + next
    done = end
  }
  return done === 0 ? text : out + text.slice(done)
}
