/** An in-memory `Io` for verbs: captures output, and can interrupt. */
import { PassThrough, Readable } from 'node:stream'
import type { Interruption, Io } from '../../src/terminal/cli/io.ts'
import { keepingStream } from '../../src/replay/cli/minimise/proof.ts'

interface TestIo {
  readonly io: Io
  readonly written: () => { readonly stdout: string; readonly stderr: string }
  readonly interrupt: (why: Interruption) => void
  /** Exit codes of immediate exits. */
  readonly exits: readonly number[]
}

export function createTestIo(given: Partial<Io> & { readonly input?: string } = {}): TestIo {
  const { input, ...more } = given
  const [out, err] = [keepingStream(), keepingStream()]
  const listeners = new Set<(why: Interruption) => void>()
  const exits: number[] = []
  return {
    io: {
      stdin: () => (input === undefined ? new PassThrough() : Readable.from([input])),
      stdout: out.stream,
      stderr: err.stream,
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
    written: () => ({ stdout: out.text(), stderr: err.text() }),
    interrupt: (why) => {
      for (const listener of listeners) listener(why)
    },
    exits,
  }
}
