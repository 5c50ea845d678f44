/** An `Io` whose output is kept in memory, for a verb that another verb runs. */
import { Writable } from 'node:stream'
import type { Io } from '../../../terminal/cli/io.ts'

/** A stream that keeps what is written to it. */
export function keepingStream(): { readonly stream: Writable; readonly text: () => string } {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { stream, text: () => text }
}

/** The signal interrupts it. */
export function captureIo(io: Io, signal: AbortSignal) {
  const [out, err] = [keepingStream(), keepingStream()]
  const onInterrupt: Io['onInterrupt'] = (listener) => {
    const interrupt = (): void => listener('SIGTERM')
    if (signal.aborted) interrupt()
    signal.addEventListener('abort', interrupt)
    return () => signal.removeEventListener('abort', interrupt)
  }
  return {
    io: { ...io, onInterrupt, stdout: out.stream, stderr: err.stream, isTTY: false, color: false },
    stdout: out.text,
    stderr: err.text,
  }
}
