/**
 * Parser for cmd.exe command lines, in two steps: the prompt removes carets, then the C runtime of the program splits
 * the rest into arguments with its own rules for quotes and backslashes.
 */
import {
  createLineCounter,
  lineAndColumnAt,
  type ShellCommand,
  type ShellParse,
} from './shell-command.ts'

interface Line {
  readonly text: string
  /** Character offset in the input. */
  readonly at: number
}

/** Step 1. A line feed ends a command unless a caret precedes it or a quote is open. */
function splitCommandLines(paste: string): {
  readonly lines: readonly Line[]
  readonly openAt?: number
} {
  const text = paste.replaceAll('\r\n', '\n')
  const lines: Line[] = []
  let line = ''
  let lineStart = 0
  let quote = -1
  const end = (at: number): void => {
    if (line.trim() !== '') lines.push({ text: line, at: lineStart })
    line = ''
    lineStart = at
  }
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const quoted = quote >= 0
    if (char === '"') quote = quoted ? -1 : at
    if (char === '^' && !quoted) {
      // After a line continuation the next character is literal, even a line feed.
      const isContinued = text.charAt(at + 1) === '\n'
      at += isContinued ? 2 : 1
      const next = text.charAt(at)
      line += next
    } else if (!quoted && (char === '\n' || char === '&' || char === '|')) end(at + 1)
    else line += char
  }
  end(text.length)
  return quote < 0 ? { lines } : { lines: lines.slice(0, -1), openAt: quote }
}

/** Step 2: `\"` is a quote, other backslashes are literal, `""` inside quotes is a quote. */
function splitArguments(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === '\\') {
      const run = /^\\+/.exec(line.slice(at))?.[0].length ?? 1
      const beforeQuote = line.charAt(at + run) === '"'
      word = (word ?? '') + '\\'.repeat(beforeQuote ? run >> 1 : run)
      at += run - 1
      if (beforeQuote && run % 2 === 1) {
        word += '"'
        at++
      }
    } else if (char === '"') {
      if (quoted && line.charAt(at + 1) === '"') {
        word = `${word ?? ''}"`
        at++
      } else {
        quoted = !quoted
        word ??= ''
      }
    } else if (!quoted && /\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return words
}

export function parseCmdCommands(paste: string): ShellParse {
  const { lines, openAt } = splitCommandLines(paste)
  const lineAt = createLineCounter(paste.replaceAll('\r\n', '\n'))
  const commands = lines.map(({ text, at }): ShellCommand => ({
    line: lineAt(at),
    words: splitArguments(text),
    unexpanded: [],
  }))
  if (openAt === undefined) return { commands }
  const place = lineAndColumnAt(paste.replaceAll('\r\n', '\n'), openAt)
  return { commands, syntaxError: { ...place, message: 'a quote is opened (") and never closed' } }
}
