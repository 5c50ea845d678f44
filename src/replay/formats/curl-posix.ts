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
import { posixQuotes, type HeredocStart, readCatHeredoc, readHeredoc } from './posix-quotes.ts'

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

export function parsePosixCommands(text: string): ShellParse {
  const commands: OpenCommand[] = []
  const lineAt = createLineCounter(text)
  const newCommand = (before?: OpenCommand): OpenCommand => ({
    start: 0,
    words: [],
    open: [],
    stdin: undefined,
    before,
    isPiped: false,
  })
  let command = newCommand()
  let word: string | undefined
  let isWordQuoted = false
  let redirected: (Redirection & { readonly at: number }) | undefined
  /** Here-documents whose lines begin behind the end of this line. */
  let pending: PendingHeredoc[] = []

  function endWord(): void {
    if (word !== undefined && redirected) endRedirection(word, redirected)
    else if (word !== undefined) command.words.push(word)
    word = undefined
    isWordQuoted = false
  }
  function endRedirection(target: string, how: Redirection & { readonly at: number }): void {
    redirected = undefined
    if (how.kind === 'text') command.stdin = `${target}\n`
    else if (how.kind === 'heredoc')
      pending.push({
        delimiter: target,
        dropsTabs: how.dropsTabs,
        isLiteral: isWordQuoted,
        command,
        at: how.at,
      })
  }
  function endCommand(isPiped: boolean): void {
    endWord()
    redirected = undefined
    command.isPiped = isPiped
    if (command.words.length > 0) commands.push(command)
    command = newCommand(isPiped ? command : undefined)
  }
  function add(piece: string, at: number): void {
    if (word === undefined && command.words.length === 0) command.start = at
    word = (word ?? '') + piece
  }
  const noteVariables = (piece: string): void =>
    void command.open.push(...[...piece.matchAll(variable)].map(([found]) => found))

  /** The offset behind the here-documents; undefined when one does not end. */
  function takeHeredocs(from: number): number | PendingHeredoc {
    let at = from
    for (const each of pending) {
      const document = readHeredoc(text, at, each)
      if (!document) return each
      each.command.stdin = document.content
      if (!each.isLiteral)
        each.command.open.push(...[...document.content.matchAll(variable)].map(([found]) => found))
      at = document.end
    }
    pending = []
    return at
  }

  const done = (): readonly ShellCommand[] =>
    commands.map((each) => {
      const stdin = stdinOf(each)
      return {
        line: lineAt(each.start),
        words: each.words,
        unexpanded: each.open,
        ...compact({ stdin }),
        readsPipe: each.before !== undefined,
        isPiped: each.isPiped,
      }
    })
  const broken = (at: number, message: string): ShellParse => ({
    commands: done(),
    syntaxError: { ...lineAndColumnAt(text, at), message },
  })

  /** `> curl …`: the prompt of a shell that was pasted with the command. */
  const isPrompt = (from: number): boolean =>
    word === undefined && command.words.length === 0 && text.startsWith('> curl', from)

  for (let at = 0; at < text.length;) {
    const char = text.charAt(at)
    const opened = posixQuotes.find(({ opening }) => text.startsWith(opening, at))
    commandSeparator.lastIndex = at
    const separator = commandSeparator.exec(text)?.[0]
    redirection.lastIndex = at
    // A number belongs to a redirection only where a word could begin.
    const redirect = word === undefined || /[<>]/.test(char) ? redirection.exec(text) : null
    const substituted = char === '$' ? readCatHeredoc(text, at) : undefined
    if (substituted === 'open')
      return broken(at, 'a here-document is opened ($(cat <<) and never closed')
    if (substituted) {
      if (!substituted.isLiteral) noteVariables(substituted.text)
      add(substituted.text, at)
      at = substituted.end
    } else if (opened) {
      const { opening, read, hasVariables } = opened
      const piece = read(text, at + opening.length)
      if (!piece) return broken(at, `a quote is opened (${opening}) and never closed`)
      if (hasVariables) noteVariables(piece.text)
      add(piece.text, at)
      isWordQuoted = true
      at = piece.end
    } else if (char === '\\') {
      // A pasted session has a prompt at the beginning of the next line.
      const continued = /^\\\r?\n(?:> )?/.exec(text.slice(at, at + 5))?.[0]
      if (continued === undefined) {
        add(text.charAt(at + 1), at)
        isWordQuoted = true
      }
      at += continued?.length ?? 2
    } else if (redirect && isPrompt(at)) at++
    else if (redirect) {
      endWord()
      redirected = { ...redirectionOf(redirect[1] ?? ''), at }
      at += redirect[0].length
    } else if (separator !== undefined) {
      const isLineEnd = separator.endsWith('\n')
      endCommand(separator.startsWith('|') && separator !== '||')
      const next = isLineEnd ? takeHeredocs(at + separator.length) : at + separator.length
      if (typeof next !== 'number')
        return broken(next.at, `a here-document is opened (<<${next.delimiter}) and never closed`)
      at = next
    } else if (char === ' ' || char === '\t' || char === '\r') {
      endWord()
      at++
    } else if (char === '#' && word === undefined) {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else {
      if (char === '$')
        command.open.push(...(/^\$(?:\w+|\{[^}]{1,100}\})/.exec(text.slice(at, at + 110)) ?? []))
      add(char, at)
      at++
    }
  }
  endCommand(false)
  const [unclosed] = pending
  return unclosed
    ? broken(unclosed.at, `a here-document is opened (<<${unclosed.delimiter}) and never closed`)
    : { commands: done() }
}
