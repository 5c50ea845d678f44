/** The four kinds of quotes of POSIX shells, with the escapes of each. */

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

export interface HeredocStart {
  readonly delimiter: string
  /** `<<-`: tabs at the beginning of lines are dropped. */
  readonly dropsTabs: boolean
  /** The word is quoted: nothing in the lines is special. */
  readonly isLiteral: boolean
}

interface Heredoc {
  /** With its last line end. */
  readonly content: string
  /** Offset behind the line that ends it. */
  readonly end: number
}

/** What a backslash takes its meaning from where variables are expanded. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(\r?\n|[$`\\])/g, (_, char: string) => (char.endsWith('\n') ? '' : char))

/**
 * Reads here-documents of POSIX shells: the lines between the one with `<<WORD` and the one that is WORD. The document
 * whose first line begins at `from`; undefined when its end is missing.
 */
export function readHeredoc(
  text: string,
  from: number,
  { delimiter, dropsTabs, isLiteral }: HeredocStart,
): Heredoc | undefined {
  const lines: string[] = []
  for (let at = from; at < text.length;) {
    const lineEnd = text.indexOf('\n', at)
    const end = lineEnd < 0 ? text.length : lineEnd
    const raw = text.slice(at, end)
    const line = dropsTabs ? raw.replace(/^\t+/, '') : raw
    if (line.replace(/\r$/, '') === delimiter) {
      const content = lines.map((each) => `${each}\n`).join('')
      return { content: isLiteral ? content : unescaped(content), end: lineEnd < 0 ? end : end + 1 }
    }
    lines.push(line)
    at = end + 1
  }
  return undefined
}

const catHeredoc = /\$\(\s*cat\s*<<(-?)\s*(\\?)(["']?)(\w{1,60})\3[ \t]*\r?\n/y

interface Substitution {
  readonly text: string
  readonly end: number
  readonly isLiteral: boolean
}

/** `$(cat <<EOF … )`: the usual way to write a body of several lines as an argument. `open` when it does not end. */
export function readCatHeredoc(text: string, at: number): Substitution | 'open' | undefined {
  catHeredoc.lastIndex = at
  const found = catHeredoc.exec(text)
  if (!found) return undefined
  const [opening, dash, backslash, quote, delimiter = ''] = found
  const isLiteral = backslash !== '' || quote !== ''
  const start = { delimiter, dropsTabs: dash === '-', isLiteral }
  const document = readHeredoc(text, at + opening.length, start)
  const closing = document && /^\s*\)/.exec(text.slice(document.end, document.end + 200))?.[0]
  return document && closing !== undefined
    ? {
        // Line ends behind the last line are dropped by the substitution.
        text: document.content.replace(/(?:\r?\n)+$/, ''),
        end: document.end + closing.length,
        isLiteral,
      }
    : 'open'
}
