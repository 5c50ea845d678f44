/** Output of an export: buffered, and it takes the place of a file only with `--force`. */
import { errorCode, fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { openOutput } from '../../../core/runtime/files/output.ts'
import { isStdout } from '../../../core/runtime/files/output-place.ts'
import { rawExportRefusal, rawFileMode } from '../../../core/runtime/recording/raw-recording.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import type { HeaderLine } from '../../../core/traffic/recording/format.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { type Io, isTerminal } from '../../../terminal/cli/io.ts'

export type TextOutput = Awaited<ReturnType<typeof openTextOutput>>

/** Write buffer size in characters. */
const bufferChars = 256 * 1024

function createWriteBuffer(write: (text: string) => Promise<void>) {
  let pending = ''
  return {
    write: async (text: string): Promise<void> => {
      pending += text
      if (pending.length < bufferChars) return
      const batch = pending
      pending = ''
      await write(batch)
    },
    rest: (): Promise<void> => write(pending),
  }
}

/**
 * Permissions of an output that is made from a recording; undefined for the usual ones. One that is made from a raw
 * recording contains the same secrets: only its owner may read it, and it may not be written where it could be
 * committed.
 */
export function outputModeFor(
  { _rec: { redaction } }: HeaderLine,
  file: string | undefined,
  cwd: string,
): number | undefined {
  if (file === undefined || redaction.mode !== 'none') return undefined
  const refusal = rawExportRefusal(file, cwd)
  if (refusal === undefined) return rawFileMode
  throw new Problem(refusal, 2)
}

interface TextOutputOptions {
  /** Stdout if undefined. */
  readonly file: string | undefined
  readonly force: boolean
  readonly mode: number | undefined
}

export async function openTextOutput(
  { file = '-', force, mode }: TextOutputOptions,
  { cwd, stdout }: Pick<Io, 'stdout' | 'cwd'>,
) {
  const attempted = `exporting to ${file}`
  const asProblem = (error: unknown): Problem =>
    errorCode(error) === 'EEXIST'
      ? problem(
          attempted,
          'it is there already',
          'Name another file, or write over it with --force',
        )
      : new Problem(fileProblem(attempted, error), 2)
  const withProblem = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw asProblem(error)
    })
  const output = await withProblem(openOutput(file, { replace: force, mode, cwd, stdout }))
  // What a person reads is escaped; what a program reads is as it is.
  const isScreen = isStdout(file, cwd) && isTerminal(stdout)
  const out = createWriteBuffer((text) =>
    withProblem(output.write(isScreen ? escapeControls(text, '\n\t') : text)),
  )
  return {
    write: out.write,
    async close(): Promise<void> {
      await out.rest()
      await withProblem(output.close())
    },
    /** Discards the output file. */
    abort: output.abort,
  }
}
