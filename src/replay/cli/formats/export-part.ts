/** Exports a part of a recording as a recording. */
import { recordedExchangeFromLine } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Interruption, type Io, printLine } from '../../../terminal/cli/io.ts'
import { createBlobReader } from './recording-lines.ts'
import { writeRecordingPart } from './recording-part.ts'
import { createProblemList, type ProblemList } from '../../formats/problem-list.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { ExportOptions } from './export-flags.ts'

/** Problems of a recording that are printed. */
const maxProblems = 20

/** A closed stdout is no error: `sparring export … | head`. */
export async function reportInterruption(why: Interruption | undefined, io: Io): Promise<ExitCode> {
  if (why === 'closed') return exitCode.done
  await printLine(io.stderr, 'sparring: interrupted; nothing was exported')
  return exitCode.interrupted
}

export async function reportSkippedLines(
  problems: ProblemList,
  recording: string,
  io: Io,
): Promise<void> {
  for (const { where, message } of problems.all().slice(0, maxProblems)) {
    const place = [recording, ...(where === '' ? [] : [where])].join(': ')
    await printLine(io.stderr, escapeControls(`sparring: ${place}: ${message}; it was left out`))
  }
  const more = problems.count() - maxProblems
  if (more > 0)
    await printLine(
      io.stderr,
      escapeControls(`sparring: ${recording}: and ${more} more like these`),
    )
}

export interface ExportedPart {
  readonly path: string
  readonly options: ExportOptions
  /** Exchange filter; absent for all. */
  readonly only: ((recorded: RecordedExchange) => boolean) | undefined
}

export async function exportPart({ path, options, only }: ExportedPart, io: Io): Promise<ExitCode> {
  const { recording, output, force = false } = options
  const problems = createProblemList()
  const blobs = createBlobReader(path, (message) => problems.add('', message))
  let stopped: Interruption | undefined
  const unlisten = io.onInterrupt((why) => (stopped = why))
  const count = await writeRecordingPart(
    {
      path,
      // The output is one file, even if the source has segments.
      header: ({ _rec: { segment: _segment, ...rec }, ...header }) => ({ ...header, _rec: rec }),
      pick(line, { _rec }) {
        const exchange = recordedExchangeFromLine(line, Date.parse(_rec.t0), blobs)
        return only?.(exchange) === false ? undefined : exchange
      },
      file: output,
      force,
      onProblem: problems.add,
      isStopped: () => stopped !== undefined,
    },
    io,
  ).finally(unlisten)
  await reportSkippedLines(problems, recording, io)
  if (count === undefined) return reportInterruption(stopped, io)
  if (output !== undefined)
    await printLine(io.stderr, `${output}  ${pluralise(count, 'exchange')} of ${recording}`)
  return exitCode.done
}
