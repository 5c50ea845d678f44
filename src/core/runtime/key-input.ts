/** The input of a terminal with keys alone: reports of the mouse are taken out as it is read. */
import { createMouseFilter, type MouseReport } from './mouse-input.ts'

export interface KeyInput {
  readonly input: NodeJS.ReadStream
  /** Calls back with each report of the mouse; returns an unsubscribe function. */
  readonly onMouse: (listener: (report: MouseReport) => void) => () => void
  readonly close: () => void
}

/** An escape that nothing has followed for so long, in ms, is the key. */
const escapeMs = 40
/** The rest of a report on a slow line comes within this time, in ms, after its escape was taken for the key. */
const restMs = 500

/**
 * Complete sequences for keys that are released: after a plain escape the reader would wait for more, and take the next key
 * for one with alt. Alt with a bracket is not bound to anything.
 */
const completeForms: Readonly<Record<string, string>> = {
  '\u{1b}': '\u{1b}[27u',
  '\u{1b}[': '',
}

export function createKeyInput(stdin: NodeJS.ReadStream): KeyInput {
  const listeners = new Set<(report: MouseReport) => void>()
  const filter = createMouseFilter((report) => {
    for (const listener of listeners) listener(report)
  })
  let released = ''
  let timer: NodeJS.Timeout | undefined
  let afterReading: NodeJS.Immediate | undefined

  /** Gives the reader keys that were held back. */
  function deliver(keys: string): void {
    released += keys
    if (keys !== '') stdin.emit('readable')
  }

  function releaseKeys(): void {
    const keys = filter.release()
    deliver(completeForms[keys] ?? keys)
    forgetLater()
  }

  function stop(): void {
    clearTimeout(timer)
    clearImmediate(afterReading)
  }

  function startTimer(ms: number, then: () => void): void {
    timer = setTimeout(then, ms)
    timer.unref()
  }

  const forgetLater = (): void => startTimer(restMs, () => deliver(filter.forget()))

  function schedule(): void {
    stop()
    if (!filter.mayBeKeys()) return forgetLater()
    // Where this process was busy the rest may be there already: it is read before the release.
    startTimer(escapeMs, () => {
      afterReading = setImmediate(releaseKeys)
    })
  }

  /** The next keys; null as from a stream when there are none for now. */
  function read(): string | null {
    if (released !== '') {
      const keys = released
      released = ''
      return keys
    }
    for (;;) {
      // The reader of keys sets the encoding, so these are whole characters.
      const chunk = stdin.read() as string | Buffer | null
      if (chunk === null) return null
      const keys = filter.push(chunk.toString())
      schedule()
      if (keys !== '') return keys
    }
  }

  return {
    // Everything but reading is the stream's own: its mode, its listeners, whether it keeps the process alive.
    input: new Proxy(stdin, {
      get(target, name) {
        if (name === 'read') return read
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    }),
    onMouse(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: stop,
  }
}
