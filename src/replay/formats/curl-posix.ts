/**
 * Tokenizer for POSIX shell command lines: four kinds of quotes, escapes, line continuations, lists, pipes, redirections
 * and here-documents.
 */
import { compact } from '../../core/base/compact.ts'
import {
  createLineCounter,
  lineAndColumnAt,
  type ShellCommand,
  type ShellParse,
} from './shell-command.ts'

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

interface PosixQuote {
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

const posixQuotes: readonly PosixQuote[] = [
  { opening: "$'", read: ansiQuote, hasVariables: false },
  { opening: '$"', read: doubleQuote, hasVariables: true },
  { opening: "'", read: singleQuote, hasVariables: false },
  { opening: '"', read: doubleQuote, hasVariables: true },
]

interface HeredocStart {
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
function readHeredoc(
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
function readCatHeredoc(text: string, at: number): Substitution | 'open' | undefined {
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

const variable = /\$(?:\w+|\{[^}]{1,100}\}|\()/g

/** Command separators; behind a single `|` the next command reads the output of this one. */
const commandSeparator = /\r?\n|;|\|\||&&|\|&?|&(?!>)/y
const redirection = /(?:\d*|&)(<<<|<<-?|<>|<&|<|>>|>\||>&|>)[ \t]*/y

/** The word behind a redirection, and what is done with it. */
type Redirection =
  | { readonly kind: 'heredoc'; readonly dropsTabs: boolean }
  | { readonly kind: 'text' | 'file' }

function redirectionOf(operator: string): Redirection {
  if (operator === '<<<') return { kind: 'text' }
  if (operator.startsWith('<<')) return { kind: 'heredoc', dropsTabs: operator === '<<-' }
  return { kind: 'file' }
}

interface OpenCommand {
  start: number
  readonly words: string[]
  readonly open: string[]
  stdin: string | undefined
  readonly before: OpenCommand | undefined
  isPiped: boolean
}

/** What a command writes that does nothing else. */
function outputOf({ words: [name, ...rest], stdin }: OpenCommand): string | undefined {
  if (name === 'cat' && rest.every((word) => word === '-')) return stdin
  if (name === 'echo') return `${rest.filter((word) => !/^-[neE]+$/.test(word)).join(' ')}\n`
  return name === 'printf' && /^%s(?:\\n)?$/.test(rest[0] ?? '') ? rest[1] : undefined
}

function stdinOf({ stdin, before }: OpenCommand): string | undefined {
  return stdin ?? (before && outputOf(before))
}

interface PendingHeredoc extends HeredocStart {
  readonly command: OpenCommand
  readonly at: number
}

const newCommand = (before?: OpenCommand): OpenCommand => ({
  start: 0,
  words: [],
  open: [],
  stdin: undefined,
  before,
  isPiped: false,
})

export const parsePosixCommands = (text: string): ShellParse => new PosixCommandParser(text).parse()

class PosixCommandParser {
  readonly #text: string
  readonly #commands: OpenCommand[] = []
  readonly #lineAt: ReturnType<typeof createLineCounter>
  #command = newCommand()
  #word: string | undefined
  #isWordQuoted = false
  #redirected: (Redirection & { readonly at: number }) | undefined
  /** Here-documents whose lines begin behind the end of this line. */
  #pending: PendingHeredoc[] = []

  constructor(text: string) {
    this.#text = text
    this.#lineAt = createLineCounter(text)
  }

  parse(): ShellParse {
    const text = this.#text
    for (let at = 0; at < text.length;) {
      const char = text.charAt(at)
      const opened = posixQuotes.find(({ opening }) => text.startsWith(opening, at))
      commandSeparator.lastIndex = at
      const separator = commandSeparator.exec(text)?.[0]
      redirection.lastIndex = at
      // A number belongs to a redirection only where a word could begin.
      const redirect = this.#word === undefined || /[<>]/.test(char) ? redirection.exec(text) : null
      const substituted = char === '$' ? readCatHeredoc(text, at) : undefined
      if (substituted === 'open')
        return this.#broken(at, 'a here-document is opened ($(cat <<) and never closed')
      if (substituted) {
        if (!substituted.isLiteral) this.#noteVariables(substituted.text)
        this.#add(substituted.text, at)
        at = substituted.end
      } else if (opened) {
        const { opening, read, hasVariables } = opened
        const piece = read(text, at + opening.length)
        if (!piece) return this.#broken(at, `a quote is opened (${opening}) and never closed`)
        if (hasVariables) this.#noteVariables(piece.text)
        this.#add(piece.text, at)
        this.#isWordQuoted = true
        at = piece.end
      } else if (char === '\\') {
        // A pasted session has a prompt at the beginning of the next line.
        const continued = /^\\\r?\n(?:> )?/.exec(text.slice(at, at + 5))?.[0]
        if (continued === undefined) {
          this.#add(text.charAt(at + 1), at)
          this.#isWordQuoted = true
        }
        at += continued?.length ?? 2
      } else if (redirect && this.#isPrompt(at)) at++
      else if (redirect) {
        this.#endWord()
        this.#redirected = { ...redirectionOf(redirect[1] ?? ''), at }
        at += redirect[0].length
      } else if (separator !== undefined) {
        const isLineEnd = separator.endsWith('\n')
        this.#endCommand(separator.startsWith('|') && separator !== '||')
        const next = isLineEnd ? this.#takeHeredocs(at + separator.length) : at + separator.length
        if (typeof next !== 'number') return this.#brokenHeredoc(next)
        at = next
      } else if (char === ' ' || char === '\t' || char === '\r') {
        this.#endWord()
        at++
      } else if (char === '#' && this.#word === undefined) {
        const end = text.indexOf('\n', at)
        at = end < 0 ? text.length : end
      } else {
        if (char === '$')
          this.#command.open.push(
            ...(/^\$(?:\w+|\{[^}]{1,100}\})/.exec(text.slice(at, at + 110)) ?? []),
          )
        this.#add(char, at)
        at++
      }
    }
    this.#endCommand(false)
    const [unclosed] = this.#pending
    return unclosed ? this.#brokenHeredoc(unclosed) : { commands: this.#done() }
  }

  #endWord(): void {
    if (this.#word !== undefined && this.#redirected)
      this.#endRedirection(this.#word, this.#redirected)
    else if (this.#word !== undefined) this.#command.words.push(this.#word)
    this.#word = undefined
    this.#isWordQuoted = false
  }

  #endRedirection(target: string, how: Redirection & { readonly at: number }): void {
    this.#redirected = undefined
    if (how.kind === 'text') this.#command.stdin = `${target}\n`
    else if (how.kind === 'heredoc')
      this.#pending.push({
        delimiter: target,
        dropsTabs: how.dropsTabs,
        isLiteral: this.#isWordQuoted,
        command: this.#command,
        at: how.at,
      })
  }

