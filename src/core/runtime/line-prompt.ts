/**
 * A line prompt for screen readers: characters are echoed where they are typed, and nothing is ever moved, coloured or drawn
 * again, so no escape sequence is written. What is printed meanwhile waits until the line is sent.
 */
import { Writable } from 'node:stream'

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

export class LinePrompt {
  readonly #options: LinePromptOptions
  #text = ''
  #isOver = false
  #isClosed = false
  readonly #lines: string[] = []
  readonly #history: string[] = []
  #place = 0
  #waiting: ((line: string | undefined) => void) | undefined
  /** What is to be printed once no line is being typed. */
  readonly #held: (() => void)[] = []
  readonly #actions: Readonly<Record<string, () => void>>
  /** Prints whole lines; while a line is being typed they wait. */
  readonly output: Writable

  constructor(options: LinePromptOptions) {
    this.#options = options
    this.#actions = {
      '\r': () => this.#enter(),
      '\n': () => this.#enter(),
      '\t': () => this.#completeLine(),
      '\u{7f}': () => this.#erase(),
      '\b': () => this.#erase(),
      '\u{3}': () => (this.#text === '' ? this.#end() : this.#retype('')),
      '\u{4}': () => {
        if (this.#text === '') this.#end()
      },
      '\u{15}': () => this.#retype(''),
      '\u{1a}': () => {
        const { suspend } = this.#options
        if (!suspend) return
        this.#setRaw(false)
        void suspend().finally(() => this.#setRaw(!this.#isOver))
      },
      '\u{1b}[A': () => this.#recall(-1),
      '\u{1b}[B': () => this.#recall(1),
    }
    this.#attach()
    this.output = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        const print = (): void => void this.#options.output.write(chunk, () => done())
        if (this.#text === '') print()
        else this.#held.push(print)
      },
    })
  }

  /** The next line; undefined at ctrl-c, ctrl-d, or the end of the input. */
  read(): Promise<string | undefined> {
    const next = this.#lines.shift()
    if (next !== undefined || this.#isOver) return Promise.resolve(next)
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  /** Lends the terminal to a child program. */
  async lend<Value>(to: () => Promise<Value>): Promise<Value> {
    this.#detach()
    try {
      return await to()
    } finally {
      this.#attach()
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#detach()
    this.#end()
  }

  readonly #write = (data: string): void => void this.#options.output.write(data)

  #release(): void {
    if (this.#text === '') for (const print of this.#held.splice(0)) print()
  }

  #deliver(line: string): void {
    if (this.#waiting) this.#waiting(line)
    else this.#lines.push(line)
    this.#waiting = undefined
  }

  readonly #end = (): void => {
    this.#isOver = true
    if (this.#text !== '') this.#write('\n')
    this.#text = ''
    this.#release()
    this.#waiting?.(undefined)
    this.#waiting = undefined
  }

  /** Begins a line again, since nothing on the screen is taken back. */
  #retype(next: string): void {
    if (this.#text !== '') this.#write('\n')
    this.#text = next
    this.#write(this.#text)
    this.#release()
  }

  #type(typed: string): void {
    this.#text = (this.#text + typed).slice(0, maxCharacters)
    this.#write(typed)
  }

  #erase(): void {
    const last = [...graphemes.segment(this.#text)].at(-1)
    if (!last) return
    this.#text = this.#text.slice(0, last.index)
    this.#write('\b \b')
    this.#release()
  }

  #enter(): void {
    const line = this.#text
    this.#write('\n')
    this.#text = ''
    if (line.trim() !== '' && this.#history.at(-1) !== line) this.#history.push(line)
    if (this.#history.length > maxHistory) this.#history.shift()
    this.#place = this.#history.length
    this.#deliver(line)
    this.#release()
  }

  #recall(by: 1 | -1): void {
    this.#place = Math.max(0, Math.min(this.#history.length, this.#place + by))
    this.#retype(this.#history[this.#place] ?? '')
  }

  #completeLine(): void {
    const found = this.#options.complete(this.#text)
    const [only] = found
    if (only !== undefined && found.length === 1) return this.#type(only.slice(this.#text.length))
    const prefix = commonPrefix(found)
    if (prefix.length > this.#text.length) return this.#type(prefix.slice(this.#text.length))
    const listed = found.slice(0, maxListed)
    const more = found.length > listed.length ? [`and ${found.length - listed.length} more`] : []
    this.#write(
      `\n${[...(found.length === 0 ? ['Nothing begins like this.'] : listed), ...more].join('\n')}\n`,
    )
    this.#write(this.#text)
  }

  readonly #setRaw = (on: boolean): void => void this.#options.input.setRawMode?.(on)

  readonly #onData = (chunk: string | Buffer): void => {
    for (const [key] of String(chunk).matchAll(keys)) {
      const action = this.#actions[key]
      if (action) action()
      else if (key >= ' ') this.#type(key)
    }
  }

  #attach(): void {
    const { input } = this.#options
    this.#setRaw(true)
    input.setEncoding('utf8')
    input.on('data', this.#onData)
    input.on('end', this.#end)
    input.resume()
  }

  #detach(): void {
    const { input } = this.#options
    input.off('data', this.#onData)
    input.off('end', this.#end)
    input.pause()
    this.#setRaw(false)
  }
}
