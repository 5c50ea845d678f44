/**
 * Tokenizer for the PowerShell subset used in copied requests: quotes, here-strings, backticks, hashtables, brackets.
 */
import { createLineCounter, lineAndColumnAt } from './shell-command.ts'

export type PowershellToken =
  | { readonly kind: 'word'; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: 'open' | 'close' | 'equals' | 'comma' }

export interface PowershellCommand {
  readonly line: number
  readonly tokens: readonly PowershellToken[]
}

export interface PowershellParse {
  readonly commands: readonly PowershellCommand[]
  readonly syntaxError?: {
    readonly line: number
    readonly column: number
    readonly message: string
  }
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  b: '\b',
  a: '\u0007',
}

interface Piece {
  readonly text: string
  readonly end: number
}

const characterCode =
  /\$\(\s*\[char\](?:::ConvertFromUtf32\(\s*(0x[\da-f]{1,6}|\d{1,7})\s*\)|\s*(0x[\da-f]{1,4}|\d{1,5}))\s*\)/iy

/** What a backtick or `$([char]233)` stands for, which is how browsers write letters beyond ASCII. */
function expansionAt(text: string, at: number): Piece | undefined {
  const char = text.charAt(at)
  if (char === '`') {
    const next = text.charAt(at + 1)
    return { text: escapes[next] ?? next, end: at + 2 }
  }
  if (char !== '$') return undefined
  characterCode.lastIndex = at
  const found = characterCode.exec(text)
  if (!found) return undefined
  const [all, codePoint, codeUnit] = found
  const code = Number(codePoint ?? codeUnit)
  // Two halves of a pair in a row become one character.
  const character =
    codePoint === undefined || code > 0x10_ff_ff
      ? String.fromCharCode(code)
      : String.fromCodePoint(code)
  return { text: character, end: at + all.length }
}

function doubleQuoted(text: string, from: number): Piece | undefined {
  let result = ''
  for (let at = from; at < text.length;) {
    const char = text.charAt(at)
    const expansion = expansionAt(text, at)
    if (expansion) {
      result += expansion.text
      at = expansion.end
    } else if (char !== '"' || text.charAt(at + 1) === '"') {
      result += char
      at += char === '"' ? 2 : 1
    } else return { text: result, end: at + 1 }
  }
  return undefined
}

function expanded(text: string): string {
  let result = ''
  for (let at = 0; at < text.length;) {
    const expansion = expansionAt(text, at)
    result += expansion?.text ?? text.charAt(at)
    at = expansion?.end ?? at + 1
  }
  return result
}

function singleQuoted(text: string, from: number): Piece | undefined {
  let end = text.indexOf("'", from)
  while (end >= 0 && text[end + 1] === "'") end = text.indexOf("'", end + 2)
  return end < 0 ? undefined : { text: text.slice(from, end).replaceAll("''", "'"), end: end + 1 }
}

/** Here-string: `@'`, line feed, text, line feed, `'@`. */
function hereString(text: string, at: number): Piece | undefined {
  const quote = text.charAt(at + 1)
  const from = text.indexOf('\n', at) + 1
  const end = text.indexOf(`\n${quote}@`, from - 1)
  if (from === 0 || end < 0) return undefined
  const lines = text.slice(from, end).replace(/\r$/, '')
  return { text: quote === '"' ? expanded(lines) : lines, end: end + 3 }
}

const bare = /[^\s"'`(){}=;,@|]+/y
const punctuation: Readonly<Record<string, 'open' | 'close' | 'equals' | 'comma'>> = {
  '(': 'open',
  '{': 'open',
  ')': 'close',
  '}': 'close',
  '=': 'equals',
  ',': 'comma',
}

function quotedAt(text: string, at: number): { readonly piece: Piece | undefined } | undefined {
  if (/^@["'][ \t]*\r?\n/.test(text.slice(at, at + 20))) return { piece: hereString(text, at) }
  if (text[at] === '"') return { piece: doubleQuoted(text, at + 1) }
  return text[at] === "'" ? { piece: singleQuoted(text, at + 1) } : undefined
}

export function parsePowershellCommands(text: string): PowershellParse {
  const commands: PowershellCommand[] = []
  const lineAt = createLineCounter(text)
  let tokens: PowershellToken[] = []
  let commandStart = 0
  let depth = 0
  const endCommand = (): void => {
    if (tokens.length > 0) commands.push({ line: lineAt(commandStart), tokens })
    tokens = []
  }
  const add = (token: PowershellToken, at: number): void => {
    if (tokens.length === 0) commandStart = at
    tokens.push(token)
  }
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at)
    const quoted = quotedAt(text, at)
    const mark = punctuation[char]
    if (quoted) {
      if (!quoted.piece)
        return {
          commands,
          syntaxError: {
            ...lineAndColumnAt(text, at),
            message: `a quote is opened (${char}) and never closed`,
          },
        }
      add({ kind: 'word', text: quoted.piece.text, isQuoted: true }, at)
      at = quoted.piece.end
    } else if (char === '`') {
      at += /^`\r?\n/.exec(text.slice(at, at + 3))?.[0].length ?? 1
    } else if (mark) {
      depth += mark === 'open' ? 1 : mark === 'close' ? -1 : 0
      add({ kind: mark }, at)
      at++
    } else if (char === '\n' || char === ';' || char === '|') {
      if (depth <= 0) endCommand()
      at++
    } else if (char === '#' && (at === 0 || /\s/.test(text.charAt(at - 1)))) {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else {
      bare.lastIndex = at
      const word = bare.exec(text)?.[0]
      if (word !== undefined) add({ kind: 'word', text: word, isQuoted: false }, at)
      at += word?.length ?? 1
    }
  }
  endCommand()
  return { commands }
}
