/**
 * A line prompt for screen readers: characters are echoed where they are typed, and nothing is ever moved, coloured or drawn
 * again, so no escape sequence is written. What is printed meanwhile waits until the line is sent.
 */
import { Writable } from 'node:stream'

export interface LinePrompt {
  /** Prints whole lines; while a line is being typed they wait. */
  readonly output: Writable
  /** The next line; undefined at ctrl-c, ctrl-d, or the end of the input. */
  readonly read: () => Promise<string | undefined>
  /** Lends the terminal to a child program. */
  readonly lend: <Value>(to: () => Promise<Value>) => Promise<Value>
  readonly close: () => void
}

type Input = NodeJS.ReadableStream & Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>

export interface LinePromptOptions {
  readonly input: Input
  readonly output: NodeJS.WritableStream
  /** Whole lines that begin with the typed text, for tab. */
  readonly complete: (text: string) => readonly string[]
  /** Stops the process group, as ctrl-z does; raw mode is off meanwhile. */
  readonly suspend?: () => Promise<void>
}

/** Lines that up and down bring back. */
const maxHistory = 200
/** Completions that tab lists. */
const maxListed = 30
/** Longer input is taken for a mistaken paste and cut. */
const maxCharacters = 2000

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Arrows and other special keys, as terminals send them; pasted text arrives as it is. */
// eslint-disable-next-line no-control-regex
const keys = /\u{1b}(?:\[[\d;?]*[ -/]*[@-~]|O[@-~]|)|[^]/gu

const commonPrefix = (texts: readonly string[]): string =>
  texts.reduce((prefix, text) => {
    let length = 0
    while (length < prefix.length && prefix[length] === text[length]) length++
    return prefix.slice(0, length)
  }, texts[0] ?? '')

/** Stops the process group until the shell continues it. */
export async function suspendToShell(): Promise<void> {
  process.kill(0, 'SIGTSTP')
  // The signal stops the process here; the timer fires after SIGCONT.
  await new Promise((resolve) => setTimeout(resolve, 50))
}

export function openLinePrompt({
  input,
  output,
  complete,
  suspend,
}: LinePromptOptions): LinePrompt {
  let text = ''
  let isOver = false
  let isClosed = false
  const lines: string[] = []
  const history: string[] = []
  let place = 0
  let waiting: ((line: string | undefined) => void) | undefined
  /** What is to be printed once no line is being typed. */
  const held: (() => void)[] = []

  const write = (data: string): void => void output.write(data)
  const release = (): void => {
    if (text === '') for (const print of held.splice(0)) print()
  }
  const deliver = (line: string): void => {
    if (waiting) waiting(line)
    else lines.push(line)
    waiting = undefined
  }
  const end = (): void => {
    isOver = true
    if (text !== '') write('\n')
    text = ''
    release()
    waiting?.(undefined)
    waiting = undefined
  }
  /** Begins a line again, since nothing on the screen is taken back. */
  const retype = (next: string): void => {
    if (text !== '') write('\n')
    text = next
    write(text)
    release()
  }
  const type = (typed: string): void => {
    text = (text + typed).slice(0, maxCharacters)
    write(typed)
  }
  const erase = (): void => {
    const last = [...graphemes.segment(text)].at(-1)
    if (!last) return
    text = text.slice(0, last.index)
    write('\b \b')
    release()
  }
  const enter = (): void => {
    const line = text
    write('\n')
    text = ''
    if (line.trim() !== '' && history.at(-1) !== line) history.push(line)
    if (history.length > maxHistory) history.shift()
    place = history.length
    deliver(line)
    release()
  }
  const recall = (by: 1 | -1): void => {
    place = Math.max(0, Math.min(history.length, place + by))
    retype(history[place] ?? '')
  }
  const completeLine = (): void => {
    const found = complete(text)
    const [only] = found
    if (only !== undefined && found.length === 1) return type(only.slice(text.length))
    const prefix = commonPrefix(found)
    if (prefix.length > text.length) return type(prefix.slice(text.length))
    const listed = found.slice(0, maxListed)
    const more = found.length > listed.length ? [`and ${found.length - listed.length} more`] : []
    write(
      `\n${[...(found.length === 0 ? ['Nothing begins like this.'] : listed), ...more].join('\n')}\n`,
    )
    write(text)
  }
  const setRaw = (on: boolean): void => void input.setRawMode?.(on)
  const actions: Readonly<Record<string, () => void>> = {
    '\r': enter,
    '\n': enter,
    '\t': completeLine,
    '\u{7f}': erase,
    '\b': erase,
    '\u{3}': () => (text === '' ? end() : retype('')),
    '\u{4}': () => {
      if (text === '') end()
    },
    '\u{15}': () => retype(''),
    '\u{1a}': () => {
      if (!suspend) return
      setRaw(false)
      void suspend().finally(() => setRaw(!isOver))
    },
    '\u{1b}[A': () => recall(-1),
    '\u{1b}[B': () => recall(1),
  }
  const onData = (chunk: string | Buffer): void => {
    for (const [key] of String(chunk).matchAll(keys)) {
      const action = actions[key]
      if (action) action()
      else if (key >= ' ') type(key)
    }
  }

  const attach = (): void => {
    setRaw(true)
    input.setEncoding('utf8')
    input.on('data', onData)
    input.on('end', end)
    input.resume()
  }
  const detach = (): void => {
    input.off('data', onData)
    input.off('end', end)
    input.pause()
    setRaw(false)
  }
  attach()

  return {
    output: new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        const print = (): void => void output.write(chunk, () => done())
        if (text === '') print()
        else held.push(print)
      },
    }),
    read: () => {
      const next = lines.shift()
      if (next !== undefined || isOver) return Promise.resolve(next)
      return new Promise((resolve) => (waiting = resolve))
    },
    async lend(to) {
      detach()
      try {
        return await to()
      } finally {
        attach()
      }
    },
    close() {
      if (isClosed) return
      isClosed = true
      detach()
      end()
    },
  }
}
