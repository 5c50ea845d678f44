/** Outputs that could not be written as a whole: each is said once, and the verb does not end with 0. */
import { type ExitCode, exitCode } from './exit-code.ts'
import { type Io, printLine } from './io.ts'
import { commandRunner } from './run/run-child.ts'
import { withoutNumbers } from '../../core/protocol/count-text.ts'

/** Says what was lost, on stderr; the sentence names the output, what it lacks, and why. */
export async function reportLoss(
  { stderr, onLoss }: Pick<Io, 'stderr' | 'onLoss'>,
  sentence: string,
): Promise<void> {
  if (onLoss?.(sentence) !== false) await printLine(stderr, `sparring: ${sentence}`)
}

/** For what reports a loss by a callback. */
export const lossOf =
  (io: Pick<Io, 'stderr' | 'onLoss'>) =>
  (sentence: string): void =>
    void reportLoss(io, sentence)

/** What each session of a verb has of the terminal: where losses are said, and what runs the commands of its configuration. */
export const sessionPorts = (io: Io) => ({ onLoss: lossOf(io), runCommand: commandRunner(io) })

/** Runs a verb; where it lost something, its exit code is that of outputs that cannot be written, or its own. */
export async function withLosses(io: Io, run: (io: Io) => Promise<ExitCode>): Promise<ExitCode> {
  // Each of many runs says the same of a full disk.
  const kinds = new Set<string>()
  const code = await run({
    ...io,
    onLoss(sentence) {
      const isNew = !kinds.has(withoutNumbers(sentence))
      kinds.add(withoutNumbers(sentence))
      return isNew
    },
  })
  return code === exitCode.done && kinds.size > 0 ? exitCode.usage : code
}