  #endCommand(isPiped: boolean): void {
    this.#endWord()
    this.#redirected = undefined
    this.#command.isPiped = isPiped
    if (this.#command.words.length > 0) this.#commands.push(this.#command)
    this.#command = newCommand(isPiped ? this.#command : undefined)
  }

  #add(piece: string, at: number): void {
    if (this.#word === undefined && this.#command.words.length === 0) this.#command.start = at
    this.#word = (this.#word ?? '') + piece
  }

  #noteVariables(piece: string): void {
    this.#command.open.push(...[...piece.matchAll(variable)].map(([found]) => found))
  }

  /** The offset behind the here-documents; undefined when one does not end. */
  #takeHeredocs(from: number): number | PendingHeredoc {
    let at = from
    for (const each of this.#pending) {
      const document = readHeredoc(this.#text, at, each)
      if (!document) return each
      each.command.stdin = document.content
      if (!each.isLiteral)
        each.command.open.push(...[...document.content.matchAll(variable)].map(([found]) => found))
      at = document.end
    }
    this.#pending = []
    return at
  }

  #done(): readonly ShellCommand[] {
    return this.#commands.map((each) => {
      const stdin = stdinOf(each)
      return {
        line: this.#lineAt(each.start),
        words: each.words,
        unexpanded: each.open,
        ...compact({ stdin }),
        readsPipe: each.before !== undefined,
        isPiped: each.isPiped,
      }
    })
  }

  #broken(at: number, message: string): ShellParse {
    const syntaxError = { ...lineAndColumnAt(this.#text, at), message }
    return { commands: this.#done(), syntaxError }
  }

  #brokenHeredoc({ at, delimiter }: PendingHeredoc): ShellParse {
    return this.#broken(at, `a here-document is opened (<<${delimiter}) and never closed`)
  }

  /** `> curl …`: the prompt of a shell that was pasted with the command. */
  #isPrompt(from: number): boolean {
    return (
      this.#word === undefined &&
      this.#command.words.length === 0 &&
      this.#text.startsWith('> curl', from)
    )
  }
}
