/**
 * A text that stands for another: percent-encoded, with entities, in base64 or hexadecimal, as a JSON string. It is
 * redacted inside and encoded again, and only when that changed anything.
 */
import { fromBase64, textOf, toBase64 } from './base64.ts'
import { decodeEscapes, encode } from './pairs.ts'
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
  const bytes = value.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return textOf(Uint8Array.from(bytes))
}

const toHex = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')

const hexadecimal: Encoding = {
  fits: (value) => value.length % 2 === 0 && /^(?:[\da-f]{20,}|[\dA-F]{20,})$/.test(value),
  decode: fromHex,
  encode: (text, was) => (/[A-F]/.test(was) ? toHex(text).toUpperCase() : toHex(text)),
}

const base64: Encoding = {
  fits: (value) => /^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(value),
  decode: fromBase64,
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

const all = [percent, entities, hexadecimal, base64, literal]
const ofRuns = [hexadecimal, base64]

/** A value that is encoded as a whole, redacted inside; undefined when it is not, or holds nothing. */
export const redactEncoded = (walk: Walk, value: string, place: Place): string | undefined =>
  redactAs(walk, all, value, place)

/** What is long enough to hold more than a word, and no part of a signed token: those are read as a whole. */
const runs = /(?<![\w+/.~-])[A-Za-z0-9+/_-]{20,}={0,2}(?![\w+/.~-])/g

/** Runs in the middle of a sentence that hold a text. */
export const redactRuns = (walk: Walk, text: string, place: Place): string =>
  text.length < 20
    ? text
    : text.replaceAll(runs, (run) => redactAs(walk, ofRuns, run, place) ?? run)
