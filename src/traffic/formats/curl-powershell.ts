/** Tokenizer for the PowerShell subset used in copied requests: quotes, here-strings, backticks, hashtables, brackets. */
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

function doubleQuoted(text: string, from: number): Piece | undefined {
  let result = ''
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    const next = text.charAt(at + 1)
    if (char === '`') {
      result += escapes[next] ?? next
      at++
    } else if (char !== '"') result += char
    else if (next === '"') {
      result += '"'
      at++
    } else return { text: result, end: at + 1 }
  }
  return undefined
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
  return from === 0 || end < 0
    ? undefined
    : { text: text.slice(from, end).replace(/\r$/, ''), end: end + 3 }
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
