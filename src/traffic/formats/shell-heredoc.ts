/** Reads here-documents of POSIX shells: the lines between the one with `<<WORD` and the one that is WORD. */

export interface HeredocStart {
  readonly delimiter: string
  /** `<<-`: tabs at the beginning of lines are dropped. */
  readonly dropsTabs: boolean
  /** The word is quoted: nothing in the lines is special. */
  readonly isLiteral: boolean
}

export interface Heredoc {
  /** With its last line end. */
  readonly content: string
  /** Offset behind the line that ends it. */
  readonly end: number
}

/** What a backslash takes its meaning from where variables are expanded. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(\r?\n|[$`\\])/g, (_, char: string) => (char.endsWith('\n') ? '' : char))

/** The document whose first line begins at `from`; undefined when its end is missing. */
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

export interface Substitution {
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
