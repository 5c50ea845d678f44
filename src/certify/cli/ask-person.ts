/** Asks a person at the terminal by a line: Enter when it is done, s to skip it. */
import type { PersonAnswer } from '../screen/show-certification.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'

/**
 * Asks for something that has to be done at the service, until the signal is aborted, which is after so many ms at the latest;
 * undefined when there was no answer.
 */
export type AskPerson = (
  text: string,
  withinMs: number,
  signal: AbortSignal,
) => Promise<PersonAnswer>

export function createLineQuestion({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): AskPerson {
  /** Nothing can be answered any more. */
  let isInputOver = false
  return async (text, withinMs, signal) => {
    if (isInputOver || signal.aborted) return undefined
    const left = `${Math.ceil(withinMs / 1000)} s`
    await printLine(stderr, `do this: ${text}, then press Enter; s and Enter skips it (${left})`)
    const { createInterface } = await import('node:readline')
    const lines = createInterface({ input: stdin() })
    const answered = Promise.withResolvers<PersonAnswer>()
    const over = (): void => answered.resolve(undefined)
    lines.once('line', (line) => answered.resolve(/^\s*s/i.test(line) ? 'skipped' : 'done'))
    lines.once('close', () => {
      isInputOver = true
      over()
    })
    signal.addEventListener('abort', over, { once: true })
    try {
      return await answered.promise
    } finally {
      signal.removeEventListener('abort', over)
      lines.removeAllListeners('close')
      lines.close()
    }
  }
}
