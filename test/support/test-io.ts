/** An in-memory `Io` for verbs: captures output, and can interrupt. */
import { PassThrough, Readable, Writable } from 'node:stream'
import type { Interruption, Io } from '../../src/cli/io.ts'

interface TestIo {
  readonly io: Io
  readonly written: () => { readonly stdout: string; readonly stderr: string }
  readonly interrupt: (why: Interruption) => void
  /** Exit codes of immediate exits. */
  readonly exits: readonly number[]
}

/** A stream that captures its output. */
function keeping(): readonly [Writable, () => string] {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return [stream, () => text]
}

export function createTestIo(given: Partial<Io> & { readonly input?: string } = {}): TestIo {
  const { input, ...more } = given
  const [stdout, out] = keeping()
  const [stderr, err] = keeping()
  const listeners = new Set<(why: Interruption) => void>()
  const exits: number[] = []
  return {
    io: {
      stdin: () => (input === undefined ? new PassThrough() : Readable.from([input])),
      stdout,
      stderr,
      // Ports that are free: tests run side by side.
      env: { SPARRING_PORT: '0' },
      cwd: process.cwd(),
      isTTY: false,
      columns: 80,
      rows: 24,
      color: false,
      onInterrupt(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      exit: (code) => exits.push(code),
      ...more,
    },
    written: () => ({ stdout: out(), stderr: err() }),
    interrupt: (why) => {
      for (const listener of listeners) listener(why)
    },
    exits,
  }
}
