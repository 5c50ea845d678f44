/** The four kinds of quotes of POSIX shells, with the escapes of each. */
import { readCatHeredoc } from './shell-heredoc.ts'

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  v: '\v',
}

interface Piece {
  readonly text: string
  readonly end: number
}

/** Byte escapes are matched in runs: several bytes may encode one UTF-8 character. */
const byteEscapes = /(?:\\x[\da-f]{1,2}|\\[0-7]{1,3})+/iy
const byteEscape = /\\x([\da-f]{1,2})|\\([0-7]{1,3})/gi
const characterEscape = /\\u([\dA-Fa-f]{1,4})|\\U([\dA-Fa-f]{1,8})/y

function bytesAt(text: string, at: number): Piece | undefined {
  byteEscapes.lastIndex = at
  const run = byteEscapes.exec(text)?.[0]
  if (run === undefined) return undefined
  const bytes = [...run.matchAll(byteEscape)].map(([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '0', 8) & 255 : Number.parseInt(hex, 16),
  )
  return { text: new TextDecoder().decode(Uint8Array.from(bytes)), end: at + run.length }
}

function characterAt(text: string, at: number): Piece | undefined {
  characterEscape.lastIndex = at
  const found = characterEscape.exec(text)
  if (!found) return undefined
  const code = Number.parseInt(found[1] ?? found[2] ?? '0', 16)
  // A surrogate pair written as two escapes is kept as code units, which combine again.
  const character =
    code > 0x10_ff_ff
      ? '\uFFFD'
      : code > 0xff_ff
        ? String.fromCodePoint(code)
        : String.fromCharCode(code)
  return { text: character, end: at + found[0].length }
}

/** ANSI-C escape inside `$'…'`. */
function ansiEscape(text: string, at: number): Piece {
  const next = text[at + 1] ?? ''
  const piece = bytesAt(text, at) ?? characterAt(text, at)
  if (piece) return piece
  if (next === 'c')
    return { text: String.fromCharCode((text.charCodeAt(at + 2) || 0) & 31), end: at + 3 }
  return { text: simpleEscapes[next] ?? (/['"\\?]/.test(next) ? next : `\\${next}`), end: at + 2 }
}

/** Reads a quoted string; undefined when it is not terminated. */
type Quote = (text: string, from: number) => Piece | undefined

export interface PosixQuote {
  readonly opening: string
  readonly read: Quote
  readonly hasVariables: boolean
}

const singleQuote: Quote = (text, from) => {
  const end = text.indexOf("'", from)
  return end < 0 ? undefined : { text: text.slice(from, end), end: end + 1 }
}

const ansiQuote: Quote = (text, from) => {
  let result = ''
  for (let at = from; at < text.length;) {
    const char = text.charAt(at)
    if (char === "'") return { text: result, end: at + 1 }
    const piece = char === '\\' ? ansiEscape(text, at) : { text: char, end: at + 1 }
    result += piece.text
    at = piece.end
  }
  return undefined
}

const doubleQuote: Quote = (text, from) => {
  let result = ''
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return { text: result, end: at + 1 }
    const substituted = char === '$' ? readCatHeredoc(text, at) : undefined
    if (substituted === 'open') return undefined
    if (substituted) {
      result += substituted.text
      at = substituted.end - 1
    } else if (char !== '\\') result += char
    else {
      const next = text.charAt(at + 1)
      if (next === '\r' && text.charAt(at + 2) === '\n') at++
      else if (next !== '\n') result += /["\\$`]/.test(next) ? next : `\\${next}`
      at++
    }
  }
  return undefined
}

export const posixQuotes: readonly PosixQuote[] = [
  { opening: "$'", read: ansiQuote, hasVariables: false },
  { opening: '$"', read: doubleQuote, hasVariables: true },
  { opening: "'", read: singleQuote, hasVariables: false },
  { opening: '"', read: doubleQuote, hasVariables: true },
]
