/** Writes a line to stdout before it returns: what a process that is killed has said is read to the end. */
import { writeSync } from 'node:fs'

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'

/** Waits while the pipe is full, since its reader may be busy for a second. */
export function writeLine(text: string): void {
  let rest = Buffer.from(`${text}\n`)
  while (rest.length > 0)
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (!isFull(error)) throw error
    }
}
